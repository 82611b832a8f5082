// Baseline: node:http without a framework, and one statement for each request.

import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MessageStore, announcePort, requireDatabaseUrl } from './message-store.js';
import type { ReportedMessage } from './message-store.js';

const store = new MessageStore(requireDatabaseUrl());

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    res.writeHead(500).end();
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const message = JSON.parse(await readBody(req)) as ReportedMessage;
  const stored = await store.store(String(req.headers['x-tenant-key']), message);
  if (stored === undefined) {
    res.writeHead(401).end();
    return;
  }
  const body = JSON.stringify(stored);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
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
