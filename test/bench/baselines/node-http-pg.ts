// Baseline: node:http without a framework, and one statement for each request.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  IntakeStore,
  announcePort,
  requireDatabaseUrl,
  type PostedLead,
  type ReportedMessage,
  type ReportedStatus,
} from './intake-store.js';
import { readBody } from './read-body.js';

const store = new IntakeStore(requireDatabaseUrl());

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    res.writeHead(500).end();
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const result = await handle(req.url, String(req.headers['x-tenant-key']), JSON.parse(await readBody(req)));
  if (result === undefined) {
    res.writeHead(401).end();
    return;
  }
  const body = JSON.stringify(result);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

function handle(url: string | undefined, apiKey: string, body: unknown): Promise<object | undefined> {
  if (url === '/webhooks/leads') return store.findOrCreateLead(apiKey, body as PostedLead);
  if (url === '/webhooks/chat/gateway/status') return store.applyStatus(apiKey, body as ReportedStatus);
  return store.storeMessage(apiKey, body as ReportedMessage);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
