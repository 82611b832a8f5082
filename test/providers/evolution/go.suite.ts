// Calls of Evolution Go: they are recognised beside those of Evolution API v2, and read as these are.

import { providerOfCall } from '../../../src/providers/registry.js';
import type { NamedReport } from '../../../src/providers/reported.js';

const token = 'a-token-of-the-instance';
const writtenAt = '2026-11-20T10:15:45-03:00';
const ana = { kind: 'PHONE', value: '5511988887777' } as const;
const hidden = { kind: 'LID', value: '103000000000011' } as const;

export function describeEvolutionGo(): void {
  const call = (event: string, data: object, beside: object = {}) => ({
    event,
    data,
    instanceName: 'sales',
    instanceId: 'd0f8d2f6-7d0c-4a3e-9f3a-0c3b1c0a1b2c',
    instanceToken: token,
    ...beside,
  });

  function read(body: object): readonly NamedReport[] {
    const { dialect, webhooks } = providerOfCall(body, { kind: 'messages' });
    expect(dialect).toBe('evolution');
    return webhooks.read(body, { kind: 'messages' }).reports;
  }

  const info = {
    Chat: '5511988887777@s.whatsapp.net',
    Sender: '5511988887777:12@s.whatsapp.net',
    SenderAlt: '103000000000011@lid',
    RecipientAlt: '',
    IsFromMe: false,
    IsGroup: false,
    ID: '3EB0A1C6D2F4E80917B355',
    PushName: 'Ana',
    Timestamp: writtenAt,
  };
  const message = (Message: object, Info: object = {}, beside: object = {}) =>
    read(call('Message', { Info: { ...info, ...Info }, Message, ...beside }));
  const common = { kind: 'message', direction: 'INBOUND', externalId: info.ID, contact: [ana, hidden], name: 'Ana' };

  test('a text, an answer to an earlier message, and the instance and time', () => {
    const item = { ...common, type: 'text', text: 'Oi', timestamp: new Date(writtenAt) };
    expect(message({ conversation: 'Oi' })).toMatchObject([{ instance: 'sales', item }]);
    const contextInfo = { stanzaID: '3EB00000000000000001', quotedMessage: { conversation: 'Preço?' } };
    expect(message({ extendedTextMessage: { text: 'Oi', contextInfo } })).toMatchObject([
      { item: { ...item, replyTo: '3EB00000000000000001' } },
    ]);
  });

  test('a file with its caption, by its address or its bytes', () => {
    const imageMessage = {
      URL: 'https://mmg.whatsapp.net/x.enc',
      mimetype: 'image/jpeg',
      caption: 'o recibo',
      fileLength: 3,
    };
    expect(message({ imageMessage, mediaUrl: 'https://files.example/a.jpg', mimetype: 'image/jpeg' })).toMatchObject([
      { item: { type: 'image', media: { url: 'https://files.example/a.jpg', caption: 'o recibo' } } },
    ]);
    expect(message({ imageMessage, base64: 'AAAA' })).toMatchObject([
      { item: { media: { content: Buffer.from([0, 0, 0]), url: imageMessage.URL } } },
    ]);
    const audioMessage = { URL: 'https://mmg.whatsapp.net/y.enc', PTT: true };
    expect(message({ audioMessage })).toMatchObject([{ item: { type: 'audio', media: { isVoice: true } } }]);
  });

  test('a picture that may be seen once is a placeholder', () => {
    const data = { Info: info, IsUnavailable: true, UnavailableType: 'view_once' };
    expect(read(call('Message', data))).toMatchObject([{ item: { ...common, type: 'unknown', isPlaceholder: true } }]);
  });

  test('a choice, an ad, a reaction, an edit and a deletion', () => {
    expect(
      message({ listResponseMessage: { title: 'Casa', singleSelectReply: { selectedRowID: 'r1' } } }),
    ).toMatchObject([{ item: { text: 'Casa', choice: { kind: 'LIST', id: 'r1' } } }]);
    const externalAdReply = { title: 'Promo', sourceID: '120', sourceType: 'ad', sourceURL: 'https://fb.me/x' };
    expect(message({ extendedTextMessage: { text: 'Oi', contextInfo: { externalAdReply } } })).toMatchObject([
      { item: { referral: { kind: 'AD', sourceId: '120', sourceUrl: 'https://fb.me/x' } } },
    ]);
    const key = { remoteJID: info.Chat, fromMe: true, ID: '3EB00000000000000001' };
    const changed = { kind: 'change', direction: 'INBOUND', externalId: key.ID };
    expect(message({ reactionMessage: { key, text: '👍' } })).toMatchObject([
      { item: { ...changed, change: 'REACTION', emoji: '👍' } },
    ]);
    expect(message({ protocolMessage: { key, type: 0 } })).toMatchObject([
      { item: { ...changed, change: 'DELETION' } },
    ]);
    expect(message({ protocolMessage: { key, type: 14, editedMessage: { conversation: 'Olá' } } })).toMatchObject([
      { item: { ...changed, change: 'EDIT', text: 'Olá' } },
    ]);
  });

  test('what the phone or the gateway wrote is ours', () => {
    const own = {
      IsFromMe: true,
      Sender: '5511900000000@s.whatsapp.net',
      SenderAlt: '7@lid',
      RecipientAlt: hidden.value + '@lid',
    };
    const item = { direction: 'OUTBOUND', contact: [ana, hidden], name: undefined, text: 'Oi' };
    expect(message({ conversation: 'Oi' }, own)).toMatchObject([{ item }]);
    const sent = {
      Info: { ...info, ...own },
      Message: { conversation: 'Oi' },
      MessageContextInfo: { stanzaID: '3EB1' },
    };
    expect(read(call('SendMessage', sent))).toMatchObject([{ item: { ...item, replyTo: '3EB1' } }]);
  });

  test.each([
    ['120363000000000000@g.us', 'a group'],
    ['status@broadcast', 'a status update'],
    ['120363000000000000@newsletter', 'a newsletter'],
  ])('a message in %s is ignored', (Chat, reason) => {
    expect(message({ conversation: 'Oi' }, { Chat })).toMatchObject([{ item: { kind: 'ignored', reason } }]);
  });

  test('a receipt is a status of each of its messages', () => {
    const receipt = {
      Chat: info.Chat,
      Sender: info.Sender,
      IsFromMe: false,
      MessageIDs: ['A1', 'A2'],
      Timestamp: writtenAt,
    };
    const status = { kind: 'status', timestamp: new Date(writtenAt) };
    expect(read(call('Receipt', { ...receipt, Type: 'read' }, { state: 'Read' }))).toMatchObject([
      { item: { ...status, externalId: 'A1', status: 'READ' } },
      { item: { ...status, externalId: 'A2', status: 'READ' } },
    ]);
    expect(read(call('Receipt', { ...receipt, MessageIDs: ['A1'] }, { state: 'Delivered' }))).toMatchObject([
      { item: { ...status, externalId: 'A1', status: 'DELIVERED' } },
    ]);
    for (const own of [
      call('Receipt', receipt, { state: 'ReadSelf' }),
      call('Receipt', { ...receipt, IsFromMe: true }, { state: 'Delivered' }),
    ])
      expect(read(own)).toMatchObject([{ item: { kind: 'ignored' } }, { item: { kind: 'ignored' } }]);
    expect(read(call('Receipt', { Chat: info.Chat }, { state: 'Read' }))).toMatchObject([
      { errors: [{ path: 'data.0.keyId' }] },
    ]);
  });

  test('a call that comes in', () => {
    const offer = { From: info.Chat, CallCreator: info.Chat, CallID: 'C1', GroupJID: '', Timestamp: writtenAt };
    const item = {
      kind: 'message',
      type: 'call',
      externalId: 'call:C1',
      contact: [ana],
      timestamp: new Date(writtenAt),
    };
    expect(read(call('CallOffer', offer))).toMatchObject([{ item }]);
    expect(read(call('CallOffer', { ...offer, GroupJID: '1@g.us' }))).toMatchObject([{ item: { kind: 'ignored' } }]);
  });

  test.each<[string, object, object]>([
    [
      'Connected',
      { status: 'open', jid: '5511900000000:3@s.whatsapp.net' },
      { status: 'CONNECTED', number: '5511900000000' },
    ],
    ['Disconnected', {}, { status: 'DISCONNECTED' }],
    [
      'LoggedOut',
      { reason: 'Logged out' },
      { status: 'DISCONNECTED', lastError: 'the line was closed (401: logged out)' },
    ],
    ['TemporaryBan', { reason: 'spam' }, { status: 'ERROR' }],
    ['QRCode', { qrcode: 'data:image/png;base64,AAAA' }, { status: 'CONNECTING' }],
    [
      'QRTimeout',
      { reason: 'Maximum QR code count' },
      { status: 'ERROR', lastError: 'the QR code was not scanned in time' },
    ],
  ])('%s is a state of the line', (event, data, item) => {
    expect(read(call(event, data))).toMatchObject([{ item: { kind: 'connection', ...item } }]);
  });

  test.each(['Presence', 'HistorySync', 'constructor'])('%s is not handled, and the answer says so', (event) => {
    const reason = `an event that is not handled: ${event}`;
    expect(read(call(event, {}))).toEqual([expect.objectContaining({ item: { kind: 'ignored', reason } })]);
  });

  test.each([
    { Info: 'x', Message: [] },
    { Info: { Chat: 7, ID: null }, Message: { conversation: 'Oi' } },
  ])('a damaged message is refused by its fields: %j', (data) => {
    expect(read(call('Message', data))).toMatchObject([{ errors: expect.any(Array) }]);
  });

  test('the token is not kept', () => {
    const { webhooks } = providerOfCall(call('Message', {}), { kind: 'messages' });
    const kept = webhooks.withoutSecrets?.(JSON.stringify(call('Message', {}))) ?? token;
    expect(kept).not.toContain(token);
    expect(JSON.parse(kept)).toMatchObject({ instanceName: 'sales', instanceToken: '' });
  });
}
