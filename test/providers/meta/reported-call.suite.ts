// The Meta Cloud API dialect: recorded calls and their meaning, the edges of each rule, the handshake and the signature.

import { createHmac } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import {
  answerHandshake,
  metaSignatureMatches,
  readMeta,
  type MetaReport,
} from '../../../src/providers/meta/reported-call.js';
import type { ReportedChange, ReportedMessage, ReportedStatus } from '../../../src/providers/reported.js';

const folder = new URL('../payloads/cloud/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

function load(name: string): any {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}

const firstLine = '100000000000001';
const secondInstance = '100000000000002';
const anaNumber = { kind: 'PHONE', value: '15550100123' } as const;
const anaUserId = { kind: 'BSUID', value: 'BR.7000000000000000001' } as const;
const biaUserId = { kind: 'BSUID', value: 'BR.7000000000000000002' } as const;

const wamid = (number: number) => `wamid.HBgLTEST${String(number).padStart(4, '0')}A=`;

/** An inbound message of Ana's, with the numbers and times of the payload files. */
function fromAna(number: number, rest: Partial<ReportedMessage>) {
  return {
    phoneNumberId: firstLine,
    item: {
      kind: 'message',
      direction: 'INBOUND',
      externalId: wamid(number),
      contact: [anaNumber, anaUserId],
      name: 'Ana Exemplo',
      timestamp: new Date((1_773_027_300 + number) * 1_000),
      ...rest,
    },
  };
}

function byAna(number: number, rest: Partial<ReportedChange>) {
  return {
    phoneNumberId: firstLine,
    item: {
      kind: 'change',
      direction: 'INBOUND',
      contact: [anaNumber, anaUserId],
      timestamp: new Date((1_773_027_300 + number) * 1_000),
      ...rest,
    },
  };
}

function statusOf(number: number, rest: Partial<ReportedStatus>) {
  return {
    phoneNumberId: firstLine,
    item: {
      kind: 'status',
      externalId: wamid(number),
      timestamp: new Date((1_773_027_500 + number) * 1_000),
      ...rest,
    },
  };
}

function templateStatus(change: object): MetaReport {
  const item = { kind: 'templateStatus', wabaId: '102290129340398', language: 'pt_BR', reason: null, ...change };
  const reportedAt = new Date('2026-03-09T03:35:45.000Z');
  return { phoneNumberId: null, item: { reportedAt, ...item } as never };
}

function ignored(reason: string, phoneNumberId: string | null = firstLine) {
  return { phoneNumberId, item: { kind: 'ignored', reason } };
}

const expectations: Record<string, unknown[]> = {
  text: [fromAna(1, { type: 'text', text: 'Olá, ainda há vagas? 😀', replyTo: wamid(900) })],
  'username-only': [
    {
      phoneNumberId: firstLine,
      item: {
        kind: 'message',
        direction: 'INBOUND',
        externalId: wamid(10),
        contact: [biaUserId],
        name: 'Bia',
        type: 'text',
        text: 'Sem número',
        timestamp: new Date('2026-03-09T03:35:10.000Z'),
      },
    },
  ],
  'contact-request': [
    {
      phoneNumberId: firstLine,
      item: {
        kind: 'message',
        direction: 'INBOUND',
        externalId: wamid(11),
        contact: [biaUserId],
        name: '@bia.exemplo',
        type: 'contact',
        text: '15550100456',
        timestamp: new Date('2026-03-09T03:35:11.000Z'),
      },
    },
  ],
  referral: [
    fromAna(20, {
      type: 'text',
      text: 'Vi o anúncio',
      referral: {
        kind: 'AD',
        sourceId: '300000000000001',
        sourceUrl: 'https://social.example/ad/1',
        headline: 'Turmas abertas',
        body: 'Fale conosco',
        clickId: 'ARTEST0001',
      },
    }),
  ],
  media: [
    fromAna(30, {
      type: 'image',
      media: {
        url: 'https://media.example/attachments/?mid=400000000000001&source=webhook',
        providerId: '400000000000001',
        mimeType: 'image/jpeg',
        caption: 'Minha ficha',
      },
    }),
    fromAna(31, {
      type: 'audio',
      media: { url: null, providerId: '400000000000002', mimeType: 'audio/ogg; codecs=opus', isVoice: true },
    }),
    fromAna(32, {
      type: 'video',
      media: { url: null, providerId: '400000000000003', mimeType: 'video/mp4' },
      isForwarded: true,
    }),
    fromAna(33, {
      type: 'document',
      media: {
        url: null,
        providerId: '400000000000004',
        mimeType: 'application/pdf',
        fileName: 'contrato.pdf',
        caption: 'Assinado',
      },
    }),
    fromAna(34, { type: 'sticker', media: { url: null, providerId: '400000000000005', mimeType: 'image/webp' } }),
  ],
  'location-and-contacts': [
    fromAna(40, { type: 'location', text: '-23.5505,-46.6333\nEscola Exemplo\nRua de Teste, 1' }),
    fromAna(41, { type: 'location', text: '12.25,0' }),
    fromAna(42, { type: 'contact', text: 'Caio Teste: +1 555-010-0777, 15550100778\nDora: dora@example.com' }),
  ],
  replies: [
    fromAna(50, {
      type: 'interactive',
      text: 'Quero saber mais',
      choice: { kind: 'BUTTON', id: 'yes', title: 'Quero saber mais' },
      replyTo: wamid(901),
    }),
    fromAna(51, {
      type: 'interactive',
      text: 'Turma da noite',
      choice: { kind: 'LIST', id: 'night', title: 'Turma da noite', description: '19h às 22h' },
      replyTo: wamid(901),
    }),
    fromAna(52, {
      type: 'interactive',
      text: 'course: a',
      choice: { kind: 'FLOW', id: 'flow', title: 'Sent', answers: { course: 'a' } },
      replyTo: wamid(901),
    }),
    fromAna(53, {
      type: 'button',
      text: 'Cancelar',
      choice: { kind: 'BUTTON', id: 'stop', title: 'Cancelar' },
      replyTo: wamid(901),
    }),
  ],
  reactions: [
    byAna(60, { change: 'REACTION', externalId: wamid(902), emoji: '👍' }),
    byAna(61, { change: 'REACTION', externalId: wamid(902), emoji: null }),
    byAna(62, { change: 'REACTION', externalId: wamid(902), emoji: null }),
  ],
  order: [fromAna(70, { type: 'order', text: 'Entrega à tarde\n2 × LIVRO-1 39.9 BRL\n1 × KIT-7 120 BRL' })],
  system: [
    fromAna(80, {
      type: 'notice',
      isNotice: true,
      notice: { kind: 'NUMBER_CHANGED', newContact: { kind: 'PHONE', value: '15550100124' } },
      text: 'Ana changed from 15550100123 to 15550100124',
      contact: [anaNumber],
      name: undefined,
    }),
    fromAna(81, {
      type: 'notice',
      isNotice: true,
      notice: { kind: 'OTHER', newContact: { kind: 'BSUID', value: 'BR.7000000000000000003' } },
      text: 'Bia changed from BR.7000000000000000002 to BR.7000000000000000003',
      contact: [{ kind: 'BSUID', value: 'BR.7000000000000000003' }],
      name: undefined,
    }),
  ],
  unsupported: [
    fromAna(90, { type: 'unsupported', text: 'Unknown type of message', isPlaceholder: true }),
    fromAna(91, { type: 'unknown', text: 'Unknown type of message', isPlaceholder: true }),
    ignored('quiet: request_welcome'),
    fromAna(93, { type: 'interactive', text: 'Content is missing', isPlaceholder: true }),
    fromAna(94, { type: 'text', text: 'Lida apesar do erro' }),
  ],
  'edit-and-revoke': [
    byAna(100, { change: 'EDIT', externalId: wamid(1), text: 'Olá, há vagas à noite?' }),
    byAna(101, { change: 'EDIT', externalId: wamid(30), text: 'Minha ficha, corrigida' }),
    byAna(102, { change: 'DELETION', externalId: wamid(1) }),
  ],
  group: [ignored('a group'), fromAna(111, { type: 'text', text: 'A vocês' }), ignored('a group')],
  statuses: [
    statusOf(1, { status: 'SENT', contact: [anaNumber, anaUserId] }),
    statusOf(2, { status: 'DELIVERED', contact: [anaNumber, anaUserId] }),
    statusOf(3, { status: 'READ', contact: [anaNumber, anaUserId] }),
    statusOf(4, { status: 'READ', contact: [anaNumber, anaUserId] }),
    ignored('a status that is not handled: deleted'),
    ignored('a status that is not handled: warning'),
    ignored('a status that is not handled: pending'),
  ],
  'statuses-failed': [
    statusOf(11, {
      status: 'FAILED',
      error: {
        code: '131047',
        message: 'More than 24 hours have passed. The lead last wrote more than 24 hours ago: send a channel template.',
      },
      contact: [anaNumber],
    }),
    statusOf(12, {
      status: 'FAILED',
      error: {
        code: '131026',
        message:
          "Cannot be delivered. Check the lead's number; the lead may have to update the app or accept the network's terms.",
      },
      contact: [biaUserId],
      timestamp: new Date('2026-03-09T03:38:32.000Z'),
    }),
    statusOf(13, {
      status: 'FAILED',
      error: { code: 'UNKNOWN', message: 'Something went wrong' },
      contact: [anaNumber],
    }),
    statusOf(14, { status: 'FAILED', contact: [anaNumber] }),
    ignored("a status that is not a message's: payment"),
  ],
  echoes: [
    fromAna(120, { direction: 'OUTBOUND', isFromPhone: true, type: 'text', text: 'Respondi pelo celular' }),
    fromAna(121, {
      direction: 'OUTBOUND',
      isFromPhone: true,
      type: 'document',
      media: { url: 'https://files.example/horario.pdf', fileName: 'horario.pdf' },
      contact: [{ kind: 'PHONE', value: '15550100456' }],
      name: undefined,
    }),
    byAna(122, { change: 'DELETION', externalId: wamid(120), direction: 'OUTBOUND', contact: [biaUserId] }),
  ],
  'template-statuses': [
    templateStatus({ name: 'order_update', status: 'APPROVED' }),
    templateStatus({ name: 'offer', status: 'REJECTED', reason: 'SCAM' }),
    templateStatus({
      name: 'offer',
      language: 'en',
      status: 'PAUSED',
      reason: 'Your WhatsApp message template has been paused for 3 hours.',
    }),
    templateStatus({ name: 'offer', status: 'APPROVED' }),
    ignored('an event of a template that is not handled: LOCKED', null),
  ],
  batch: [
    fromAna(130, { type: 'text', text: 'Um' }),
    fromAna(131, { type: 'text', text: 'Dois', contact: [{ kind: 'PHONE', value: '15550100456' }], name: 'Bia' }),
    statusOf(132, { status: 'DELIVERED', contact: [anaNumber] }),
    ignored('quiet: history'),
    { ...fromAna(133, { type: 'text', text: 'Três', name: undefined }), phoneNumberId: secondInstance },
    ignored('quiet: account_update', null),
    ignored('an error without a message: 131000 Something went wrong', secondInstance),
  ],
};

/** The numbers of the lines, by their ids. */
const shownNumbers = new Map([
  [firstLine, '15550109999'],
  [secondInstance, '15550108888'],
]);

export function describeMetaDialect(): void {
  test('every recorded call has its expectation', () => {
    expect(files.map((name) => name.replace('.json', '')).toSorted()).toEqual(Object.keys(expectations).toSorted());
  });

  test.each(Object.entries(expectations))('recorded call: %s', (name, reports) => {
    const expectedIds =
      name === 'batch' ? [firstLine, secondInstance] : name === 'template-statuses' ? [] : [firstLine];
    const whole = reports.map((report) => {
      const { phoneNumberId } = report as Pick<MetaReport, 'phoneNumberId'>;
      return { ...(report as object), ownNumber: shownNumbers.get(phoneNumberId ?? '') };
    });
    expect(readMeta(load(name))).toEqual({ phoneNumberIds: expectedIds, reports: whole });
  });

  /** A call with one change. */
  function callWith(value: object, field: unknown = 'messages'): unknown {
    return { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ value, field }] }] };
  }

  /** The report on one message, sent by Ana unless it says otherwise. */
  function readMessage(message: Record<string, unknown>, contacts?: unknown): any {
    const whole = { id: 'wamid.1', from: '15550100123', ...message };
    return readMeta(callWith({ contacts, messages: [whole] })).reports[0];
  }

  function readStatus(status: Record<string, unknown>, contacts?: unknown): any {
    const whole = { id: 'wamid.1', status: 'read', ...status };
    return readMeta(callWith({ contacts, statuses: [whole] })).reports[0];
  }

  const messagePath = 'entry.0.changes.0.value.messages.0';

  describe('parts of another shape are named, and spoil nothing else', () => {
    const change = 'entry.0.changes.0';
    test.each<[string, unknown, string]>([
      ['null', null, ''],
      ['a number', 5, ''],
      ['text', 'entry', ''],
      ['a list', [], ''],
      ['no entry', {}, 'entry'],
      ['an entry that is no list', { entry: {} }, 'entry'],
      ['an element of entry that is no object', { entry: [null] }, 'entry.0'],
      ['no changes', { entry: [{}] }, 'entry.0.changes'],
      ['a change that is no object', { entry: [{ changes: ['x'] }] }, change],
      ['no field', { entry: [{ changes: [{ value: {} }] }] }, `${change}.field`],
      ['a field that is no text', { entry: [{ changes: [{ field: {}, value: {} }] }] }, `${change}.field`],
      ['no value', { entry: [{ changes: [{ field: 'messages' }] }] }, `${change}.value`],
      ['a value that is a list', { entry: [{ changes: [{ field: 'messages', value: [] }] }] }, `${change}.value`],
      ['messages that are no list', callWith({ messages: {} }), `${change}.value.messages`],
      ['statuses that are no list', callWith({ statuses: 'x' }), `${change}.value.statuses`],
      [
        'echoes that are no list',
        callWith({ message_echoes: 1 }, 'smb_message_echoes'),
        `${change}.value.message_echoes`,
      ],
      ['a message that is no object', callWith({ messages: [[]] }), messagePath],
      ['a status that is no object', callWith({ statuses: [null] }), `${change}.value.statuses.0`],
    ])('%s', (_case, body, path) => {
      expect(readMeta(body).reports).toEqual([
        { phoneNumberId: null, errors: [{ path, message: expect.stringMatching(/^(is required|has to be )/) }] },
      ]);
    });

    test('each damaged item of a batch, between sound neighbours', () => {
      const sound = (id: string) => ({ id, from: '15550100123', type: 'text', text: { body: id } });
      const messages = [sound('a'), null, sound('b'), { ...sound('x'), id: 7 }, sound('c'), { id: 'y', type: 'text' }];
      const statuses = [{ id: 's', status: 'sent' }, 'x', { id: 't', status: 'read' }];
      const { reports } = readMeta(callWith({ messages, statuses }));
      const outcomes = reports.map((report: any) => report.item?.externalId ?? report.errors[0].path);
      const value = 'entry.0.changes.0.value';
      expect(outcomes).toEqual([
        'a',
        `${value}.messages.1`,
        'b',
        `${value}.messages.3.id`,
        'c',
        `${value}.messages.5.from`,
        's',
        `${value}.statuses.1`,
        't',
      ]);
    });

    test('a damaged change or entry hinders neither its neighbours nor what follows', () => {
      const good = { field: 'messages', value: { statuses: [{ id: 's', status: 'sent' }] } };
      const { reports } = readMeta({ entry: [{ changes: [5, good] }, 'x', { changes: [good] }] });
      expect(reports.map((report: any) => report.item?.status ?? report.errors[0].path)).toEqual([
        'entry.0.changes.0',
        'SENT',
        'entry.1',
        'SENT',
      ]);
    });
  });

  test.each([
    ['no entries', { entry: [] }, 'a call without changes'],
    ['no changes', { entry: [{ changes: [] }] }, 'a call without changes'],
    ['no lists', callWith({}), 'a change without messages and statuses'],
    ['empty lists', callWith({ messages: [], statuses: [] }), 'a change without messages and statuses'],
    ['another field', callWith({}, 'newthing'), 'a field that is not handled: newthing'],
    ['a field named like a property', callWith({}, 'constructor'), 'a field that is not handled: constructor'],
    ['a page', { object: 'page', entry: [{ messaging: [] }] }, 'an object that is not handled: page'],
  ])('%s: ignored with its reason', (_case, body, reason) => {
    expect(readMeta(body)).toEqual({ phoneNumberIds: [], reports: [ignored(reason, null)] });
  });

  describe('who wrote', () => {
    const matched = { kind: 'message', contact: [anaNumber, anaUserId], name: 'Ana' };
    const contact = { profile: { name: 'Ana' }, wa_id: anaNumber.value, user_id: anaUserId.value };

    test.each<[string, Record<string, unknown>, unknown]>([
      ['by number', {}, [contact]],
      ['by number, with a plus', { from: '+1 555 010-0123' }, [contact]],
      ['by number, as a JSON number', { from: 15_550_100_123 }, [contact]],
      ['by user id', { from: undefined, from_user_id: anaUserId.value }, [contact]],
      ['by user id, written where the number was', { from: anaUserId.value }, [contact]],
      ['by user id, beside an empty number', { from: '', from_user_id: anaUserId.value }, [contact]],
      ['by both', { from_user_id: anaUserId.value }, [contact]],
      ['not the first contact', {}, [{ wa_id: '15550100777', profile: { name: 'X' } }, 5, contact]],
      ['the only contact, where the message names nobody', { from: undefined }, [contact]],
      ['the only contact, where what names someone is empty', { from: null, from_user_id: '' }, [contact]],
    ])('%s', (_case, message, contacts) => {
      expect(readMessage(message, contacts).item).toMatchObject(matched);
    });

    test('two writings of one number are one person', () => {
      const contacts = [{ profile: { name: 'Ana' }, wa_id: '550080000001', user_id: anaUserId.value }];
      const { contact: identities } = readMessage({ from: '5500980000001' }, contacts).item;
      expect(identities).toEqual([{ kind: 'PHONE', value: '5500980000001' }, anaUserId]);
    });

    test('the form of an address has its answers one level deeper', () => {
      const response = { saved_address_id: 'a1', values: { name: 'Ana', in_pin_code: '560001', city: 'Bengaluru' } };
      const form = { name: 'address_message', body: 'Sent', response_json: JSON.stringify(response) };
      expect(
        readMessage({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: form } }).item,
      ).toMatchObject({
        text: 'saved_address_id: a1\nvalues: name: Ana, in_pin_code: 560001, city: Bengaluru',
        choice: { kind: 'FLOW', answers: response },
      });
    });

    test('a card may have an address alone', () => {
      const contacts = [
        { name: { formatted_name: 'Ana' }, emails: [{ email: 'ana@example.com', type: 'WORK' }] },
        {
          name: { formatted_name: 'Bia' },
          phones: [{ phone: '+1 202 555 0155' }],
          emails: [{ email: 'b@example.com' }],
        },
      ];
      expect(readMessage({ type: 'contacts', contacts }).item).toMatchObject({
        text: 'Ana: ana@example.com\nBia: +1 202 555 0155, b@example.com',
      });
    });

    test('what the message says counts before what the contacts say', () => {
      const contacts = [{ wa_id: anaNumber.value, user_id: 'BR.9', profile: { name: 'Ana' } }];
      expect(readMessage({ from_user_id: anaUserId.value }, contacts).item.contact).toEqual([anaNumber, anaUserId]);
    });

    test("another person's contact lends neither name nor identity", () => {
      const contacts = [{ wa_id: '15550100777', user_id: 'BR.9', profile: { name: 'X' } }];
      expect(readMessage({}, contacts).item).toMatchObject({ contact: [anaNumber], name: undefined });
    });

    test('of two contacts, none is taken for a message that names nobody', () => {
      const errors = [{ path: `${messagePath}.from`, message: 'is required' }];
      expect(readMessage({ from: undefined }, [contact, { wa_id: '15550100777' }]).errors).toEqual(errors);
    });

    test.each<[string, unknown, string]>([
      ['letters', 'ana', 'has to be a phone number: digits with country code'],
      ['too short', '123', 'has to have 7 to 15 digits, country code included'],
      ['an object', {}, 'has to be a phone number'],
    ])('a number that is none: %s', (_case, from, message) => {
      expect(readMessage({ from }).errors).toEqual([{ path: `${messagePath}.from`, message }]);
    });

    test('everything that is wrong with a message is named at once', () => {
      const errors = readMessage({ id: '', from: 'ana', type: 'text', text: { body: 5 } }).errors;
      expect(errors.map(({ path }: { path: string }) => path)).toEqual(
        ['id', 'from', 'text.body'].map((field) => `${messagePath}.${field}`),
      );
    });

    test('an echo without a recipient names `to`, and is not taken for the only contact', () => {
      const echo = { id: 'wamid.1', from: '15550109999', type: 'text' };
      const { reports } = readMeta(callWith({ contacts: [contact], message_echoes: [echo] }, 'smb_message_echoes'));
      const path = 'entry.0.changes.0.value.message_echoes.0.to';
      expect(reports).toEqual([{ phoneNumberId: null, errors: [{ path, message: 'is required' }] }]);
    });
  });

  test.each(['REINSTATED', 'UNARCHIVED'])('a template that is %s can be sent again', (event) => {
    const named = { message_template_id: 1, message_template_name: 'offer', message_template_language: 'pt_BR' };
    const { reports } = readMeta(callWith({ event, ...named }, 'message_template_status_update'));
    expect(reports).toMatchObject([{ item: { kind: 'templateStatus', name: 'offer', status: 'APPROVED' } }]);
  });

  describe('what was said', () => {
    test.each<[string, Record<string, unknown>, object]>([
      ['blanks are kept', { type: 'text', text: { body: '  a\n ' } }, { text: '  a\n ' }],
      ['an empty text', { type: 'text', text: { body: '' } }, { type: 'text', text: undefined }],
      ['a text without content', { type: 'text' }, { type: 'text', text: undefined }],
      ['the longest text', { type: 'text', text: { body: 'x'.repeat(65_536) } }, { text: 'x'.repeat(65_536) }],
      ['a longer text', { type: 'text', text: { body: 'x'.repeat(65_537) } }, { text: `${'x'.repeat(65_535)}…` }],
      [
        'what cannot be stored is replaced',
        { type: 'text', text: { body: 'a\u0000b\ud800' } },
        { text: 'a\ufffdb\ufffd' },
      ],
      ['no type', {}, { type: 'unknown' }],
      ['a type that is no text', { type: {} }, { type: 'unknown' }],
      ['a long type', { type: 't'.repeat(99) }, { type: 't'.repeat(32) }],
      ['a type named __proto__', JSON.parse('{"type":"__proto__","__proto__":{"body":"x"}}'), { type: '__proto__' }],
      ['a type named constructor', { type: 'constructor' }, { type: 'constructor', text: undefined }],
      ['a type named toString', { type: 'toString', toString: { body: 'x' } }, { type: 'toString', text: undefined }],
      ['a location without a point', { type: 'location', location: { name: 'Lá' } }, { text: 'Lá' }],
      ['half a point', { type: 'location', location: { latitude: 1, address: 'Rua' } }, { text: 'Rua' }],
      ['a point as text', { type: 'location', location: { latitude: '-1.5', longitude: '2' } }, { text: '-1.5,2' }],
      ['no cards', { type: 'contacts', contacts: [] }, { type: 'contact', text: undefined }],
      ['cards of other shapes', { type: 'contacts', contacts: [1, { phones: 'x' }] }, { type: 'contact' }],
      ['an order of nothing', { type: 'order', order: {} }, { type: 'order', text: undefined }],
      ['an unknown reply', { type: 'interactive', interactive: { type: 'x' } }, { type: 'interactive' }],
      ['a file with an error beside it', { type: 'image', image: {}, errors: [{ title: 'x' }] }, { text: undefined }],
      [
        'an error without a title',
        { type: 'unsupported', errors: [{ message: 'Cannot be shown' }] },
        { text: 'Cannot be shown' },
      ],
      ['a reply to an id that is none', { type: 'text', context: { id: 5 } }, { replyTo: undefined }],
      ['an unusable name', {}, { name: undefined }],
    ])('%s', (_case, message, expected) => {
      const { item } = readMessage(message, [{ wa_id: anaNumber.value, profile: { name: ' ' } }]);
      expect(item).toMatchObject(expected);
    });

    test('an edit within an edit is not followed, however deep', () => {
      let message: object = { type: 'text', text: { body: 'innermost' } };
      for (let depth = 0; depth < 20_000; depth += 1) message = { type: 'edit', edit: { message } };
      const item = readMessage({ type: 'edit', edit: { original_message_id: 'o', message } }).item;
      expect(item).toEqual({ kind: 'ignored', reason: 'an edit without a text' });
    });

    test.each<[string, Record<string, unknown>, string]>([
      ['a text that is no text', { type: 'text', text: { body: {} } }, 'text.body'],
      ['a text in the wrong place', { type: 'text', text: 'hello' }, 'text'],
      ['a caption that is no text', { type: 'video', video: { caption: [] } }, 'video.caption'],
      ['cards that are no list', { type: 'contacts', contacts: {} }, 'contacts'],
      ['a reaction to no message', { type: 'reaction', reaction: { emoji: '👍' } }, 'reaction.message_id'],
      ['a reaction that is none', { type: 'reaction' }, 'reaction'],
      [
        'a revocation of no message',
        { type: 'revoke', revoke: { original_message_id: 7 } },
        'revoke.original_message_id',
      ],
      ['a location that is a list', { type: 'location', location: [] }, 'location'],
    ])('refused: %s', (_case, message, field) => {
      expect(readMessage(message)).toMatchObject({ errors: [{ path: `${messagePath}.${field}` }] });
    });

    test.each<[string, unknown, string | null]>([
      ['https', 'https://media.example/1', 'https://media.example/1'],
      ['http', 'http://media.example/1', 'http://media.example/1'],
      ['another protocol', 'file:///etc/passwd', null],
      ['a script', 'javascript:alert(1)', null],
      ['no address', 'here', null],
      ['no text', {}, null],
      ['too long', `https://media.example/${'x'.repeat(2_048)}`, null],
    ])('address of a file: %s', (_case, url, expected) => {
      expect(readMessage({ type: 'image', image: { id: '1', url } }).item.media).toEqual({
        url: expected,
        providerId: '1',
      });
    });

    test.each<[string, unknown, Date | undefined]>([
      ['text', '1773027345', new Date('2026-03-09T03:35:45.000Z')],
      ['a number', 1_773_027_345, new Date('2026-03-09T03:35:45.000Z')],
      ['the first moment', '946684800', new Date('2000-01-01T00:00:00.000Z')],
      ['the moment before', '946684799', undefined],
      ['the year 2100', '4102444800', undefined],
      ['milliseconds', '1773027345000', undefined],
      ['negative', '-1', undefined],
      ['words', 'now', undefined],
      ['empty', '', undefined],
      ['none', undefined, undefined],
      ['an object', {}, undefined],
    ])('time: %s', (_case, timestamp, expected) => {
      expect(readMessage({ type: 'text', timestamp }).item.timestamp).toEqual(expected);
      expect(readStatus({ timestamp }).item.timestamp).toEqual(expected);
    });
  });

  describe('statuses', () => {
    const path = 'entry.0.changes.0.value.statuses.0';
    test.each<[string, Record<string, unknown>, string]>([
      ['no id', { id: undefined }, 'id'],
      ['an id that is too long', { id: 'x'.repeat(256) }, 'id'],
      ['an id with NUL', { id: 'a\u0000' }, 'id'],
      ['no status', { status: undefined }, 'status'],
      ['a status that is no text', { status: {} }, 'status'],
    ])('refused: %s', (_case, status, field) => {
      expect(readStatus(status)).toMatchObject({ errors: [{ path: `${path}.${field}` }] });
    });

    test('an unknown status is ignored even where nothing else can be read', () => {
      expect(readStatus({ id: null, status: 'x'.repeat(99) })).toEqual(
        ignored(`a status that is not handled: ${'x'.repeat(32)}`, null),
      );
      expect(readStatus({ status: 'constructor' })).toEqual(ignored('a status that is not handled: constructor', null));
    });

    test('a recipient that cannot be read does not refuse the status', () => {
      expect(readStatus({ recipient_id: 'nobody' }).item).toEqual({
        kind: 'status',
        externalId: 'wamid.1',
        status: 'READ',
      });
    });

    test('a status that names nobody is not taken for the only contact', () => {
      expect(readStatus({}, [{ wa_id: anaNumber.value }]).item.contact).toBeUndefined();
    });

    test("the type that marks a message's own status changes nothing", () => {
      expect(readStatus({ type: 'message', status: 'failed' }).item.status).toBe('FAILED');
    });

    test.each<[string, unknown, object | undefined]>([
      ['long words are cut', [{ code: 7, message: 'x'.repeat(2_000) }], { code: '7', message: 'x'.repeat(1_000) }],
      [
        'long words of a known code are cut, the advice is not',
        [{ code: 132005, message: 'x'.repeat(2_000) }],
        { code: '132005', message: `${'x'.repeat(978)}. Send shorter values.` },
      ],
      ['no words', [{ code: '7' }], { code: '7', message: undefined }],
      ['no words of a known code', [{ code: '132005' }], { code: '132005', message: 'Send shorter values.' }],
      ['another shape', ['x'], { code: 'UNKNOWN', message: undefined }],
      ['an empty list', [], undefined],
      ['no list', 'x', undefined],
    ])('why it failed: %s', (_case, errors, expected) => {
      expect(readStatus({ status: 'failed', errors }).item.error).toEqual(expected);
    });

    test('only a failure has an error', () => {
      expect(readStatus({ status: 'delivered', errors: [{ code: 1 }] }).item.error).toBeUndefined();
    });
  });

  describe('a call holds at most 1,000 reports', () => {
    const messagesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `m${index}` }));
    const statusesOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `s${index}`, status: 'sent' }));

    test('1,000 over two changes are all read', () => {
      const value = { messages: messagesOf(400), statuses: statusesOf(100) };
      const changes = [1, 2].map(() => ({ field: 'messages', value }));
      expect(readMeta({ entry: [{ changes }] }).reports).toHaveLength(1_000);
    });

    test.each([
      ['one more', { entry: [{ changes: [{ field: 'messages', value: { statuses: statusesOf(1_001) } }] }] }],
      ['1,001 that are ignored', { entry: [{ changes: Array.from({ length: 1_001 }, () => ({ field: 'history' })) }] }],
      ['1,001 that are damaged', { entry: Array(1_001).fill(null) }],
    ])('%s: the call is refused', (_case, body) => {
      const errors = [{ path: 'entry', message: 'must not hold more than 1000 messages and statuses' }];
      expect(readMeta(body)).toEqual({ phoneNumberIds: [], reports: [{ phoneNumberId: null, errors }] });
    });
  });

  describe('handshake', () => {
    const token = 'verify-me';
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' };

    test('the challenge is given back', () => {
      expect(answerHandshake(query, token)).toEqual({ challenge: '1158201444' });
      const longest = '~'.repeat(512);
      expect(answerHandshake({ ...query, 'hub.challenge': longest }, token)).toEqual({ challenge: longest });
    });

    test.each<[string, Record<string, unknown>]>([
      ['no parameters', {}],
      ['no mode', { ...query, 'hub.mode': undefined }],
      ['another mode', { ...query, 'hub.mode': 'unsubscribe' }],
      ['no token', { ...query, 'hub.verify_token': undefined }],
      ['another token', { ...query, 'hub.verify_token': 'verify-mf' }],
      ['a longer token', { ...query, 'hub.verify_token': `${token}x` }],
      ['part of the token', { ...query, 'hub.verify_token': 'verify' }],
      ['an empty token', { ...query, 'hub.verify_token': '' }],
      ['the token twice', { ...query, 'hub.verify_token': [token, token] }],
      ['no challenge', { ...query, 'hub.challenge': undefined }],
      ['an empty challenge', { ...query, 'hub.challenge': '' }],
      ['a challenge that is too long', { ...query, 'hub.challenge': 'x'.repeat(513) }],
      ['a challenge with a line end', { ...query, 'hub.challenge': 'a\r\nb' }],
      ['a challenge that ends with a line end', { ...query, 'hub.challenge': 'a\n' }],
      ['a challenge beyond ASCII', { ...query, 'hub.challenge': 'é' }],
      ['the challenge twice', { ...query, 'hub.challenge': ['1', '2'] }],
    ])('%s: no answer', (_case, wrong) => {
      expect(answerHandshake(wrong, token)).toBeUndefined();
    });

    test('an empty token of ours confirms nothing', () => {
      expect(answerHandshake({ ...query, 'hub.verify_token': '' }, '')).toBeUndefined();
    });
  });

  describe('signature', () => {
    const secret = 'app secret';
    const body = Buffer.from('{ "text" : "Ol\\u00e1 \\/ 😀" }');
    const signed = (key: string, bytes: Buffer | string) =>
      `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;

    test('over the bytes as they came, whatever they are', () => {
      expect(metaSignatureMatches(secret, signed(secret, body), body)).toBe(true);
      const noText = Buffer.from([0xff, 0x00]);
      expect(metaSignatureMatches(secret, signed(secret, noText), noText)).toBe(true);
      expect(metaSignatureMatches(secret, signed(secret, ''), Buffer.alloc(0))).toBe(true);
    });

    test('over the same value written again: refused', () => {
      const rewritten = JSON.stringify(JSON.parse(body.toString('utf8')));
      expect(metaSignatureMatches(secret, signed(secret, rewritten), body)).toBe(false);
    });

    const good = signed(secret, body);
    test.each([
      ['missing', undefined],
      ['empty', ''],
      ['without its prefix', good.slice(7)],
      ['of another kind', good.replace('sha256', 'sha1')],
      ['cut short', good.slice(0, -1)],
      ['one digit off', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')],
      ['made with another secret', signed('other', body)],
    ])('%s: refused', (_case, header) => {
      expect(metaSignatureMatches(secret, header, body)).toBe(false);
    });

    test('an empty secret of ours matches nothing', () => {
      expect(metaSignatureMatches('', signed('', body), body)).toBe(false);
    });
  });
}
