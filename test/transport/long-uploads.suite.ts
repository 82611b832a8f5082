// Uploads that take longer than the server's time for a request, over real connections. The server itself reports that the time has passed,
// so the tests measure nothing.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import '../../src/platform/http/express-request.js';
import { allowLongUpload, endBrokenConnection } from '../../src/transport/http/long-uploads.js';

const requestTimeout = 200;
/** Limits for requests that are refused for another reason than their time. */
const ampleTime = { requestTimeout: 60_000, headersTimeout: 60_000 };
const close: (() => void)[] = [];
const user = { kind: 'user' } as unknown as NonNullable<Request['user']>;

export function describeLongUploads(): void {
  afterEach(() => {
    for (const end of close.splice(0)) end();
  });

  async function answerWithSize(req: Request, res: Response): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of req) size += (chunk as Buffer).length;
      res.send(`${size} bytes`);
    } catch {
      // The connection is cut off, so there is no caller to answer.
    }
  }

  async function start(limits: object = {}): Promise<Server> {
    const app = express();
    app.use((req, _res, next) => {
      if (req.get('authorization') !== undefined) req.user = user;
      next();
    });
    app.post('/media', allowLongUpload, answerWithSize);
    app.post('/other', answerWithSize);
    app.get('/streamed', (_req, res) => void res.write('begun'));
    const server = createServer(
      { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: 20, ...limits },
      app,
    );
    server.on('clientError', endBrokenConnection);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return server;
  }

  /** Opens a connection, and collects the text that it receives. */
  async function open(server: Server): Promise<{ socket: Socket; received: () => string }> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    close.push(() => socket.destroy());
    await once(socket, 'connect');
    return { socket, received: () => text };
  }

  const head = (path: string, length: number, headers: readonly string[] = []) =>
    [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${length}`, ...headers, '', ''].join('\r\n');
  const asUser = ['authorization: Bearer x'];
  const timePassed = (server: Server) => once(server, 'clientError');
  const bodyIn = async (socket: Socket, received: () => string, body: string) => {
    while (!received().includes(body)) await once(socket, 'data');
  };

  test("a user's upload goes on when the time for a request has passed, and is answered", async () => {
    const server = await start();
    const { socket, received } = await open(server);
    const passed = timePassed(server);
    socket.write(`${head('/media', 10, asUser)}12345`);
    await passed;
    expect(received()).toBe('');
    socket.write('67890');
    await bodyIn(socket, received, '10 bytes');
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('the time for the next request on the same connection is the usual one', async () => {
    const server = await start();
    const { socket, received } = await open(server);
    const first = timePassed(server);
    socket.write(`${head('/media', 10, asUser)}12345`);
    await first;
    socket.write('67890');
    await bodyIn(socket, received, '10 bytes');
    const closed = once(socket, 'close');
    socket.write(`${head('/other', 10, asUser)}12345`);
    await closed;
    expect(received()).toMatch(/10 bytes.*HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n\r\n$/s);
  });

  test.each([
    ['nobody who is known', '/media', []],
    ['a user elsewhere', '/other', asUser],
  ])('a slow body of %s is cut off with 408', async (_who, path, headers) => {
    const server = await start();
    const { socket, received } = await open(server);
    const closed = once(socket, 'close');
    socket.write(`${head(path, 10, headers)}12345`);
    await closed;
    expect(received()).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });

  test.each<[string, string, string, object]>([
    [
      '408: headers that do not come',
      'POST /media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n',
      '408 Request',
      {},
    ],
    ['400: what is no HTTP', 'nonsense\r\n\r\n', '400 Bad Request', ampleTime],
    [
      '431: headers that are too long',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header',
      ampleTime,
    ],
    [
      "400: a user's upload whose chunks are malformed",
      'POST /media HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n',
      '400 Bad Request',
      ampleTime,
    ],
  ])('%s', async (_what, sent, status, limits) => {
    const { socket, received } = await open(await start(limits));
    const closed = once(socket, 'close');
    socket.write(sent);
    await closed;
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  });

  test('into an answer that has begun, nothing is written', async () => {
    const { socket, received } = await open(await start(ampleTime));
    socket.write('GET /streamed HTTP/1.1\r\nhost: x\r\n\r\n');
    await bodyIn(socket, received, 'begun');
    const closed = once(socket, 'close');
    socket.write('nonsense\r\n\r\n');
    await closed;
    expect(received()).toMatch(/begun\r\n$/);
  });
}
