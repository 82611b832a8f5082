// Clients that take their time on purpose are cut off, and cost nobody else anything.

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { TestApp } from '../support/test-app.js';

// The head has 10 s, the whole request 30 s, and Node looks every 2 s.
const headLimitMs = 20_000;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

function open(): Socket {
  return connect(app.app.port, '127.0.0.1').on('error', () => undefined);
}

/** Everything the server says until it closes. */
async function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

test.each([
  ['says nothing at all', ''],
  ['sends a head that never ends', 'POST /public/leads HTTP/1.1\r\nhost: x\r\nx-slow: '],
])(
  'one that %s is cut off with 408 at most; meanwhile others are served',
  async (_, beginning) => {
    const sockets = Array.from({ length: 50 }, open);
    const drips = sockets.map((socket) => {
      socket.write(beginning);
      return setInterval(() => socket.writable && beginning !== '' && socket.write('a'), 1_000);
    });
    const answers = Promise.all(sockets.map(untilClosed));
    expect((await app.get('/health/live')).status).toBe(200);
    for (const text of await answers) expect(text).toMatch(/^$|^HTTP\/1\.1 408 /);
    for (const drip of drips) clearInterval(drip);
  },
  headLimitMs + 10_000,
);
