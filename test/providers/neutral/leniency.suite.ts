// The lenient reading of the neutral dialect: what is empty counts as left out, what is too long is cut, and neither refuses an item.

import type { ReportedItem, ReportedMessage, ReportedStatus } from '../../../src/providers/reported.js';
import { readNeutral } from '../../../src/providers/neutral/reported-call.js';

const url = 'https://files.example/a.png';
const smile = '🙂';

function read(kind: 'messages' | 'statuses', fields: object): ReportedItem {
  const required =
    kind === 'messages' ? { messageId: '3A55', from: '5511988887777', text: 'Oi' } : { messageId: '3A54' };
  const [report] = readNeutral({ ...required, ...fields }, kind).reports;
  if (report === undefined || 'errors' in report) throw new Error(JSON.stringify(report));
  return report.item;
}

const readMessage = (fields: object) => read('messages', fields) as ReportedMessage;
const readFailure = (error: unknown) => read('statuses', { status: 'FAILED', error }) as ReportedStatus;

export function describeNeutralLeniency(): void {
  describe('a part whose fields are all empty counts as left out', () => {
    const empties = ['', ' ', null];
    test.each(empties.map((empty) => [empty]))('its fields are %j', (empty) => {
      const media = { url: empty, mimeType: empty, fileName: empty, caption: empty };
      const choice = { kind: empty, id: empty, title: empty, description: empty, answers: empty };
      const referral = { kind: empty, sourceId: empty, sourceUrl: empty, headline: empty, body: empty, clickId: empty };
      expect(readMessage({ media, choice, referral })).toMatchObject({ type: 'text', text: 'Oi', media: undefined });
      expect(readMessage({ media, choice, referral })).toMatchObject({ choice: undefined, referral: undefined });
      expect(readFailure({ code: empty, message: empty })).toMatchObject({ status: 'FAILED', error: undefined });
    });

    test('it has no fields', () => {
      expect(readMessage({ media: {}, choice: {}, referral: {} })).toMatchObject({ text: 'Oi', media: undefined });
      expect(readFailure({})).toMatchObject({ error: undefined });
    });

    test('an item that then says nothing is refused', () => {
      const nothing = { messageId: '3A55', from: '5511988887777', text: '', media: { url: '', caption: '' } };
      expect(readNeutral(nothing, 'messages').reports).toMatchObject([{ errors: [{ path: 'text' }] }]);
    });

    test('a file that has a caption and no address is one that cannot be had', () => {
      expect(readMessage({ media: { url: '', caption: 'bill' } })).toMatchObject({
        text: 'Oi',
        media: { url: null, caption: 'bill' },
      });
    });

    test('a caption beside the file is that of the file, unless it has one', () => {
      const captionOf = (media: object) => readMessage({ type: 'image', caption: 'bill', media }).media?.caption;
      expect(captionOf({ url })).toBe('bill');
      expect(captionOf({ url, caption: ' ' })).toBe('bill');
      expect(captionOf({ url, caption: 'own' })).toBe('own');
      expect(readMessage({ caption: 'bill' })).toMatchObject({ text: 'Oi', media: undefined });
    });

    test('a time may be one of milli-, micro- or nanoseconds', () => {
      const at = new Date('2026-03-09T03:35:45Z');
      const [seconds, zeros] = [at.getTime() / 1_000, '0'.repeat(9)];
      for (const timestamp of [seconds * 1e3, seconds * 1e6, seconds * 1e9, `${seconds}${zeros}`])
        expect(readMessage({ timestamp }).timestamp).toEqual(at);
    });
  });

  describe('a text that is too long is cut at a whole character', () => {
    test('the caption of a file', () => {
      const caption = `${'x'.repeat(4_094)}${smile}${smile}${smile}`;
      expect(readMessage({ media: { url, caption } }).media?.caption).toBe(`${'x'.repeat(4_094)}${smile}…`);
      expect(readMessage({ media: { url, caption: smile.repeat(4_096) } }).media?.caption).toBe(smile.repeat(4_096));
    });

    test('the title and the description of a choice', () => {
      const words = smile.repeat(1_001);
      const { choice } = readMessage({ choice: { kind: 'LIST', id: '7', title: words, description: words } });
      expect(choice).toMatchObject({ id: '7', title: smile.repeat(1_000), description: smile.repeat(1_000) });
    });

    test('the headline and the text of an ad', () => {
      const { referral } = readMessage({
        referral: { headline: `${'x'.repeat(499)}${smile}y`, body: 'b'.repeat(4_097) },
      });
      expect(referral?.headline).toBe('x'.repeat(499));
      expect(referral?.body).toBe('b'.repeat(4_096));
    });

    test('the code and the sentence of a failure', () => {
      const error = readFailure({ code: 'c'.repeat(65), message: `${'m'.repeat(999)}${smile}m` }).error;
      expect(error).toEqual({ code: 'c'.repeat(64), message: `${'m'.repeat(999)}${smile}` });
    });

    test('a type that is not one of ours', () => {
      expect(readMessage({ type: 't'.repeat(33) }).type).toBe('t'.repeat(32));
    });
  });

  describe('an id or an address that is too long is left out, because a part of it is another', () => {
    test('of the message that is answered', () => {
      expect(readMessage({ replyTo: 'r'.repeat(255) }).replyTo).toBe('r'.repeat(255));
      expect(readMessage({ replyTo: 'r'.repeat(256) })).toMatchObject({ text: 'Oi', replyTo: undefined });
    });

    test('of a choice', () => {
      const { choice } = readMessage({ choice: { kind: 'LIST', id: 'a'.repeat(1_001), title: 'Yes' } });
      expect(choice).toEqual({ kind: 'LIST', title: 'Yes' });
    });

    test('of an ad', () => {
      const ids = {
        sourceId: 's'.repeat(256),
        clickId: 'c'.repeat(1_025),
        sourceUrl: `https://a.example/${'x'.repeat(2_048)}`,
      };
      expect(readMessage({ referral: { ...ids, headline: 'Course' } }).referral).toEqual({
        kind: 'AD',
        headline: 'Course',
      });
    });

    test('of the type of a file', () => {
      expect(readMessage({ media: { url, mimeType: `image/${'x'.repeat(100)}` } }).media).toMatchObject({
        url,
        mimeType: undefined,
      });
    });
  });

  test('a text may be a JSON number, and the address of a file may stand in mediaUrl', () => {
    expect(readMessage({ text: 1 })).toMatchObject({ text: '1' });
    expect(readMessage({ text: '', mediaUrl: url })).toMatchObject({ media: { url } });
    expect(readMessage({ media: { url }, mediaUrl: 'none' })).toMatchObject({ media: { url } });
    const wrong = { messageId: '3A55', from: '5511988887777', mediaUrl: 'none' };
    expect(readNeutral(wrong, 'messages').reports).toMatchObject([{ errors: [{ path: 'media.url' }] }]);
  });

  test('a failure without a code is UNKNOWN, and keeps its sentence', () => {
    for (const code of [undefined, null, '', ' '])
      expect(readFailure({ code, message: 'Blocked' }).error).toEqual({ code: 'UNKNOWN', message: 'Blocked' });
  });

  test.each([
    ['TEXT', 'text'],
    ['Image', 'image'],
    [' audio ', 'audio'],
    ['extendedText', 'extendedText'],
  ])('the type %j is %j', (written, type) => {
    expect(readMessage({ type: written }).type).toBe(type);
  });

  test.each([
    [1, true],
    ['1', true],
    ['True', true],
    [0, undefined],
    ['false', undefined],
    ['', undefined],
  ])('forwarded: %j', (forwarded, expected) => {
    expect(readMessage({ forwarded }).isForwarded).toBe(expected);
  });

  test('an instance beside the list is the one of the items that name none', () => {
    const item = { messageId: '3A55', from: '5511988887777', text: 'Oi' };
    const messages = [item, { ...item, instance: 'own' }, { ...item, instance: '' }, 'nothing'];
    const { reports } = readNeutral({ instance: 'sales', messages }, 'messages');
    expect(reports.map(({ instance }) => instance)).toEqual(['sales', 'own', 'sales', null]);
    const wrong = readNeutral({ instance: { id: 1 }, messages: [item] }, 'messages').reports;
    expect(wrong).toMatchObject([{ errors: [{ path: 'instance' }] }]);
    const statuses = [{ messageId: '1', status: 'READ' }];
    expect(readNeutral({ instance: 'sales', statuses }, 'statuses').reports).toMatchObject([{ instance: 'sales' }]);
  });

  test('a flag that is neither is refused by its name', () => {
    const item = { messageId: '3A55', from: '5511988887777', text: 'Oi', forwarded: 'maybe' };
    expect(readNeutral(item, 'messages').reports).toMatchObject([{ errors: [{ path: 'forwarded' }] }]);
  });

  test('what is no message is known in any letter case', () => {
    const from = { messageId: undefined, text: undefined };
    expect(read('messages', { ...from, type: 'CALL', callId: '1' })).toMatchObject({ type: 'call' });
    expect(read('messages', { ...from, messageId: '', type: 'Deletion', deletion: { messageId: '1' } })).toMatchObject({
      change: 'DELETION',
    });
  });

  test.each<[unknown, object]>([
    ['no such number', { code: 'UNKNOWN', message: 'no such number' }],
    [131026, { code: '131026' }],
    [[{ code: 131026, message: 'undeliverable' }], { code: '131026', message: 'undeliverable' }],
    [['no such number', 'twice'], { code: 'UNKNOWN', message: 'no such number' }],
    [
      { code: 131026, title: 'undeliverable' },
      { code: '131026', message: 'undeliverable' },
    ],
    [
      { reason: 'gone', message: '' },
      { code: 'UNKNOWN', message: 'gone' },
    ],
  ])('the reason of a failure may be %j', (error, kept) => {
    expect(readFailure(error)).toMatchObject({ status: 'FAILED', error: kept });
  });

  test.each(['', ' ', null, false, []])('%j is no reason', (error) => {
    expect(readFailure(error)).toMatchObject({ status: 'FAILED', error: undefined });
  });

  test('a long reason is cut, and one that is neither text nor object is refused', () => {
    expect(readFailure('x'.repeat(2_000)).error?.message).toHaveLength(1_000);
    expect(readNeutral({ messageId: '3A54', status: 'FAILED', error: true }, 'statuses').reports).toMatchObject([
      { errors: [{ path: 'error' }] },
    ]);
  });

  test('a reason may stand in `errors` or `reason`, and a status has other words', () => {
    const failed = { kind: 'status', status: 'FAILED' };
    expect(read('statuses', { status: 'failed', errors: [{ code: 1, title: 'gone' }] })).toMatchObject({
      ...failed,
      error: { code: '1', message: 'gone' },
    });
    expect(read('statuses', { status: 'undelivered', reason: 'gone' })).toMatchObject({
      ...failed,
      error: { message: 'gone' },
    });
    expect(read('statuses', { status: 'error' })).toMatchObject(failed);
    for (const status of ['played', ' Seen ']) expect(read('statuses', { status })).toMatchObject({ status: 'READ' });
  });

  test('an answered message may be a number, an option a number, and a time the halves of a long one', () => {
    const item = readMessage({
      replyTo: 78,
      timestamp: { low: 1773027345, high: 0, unsigned: true },
      choice: { kind: 'LIST', id: 7, title: 8 },
    });
    expect(item).toMatchObject({
      replyTo: '78',
      timestamp: new Date('2026-03-09T03:35:45Z'),
      choice: { id: '7', title: '8' },
    });
  });

  test.each(['1203@g.us', '1203@newsletter', 'status@broadcast'])(
    'what comes from %s is no message of a lead',
    (from) => {
      const [report] = readNeutral({ instance: 'sales', messageId: '1', from, text: 'Oi' }, 'messages').reports;
      expect(report).toMatchObject({ instance: 'sales', item: { kind: 'ignored' } });
    },
  );

  describe('a hidden id of the network', () => {
    const hidden = { messageId: '3A55', from: '123456789012345@lid', text: 'Oi' };
    const number = '5511988887777@s.whatsapp.net';

    test.each(['senderPn', 'remoteJidAlt', 'senderAlt'])('the number in %s is that of the lead', (field) => {
      expect(readMessage({ ...hidden, [field]: number }).contact).toEqual([{ kind: 'PHONE', value: '5511988887777' }]);
    });

    test('without a number it is refused, because its digits are none', () => {
      for (const beside of [{}, { senderPn: '1@lid' }, { remoteJidAlt: 7 }, { type: 'call', callId: '7' }])
        expect(readNeutral({ ...hidden, ...beside }, 'messages').reports).toMatchObject([
          { errors: [{ path: 'from', message: expect.stringContaining('@lid') }] },
        ]);
    });

    test("in the line's own message, the number of the sender is not that of the lead", () => {
      const own = { ...hidden, fromMe: true, to: hidden.from, senderPn: '5511900000000@s.whatsapp.net' };
      expect(readNeutral(own, 'messages').reports).toMatchObject([{ errors: [{ path: 'to' }] }]);
      expect(readMessage({ ...own, remoteJidAlt: number })).toMatchObject({
        direction: 'OUTBOUND',
        contact: [{ value: '5511988887777' }],
      });
    });
  });

  describe("the line's own message", () => {
    const own = { from: '5511900000000', to: '+55 11 98888-7777', name: 'Shop', referral: { sourceId: '1' } };

    test.each([true, 'true', 1])(
      'fromMe is %j: it stands in the conversation with the number that it went to',
      (fromMe) => {
        const item = readMessage({ ...own, fromMe });
        expect(item).toMatchObject({ direction: 'OUTBOUND', contact: [{ kind: 'PHONE', value: '5511988887777' }] });
        expect(item).toMatchObject({ externalId: '3A55', text: 'Oi', name: undefined, referral: undefined });
      },
    );

    test.each([{ from_me: true }, { isFromMe: 1 }])('it may be told by %j', (fields) => {
      expect(readMessage({ ...own, ...fields })).toMatchObject({ direction: 'OUTBOUND' });
    });

    test('a change of it is ours', () => {
      const reaction = { messageId: '1', emoji: '👍' };
      expect(read('messages', { ...own, fromMe: true, type: 'reaction', reaction })).toMatchObject({
        kind: 'change',
        direction: 'OUTBOUND',
        contact: [{ value: '5511988887777' }],
      });
    });

    test.each([
      { to: '' },
      { to: '1203@g.us' },
      { type: 'call', callId: '7' },
      { type: 'notice', notice: { kind: 'OTHER' } },
    ])('none stays of %j', (fields) => {
      expect(read('messages', { ...own, fromMe: true, ...fields })).toMatchObject({ kind: 'ignored' });
    });

    test('a wrong number is named, and `to` says nothing of a message of the lead', () => {
      const item = { messageId: '3A55', text: 'Oi', ...own };
      expect(readNeutral({ ...item, fromMe: true, to: 'nobody' }, 'messages').reports).toMatchObject([
        { errors: [{ path: 'to' }] },
      ]);
      expect(readMessage({ fromMe: false, to: 'nobody' })).toMatchObject({
        direction: 'INBOUND',
        contact: [{ value: '5511988887777' }],
      });
    });
  });

  describe('a time', () => {
    test.each([
      ['2026-03-09T03:35:45Z', '2026-03-09T03:35:45.000Z'],
      ['2026-03-09T03:35:45', '2026-03-09T03:35:45.000Z'],
      ['2026-03-09T03:35:45.123456', '2026-03-09T03:35:45.123Z'],
      ['2026-03-09 03:35:45+00:00', '2026-03-09T03:35:45.000Z'],
      ['2026-03-09 03:35:45 +0200', '2026-03-09T01:35:45.000Z'],
      ['2026-03-09T03:35:45-0300', '2026-03-09T06:35:45.000Z'],
      ['2026-03-09T03:35:45+02', '2026-03-09T01:35:45.000Z'],
      ['2026-03-09T03:35Z', '2026-03-09T03:35:00.000Z'],
      ['2026-03-09t03:35:45,5z', '2026-03-09T03:35:45.500Z'],
      [' 1773027345 ', '2026-03-09T03:35:45.000Z'],
      ['1773027345000', '2026-03-09T03:35:45.000Z'],
    ])('%j is %s', (timestamp, time) => {
      expect(readMessage({ timestamp }).timestamp?.toISOString()).toBe(time);
    });

    test.each([0, '0', '', null])('%j is one that was never set', (timestamp) => {
      expect(readMessage({ timestamp }).timestamp).toBeUndefined();
    });

    test.each([
      '2026-03-09',
      '03:35:45',
      '2026-13-09T03:35:45Z',
      '2026-03-09T25:00:00',
      '2026-03-09T03:35:45+2',
      'yesterday',
    ])('%j is none', (timestamp) => {
      const item = { messageId: '3A55', from: '5511988887777', text: 'Oi', timestamp };
      expect(readNeutral(item, 'messages').reports).toMatchObject([{ errors: [{ path: 'timestamp' }] }]);
    });
  });
}
