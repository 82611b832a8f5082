// Sockets by themselves, with a protocol that answers each message with the same message. The server stops reading from clients that read
// nothing, and ends sockets whose clients are gone.

import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '../support/jest.js';
import type { Server as GraphqlServer } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import WebSocket, { WebSocketServer } from 'ws';
import { createLogger } from '../../src/platform/observability/logger.js';
import { keepAlive, serveConnections } from '../../src/transport/sockets/connection.js';
import { until } from '../features/messages/sending-harness.js';

const log = createLogger('silent');
const echo: GraphqlServer<Extra> = {
  opened: (socket) => {
    socket.onMessage((text) => Promise.resolve(socket.send(text)));
    return () => Promise.resolve();
  },
};

export function describeSocketConnection(): void {
  let server: WebSocketServer;
  let far: WebSocket[] = [];

  beforeAll(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    serveConnections(server, echo, { log, unsent: { add: () => undefined }, onClosed: () => undefined });
  });

  afterEach(() => {
    for (const socket of far) socket.terminate();
    far = [];
  });

  afterAll(() => {
    server.close();
  });

  async function open(options: WebSocket.ClientOptions = {}) {
    const { port } = server.address() as { port: number };
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${port}`, options);
    far.push(client);
    const [near] = await accepted;
    await once(client, 'open');
    return { client, near };
  }

  test('a client that asks and takes no answer is not listened to until it does, and then is answered in full', async () => {
    const { client, near } = await open();
    const text = 'x'.repeat(64 * 1024);
    let answers = 0;
    client.on('message', () => (answers += 1));
    client.pause();
    let asked = 0;
    // The kernel buffers some messages for both sides.
    while (!near.isPaused && asked < 1_000) {
      client.send(text);
      asked += 1;
      await nextTurn();
    }
    await until(
      () => near.isPaused,
      (isPaused) => isPaused,
    );
    // Messages that were read with the last piece are answered as well.
    expect(near.bufferedAmount).toBeLessThan(1024 * 1024);
    client.resume();
    await until(
      () => answers,
      (count) => count === asked,
    );
    expect(near.isPaused).toBe(false);
  });

  test('a socket stays while it answers pings, or sends something; it is ended where nothing comes back', async () => {
    const setTimer = jest.spyOn(globalThis, 'setInterval').mockReturnValue(0 as unknown as NodeJS.Timeout);
    const stop = keepAlive(server, 30_000);
    const [look, intervalMs] = setTimer.mock.calls[0] ?? [];
    setTimer.mockRestore();
    expect(intervalMs).toBe(30_000);
    const [answering, sending, silent] = [
      await open(),
      await open({ autoPong: false }),
      await open({ autoPong: false }),
    ];
    const gone = once(silent.client, 'close');
    const answered = once(answering.near, 'pong');
    sending.client.once('ping', () => sending.client.send('still here'));
    const heard = once(sending.near, 'message');
    look?.();
    await Promise.all([answered, heard]);
    look?.();
    expect((await gone)[0]).toBe(1006);
    expect([answering.near.readyState, sending.near.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    stop();
  });
}
