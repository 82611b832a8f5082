// Finding a message in WAHA's list of its chat, where the engine reserves no ids.

import type { FoundSend, OutgoingMessage } from '../../../src/providers/chat-gateway.js';
import { WahaGateway } from '../../../src/providers/waha/gateway.js';
import { engineError, wahaError, WahaServer } from '../../support/waha-server.js';
import { answering, outgoingText, type Script } from '../scripted-gateway.js';

const timeoutMs = 10_000;

export function describeWahaSentList(): void {
  const chatId = '5511988887777@c.us';
  const driver = new WahaGateway({ timeoutMs });

  let server: WahaServer;
  let others: Set<string>;

  beforeEach(async () => {
    server = await WahaServer.start();
    server.engine = 'WEBJS';
    others = new Set();
  });
  afterEach(() => server.close());

  function find(change: Partial<OutgoingMessage> = {}, secondsAgo = 30): Promise<FoundSend> {
    const endpoint = { baseUrl: server.url, token: WahaServer.apiKey, instanceName: 'acme' };
    const lost = { since: new Date(Date.now() - secondsAgo * 1_000), listOthers: async () => others };
    return driver.findSent(endpoint, { ...outgoingText, text: 'Oi', ...change }, lost, AbortSignal.timeout(timeoutMs));
  }

  test('the same text in the chat is the message, whatever its chat is called', async () => {
    const id = server.take({ chatId, text: ' Oi\r\n' });
    expect(await find()).toEqual({ outcome: 'sent', externalId: id });
    const { pathname, searchParams } = new URL(server.requests[0]?.path ?? '', server.url);
    expect(pathname).toBe('/api/acme/chats/5511988887777%40c.us/messages');
    expect(searchParams.get('filter.fromMe')).toBe('true');
  });

  test.each<[string, () => unknown]>([
    ['nothing was sent', () => undefined],
    ['another text was sent', () => server.take({ chatId, text: 'Tchau' })],
    ['it was sent to another number', () => server.take({ chatId: '5511977776666@c.us', text: 'Oi' })],
    ['it stood beside a file', () => server.take({ chatId, caption: 'Oi', file: {} })],
    ['it was sent long before', () => server.take({ chatId, text: 'Oi' }, 600)],
    ['it is another message of ours', () => others.add(server.take({ chatId, text: 'Oi' }))],
  ])('absent: %s', async (_name, prepare) => {
    prepare();
    expect(await find()).toEqual({ outcome: 'absent' });
  });

  test('a file is found by its caption', async () => {
    const id = server.take({ chatId, caption: 'A', file: {} });
    const media = { url: 'https://files.example/a.png', mimeType: 'image/png', caption: 'A' };
    expect(await find({ type: 'image', text: null, media })).toEqual({ outcome: 'sent', externalId: id });
  });

  test('the same text shortly before, by the clock of WAHA, is not clear', async () => {
    server.take({ chatId, text: 'Oi' }, 60);
    expect(await find()).toMatchObject({ outcome: 'unknown', detail: expect.stringMatching(/shortly before/) });
  });

  test('it is found behind many others', async () => {
    const id = server.take({ chatId, text: 'Oi' });
    for (let count = 0; count < 60; count += 1) server.take({ chatId, text: `${count}` });
    expect(await find()).toEqual({ outcome: 'sent', externalId: id });
    expect(server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('offset'))).toEqual([
      '0',
      '25',
      '50',
    ]);
  });

  test('a list without an end is not clear', async () => {
    const record = { id: `true_${chatId}_3EB0`, timestamp: Date.now(), fromMe: true, body: 'x' };
    server.always(
      answering(
        200,
        Array.from({ length: 25 }, () => record),
      ),
    );
    expect(await find()).toMatchObject({ outcome: 'unknown', detail: expect.stringMatching(/too long/) });
    expect(server.requests).toHaveLength(20);
  });

  const tooMany = Array.from({ length: 51 }, () => ({}));

  test.each<[string, string, Script]>([
    ['more records than were asked for', 'unknown', answering(200, tooMany)],
    ['records that cannot be read', 'unknown', answering(200, [{ id: 7 }])],
    ['no list', 'unknown', answering(200, { messages: [] })],
    ['a refusal', 'unknown', wahaError(400, 'Enable NOWEB store')],
    ['an error of the engine', 'unavailable', engineError('it broke')],
    ['503', 'unavailable', wahaError(503, 'later')],
    ['a session that is gone', 'unavailable', wahaError(404, "We didn't find a session with name 'acme'.")],
    ['a reset', 'unavailable', (_request, response) => response.socket?.resetAndDestroy()],
  ])('%s is %s', async (_name, outcome, script) => {
    server.always(script);
    expect(await find()).toMatchObject({ outcome, detail: expect.stringMatching(/\w/) });
  });
}
