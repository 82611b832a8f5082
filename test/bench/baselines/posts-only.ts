// Floor of sending: a process that only posts to the gateway, as an HTTP server that is told what to do. `POST /send?count=` posts as
// many messages as the benches' product sends, with the same client, and stores nothing. No database, no order, no limit, no attempts.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { announcePort } from './intake-store.js';
import { GatewayPosts } from './gateway-posts.js';

const posts = new GatewayPosts();
const instance = process.env['INSTANCE_NAME'] ?? '';
const concurrency = Number(process.env['AT_ONCE'] ?? 256);
const to = '5511987654321';

async function sendAll(count: number): Promise<object> {
  let next = 0;
  const postInTurn = async () => {
    while (next < count) {
      next += 1;
      await posts.post({ messageId: randomUUID(), to, text: `Oi ${next}`, instance });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, postInTurn));
  return { count };
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    res.writeHead(500).end();
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { searchParams } = new URL(req.url ?? '', 'http://sender');
  const body = JSON.stringify(await sendAll(Number(searchParams.get('count'))));
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
