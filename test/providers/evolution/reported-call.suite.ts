// The Evolution API dialect: each recorded payload and its reading, and the edges of each field.

import { readFileSync, readdirSync } from 'node:fs';
import type { ReadCall, ReportedItem } from '../../../src/providers/reported.js';
import { isEvolution, maxEvolutionItems, readEvolution } from '../../../src/providers/evolution/reported-call.js';

const folder = new URL('../payloads/evolution/', import.meta.url);

const payloads = new Map(
  readdirSync(folder).map((file) => [file.replace('.json', ''), readFileSync(new URL(file, folder), 'utf8')]),
);

const payload = (name: string) => JSON.parse(payloads.get(name) ?? 'null');

const ana = { kind: 'PHONE', value: '12025550143' } as const;
const bia = { kind: 'PHONE', value: '5511900000001' } as const;
const hiddenBia = { kind: 'LID', value: '103000000000011' } as const;

const writtenAt = new Date('2026-11-20T13:15:45.000Z');

const inbound = {
  kind: 'message',
  direction: 'INBOUND',
  contact: [ana],
  name: 'Ana Souza',
  timestamp: writtenAt,
} as const;
const outbound = { kind: 'message', direction: 'OUTBOUND', contact: [ana], timestamp: writtenAt } as const;

const byAna = { kind: 'change', direction: 'INBOUND', contact: [ana], timestamp: writtenAt } as const;
/** The event names neither its author nor its conversation. */
const byWriter = { kind: 'change', timestamp: new Date('2026-11-20T13:15:45.120Z') } as const;

const encrypted = (file: string) => `https://mmg.whatsapp.net/v/t62.7118-24/${file}.enc?ccb=11-4&oe=invented`;

const expected: Record<string, ReportedItem[]> = {
  'upsert-text': [
    { ...inbound, externalId: '3EB0A1C6D2F4E80917B355', type: 'text', text: 'Hello, is the flat still free?' },
  ],
  'upsert-hidden-number': [
    {
      ...inbound,
      externalId: '3A52F0B7C9D1E4A60881',
      contact: [bia, hiddenBia],
      name: 'Bia 🌻',
      type: 'text',
      text: 'Oi',
    },
  ],
  'upsert-hidden-only': [
    {
      ...inbound,
      externalId: '3A52F0B7C9D1E4A60882',
      contact: [{ kind: 'LID', value: '103000000000012' }],
      name: undefined,
      type: 'text',
      text: 'Boa tarde',
    },
  ],
  'upsert-replaced-jid': [
    {
      ...inbound,
      externalId: '3A52F0B7C9D1E4A60883',
      contact: [bia, hiddenBia],
      name: undefined,
      type: 'text',
      text: 'Tudo certo',
    },
  ],
  'upsert-answer': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B356',
      type: 'text',
      text: 'Yes, the second one',
      replyTo: 'BAE5C0FFEE0001',
    },
  ],
  'upsert-image': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B357',
      timestamp: new Date('2026-11-20T13:15:50.000Z'),
      type: 'image',
      media: {
        url: 'https://files.example.com/evolution/sales/image/1795180550_3EB0.jpeg?X-Amz-Signature=invented',
        mimeType: 'image/jpeg',
        caption: 'The kitchen',
        sizeBytes: 48_211,
      },
      replyTo: 'BAE5C0FFEE0002',
    },
  ],
  'upsert-voice': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B358',
      timestamp: new Date('2026-11-20T13:16:00.000Z'),
      type: 'audio',
      media: { url: encrypted('9002'), mimeType: 'audio/ogg; codecs=opus', sizeBytes: 10_233, isVoice: true },
    },
  ],
  'upsert-document': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B359',
      type: 'document',
      media: {
        url: 'https://files.example.com/evolution/sales/document/1795180570_contract.pdf',
        mimeType: 'application/pdf',
        fileName: 'contract.pdf',
        caption: 'Signed',
        sizeBytes: 120_034,
      },
    },
  ],
  'upsert-wrapped-document': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B35A',
      type: 'document',
      media: {
        url: encrypted('9004'),
        mimeType: 'text/plain',
        fileName: 'notes.txt',
        caption: 'My notes',
        sizeBytes: 4_294_967_295,
      },
    },
  ],
  'upsert-view-once-video': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B35B',
      type: 'video',
      media: { url: encrypted('9005'), mimeType: 'video/mp4', caption: 'Look', sizeBytes: 48_211 },
      replyTo: 'BAE5C0FFEE0003',
    },
  ],
  'upsert-sticker': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B35C',
      type: 'sticker',
      media: { url: encrypted('9006'), mimeType: 'image/webp', sizeBytes: 48_211 },
    },
  ],
  'upsert-location': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B35D',
      type: 'location',
      text: '-23.5505,-46.6333\nOur office\nInvented Street 1, São Paulo',
    },
  ],
  'upsert-live-location': [
    { ...inbound, externalId: '3EB0A1C6D2F4E80917B35E', type: 'location', text: '38.8977,-77.0365\nOn my way' },
  ],
  'upsert-contact': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B35F',
      type: 'contact',
      text: 'Carl Frost: +12025550155, +12025550156',
    },
  ],
  'upsert-contacts': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B360',
      type: 'contact',
      text: 'Carl Frost: +12025550155\nDora Lane',
    },
  ],
  'upsert-reaction': [{ ...byAna, change: 'REACTION', externalId: 'BAE5C0FFEE0004', emoji: '👍' }],
  'upsert-reaction-taken-back': [{ ...byAna, change: 'REACTION', externalId: 'BAE5C0FFEE0004', emoji: null }],
  'upsert-list-reply': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B363',
      type: 'text',
      text: 'Second floor',
      choice: { kind: 'LIST', id: 'row-2', title: 'Second floor' },
      replyTo: 'BAE5C0FFEE0005',
    },
  ],
  'upsert-button-reply': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B364',
      type: 'text',
      text: 'Yes, please',
      choice: { kind: 'BUTTON', id: 'yes', title: 'Yes, please' },
      replyTo: 'BAE5C0FFEE0006',
    },
  ],
  'upsert-poll': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B365',
      type: 'pollCreationMessage',
      text: 'When shall we meet?\n- Monday\n- Friday',
    },
  ],
  'upsert-masked': [
    {
      ...inbound,
      externalId: '3EB0A1C6D2F4E80917B366',
      name: undefined,
      type: 'unknown',
      isPlaceholder: true,
    },
  ],
  'upsert-from-phone': [
    { ...outbound, externalId: '3EB0A1C6D2F4E80917B367', type: 'text', text: 'I am calling you now' },
  ],
  'upsert-from-phone-replaced-jid': [
    { ...outbound, externalId: '3EB0A1C6D2F4E80917B368', contact: [hiddenBia], type: 'text', text: 'Até amanhã' },
  ],
  'upsert-note-to-self': [{ kind: 'ignored', reason: 'a note of the line to itself' }],
  'upsert-group': [{ kind: 'ignored', reason: 'a group' }],
  'upsert-status-update': [{ kind: 'ignored', reason: 'a status update' }],
  'upsert-reaction-from-phone': [
    { ...byAna, direction: 'OUTBOUND', change: 'REACTION', externalId: '3EB0A1C6D2F4E80917B355', emoji: '❤️' },
  ],
  'upsert-revoked': [{ ...byAna, change: 'DELETION', externalId: '3EB0A1C6D2F4E80917B355' }],
  'upsert-edited': [
    { ...byAna, change: 'EDIT', externalId: '3EB0A1C6D2F4E80917B355', text: 'Hello, is the house still free?' },
  ],
  edited: [
    { ...byWriter, change: 'EDIT', externalId: '3EB0A1C6D2F4E80917B355', text: 'Hello, is the house still free?' },
  ],
  'edited-caption': [{ ...byWriter, change: 'EDIT', externalId: '3EB0A1C6D2F4E80917B356', text: 'The kitchen' }],
  'edited-revoked': [
    { kind: 'change', change: 'DELETION', externalId: '3EB0A1C6D2F4E80917B355', timestamp: undefined },
  ],
  'edited-setting': [{ kind: 'ignored', reason: "the network's own housekeeping" }],
  'send-message-update': [
    { ...byWriter, change: 'EDIT', externalId: '3EB0A1C6D2F4E80917B367', text: 'I am calling you later' },
  ],
  'deleted-by-lead': [{ ...byAna, timestamp: undefined, change: 'DELETION', externalId: '3EB0A1C6D2F4E80917B355' }],
  'deleted-by-us': [
    { ...byAna, direction: 'OUTBOUND', timestamp: undefined, change: 'DELETION', externalId: '3EB0A1C6D2F4E80917B367' },
  ],
  'deleted-in-group': [{ kind: 'ignored', reason: 'a group' }],
  'upsert-sender-key-only': [{ kind: 'ignored', reason: 'a message without content' }],
  'upsert-business-image': [
    {
      ...inbound,
      externalId: 'wamid.HBgLMTIwMjU1NTAxNDMVAgASGBQzQTAwMDEA',
      timestamp: new Date('2026-11-20T13:16:40.000Z'),
      type: 'image',
      media: {
        url: null,
        providerId: '700000000000001',
        mimeType: 'image/png',
        caption: 'Like this',
        content: Buffer.from('iVBORw0KGgo=', 'base64'),
      },
      replyTo: 'wamid.HBgLMTIwMjU1NTAxNDMVAgARGBI0QTAwMDIA',
    },
  ],
  'upsert-own-channel': [
    {
      ...inbound,
      externalId: '0b9a2f57-6f0e-4a57-8a5f-0e3a6f1c2d11',
      timestamp: new Date('2026-11-20T13:16:50.000Z'),
      type: 'video',
      media: { url: 'https://files.example.com/ana/plan.mp4' },
    },
  ],
  'send-message': [{ ...outbound, externalId: 'BAE5C0FFEE0008', type: 'text', text: 'Your visit is booked' }],
  'update-delivered': [{ kind: 'status', externalId: 'BAE5C0FFEE0008', status: 'DELIVERED' }],
  'update-error': [{ kind: 'status', externalId: 'BAE5C0FFEE0008', status: 'FAILED', error: { code: 'ERROR' } }],
  'update-deleted': [{ kind: 'ignored', reason: 'a status that says nothing: DELETED' }],
  'update-of-lead': [{ kind: 'ignored', reason: "a status of the lead's own message" }],
  'update-business-read': [
    { kind: 'status', externalId: 'wamid.HBgLMTIwMjU1NTAxNDMVAgARGBI0QTAwMDIA', status: 'READ' },
  ],
  'update-list': [
    { kind: 'status', externalId: 'BAE5C0FFEE0009', status: 'SENT' },
    { kind: 'status', externalId: 'BAE5C0FFEE000A', status: 'READ' },
    { kind: 'ignored', reason: 'a status that says nothing: PENDING' },
  ],
  'connection-open': [{ kind: 'connection', status: 'CONNECTED', number: '12025550100' }],
  'connection-connecting': [{ kind: 'connection', status: 'CONNECTING' }],
  'connection-close': [
    { kind: 'connection', status: 'DISCONNECTED', lastError: 'the line was closed (401: logged out)' },
  ],
  'connection-forbidden': [
    { kind: 'connection', status: 'ERROR', lastError: 'the line was closed (403: forbidden by the network)' },
  ],
  'connection-refused': [
    { kind: 'connection', status: 'ERROR', lastError: 'the line was refused (428: the connection was closed)' },
  ],
  qrcode: [{ kind: 'connection', status: 'CONNECTING' }],
  'qrcode-limit': [{ kind: 'connection', status: 'ERROR', lastError: 'the QR code was not scanned in time' }],
  'contacts-update': [{ kind: 'ignored', reason: 'an event that is not handled: contacts.update' }],
};

export function describeEvolutionDialect(): void {
  describe('each recorded payload', () => {
    test.each(Object.keys(expected))('%s', (name) => {
      expect(isEvolution(payload(name))).toBe(true);
      const { instance, reports } = readEvolution(payload(name));
      expect(instance).toBe('sales');
      const reportedAt = new Date((payload(name) as { date_time: string }).date_time);
      const items = expected[name]?.map((item) => (item.kind === 'connection' ? { ...item, reportedAt } : item));
      expect(reports).toEqual(items?.map((item) => ({ item })));
    });

    test('upsert-list: one item that cannot be read leaves its neighbour whole', () => {
      const { reports } = readEvolution(payload('upsert-list'));
      expect(reports).toEqual([
        {
          item: {
            ...inbound,
            externalId: '3EB0A1C6D2F4E80917B36F',
            type: 'text',
            text: 'See https://example.com',
            replyTo: 'BAE5C0FFEE0007',
          },
        },
        { errors: [{ path: 'data.messages.1.key.id', message: 'must not be empty' }] },
      ]);
    });

    test('every file is expected', () => {
      expect([...payloads.keys()].sort()).toEqual([...Object.keys(expected), 'upsert-list'].sort());
    });

    test('no secret, no QR code, no file and not the instance itself is part of a result, but as the number of the line', () => {
      const withoutOwn = (key: string, value: unknown) => (key === 'ownNumber' || key === 'number' ? undefined : value);
      const results = JSON.stringify(
        [...payloads.keys()].map((name) => readEvolution(payload(name))),
        withoutOwn,
      );
      expect(results).not.toMatch(/NEVER-KEPT|12025550100|103000000000099|base64|AQSkZJRg|iVBOR|T2dnUw/);
    });
  });

  describe('the shape', () => {
    const event = { event: 'messages.upsert', instance: 'sales', data: {} };

    test.each<[string, unknown]>([
      ['one neutral message', { instance: 'sales', messageId: '3A55', from: '5511900000001', text: 'Oi' }],
      ['one neutral message without an instance', { messageId: '3A55', from: '5511900000001' }],
      ['one neutral status', { instance: 'sales', messageId: '3EB0', status: 'READ' }],
      ['many neutral messages', { messages: [] }],
      ['many neutral statuses', { statuses: [] }],
      ["a neutral message with a sender's own fields", { ...event, messageId: '3A55', from: '5511900000001' }],
      ['many neutral ones with other fields', { ...event, messages: [], statuses: [] }],
      ['a Cloud API call', { object: 'whatsapp_business_account', entry: [] }],
      ['a Cloud API call with other fields', { ...event, object: 'whatsapp_business_account', entry: [] }],
      ['a WAHA call', { id: 'evt_1', event: 'message', session: 'default', payload: {} }],
      ['no data', { event: 'messages.upsert', instance: 'sales' }],
      ['an event that is no text', { ...event, event: 1 }],
      ['an instance that is no text', { ...event, instance: { instanceName: 'sales' } }],
      ['a list', [event]],
      ['null', null],
      ['text', 'messages.upsert'],
    ])('%s is not it', (_name, body) => {
      expect(isEvolution(body)).toBe(false);
    });

    test.each([[{}], [[]], [null], ['text'], [0]])('data %j is enough', (data) => {
      expect(isEvolution({ ...event, data })).toBe(true);
    });
  });

  describe('the event', () => {
    const upsert = payload('upsert-text');
    const item = { item: expected['upsert-text']?.[0] };

    test.each(['messages.upsert', 'MESSAGES_UPSERT', 'messages-upsert', 'Messages.Upsert', ' messages_upsert '])(
      '%j means messages.upsert',
      (event) => {
        expect(readEvolution({ ...upsert, event }).reports).toEqual([item]);
      },
    );

    test("the path's counts where the body names none", () => {
      expect(readEvolution({ ...upsert, event: undefined }, 'messages-upsert').reports).toEqual([item]);
      expect(readEvolution({ ...upsert, event: '' }, 'messages-upsert').reports).toEqual([item]);
    });

    test("the body's own wins over the path's", () => {
      expect(readEvolution(upsert, 'connection-update').reports).toEqual([item]);
    });

    test.each([
      ['messages.set', undefined, 'messages.set'],
      [undefined, 'presence-update', 'presence-update'],
      ['__proto__', undefined, '__proto__'],
      ['x'.repeat(200), undefined, 'x'.repeat(100)],
      ['bad\u0000\uD800', undefined, 'bad\uFFFD\uFFFD'],
    ])('%j by path %j is not handled', (event, path, name) => {
      const reason = `an event that is not handled: ${name}`;
      expect(readEvolution({ ...upsert, event }, path).reports).toEqual([{ item: { kind: 'ignored', reason } }]);
    });

    test('no name at all is an error', () => {
      const errors = [{ path: 'event', message: 'is required' }];
      expect(readEvolution({ instance: 'sales', data: {} })).toEqual({ instance: 'sales', reports: [{ errors }] });
    });

    test('a name that is no text is an error', () => {
      const errors = [{ path: 'event', message: 'has to be the name of an event' }];
      expect(readEvolution({ ...upsert, event: 7 }).reports).toEqual([{ errors }]);
    });
  });

  describe('the call', () => {
    test.each([null, 1, 'text', true, [], [{}]].map((body) => [body]))('%j is refused as a whole', (body) => {
      const errors = [{ path: '', message: 'has to be a JSON object' }];
      expect(readEvolution(body)).toEqual({ instance: null, reports: [{ errors }] });
    });

    test.each([undefined, null])('an instance of %j is none', (instance) => {
      expect(readEvolution({ ...payload('upsert-text'), instance }).instance).toBeNull();
    });

    test.each([1, {}, '', ' ', 'x'.repeat(101), 'a\u0000'])('the instance %j refuses the call', (instance) => {
      const errors = [{ path: 'instance', message: 'has to be text of 1 to 100 characters' }];
      expect(readEvolution({ ...payload('upsert-text'), instance })).toEqual({ instance: null, reports: [{ errors }] });
    });

    test.each<[unknown, object]>([
      [undefined, { errors: [{ path: 'data', message: 'is required' }] }],
      [null, { errors: [{ path: 'data', message: 'has to be an object' }] }],
      ['text', { errors: [{ path: 'data', message: 'has to be an object' }] }],
      [[], { item: { kind: 'ignored', reason: 'an empty list' } }],
      [{ messages: [] }, { item: { kind: 'ignored', reason: 'an empty list' } }],
      [[5], { errors: [{ path: 'data.0', message: 'has to be an object' }] }],
      [{}, { errors: [{ path: 'data.key', message: 'is required' }] }],
      [{ key: [] }, { errors: [{ path: 'data.key', message: 'has to be an object' }] }],
    ])('data %j', (data, report) => {
      expect(readEvolution({ ...payload('upsert-text'), data }).reports).toEqual([report]);
    });

    test('more items than the most are one error', () => {
      const { data } = payload('upsert-text');
      const read = (count: number) =>
        readEvolution({ ...payload('upsert-text'), data: Array(count).fill(data) }).reports;
      expect(read(maxEvolutionItems)).toHaveLength(maxEvolutionItems);
      const message = `must not hold more than ${maxEvolutionItems} items`;
      expect(read(maxEvolutionItems + 1)).toEqual([{ errors: [{ path: 'data', message }] }]);
    });
  });

  /** The first report on `upsert-text` with other fields in `data`, in its key, or instead of its message. */
  function readChanged(change: {
    key?: object;
    data?: object;
    message?: unknown;
    call?: object;
  }): ReadCall['reports'][0] {
    const call = payload('upsert-text');
    const key = { ...call.data.key, ...change.key };
    const message = 'message' in change ? change.message : call.data.message;
    return readEvolution({ ...call, data: { ...call.data, key, message, ...change.data }, ...change.call }).reports[0]!;
  }

  function itemOf(report: ReadCall['reports'][0]): ReportedItem {
    if ('errors' in report) throw new Error(`refused: ${JSON.stringify(report.errors)}`);
    return report.item;
  }

  describe('the key', () => {
    test.each<[string, object, object[]]>([
      ['a plain number', { remoteJid: '12025550143' }, [ana]],
      ['an older domain', { remoteJid: '12025550143@c.us' }, [ana]],
      ['a device', { remoteJid: '12025550143:12@s.whatsapp.net' }, [ana]],
      ['an agent and a device', { remoteJid: '12025550143_1:12@s.whatsapp.net' }, [ana]],
      ['a hosted number', { remoteJid: '12025550143@hosted' }, [ana]],
      ['a hidden one with a device', { remoteJid: '103000000000011:4@lid' }, [hiddenBia]],
      ['a number that is the other writing', { remoteJidAlt: '103000000000011@lid' }, [ana, hiddenBia]],
      ['the older fields', { remoteJid: hiddenBia.value + '@lid', senderPn: '5511900000001@c.us' }, [bia, hiddenBia]],
      ['a participant', { remoteJid: hiddenBia.value + '@lid', participantPn: bia.value }, [bia, hiddenBia]],
      ['the same one again and again', { senderPn: '12025550143@c.us', participant: '12025550143:3@c.us' }, [ana]],
      [
        'what cannot be read beside it',
        { remoteJidAlt: 'nobody', senderPn: 5, participant: '@', senderLid: null },
        [ana],
      ],
      ['what cannot be read, with a good one beside it', { remoteJid: 'x', remoteJidAlt: '12025550143@c.us' }, [ana]],
    ])('%s', (_name, key, contact) => {
      expect(itemOf(readChanged({ key }))).toMatchObject({ kind: 'message', direction: 'INBOUND', contact });
    });

    test.each([
      ['120363000000000001@g.us', 'a group'],
      ['120363000000000002@newsletter', 'a newsletter'],
      ['status@broadcast', 'a status update'],
      ['1795180545@broadcast', 'a broadcast list'],
      ['867051314767696@bot', "the network's own assistant"],
      ['0@s.whatsapp.net', 'an announcement of the network'],
    ])('%s is ignored', (remoteJid, reason) => {
      expect(readChanged({ key: { remoteJid } })).toEqual({ item: { kind: 'ignored', reason } });
    });

    test.each<[unknown, string]>([
      [undefined, 'is required'],
      [null, 'is required'],
      [12_025_550_143, 'has to be text'],
      ['nobody@s.whatsapp.net', 'has to be a phone number: digits with country code'],
      ['123@s.whatsapp.net', 'has to have 7 to 15 digits, country code included'],
      ['@lid', 'has to name a person before the @'],
      ['\u0000@lid', 'has to name a person before the @'],
      ['12025550143@example.com', 'has to end in a domain of the network'],
      [`${'1'.repeat(400)}@lid`, 'must not exceed 300 characters'],
    ])('the jid %j is an error', (remoteJid, message) => {
      expect(readChanged({ key: { remoteJid } })).toEqual({ errors: [{ path: 'data.key.remoteJid', message }] });
    });

    test('what is wrong is named together', () => {
      const report = readChanged({ key: { id: 7, fromMe: 'yes', remoteJid: 'x' }, message: { conversation: 5 } });
      expect('errors' in report ? report.errors.map(({ path }) => path) : []).toEqual([
        'data.key.id',
        'data.key.fromMe',
        'data.key.remoteJid',
        'data.message.conversation',
      ]);
    });

    test.each([
      [undefined, 'is required'],
      [' ', 'must not be empty'],
      ['a\u0000', 'must not contain NUL characters or lone surrogates'],
    ])('the id %j is an error', (id, message) => {
      expect(readChanged({ key: { id } })).toEqual({ errors: [{ path: 'data.key.id', message }] });
    });

    test.each([undefined, null, false])('fromMe %j is inbound', (fromMe) => {
      expect(itemOf(readChanged({ key: { fromMe } }))).toMatchObject({ direction: 'INBOUND' });
    });

    test('on what the instance wrote, the author is not the lead', () => {
      const key = { fromMe: true, senderPn: bia.value, senderLid: '103000000000099@lid', participant: bia.value };
      expect(itemOf(readChanged({ key }))).toMatchObject({ direction: 'OUTBOUND', contact: [ana], name: undefined });
    });

    test("on what the instance wrote, its own number is not the lead's, however it is written", () => {
      const key = { fromMe: true, remoteJid: '103000000000011@lid', remoteJidAlt: '5511980000100@s.whatsapp.net' };
      const call = { sender: '551180000100:7@s.whatsapp.net' };
      expect(itemOf(readChanged({ key, call }))).toMatchObject({ contact: [hiddenBia] });
    });

    test('send.message is outbound whatever the key says', () => {
      const report = readChanged({ key: { fromMe: undefined }, call: { event: 'send.message' } });
      expect(itemOf(report)).toMatchObject({ direction: 'OUTBOUND', name: undefined });
    });
  });

  describe('the name', () => {
    test.each([
      ['Ana', 'Ana'],
      ['  Ana \u0000 ', 'Ana \uFFFD'],
      ['x'.repeat(300), 'x'.repeat(200)],
      ['', undefined],
      ['   ', undefined],
      [null, undefined],
      [5, undefined],
      ['12025550143', undefined],
      ['12025550143@s.whatsapp.net', undefined],
      ['103000000000011@lid', undefined],
    ])('%j is %j', (pushName, name) => {
      const item = itemOf(readChanged({ data: { pushName } }));
      expect(item).toEqual({ ...expected['upsert-text']?.[0], name });
    });
  });

  describe('the time', () => {
    test.each<[unknown, string | undefined]>([
      [1_795_180_545, '2026-11-20T13:15:45.000Z'],
      ['1795180545', '2026-11-20T13:15:45.000Z'],
      [1_795_180_545.5, '2026-11-20T13:15:45.500Z'],
      [1_795_180_545_123, '2026-11-20T13:15:45.123Z'],
      ['1795180545123', '2026-11-20T13:15:45.123Z'],
      [{ low: 1_795_180_545, high: 0, unsigned: true }, '2026-11-20T13:15:45.000Z'],
      [{ low: -126_990_973, high: 417, unsigned: false }, new Date(417 * 2 ** 32 + 4_167_976_323).toISOString()],
      [946_684_800, '2000-01-01T00:00:00.000Z'],
      [946_684_799, undefined],
      [4_102_444_800, undefined],
      [0, undefined],
      [-1, undefined],
      [1e300, undefined],
      ['yesterday', undefined],
      ['2026-11-20T13:15:45Z', undefined],
      [{ low: 1 }, undefined],
      [{ low: 1.5, high: 0 }, undefined],
      [null, undefined],
      [undefined, undefined],
      [[], undefined],
    ])('%j is %s', (messageTimestamp, time) => {
      const item = itemOf(readChanged({ data: { messageTimestamp } }));
      expect(item).toMatchObject({ kind: 'message', externalId: '3EB0A1C6D2F4E80917B355' });
      expect('timestamp' in item ? item.timestamp?.toISOString() : null).toBe(time);
    });
  });

  describe('what is said', () => {
    const quoted = { contextInfo: { stanzaId: 'Q1' } };

    test.each<[string, unknown, object]>([
      ['text beside an empty field', { conversation: '', extendedTextMessage: { text: 'Oi' } }, { text: 'Oi' }],
      ['blanks at the ends', { conversation: ' Oi\n' }, { text: ' Oi\n' }],
      ['what cannot be stored', { conversation: 'a\u0000b\uD800' }, { text: 'a\uFFFDb\uFFFD' }],
      ['the longest text', { conversation: 'x'.repeat(65_536) }, { text: 'x'.repeat(65_536) }],
      ['a longer text', { conversation: 'x'.repeat(65_537) }, { text: `${'x'.repeat(65_535)}…` }],
      ['the longest text of emoji', { conversation: '🙂'.repeat(65_536) }, { text: '🙂'.repeat(65_536) }],
      [
        'a longer text in wrappers',
        { ephemeralMessage: { message: { extendedTextMessage: { text: '🙂'.repeat(65_537) } } } },
        { text: `${'🙂'.repeat(65_535)}…` },
      ],
      ['a quote in the kind', { extendedTextMessage: { text: 'Oi', ...quoted } }, { text: 'Oi', replyTo: 'Q1' }],
      ['a quote in the message', { conversation: 'Oi', ...quoted }, { text: 'Oi', replyTo: 'Q1' }],
      ['a quote that is no id', { conversation: 'Oi', contextInfo: { stanzaId: 5 } }, { text: 'Oi' }],
      ['a quote that is too long', { conversation: 'Oi', contextInfo: { stanzaId: 'x'.repeat(256) } }, { text: 'Oi' }],
      ['a text without words', { extendedTextMessage: {} }, {}],
      [
        'a button',
        { buttonsResponseMessage: { selectedDisplayText: 'Yes', ...quoted } },
        { text: 'Yes', choice: { kind: 'BUTTON', title: 'Yes' }, replyTo: 'Q1' },
      ],
      [
        'a button by its id',
        { buttonsResponseMessage: { selectedButtonId: 'b1' } },
        { text: 'b1', choice: { kind: 'BUTTON', id: 'b1' } },
      ],
      [
        'a button whose text is no text',
        { buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: {} } },
        { text: 'b1', choice: { kind: 'BUTTON', id: 'b1' } },
      ],
      [
        'a button that says nothing that can be read',
        { buttonsResponseMessage: { selectedDisplayText: {} } },
        { choice: { kind: 'BUTTON' } },
      ],
      [
        'a row by its id',
        { listResponseMessage: { singleSelectReply: { selectedRowId: 'r1' } } },
        { text: 'r1', choice: { kind: 'LIST', id: 'r1' } },
      ],
      [
        'a flow that hides its answers',
        { interactiveResponseMessage: { body: { text: 'Sent' } } },
        { text: 'Sent', choice: { kind: 'BUTTON', title: 'Sent' } },
      ],
      ['an edited one, opened', { editedMessage: { message: { conversation: 'Oi!' } } }, { text: 'Oi!' }],
      ['one of another device', { deviceSentMessage: { message: { conversation: 'Oi!' } } }, { text: 'Oi!' }],
    ])('%s is text', (_name, message, content) => {
      expect(itemOf(readChanged({ message }))).toEqual({
        ...inbound,
        externalId: '3EB0A1C6D2F4E80917B355',
        type: 'text',
        ...content,
      });
    });

    test.each<[string, unknown, object]>([
      ['a note in video', { ptvMessage: { seconds: 3 } }, { type: 'video', media: { url: null } }],
      [
        'a sticker',
        { stickerMessage: null, lottieStickerMessage: { message: { stickerMessage: {} } } },
        { type: 'sticker' },
      ],
      ['a kind that is no object', { imageMessage: 5 }, { type: 'image', media: { url: null } }],
      ['a place without a point', { locationMessage: { name: 'Office' } }, { type: 'location', text: 'Office' }],
      [
        'a place that says nothing',
        { locationMessage: { degreesLatitude: 'x' } },
        { type: 'location', text: undefined },
      ],
      [
        'a card with an address alone',
        { contactMessage: { vcard: 'FN:Ana\nitem1.EMAIL;type=INTERNET:ana@example.com' } },
        { text: 'Ana: ana@example.com' },
      ],
      ['a card without a name', { contactMessage: { vcard: 'TEL:+1 202 555 0155' } }, { text: '+1 202 555 0155' }],
      ['cards that are no list', { contactsArrayMessage: { contacts: {} } }, { type: 'contact', text: undefined }],
      [
        'a poll without options',
        { pollCreationMessage: { name: 'Well?' } },
        { type: 'pollCreationMessage', text: 'Well?' },
      ],
      [
        'a template',
        { templateMessage: { hydratedTemplate: { hydratedContentText: 'Hello' } } },
        { type: 'templateMessage', text: 'Hello' },
      ],
      ['buttons', { buttonsMessage: { contentText: 'Choose' } }, { type: 'buttonsMessage', text: 'Choose' }],
      ['an unknown kind', { newThingMessage: { text: 'x' } }, { type: 'newThingMessage', text: undefined }],
      ['an unknown kind beside other fields', { linkPreview: false, aMessage: 1 }, { type: 'aMessage' }],
      ['a kind named like a property of every object', { constructor: { a: 1 } }, { type: 'constructor' }],
      ['a kind with a long name', { [`${'x'.repeat(40)}Message`]: {} }, { type: 'x'.repeat(32) }],
      ['a kind with a blank name', { ' ': {} }, { type: 'unknown' }],
      ['a wrapper around nothing', { viewOnceMessage: { message: null } }, { type: 'viewOnceMessage' }],
    ])('%s is kept', (_name, message, content) => {
      expect(itemOf(readChanged({ message }))).toMatchObject({ kind: 'message', ...content });
    });

    test.each<[object, string, string]>([
      [
        { orderMessage: { message: 'Two', orderTitle: 'Shop', totalAmount1000: '150500', totalCurrencyCode: 'BRL' } },
        'orderMessage',
        'Two\nShop\nBRL 150.50',
      ],
      [{ orderMessage: { orderTitle: 'Shop', totalAmount1000: 5_000 } }, 'orderMessage', 'Shop'],
      [
        { productMessage: { product: { title: 'Board', priceAmount1000: 99_990, currencyCode: 'EUR' } } },
        'productMessage',
        'Board\nEUR 99.99',
      ],
      [
        { eventMessage: { name: 'Visit', startTime: { low: 1_795_180_500, high: 0 }, location: { name: 'Office' } } },
        'eventMessage',
        'Visit\n2026-11-20 13:15 UTC\nOffice',
      ],
      [
        { eventMessage: { name: 'Visit', startTime: 'soon', joinLink: 'https://call.example/x' } },
        'eventMessage',
        'Visit\nhttps://call.example/x',
      ],
      [
        { sendPaymentMessage: { noteMessage: { extendedTextMessage: { text: 'The rent' } } } },
        'sendPaymentMessage',
        'The rent',
      ],
      [{ scheduledCallCreationMessage: { title: 'Visit' } }, 'scheduledCallCreationMessage', 'Visit'],
      [{ message: { conversation: 'Oi' }, messageContextInfo: {} }, 'text', 'Oi'],
      [{ message: { ephemeralMessage: { message: { conversation: 'Oi' } } } }, 'text', 'Oi'],
    ])('%j says all that a person sees', (message, type, text) => {
      expect(itemOf(readChanged({ message }))).toMatchObject({ type, text });
    });

    test('a kind that only messageType names is kept', () => {
      const data = { messageType: 'orderMessage', ...quoted };
      expect(itemOf(readChanged({ message: {}, data }))).toMatchObject({ type: 'orderMessage', replyTo: 'Q1' });
      expect(itemOf(readChanged({ message: null, data: { messageType: 'locationMessage' } }))).toMatchObject({
        type: 'location',
      });
    });

    test('more wrappers than the most are a placeholder', () => {
      let message: object = { conversation: 'deep' };
      for (let depth = 0; depth < 9; depth += 1) message = { ephemeralMessage: { message } };
      expect(itemOf(readChanged({ message }))).toMatchObject({ type: 'ephemeralMessage', text: undefined });
    });

    const target = { key: { id: 'T1' } };
    test.each<[string, unknown, string]>([
      ['no message', undefined, 'a message without content'],
      ['null', null, 'a message without content'],
      ['an empty message', {}, 'a message without content'],
      ['empty text', { conversation: '' }, 'a message without content'],
      ['only its context', { messageContextInfo: {} }, 'a message without content'],
      ['a key for a group', { senderKeyDistributionMessage: {} }, 'a message without content'],
      [
        'a file and nothing about it',
        { base64: 'AA==', mediaUrl: 'https://files.example.com/a' },
        'a message without content',
      ],
      ['the key of a call', { call: { callKey: {} } }, 'quiet: call'],
      ['an empty edit', { protocolMessage: { ...target, editedMessage: {} } }, 'an edit without a text'],
      [
        'an edit to what has no text',
        { protocolMessage: { ...target, type: 14, editedMessage: { locationMessage: {} } } },
        'an edit without a text',
      ],
      [
        'a setting',
        { ephemeralMessage: { message: { protocolMessage: { type: 3 } } } },
        "the network's own housekeeping",
      ],
    ])('%s is ignored', (_name, message, reason) => {
      expect(readChanged({ message })).toEqual({ item: { kind: 'ignored', reason } });
    });

    test.each<[string, object]>([
      ['a reaction', { reactionMessage: { text: '👍' } }],
      ['a revocation', { protocolMessage: { type: 'REVOKE', key: { id: 5 } } }],
      ['an edit', { protocolMessage: { type: 'MESSAGE_EDIT', editedMessage: { conversation: 'x' } } }],
    ])('%s of no message is refused', (_name, message) => {
      const [name] = Object.keys(message);
      expect(readChanged({ message })).toMatchObject({ errors: [{ path: `data.message.${name}.key.id` }] });
    });

    test.each<[string, unknown, string, string]>([
      ['a message that is no object', 'Oi', '', 'has to be an object'],
      ['text that is no text', { conversation: 5 }, '.conversation', 'has to be text'],
    ])('%s is an error', (_name, message, path, problem) => {
      expect(readChanged({ message })).toEqual({ errors: [{ path: `data.message${path}`, message: problem }] });
    });
  });

  describe('the file', () => {
    const url = 'https://files.example.com/a.png';

    test.each<[string, object, object]>([
      [
        'its copy before the encrypted one',
        { mediaUrl: url, imageMessage: { url: 'https://mmg.example.com/a' } },
        { url },
      ],
      ['no URL', { imageMessage: {} }, { url: null }],
      [
        'another protocol',
        { mediaUrl: 'file:///etc/passwd', imageMessage: { url: 'data:image/png;base64,AA==' } },
        { url: null },
      ],
      ['no URL at all', { mediaUrl: 'a.png', imageMessage: { url: 7 } }, { url: null }],
      ['a copy that cannot be read', { mediaUrl: 'javascript:1', imageMessage: { url } }, { url }],
      ['too long a URL', { imageMessage: { url: `https://files.example.com/${'x'.repeat(2_048)}` } }, { url: null }],
      [
        'what was sent by link',
        { imageMessage: { media: url, id: url, type: 'link' } },
        { url, providerId: undefined },
      ],
      ['what was sent by id', { imageMessage: { media: 'AA==', id: '70001' } }, { url: null, providerId: '70001' }],
      ['its size', { imageMessage: { fileLength: 12 } }, { sizeBytes: 12 }],
      ['its size as text', { imageMessage: { fileLength: '12' } }, { sizeBytes: 12 }],
      ['its size in halves', { imageMessage: { fileLength: { low: 5, high: 1 } } }, { sizeBytes: 4_294_967_301 }],
      ['no exact size', { imageMessage: { fileLength: { low: 0, high: 2_097_152 } } }, { sizeBytes: undefined }],
      ['a negative size', { imageMessage: { fileLength: { low: -1, high: -1 } } }, { sizeBytes: undefined }],
      ['half a byte', { imageMessage: { fileLength: 1.5 } }, { sizeBytes: undefined }],
      ['its name', { imageMessage: { fileName: ' a\u0000.png ', title: 'b' } }, { fileName: 'a\uFFFD.png' }],
      ['its title', { imageMessage: { fileName: '', title: 'b' } }, { fileName: 'b' }],
      [
        'the business names',
        { imageMessage: { filename: 'c', mime_type: 'image/x' } },
        { fileName: 'c', mimeType: 'image/x' },
      ],
      ['a long name', { imageMessage: { fileName: 'x'.repeat(300) } }, { fileName: 'x'.repeat(255) }],
      ['a caption', { imageMessage: { caption: 'Oi\u0000' } }, { caption: 'Oi\uFFFD' }],
    ])('%s', (_name, message, media) => {
      const item = itemOf(readChanged({ message }));
      expect(item).toMatchObject({ kind: 'message', type: 'image', media });
      expect(item).not.toHaveProperty('text');
    });
  });

  describe('the status', () => {
    const update = payload('update-delivered');
    const read = (data: object) => readEvolution({ ...update, data: { ...update.data, ...data } }).reports[0]!;

    test.each<[unknown, string]>([
      ['ERROR', 'FAILED'],
      ['SERVER_ACK', 'SENT'],
      ['DELIVERY_ACK', 'DELIVERED'],
      ['READ', 'READ'],
      ['PLAYED', 'READ'],
      ['SENT', 'SENT'],
      ['DELIVERED', 'DELIVERED'],
      ['FAILED', 'FAILED'],
      ['delivered', 'DELIVERED'],
      [0, 'FAILED'],
      [2, 'SENT'],
      [3, 'DELIVERED'],
      [4, 'READ'],
      [5, 'READ'],
    ])('%j is %s', (status, name) => {
      const item = itemOf(read({ status }));
      const error = name === 'FAILED' ? { code: status === 0 ? 'ERROR' : status } : undefined;
      expect(item).toEqual({ kind: 'status', externalId: 'BAE5C0FFEE0008', status: name, error });
    });

    test.each<[unknown, string]>([
      ['PENDING', 'PENDING'],
      ['DELETED', 'DELETED'],
      ['EDITED', 'EDITED'],
      [1, 'PENDING'],
      [6, '6'],
      [-1, '-1'],
      [2.5, '2.5'],
      ['__proto__', '__PROTO__'],
      ['x'.repeat(99), 'X'.repeat(50)],
    ])('%j is ignored', (status, word) => {
      expect(read({ status })).toEqual({ item: { kind: 'ignored', reason: `a status that says nothing: ${word}` } });
    });

    test.each(['SENT', 'DELIVERED', 'FAILED'])('%s of the business mode is ours though it says otherwise', (status) => {
      expect(itemOf(read({ status, fromMe: false }))).toMatchObject({ kind: 'status', status });
    });

    test.each(['SERVER_ACK', 'DELIVERY_ACK', 'READ', 'PLAYED', 'ERROR', 4])(
      "%s of the lead's message is ignored",
      (status) => {
        const reason = "a status of the lead's own message";
        expect(read({ status, fromMe: false })).toEqual({ item: { kind: 'ignored', reason } });
      },
    );

    test('the older key', () => {
      const key = { id: 'BAE5C0FFEE0099', fromMe: true };
      expect(itemOf(read({ keyId: undefined, key }))).toMatchObject({ externalId: 'BAE5C0FFEE0099' });
      const lead = { item: { kind: 'ignored', reason: "a status of the lead's own message" } };
      expect(read({ keyId: undefined, fromMe: undefined, key: { ...key, fromMe: false } })).toEqual(lead);
    });

    test.each<[object, object[]]>([
      [{ keyId: undefined }, [{ path: 'data.keyId', message: 'is required' }]],
      [{ keyId: ' ' }, [{ path: 'data.keyId', message: 'must not be empty' }]],
      [{ keyId: undefined, key: { id: '' } }, [{ path: 'data.key.id', message: 'must not be empty' }]],
      [{ status: undefined }, [{ path: 'data.status', message: 'is required' }]],
      [{ status: {} }, [{ path: 'data.status', message: 'has to be a status' }]],
      [
        { status: null, keyId: undefined },
        [
          { path: 'data.keyId', message: 'is required' },
          { path: 'data.status', message: 'is required' },
        ],
      ],
    ])('%j is an error', (data, errors) => {
      expect(read(data)).toEqual({ errors });
    });
  });

  describe('the connection', () => {
    const read = (data: unknown, event = 'connection.update') =>
      readEvolution({ event, instance: 'sales', data }).reports[0]!;

    test.each<[object, string, string | undefined]>([
      [{ state: 'open', statusReason: 401 }, 'CONNECTED', undefined],
      [{ state: 'OPEN' }, 'CONNECTED', undefined],
      [{ state: 'connecting', statusReason: 403 }, 'CONNECTING', undefined],
      [{ state: 'close' }, 'DISCONNECTED', 'the line was closed'],
      [{ state: 'close', statusReason: 200 }, 'DISCONNECTED', 'the line was closed'],
      [
        { state: 'close', statusReason: '440' },
        'DISCONNECTED',
        'the line was closed (440: replaced by another connection)',
      ],
      [{ state: 'close', statusReason: 599 }, 'DISCONNECTED', 'the line was closed (599)'],
      [{ state: 'close', statusReason: 1e300 }, 'DISCONNECTED', 'the line was closed'],
      [{ state: 'close', statusReason: {} }, 'DISCONNECTED', 'the line was closed'],
      [{ statusReason: 401 }, 'DISCONNECTED', 'the line was closed (401: logged out)'],
      [{ state: 'close', statusReason: 402 }, 'ERROR', 'the line was closed (402: banned for a time)'],
      [{ state: 'close', statusReason: 406 }, 'ERROR', 'the line was closed (406: not accepted by the network)'],
      [{ state: 'refused' }, 'ERROR', 'the line was refused'],
    ])('%j is %s', (data, status, lastError) => {
      expect(read(data)).toEqual({ item: { kind: 'connection', status, lastError } });
    });

    test('an unknown state is ignored', () => {
      const reason = 'a state that is not known: dreaming';
      expect(read({ state: 'dreaming', statusReason: 200 })).toEqual({ item: { kind: 'ignored', reason } });
    });

    test.each<[unknown, object]>([
      [{}, { path: 'data.state', message: 'is required' }],
      [{ state: 5 }, { path: 'data.state', message: 'has to be a state' }],
      ['open', { path: 'data', message: 'has to be an object' }],
    ])('%j is an error', (data, error) => {
      expect(read(data)).toEqual({ errors: [error] });
    });

    test('a QR code that is no object still means connecting', () => {
      expect(read({ qrcode: null }, 'qrcode-updated')).toEqual({ item: { kind: 'connection', status: 'CONNECTING' } });
      expect(read(null, 'qrcode-updated')).toEqual({ errors: [{ path: 'data', message: 'has to be an object' }] });
    });
  });
}
