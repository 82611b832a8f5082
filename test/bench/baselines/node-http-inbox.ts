// Baseline: node:http without a framework, a schema or a caller: it reads the page and writes the JSON.

import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { InboxStore } from './inbox-store.js';
import type { InboxArguments } from './inbox-store.js';
import { announcePort } from './intake-store.js';

const store = new InboxStore();

const server = createServer((req, res) => {
  answer(req).then(
    (body) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      res.writeHead(500).end();
    },
  );
});

async function answer(req: IncomingMessage): Promise<string> {
  const { variables } = JSON.parse(await readBody(req)) as { variables: InboxArguments };
  return JSON.stringify({ data: { inbox: await store.read(variables) } });
}

function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(Buffer.concat(chunks).toString()));
    req.on('error', reject);
  });
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
