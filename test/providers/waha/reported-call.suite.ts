// The WAHA dialect: recorded calls of its engines and their reading, the edges of each field, and the signature.

import { createHmac } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { ReadReport, ReportedItem, ReportedMedia, ReportedMessage } from '../../../src/providers/reported.js';
import { isEvolution } from '../../../src/providers/evolution/reported-call.js';
import { isWaha, readWaha, wahaSignatureMatches } from '../../../src/providers/waha/reported-call.js';

const folder = new URL('../payloads/waha/', import.meta.url);

const payloads = new Map(
  readdirSync(folder).map((file) => [file.replace('.json', ''), readFileSync(new URL(file, folder), 'utf8')]),
);

const recorded = (name: string) => JSON.parse(payloads.get(name) ?? 'null');

const ana = { kind: 'PHONE', value: '12025550143' } as const;
const bia = { kind: 'PHONE', value: '5511900000001' } as const;
const hiddenBia = { kind: 'LID', value: '103000000000011' } as const;

const writtenAt = new Date('2026-11-20T13:15:45.000Z');
/** The envelope's time. */
const reportedAt = new Date('2026-11-20T13:15:45.120Z');

const idOf = (end: string) => `3EB0A1C6D2F4E80917B3${end}`;

function inbound(end: string, content: Partial<ReportedMessage>): ReportedMessage {
  const who = { direction: 'INBOUND', contact: [ana], name: 'Ana Souza' } as const;
  return { kind: 'message', ...who, timestamp: writtenAt, externalId: idOf(end), type: 'text', ...content };
}

function outbound(end: string, content: Partial<ReportedMessage>): ReportedMessage {
  return { ...inbound(end, content), direction: 'OUTBOUND', name: undefined };
}

/** A file, whose id at WAHA is the message's own. */
function fileOf(end: string, media: Partial<ReportedMedia> & Pick<ReportedMedia, 'url'>): ReportedMedia {
  return { providerId: `false_12025550143@c.us_${idOf(end)}`, fileName: undefined, isVoice: undefined, ...media };
}

const ignored = (reason: string): ReportedItem => ({ kind: 'ignored', reason });
const status = (word: string, error?: object) =>
  ({ kind: 'status', externalId: 'BAE5C0FFEE0001', status: word, timestamp: reportedAt, error }) as ReportedItem;
const connection = (word: string, lastError?: string) =>
  ({ kind: 'connection', status: word, reportedAt, ...(lastError === undefined ? {} : { lastError }) }) as ReportedItem;
const byAna = { kind: 'change', direction: 'INBOUND', contact: [ana] } as const;
const byUs = { kind: 'change', direction: 'OUTBOUND', contact: [ana] } as const;
const reaction = { change: 'REACTION', timestamp: writtenAt } as const;

const place = '-23.55,-46.63\nOffice';

const expected: Record<string, ReportedItem> = {
  'message-text': inbound('01', { type: 'text', text: 'Hello, is the flat still free?' }),
  'message-same': inbound('01', { type: 'text', text: 'Hello, is the flat still free?' }),
  'message-noweb': inbound('02', { type: 'text', text: 'Oi', contact: [ana, hiddenBia] }),
  'message-webjs': inbound('03', { type: 'text', text: 'Oi' }),
  'message-hidden-number': inbound('04', { type: 'text', text: 'Oi', contact: [bia, hiddenBia], name: 'Bia 🌻' }),
  'message-hidden-only': inbound('05', {
    type: 'text',
    text: 'Boa tarde',
    contact: [{ kind: 'LID', value: '103000000000012' }],
    name: undefined,
  }),
  'message-answer': inbound('06', { type: 'text', text: 'Yes, the second one', replyTo: 'BAE5C0FFEE0001' }),
  'message-answer-webjs': inbound('07', { type: 'text', text: 'Yes', replyTo: 'BAE5C0FFEE0002' }),
  'message-image': inbound('08', {
    type: 'image',
    media: fileOf('08', {
      url: `http://localhost:3000/api/files/sales/${idOf('08')}.jpeg`,
      mimeType: 'image/jpeg',
      caption: 'The kitchen',
      sizeBytes: 48_211,
    }),
  }),
  'message-voice': inbound('09', {
    type: 'audio',
    media: fileOf('09', {
      url: `https://waha.example.com/api/files/sales/${idOf('09')}.oga`,
      mimeType: 'audio/ogg; codecs=opus',
      sizeBytes: 10_233,
      isVoice: true,
    }),
  }),
  'message-document': inbound('10', {
    type: 'document',
    media: fileOf('10', {
      url: `https://waha.example.com/api/files/sales/${idOf('10')}.pdf`,
      mimeType: 'application/pdf',
      fileName: 'contract.pdf',
      caption: 'Signed',
    }),
  }),
  'message-sticker': inbound('11', {
    type: 'sticker',
    media: fileOf('11', {
      url: `https://waha.example.com/api/files/sales/${idOf('11')}.webp`,
      mimeType: 'image/webp',
      sizeBytes: 9_021,
    }),
  }),
  'message-not-downloaded': inbound('12', {
    type: 'video',
    media: fileOf('12', { url: null, mimeType: 'video/mp4', sizeBytes: 2_400_123 }),
  }),
  'message-failed-download': inbound('13', {
    type: 'document',
    media: fileOf('13', {
      url: null,
      mimeType: 'text/plain',
      fileName: 'notes.txt',
      caption: 'My notes',
      sizeBytes: 77,
    }),
  }),
  'message-location': inbound('14', { type: 'location', text: place }),
  'message-location-webjs': inbound('15', { type: 'location', text: `${place}\nRua A, 1` }),
  'message-contact': inbound('16', { type: 'contact', text: 'Ana Souza: +1 202 555 0143' }),
  'message-poll': inbound('17', { type: 'pollCreationMessage', text: 'When?\n- Mon\n- Tue' }),
  'message-unknown': inbound('18', { type: 'newThingMessage', isPlaceholder: true, isUnknownKind: true }),
  'message-bare': inbound('19', { type: 'unknown', isPlaceholder: true, name: undefined }),
  'message-from-phone': outbound('20', { type: 'text', text: 'Yes, it is' }),
  'message-from-api': outbound('21', { type: 'text', text: 'Yes, it is' }),
  'message-from-phone-webjs': outbound('22', { type: 'text', text: 'Yes' }),
  'message-from-phone-hidden': outbound('23', { type: 'text', text: 'Sim', contact: [bia, hiddenBia] }),
  'message-to-self': ignored('a note of the line to itself'),
  'message-group': ignored('a group'),
  'message-newsletter': ignored('a newsletter'),
  'message-status': ignored('a status update'),
  'message-reaction-copy': ignored('a reaction, which has an event of its own'),
  'message-notification': ignored("the network's own housekeeping"),
  reaction: { ...byAna, ...reaction, externalId: 'BAE5C0FFEE0001', emoji: '🙏' },
  'reaction-taken-back': { ...byAna, ...reaction, externalId: 'BAE5C0FFEE0001', emoji: null },
  'reaction-from-phone': { ...byUs, ...reaction, externalId: idOf('01'), emoji: '👍' },
  'reaction-in-group': ignored('a group'),
  'ack-server': status('SENT'),
  'ack-device': status('DELIVERED'),
  'ack-read': status('READ'),
  'ack-played': status('READ'),
  'ack-error': status('FAILED', { code: 'ERROR' }),
  'ack-pending': ignored('a status that says nothing: PENDING'),
  'ack-of-lead': ignored("a status of the lead's own message"),
  edited: {
    ...byAna,
    change: 'EDIT',
    externalId: idOf('01'),
    text: 'Hello, is the house still free?',
    timestamp: reportedAt,
  },
  'edited-from-phone': {
    ...byUs,
    change: 'EDIT',
    externalId: 'BAE5C0FFEE0001',
    text: 'Yes!',
    timestamp: reportedAt,
  },
  'edited-unreadable': ignored('an edit without a text'),
  revoked: { ...byAna, change: 'DELETION', externalId: idOf('01'), timestamp: reportedAt },
  'revoked-from-phone': { ...byUs, change: 'DELETION', externalId: 'BAE5C0FFEE0001', timestamp: reportedAt },
  'revoked-bare': { kind: 'change', change: 'DELETION', externalId: idOf('01'), timestamp: reportedAt },
  'revoked-in-group': ignored('a group'),
  'session-stopped': connection('DISCONNECTED', 'the session was stopped'),
  'session-starting': connection('CONNECTING'),
  'session-scan-qr-code': connection('CONNECTING'),
  'session-passkey-required': connection('CONNECTING'),
  'session-passkey-confirmation-required': connection('CONNECTING'),
  'session-working': { ...connection('CONNECTED'), number: '5511980000100' } as ReportedItem,
  'session-failed': connection('ERROR', 'the session failed: restart it, or connect it again'),
  'session-resting': ignored('a state that is not known: RESTING'),
  presence: ignored('quiet: presence.update'),
};

export function describeWahaDialect(): void {
  describe('what is recorded', () => {
    test('each payload is expected, and each expectation has one', () => {
      expect([...payloads.keys()].sort()).toEqual(Object.keys(expected).sort());
    });

    test.each([...payloads.keys()])('%s', (name) => {
      const body = recorded(name);
      expect(isWaha(body)).toBe(true);
      expect(isEvolution(body)).toBe(false);
      const ownNumber = body['me'] === null ? undefined : '5511980000100';
      expect(readWaha(body)).toEqual({ instance: 'sales', ownNumber, reports: [{ item: expected[name] }] });
    });
  });

  describe('the shape', () => {
    const call = recorded('message-text');

    test.each<[string, unknown]>([
      ['a neutral message', { messageId: '3A55', from: '5511900000001', event: 'x', session: 'y' }],
      ['many neutral messages', { ...call, messages: [] }],
      ['many neutral statuses', { ...call, statuses: [] }],
      ['a Cloud API call', { ...call, entry: [] }],
      ["Evolution's", { event: 'messages.upsert', instance: 'sales', session: 'sales', data: {} }],
      ['an event that is no text', { ...call, event: 1 }],
      ['a session that is no text', { ...call, session: { name: 'sales' } }],
      ['no session', { event: 'message', payload: {} }],
      ['a list', [call]],
      ['null', null],
      ['text', 'message'],
    ])('%s is not it', (_name, body) => {
      expect(isWaha(body)).toBe(false);
    });

    test.each<[string, object, string]>([
      ['no payload', { payload: undefined }, 'payload'],
      ['a payload that is no object', { payload: [] }, 'payload'],
      ['a blank event', { event: ' ' }, 'event'],
    ])('%s is an error', (_name, change, path) => {
      const [report] = readWaha({ ...call, ...change }).reports;
      expect(report).toEqual({ errors: [{ path, message: expect.any(String) }] });
    });

    test.each(['', ' ', 'x'.repeat(101), 'a\u0000'])('the session %j refuses the call', (session) => {
      const errors = [{ path: 'session', message: 'has to be text of 1 to 100 characters' }];
      expect(readWaha({ ...call, session })).toEqual({ instance: null, reports: [{ errors }] });
    });

    test.each(['message.new', '__proto__', 'bad\u0000'])('the event %j is ignored by name', (event) => {
      const [report] = readWaha({ ...call, event }).reports;
      expect(report).toEqual({ item: ignored(`an event that is not handled: ${event.replace('\u0000', '\uFFFD')}`) });
    });

    test.each(['message.ack.group', 'engine.event', 'Poll.Vote'])('the event %j is quiet', (event) => {
      expect(readWaha({ ...call, event }).reports).toEqual([{ item: ignored(`quiet: ${event}`) }]);
    });

    test('a message that waits for its text is one without content, which the next call fills', () => {
      const payload = { ...call.payload, body: '', _data: { type: 'ciphertext' } };
      expect(readWaha({ ...call, event: 'message.waiting', payload }).reports).toEqual([
        { item: inbound('01', { type: 'unknown', isPlaceholder: true, name: undefined }) },
      ]);
    });
  });

  /** The report on a recorded call with other fields in its payload, or beside it. */
  function read(name: string, payload: object, call: object = {}): ReadReport {
    const body = recorded(name);
    return readWaha({ ...body, ...call, payload: { ...body.payload, ...payload } }).reports[0]!;
  }

  function itemOf(report: ReadReport): ReportedItem {
    if ('errors' in report) throw new Error(`refused: ${JSON.stringify(report.errors)}`);
    return report.item;
  }

  describe('the id', () => {
    test.each([
      ['false_12025550143@c.us_3EB0AA', '3EB0AA'],
      ['false_103000000000011@lid_3EB0AA', '3EB0AA'],
      ['false_12025550143_1@c.us_3EB0AA', '3EB0AA'],
      ['true_12025550143@c.us_3EB0AA_out', '3EB0AA'],
      ['false_12025550143@c.us_3EB0AA_12025550143@c.us', '3EB0AA'],
      ['3EB0AA', '3EB0AA'],
      // An id in an unknown form is taken as a whole, so that the message is there.
      ['false_nobody_3EB0AA', 'false_nobody_3EB0AA'],
    ])('%s is known by %s', (id, externalId) => {
      expect(itemOf(read('message-text', { id, fromMe: false }))).toMatchObject({ kind: 'message', externalId });
    });

    test.each<[unknown, string]>([
      [undefined, 'is required'],
      [7, 'has to be text'],
      ['', 'must not be empty'],
      ['x'.repeat(256), 'must not be longer than 255 characters'],
      ['a\u0000', 'must not contain NUL characters or lone surrogates'],
    ])('%j is an error', (id, message) => {
      expect(read('message-text', { id })).toEqual({ errors: [{ path: 'payload.id', message }] });
    });

    test.each<[unknown, string, string]>([
      [true, 'false_12025550143@c.us_AA', 'OUTBOUND'],
      [false, 'true_12025550143@c.us_AA', 'INBOUND'],
      [undefined, 'true_12025550143@c.us_AA', 'OUTBOUND'],
      [null, 'AA', 'INBOUND'],
    ])('fromMe %j with the id %s is %s', (fromMe, id, direction) => {
      expect(itemOf(read('message-text', { fromMe, id }))).toMatchObject({ direction });
    });

    test('the object that an engine writes around it does not matter', () => {
      const { id } = recorded('message-text').payload;
      const item = itemOf(read('message-text', { id: { fromMe: false, _serialized: id } }));
      expect(item).toEqual(itemOf(read('message-text', {})));
    });

    test('what is wrong is named together', () => {
      const report = read('message-text', { id: 7, fromMe: 'yes', from: 'x', body: 5, _data: {} });
      expect('errors' in report ? report.errors.map(({ path }) => path) : []).toEqual([
        'payload.id',
        'payload.fromMe',
        'payload.from',
        'payload.body',
      ]);
    });
  });

  describe('parts that the engine WEBJS names by a word', () => {
    test.each<[string, object, string | null, object]>([
      [
        'buttons_response',
        { selectedButtonId: 'yes-1' },
        'Yes',
        { type: 'text', text: 'Yes', choice: { kind: 'BUTTON', id: 'yes-1', title: 'Yes' } },
      ],
      [
        'template_button_reply',
        { selectedId: 'stop-1' },
        'Stop',
        { type: 'text', text: 'Stop', choice: { kind: 'BUTTON', id: 'stop-1', title: 'Stop' } },
      ],
      [
        'list_response',
        { listResponse: { title: 'Kitchen', description: 'Big', singleSelectReply: { selectedRowId: 'row-2' } } },
        'Kitchen',
        { type: 'text', text: 'Kitchen', choice: { kind: 'LIST', id: 'row-2', title: 'Kitchen', description: 'Big' } },
      ],
      ['list_response', {}, 'Kitchen', { text: 'Kitchen', choice: { kind: 'LIST', title: 'Kitchen' } }],
      [
        'poll_creation',
        { pollName: 'Which?', pollOptions: [{ name: 'A', localId: 0 }, { name: 'B', localId: 1 }, null] },
        'Which?',
        { type: 'pollCreationMessage', text: 'Which?\n- A\n- B' },
      ],
      ['poll_creation', { pollOptions: 7 }, 'Which?', { type: 'pollCreationMessage', text: 'Which?' }],
      ['groups_v4_invite', { inviteGrpName: 'Surfers' }, null, { type: 'groupInviteMessage', text: 'Surfers' }],
      ['groups_v4_invite', { inviteGrpName: 'Surfers' }, 'Join us', { type: 'groupInviteMessage', text: 'Join us' }],
      [
        'order',
        { orderTitle: 'Shop', itemCount: 2, totalAmount1000: 150_500, totalCurrencyCode: 'BRL' },
        'Two, please',
        { type: 'orderMessage', text: 'Two, please\nShop\nBRL 150.50' },
      ],
      [
        'product',
        { title: 'Board', priceAmount1000: '99000', currencyCode: 'EUR', url: 'https://shop.example/b' },
        null,
        { type: 'productMessage', text: 'Board\nEUR 99.00\nhttps://shop.example/b' },
      ],
      [
        'scheduled_event_creation',
        {
          eventName: 'Visit',
          eventStartTime: 1_795_180_500,
          eventLocation: { degreesLatitude: 1.5, degreesLongitude: 2.5, name: 'Office' },
          eventDescription: 'Bring papers',
        },
        null,
        { type: 'eventMessage', text: 'Visit\n2026-11-20 13:15 UTC\n1.5,2.5\nOffice\nBring papers' },
      ],
    ])('%s %j', (type, fields, body, expectedItem) => {
      const item = itemOf(read('message-webjs', { body, _data: { type, ...fields } }));
      expect(item).toMatchObject({ kind: 'message', ...expectedItem });
      expect(item).not.toHaveProperty('isUnknownKind', true);
    });

    test.each(['interactive_response', 'hsm', 'payment'])(
      'the word %s without words is a known placeholder',
      (type) => {
        const item = itemOf(read('message-webjs', { body: null, _data: { type } }));
        expect(item).toMatchObject({ type, isPlaceholder: true, isUnknownKind: undefined });
      },
    );
  });

  test.each([
    [{ groupInviteMessage: { groupName: 'Surfers' } }, 'Surfers'],
    [{ listMessage: { title: 'Rooms', description: 'Pick one' } }, 'Pick one'],
    [
      { orderMessage: { orderTitle: 'Shop', totalAmount1000: { low: 5_000, high: 0 }, totalCurrencyCode: 'USD' } },
      'Shop\nUSD 5.00',
    ],
  ])('of a part whose words WAHA does not hand on, they are read: %j', (message, text) => {
    expect(itemOf(read('message-noweb', { body: null, _data: { message } }))).toMatchObject({ text });
  });

  describe('who', () => {
    const bare = { id: 'AA', _data: {} };

    test.each<[string, object, object[]]>([
      ['without a chat in the id, `from`', { ...bare, from: '12025550143@c.us' }, [ana]],
      [
        'a number beside a hidden one',
        { ...bare, from: '103000000000011@lid', _data: { key: { senderPn: bia.value } } },
        [bia, hiddenBia],
      ],
      ['a number in the id, a hidden one in `from`', { from: '103000000000011@lid', _data: {} }, [ana, hiddenBia]],
      ['what cannot be read beside it', { _data: { Info: { SenderAlt: 'nobody', Sender: 5 }, key: 'x' } }, [ana]],
    ])('%s', (_name, payload, contact) => {
      expect(itemOf(read('message-text', payload))).toMatchObject({ kind: 'message', contact });
    });

    test('a hidden number is never taken for a number', () => {
      const item = itemOf(read('message-hidden-only', { from: '5511900000001:3@lid' }));
      expect(item).toMatchObject({
        contact: [
          { kind: 'LID', value: '103000000000012' },
          { kind: 'LID', value: '5511900000001' },
        ],
      });
    });

    test("on what the instance wrote, its own number is not the lead's, however it is written", () => {
      const payload = {
        id: 'true_103000000000011@lid_AA',
        to: null,
        _data: { Info: { RecipientAlt: '551180000100@c.us' } },
      };
      expect(itemOf(read('message-from-phone', payload))).toMatchObject({ contact: [hiddenBia] });
    });

    test.each([
      ['120363000000000001@g.us', 'a group'],
      ['120363000000000002@newsletter', 'a newsletter'],
      ['status@broadcast', 'a status update'],
      ['1795180545@broadcast', 'a broadcast list'],
    ])('%s is ignored, in messages, acks, reactions, edits and revocations', (chat, reason) => {
      const id = `false_${chat}_AA`;
      expect(read('message-text', { id })).toEqual({ item: ignored(reason) });
      expect(read('message-text', { ...bare, from: chat })).toEqual({ item: ignored(reason) });
      expect(read('ack-read', { id: `true_${chat}_AA` })).toEqual({ item: ignored(reason) });
      expect(read('reaction', { id })).toEqual({ item: ignored(reason) });
      expect(read('edited', { id })).toEqual({ item: ignored(reason) });
      expect(read('revoked', { after: { id } })).toEqual({ item: ignored(reason) });
    });

    test.each<[unknown, string]>([
      [undefined, 'is required'],
      [12_025_550_143, 'has to be text'],
      ['nobody@c.us', 'has to be a phone number: digits with country code'],
      ['12025550143@example.com', 'has to end in a domain of the network'],
    ])('from %j is an error', (from, message) => {
      expect(read('message-text', { ...bare, from })).toEqual({ errors: [{ path: 'payload.from', message }] });
    });
  });

  describe('what is said', () => {
    test.each<[string, object, object]>([
      ['words and no hint', { _data: null }, { type: 'text', text: 'Hello, is the flat still free?' }],
      ['blanks at the ends', { body: ' Oi\n' }, { text: ' Oi\n' }],
      ['what cannot be stored', { body: 'a\u0000b\uD800' }, { text: 'a\uFFFDb\uFFFD' }],
      ['a file and no hint', { _data: {}, hasMedia: true }, { type: 'document', media: { url: null } }],
      ['a picture and no hint', { _data: {}, media: { mimetype: 'image/png' } }, { type: 'image' }],
      ['an application and no hint', { _data: {}, media: { mimetype: 'application/zip' } }, { type: 'document' }],
      ['an address that is none', { hasMedia: true, media: { url: 'javascript:1' } }, { media: { url: null } }],
      ['a file that its engine knows as text', { hasMedia: true }, { type: 'document' }],
      ['a quote that is no id', { replyTo: { id: 7 } }, { replyTo: undefined }],
      ['a quote by its id alone', { replyTo: 'true_1202555@c.us_BAE5' }, { replyTo: 'BAE5' }],
      ['a place without a point', { _data: {}, location: { name: 'Office' } }, { type: 'location', text: 'Office' }],
      ['a word of the engine', { body: '', _data: { type: 'payment' } }, { type: 'payment', text: undefined }],
      ['a long name', { body: '', _data: { Message: { [`${'x'.repeat(40)}Message`]: {} } } }, { type: 'x'.repeat(32) }],
      ['the longest text', { body: 'x'.repeat(65_536) }, { text: 'x'.repeat(65_536) }],
      ['a longer text', { body: 'x'.repeat(65_537) }, { text: `${'x'.repeat(65_535)}…` }],
      [
        'too many cards',
        { _data: {}, vCards: Array.from({ length: 100 }, () => `FN:${'x'.repeat(1_000)}`) },
        { type: 'contact', text: expect.stringMatching(/^x{1000}[^]{64535}…$/) },
      ],
    ])('%s', (_name, payload, content) => {
      expect(itemOf(read('message-text', payload))).toMatchObject(content);
    });

    test.each<[string, object, string]>([['words that are none', { body: 5 }, 'has to be text']])(
      '%s is an error',
      (_name, payload, message) => {
        expect(read('message-text', payload)).toEqual({ errors: [{ path: 'payload.body', message }] });
      },
    );

    test.each(['name', '12025550143', '12025550143@c.us', ''])('the name %j', (PushName) => {
      const { _data } = recorded('message-text').payload;
      const item = itemOf(read('message-text', { _data: { ..._data, Info: { ..._data.Info, PushName } } }));
      expect(item).toMatchObject({ name: PushName === 'name' ? 'name' : undefined });
    });
  });

  describe('reactions, edits and revocations', () => {
    test.each<[string, object, string]>([
      ['reaction', { reaction: undefined }, 'payload.reaction.messageId'],
      ['reaction', { reaction: { text: 5, messageId: 'AA' } }, 'payload.reaction.text'],
      ['edited', { editedMessageId: undefined }, 'payload.editedMessageId'],
      ['edited', { body: 7 }, 'payload.body'],
      ['revoked', { revokedMessageId: undefined }, 'payload.revokedMessageId'],
    ])('%s with %j is an error', (name, payload, path) => {
      expect(read(name, payload)).toMatchObject({ errors: [{ path }] });
    });

    test('a reaction without a text was taken back, as one engine writes it', () => {
      expect(itemOf(read('reaction', { reaction: { messageId: 'AA' } }))).toMatchObject({
        emoji: null,
        externalId: 'AA',
      });
    });

    test('a revocation by what it was before', () => {
      const before = recorded('message-text').payload;
      const item = itemOf(read('revoked', { after: null, before, revokedMessageId: null }));
      expect(item).toMatchObject({ change: 'DELETION', externalId: idOf('01'), direction: 'INBOUND', contact: [ana] });
    });
  });

  describe('acks and states', () => {
    test.each<[object, string]>([
      [{ ack: undefined, ackName: 'device' }, 'DELIVERED'],
      [{ ack: undefined, ackName: 'READ' }, 'READ'],
      [{ ack: 3, ackName: 'x' }, 'READ'],
      [{ ack: '3', ackName: undefined }, 'READ'],
      [{ ack: '-1', ackName: undefined }, 'FAILED'],
    ])('%j is %s', (payload, word) => {
      expect(itemOf(read('ack-server', payload))).toMatchObject({ status: word });
    });

    test.each([
      [{ ack: 9 }, '9'],
      [{ ack: undefined, ackName: '__proto__' }, '__PROTO__'],
    ])('%j is ignored', (payload, word) => {
      expect(read('ack-server', payload)).toEqual({ item: ignored(`a status that says nothing: ${word}`) });
    });

    test.each<[string, object, object[]]>([
      ['ack-read', { ack: undefined, ackName: undefined }, [{ path: 'payload.ack', message: 'is required' }]],
      ['ack-read', { ack: {}, ackName: undefined }, [{ path: 'payload.ack', message: 'has to be a status' }]],
      ['ack-read', { id: undefined }, [{ path: 'payload.id', message: 'is required' }]],
      ['session-working', { status: undefined }, [{ path: 'payload.status', message: 'is required' }]],
      ['session-working', { status: 5 }, [{ path: 'payload.status', message: 'has to be a state' }]],
    ])('%s with %j is an error', (name, payload, errors) => {
      expect(read(name, payload)).toEqual({ errors });
    });
  });

  describe('the signature', () => {
    const body = Buffer.from('{"event":"message","session":"default","engine":"WEBJS"}');
    const key = 'my-secret-key';
    const vector =
      '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89';

    test("WAHA's own vector", () => {
      expect(wahaSignatureMatches(key, vector, body)).toBe(true);
      expect(wahaSignatureMatches(key, vector.toUpperCase(), body)).toBe(true);
    });

    test.each<[string, string, string | undefined, Buffer]>([
      ['another key', 'my-secret-keY', vector, body],
      ['another body', key, vector, Buffer.from(`${body.toString()} `)],
      ['no header', key, undefined, body],
      ['an empty header', key, '', body],
      ['a header that is cut', key, vector.slice(0, -2), body],
      ['no hexadecimal', key, `${vector.slice(0, -1)}z`, body],
      ['an algorithm before it', key, `sha512=${vector}`, body],
      ['SHA-256', key, createHmac('sha256', key).update(body).digest('hex'), body],
      ['an empty key', '', createHmac('sha512', '').update(body).digest('hex'), body],
    ])('%s does not match', (_name, secret, header, bytes) => {
      expect(wahaSignatureMatches(secret, header, bytes)).toBe(false);
    });
  });
}
