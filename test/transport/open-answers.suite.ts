// Unread answers, over real connections: a reader that takes nothing is cut off, a reader that takes a little at a time is not.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { OpenAnswers } from '../../src/transport/http/open-answers.js';

const large = Buffer.alloc(64 * 1024 * 1024, 'a');
const close: (() => void)[] = [];

export function describeOpenAnswers(): void {
  afterEach(() => {
    for (const end of close.splice(0)) end();
  });

  /** Starts a server with a short limit for its readers, and a caller that has sent a request and reads nothing yet. */
  async function ask(
    listener: RequestListener,
    looks = 10,
  ): Promise<{ answers: OpenAnswers; caller: Socket; far: Socket }> {
    const answers = new OpenAnswers({ intervalMs: 20, looks });
    const server = createServer((request, response) => {
      answers.follow(response);
      listener(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    answers.startLooking();
    const arrival = once(server, 'connection') as Promise<[Socket]>;
    const caller = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    caller.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [far] = await arrival;
    close.push(() => {
      answers.stopLooking();
      caller.destroy();
      server.closeAllConnections();
      server.close();
    });
    return { answers, caller, far };
  }

  test.each<[string, RequestListener]>([
    ['in one piece', (_request, response) => response.end(large)],
    [
      'in pieces, as they are taken',
      (_request, response) => {
        const pieces = Array.from({ length: 1024 }, (_, index) => large.subarray(index * 65_536, (index + 1) * 65_536));
        Readable.from(pieces).pipe(response);
      },
    ],
  ])('an answer %s that nobody reads ends the connection', async (_, listener) => {
    const { far } = await ask(listener);
    await once(far, 'close');
    expect(far.destroyed).toBe(true);
  });

  test('requests that are sent on meanwhile do not keep it', async () => {
    const { caller, far } = await ask((_request, response) => response.end(large));
    caller.write('GET / HTTP/1.1\r\n');
    const more = setInterval(() => caller.write('x-more: a\r\n'), 10);
    close.push(() => clearInterval(more));
    await once(far, 'close');
    expect(far.destroyed).toBe(true);
  });

  test('an answer that is read slowly arrives in full, and one that is long in the making is waited for', async () => {
    // The limit is one second. The answer comes later than that, and takes longer to read.
    const { caller } = await ask((_request, response) => setTimeout(() => response.end(body), 1_500), 50);
    const body = large.subarray(0, 24 * 1024 * 1024);
    let bytes = 0;
    caller.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      caller.pause();
      setTimeout(() => caller.resume(), 3);
    });
    caller.resume();
    while (bytes < body.length && !caller.destroyed) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bytes).toBeGreaterThan(body.length);
  });
}
