// Histories of gateways: read whole, each message once and in order, whatever their pages do.

import type { GatewayEndpoint, HistoryResult } from '../../src/providers/chat-gateway.js';
import { EvolutionGateway } from '../../src/providers/evolution/gateway.js';
import { GatewayHttp } from '../../src/providers/http.js';
import { WahaHistory } from '../../src/providers/waha/history.js';
import { ScriptedGateway, answering, type Script, type ScriptedRequest } from './scripted-gateway.js';
import { matchKeyOfNumber } from '../../src/platform/phone-numbers/match-key.js';

const start = Date.parse('2026-11-01T12:00:00Z') / 1_000;
const span = { from: new Date(start * 1_000), to: new Date((start + 3_600) * 1_000) };

interface Stored {
  id: string;
  at: number;
}

const newestFirst = (stored: readonly Stored[]) => stored.toReversed().sort((one, other) => other.at - one.at);

export function describeHistories(): void {
  let server: ScriptedGateway;
  let script: Script;
  let stored: Stored[];

  beforeEach(async () => {
    stored = [];
    server = await ScriptedGateway.start((request, response) => script(request, response));
  });
  afterEach(() => server.close());

  const endpoint = (): GatewayEndpoint => ({ baseUrl: server.url, token: 'key', instanceName: 'acme' });
  const many = (count: number, everySeconds = 1) =>
    Array.from({ length: count }, (_, index) => ({ id: `M${index}`, at: start + Math.floor(index * everySeconds) }));
  const idsOf = (result: HistoryResult) =>
    result.outcome === 'answered' ? result.records.map(({ id }) => id) : result;

  describe('of Evolution', () => {
    const find = ({ body }: ScriptedRequest) => {
      const { where, page, offset } = body as {
        where: { messageTimestamp: { gte: string; lte: string } };
        page: number;
        offset: number;
      };
      const { gte, lte } = where.messageTimestamp;
      const seconds = (time: string) => Math.floor(Date.parse(time) / 1_000);
      const found = newestFirst(stored).filter(({ at }) => at >= seconds(gte) && at <= seconds(lte));
      return found.slice((page - 1) * offset, page * offset);
    };
    const toRecord = ({ id, at }: Stored) => ({
      key: { id, fromMe: false, remoteJid: '1@c.us' },
      messageTimestamp: at,
    });
    const read = (maxRecords = 10_000) =>
      new EvolutionGateway({ timeoutMs: 10_000, matchKeyOf: matchKeyOfNumber }).history.read(
        endpoint(),
        span,
        maxRecords,
        new AbortController().signal,
      );

    beforeEach(() => {
      script = (request, response) =>
        answering(200, { messages: { records: find(request).map(toRecord) } })(request, response);
    });

    test.each([
      ['few', 7, 1],
      ['several pages', 250, 1],
      ['more in one second than a page has', 350, 0],
      ['pages that end within a second', 400, 0.3],
    ])('%s', async (_, count, everySeconds) => {
      stored = many(count, everySeconds);
      expect(idsOf(await read())).toEqual(stored.map(({ id }) => id));
      expect(server.requests[0]).toMatchObject({
        method: 'POST',
        path: '/chat/findMessages/acme',
        headers: { apikey: 'key' },
      });
      expect(server.requests[0]?.body).toMatchObject({ where: { key: {} }, page: 1, offset: 100 });
    });

    test('pages that shift while messages arrive', async () => {
      stored = many(300);
      const answer = script;
      script = (request, response) => {
        answer(request, response);
        stored.push({ id: `late ${server.requests.length}`, at: start + 3_500 });
      };
      const ids = idsOf(await read()) as string[];
      expect(ids.filter((id) => id.startsWith('M'))).toEqual(many(300).map(({ id }) => id));
    });

    test('more than is asked for is not read to its end', async () => {
      stored = many(500);
      expect(await read(250)).toEqual({ outcome: 'tooMany' });
      expect(server.requests.length).toBeLessThan(5);
    });

    test('records that are too large for a page are read by fewer', async () => {
      stored = many(30);
      script = (request, response) => {
        const records = find(request).map((one) => ({ ...toRecord(one), message: { text: 'x'.repeat(60_000) } }));
        answering(200, { messages: { records } })(request, response);
      };
      expect(idsOf(await read())).toEqual(stored.map(({ id }) => id));
    });

    test('a gateway that gives the same page for ever is refused', async () => {
      stored = many(100, 0);
      script = (request, response) =>
        answering(200, { messages: { records: stored.map(toRecord) } })(request, response);
      expect(await read()).toMatchObject({ outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID' });
    });

    test('what is not of the span, or cannot be read, does not end it', async () => {
      script = answering(200, {
        messages: {
          records: [
            toRecord({ id: 'later', at: start + 9_999 }),
            null,
            { key: { id: 7 } },
            toRecord({ id: 'in', at: start }),
          ],
        },
      });
      const result = await read();
      expect(idsOf(result)).toEqual([null, null, 'in']);
    });

    test.each<[string, Script, object]>([
      ['no list', answering(200, { messages: 'none' }), { outcome: 'temporary', code: 'GATEWAY_ANSWER_INVALID' }],
      [
        'a list beyond all bounds',
        answering(200, { messages: { records: Array.from({ length: 201 }, () => ({})) } }),
        { outcome: 'temporary' },
      ],
      [
        'a wrong key',
        answering(401, { response: { message: 'Unauthorized' } }),
        { outcome: 'permanent', code: 'HTTP_401' },
      ],
      ['a fault', answering(500, {}), { outcome: 'temporary', code: 'HTTP_500' }],
    ])('%s is said', async (_, answer, expected) => {
      script = answer;
      expect(await read()).toMatchObject(expected);
    });
  });

  describe('of WAHA', () => {
    const pageOf = ({ path }: ScriptedRequest) => {
      const query = new URL(path, server.url).searchParams;
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
      const [gte, lte] = [Number(query.get('filter.timestamp.gte')), Number(query.get('filter.timestamp.lte'))];
      return newestFirst(stored)
        .filter(({ at }) => at >= gte && at <= lte)
        .slice(offset, offset + limit);
    };
    const toMessage = ({ id, at }: Stored) => ({ id: `false_1@c.us_${id}`, timestamp: at });
    const read = () => {
      const http = new GatewayHttp({ timeoutMs: 10_000 });
      const history = new WahaHistory((place, call) => http.call(place, { ...call, headers: { 'X-Api-Key': 'key' } }));
      return history.read(endpoint(), span, 10_000, new AbortController().signal);
    };

    test('the offset rises by the page, also where messages of a page are left out', async () => {
      stored = many(250);
      // The server counts every third message but leaves it out of the pages.
      script = (request, response) =>
        answering(
          200,
          pageOf(request)
            .filter(({ id }) => Number(id.slice(1)) % 3 > 0)
            .map(toMessage),
        )(request, response);
      expect(idsOf(await read())).toEqual(stored.filter((_, index) => index % 3 > 0).map(({ id }) => id));
      const offsets = server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('offset'));
      expect(offsets).toEqual(['0', '100', '200', '300']);
      expect(server.requests[0]).toMatchObject({
        method: 'GET',
        path: expect.stringContaining('/api/acme/chats/all/messages?'),
      });
      expect(server.requests[0]?.path).toContain('downloadMedia=false');
    });

    test('one message under two ids counts once', async () => {
      stored = many(3);
      script = (request, response) =>
        answering(200, [
          ...pageOf(request).map(toMessage),
          ...pageOf(request).map(({ id, at }) => ({ id: `false_99@lid_${id}`, timestamp: at })),
        ])(request, response);
      expect(idsOf(await read())).toEqual(['M0', 'M1', 'M2']);
    });

    test('a refusal is said', async () => {
      script = answering(422, { message: 'not on this engine' });
      expect(await read()).toMatchObject({ outcome: 'permanent', code: 'HTTP_422' });
    });
  });
}
