// Looking up a message whose answer from Evolution API was lost: found in its list, absent from it, or unknown.

import type { FoundSend, GatewayEndpoint, OutgoingMessage } from '../../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../../src/providers/evolution/gateway.js';
import { EvolutionServer, evolutionError } from '../../support/evolution-server.js';
import { html, lostAnswers } from '../../support/provider-fault.js';
import { answering, outgoingText, type Script } from '../scripted-gateway.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

const words = { conversation: 'Olá 👋' };
const media = { url: 'https://files.example/a' };

export function describeEvolutionSentList(): void {
  let server: EvolutionServer;
  let endpoint: GatewayEndpoint;

  beforeEach(async () => {
    server = await EvolutionServer.start();
    endpoint = { baseUrl: server.url, token: EvolutionServer.globalKey, instanceName: 'acme' };
  });
  afterEach(() => server.close());

  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

  /** @param others provider ids of other messages that the service sent */
  function find(
    change: Partial<OutgoingMessage> = {},
    since = secondsAgo(10),
    others: readonly string[] = [],
  ): Promise<FoundSend> {
    const driver = new EvolutionGateway({ timeoutMs: 10_000, matchKeyOf: matchKeyOfNumber });
    const lost = {
      since,
      listOthers: async (ids: readonly string[]) => new Set(ids.filter((id) => others.includes(id))),
    };
    return driver.findSent(endpoint, { ...outgoingText, ...change }, lost, new AbortController().signal);
  }

  const absent = { outcome: 'absent' };
  const sentAs = ({ key }: { key: { id: string } }) => ({ outcome: 'sent', externalId: key.id });

  describe('a message that was sent', () => {
    test('is found among others by its number and its words', async () => {
      server.record({ conversation: 'Another' });
      const ours = server.record(words);
      server.record(words, { key: { remoteJid: '5511977776666@s.whatsapp.net' } });
      expect(await find()).toEqual(sentAs(ours));
      expect(server.requests).toMatchObject([
        { method: 'POST', path: '/chat/findMessages/acme', headers: { apikey: EvolutionServer.globalKey } },
      ]);
    });

    test.each([
      ['5511988887777', '551188887777@s.whatsapp.net'],
      ['551188887777', '5511988887777@s.whatsapp.net'],
      ['5215512345678', '525512345678@s.whatsapp.net'],
      ['5491123456789', '541123456789@s.whatsapp.net'],
      ['5511988887777', '5511988887777:7@s.whatsapp.net'],
      ['5511988887777', '5511988887777@c.us'],
    ])('to %s is found under %s', async (to, remoteJid) => {
      const ours = server.record(words, { key: { remoteJid } });
      expect(await find({ to })).toEqual(sentAs(ours));
    });

    test('to a hidden number is found where its number stands beside it', async () => {
      const key = { remoteJid: '12036302@lid', remoteJidAlt: '5511988887777@s.whatsapp.net' };
      expect(await find()).toEqual(absent);
      const ours = server.record(words, { key });
      expect(await find()).toEqual(sentAs(ours));
    });

    test.each<[string, Partial<OutgoingMessage>, unknown]>([
      ['a text with a link', {}, { extendedTextMessage: { text: 'Olá 👋' } }],
      ['a text in another writing', { text: ' Olá \r\n👋' }, { conversation: 'Ola\u0301 \n👋 ' }],
      ['a text that disappears', {}, { ephemeralMessage: { message: words } }],
      [
        'an image',
        { type: 'image', text: null, media: { ...media, caption: 'A' } },
        { imageMessage: { caption: 'A' } },
      ],
      ['an image without words', { type: 'image', text: null, media }, { imageMessage: { mimetype: 'image/png' } }],
      ['a video with text', { type: 'video', text: 'V', media }, { videoMessage: { caption: 'V' } }],
      ['an audio file', { type: 'audio', text: null, media }, { audioMessage: { seconds: 7 } }],
      ['a document', { type: 'document', text: null, media }, { documentMessage: { fileName: 'a.pdf' } }],
      [
        'a document with words',
        { type: 'document', text: 'D', media },
        { documentWithCaptionMessage: { message: { documentMessage: { caption: 'D' } } } },
      ],
      [
        'a document with words as it is kept',
        { type: 'document', text: 'D', media },
        { documentWithCaptionMessage: { caption: 'D', name: 'a' } },
      ],
    ])('is known as %s', async (_name, change, message) => {
      const ours = server.record(message);
      expect(await find(change)).toEqual(sentAs(ours));
    });

    test('twice, the second time by hand, is the first', async () => {
      const ours = server.record(words, { secondsAgo: 5 });
      server.record(words, { secondsAgo: 1 });
      expect(await find()).toEqual(sentAs(ours));
    });

    test('in the second of its handing over is found', async () => {
      const since = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 999);
      const ours = server.record(words);
      ours.messageTimestamp = Math.floor(since.getTime() / 1_000);
      expect(await find({}, since)).toEqual(sentAs(ours));
    });

    test('is found with its time written as text', async () => {
      const ours = server.record(words);
      ours.messageTimestamp = String(ours.messageTimestamp);
      expect(await find()).toEqual(sentAs(ours));
    });

    test('is found on a later page', async () => {
      const ours = server.record(words, { secondsAgo: 9 });
      for (let count = 0; count < 250; count += 1) server.record({ conversation: `Number ${count}` });
      expect(await find()).toEqual(sentAs(ours));
      expect(server.requests).toHaveLength(3);
    });
  });

  describe('a message that was not sent', () => {
    test('is absent from an empty list', async () => {
      expect(await find()).toEqual(absent);
    });

    test.each<[string, unknown, object]>([
      ['other words', { conversation: 'Tchau' }, {}],
      ['another number', words, { remoteJid: '5511977776666@s.whatsapp.net' }],
      ['a group', words, { remoteJid: '120363041234567890@g.us' }],
      ['a file', { imageMessage: { caption: 'Olá 👋' } }, {}],
      ['what the lead wrote', words, { fromMe: false }],
    ])('is absent where the list has %s', async (_name, message, key) => {
      server.record(message, { key });
      expect(await find()).toEqual(absent);
    });

    test('is absent where the same was sent long before', async () => {
      server.record(words, { secondsAgo: 3_600 });
      expect(await find()).toEqual(absent);
    });

    test('is absent from a list that the gateway cannot limit by time, without reading all of it', async () => {
      const seconds = Math.floor(Date.now() / 1_000) - 600;
      const old = Array.from({ length: 100 }, (_, index) => ({
        key: { id: `old-${index}`, fromMe: true, remoteJid: '5511988887777@s.whatsapp.net' },
        messageTimestamp: seconds - index,
        message: words,
      }));
      server.always(answering(200, { messages: { total: 10_000, pages: 100, currentPage: 1, records: old } }));
      expect(await find()).toEqual(absent);
      expect(server.requests).toHaveLength(1);
    });
  });

  describe('the same words in another message of ours', () => {
    test('are not taken for this one: it is absent, or the one behind them', async () => {
      const other = server.record(words).key.id;
      expect(await find({}, secondsAgo(10), [other])).toEqual(absent);
      const ours = server.record(words);
      expect(await find({}, secondsAgo(10), [other])).toEqual(sentAs(ours));
    });

    test('raise no doubt, where they were sent shortly before', async () => {
      const other = server.record(words, { secondsAgo: 40 }).key.id;
      expect(await find({}, secondsAgo(10), [other])).toEqual(absent);
    });
  });

  describe('whether it was sent is not told', () => {
    const untold = { outcome: 'unknown', detail: expect.stringMatching(/\w/) };
    // The caller has to ask again.
    const unavailable = { ...untold, outcome: 'unavailable' };

    test.each<[string, unknown, { key?: object; secondsAgo?: number }]>([
      ['the same to a hidden number', words, { key: { remoteJid: '12036302@lid' } }],
      ['the same within the clocks’ difference', words, { secondsAgo: 40 }],
      ['something unreadable to this number', null, {}],
      ['something of another kind to this number', { locationMessage: {} }, {}],
    ])('where the list has %s', async (_name, message, where) => {
      server.record(message, where);
      expect(await find()).toEqual(untold);
      const ours = server.record(words);
      expect(await find()).toEqual(sentAs(ours));
    });

    test('where an entry is wrapped beyond measure', async () => {
      const wrapped = '{"ephemeralMessage":{"message":'.repeat(20_000) + '{}' + '}}'.repeat(20_000);
      const { key, messageTimestamp } = server.record(null);
      const entry = JSON.stringify({ key, messageTimestamp, message: 0 }).replace(
        '"message":0',
        `"message":${wrapped}`,
      );
      server.always(answering(200, `{"messages":{"pages":1,"records":[${entry}]}}`));
      expect(await find()).toEqual(untold);
    });

    test('where an entry of the list has no key', async () => {
      server.always(answering(200, { messages: { pages: 1, records: [{ message: words }] } }));
      expect(await find()).toEqual(untold);
    });

    test('where the list has no end', async () => {
      const record = server.record({ conversation: 'Another' });
      server.always(answering(200, { messages: { pages: 1_000_000, records: [record] } }));
      expect(await find()).toEqual(untold);
      expect(server.requests.length).toBeLessThan(100);
    });

    test.each<[string, Script]>([
      ['no such instance', evolutionError(404, ['The "acme" instance does not exist'])],
      ['HTML', html(200)],
      ['an empty body', answering(200, '')],
      ['no list', answering(200, { messages: {} })],
      ['a redirect', answering(302, '', { location: 'http://127.0.0.1:9' })],
    ])('where the gateway answers with %s', async (_name, script) => {
      server.always(script);
      expect(await find()).toEqual(untold);
    });

    test.each<[string, Script]>([
      ['an error', evolutionError(500, 'it broke')],
      ['too many calls', answering(429, {}, { 'retry-after': '7' })],
      ...lostAnswers,
    ])('now, where the gateway answers with %s', async (_name, script) => {
      server.always(script);
      expect(await find()).toEqual(unavailable);
    });

    test('where nobody listens', async () => {
      const gone = await EvolutionServer.start();
      await gone.close();
      endpoint.baseUrl = gone.url;
      expect(await find()).toEqual(unavailable);
    });

    test('where a later page cannot be read', async () => {
      for (let count = 0; count < 150; count += 1) server.record({ conversation: `Number ${count}` });
      server.script = ({ body }) => ((body as { page: number }).page === 2 ? evolutionError(500, 'no') : undefined);
      expect(await find()).toEqual(unavailable);
    });
  });
}
