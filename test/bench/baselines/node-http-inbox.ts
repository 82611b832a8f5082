// Baseline: node:http without a framework, a schema or a caller: it reads the page and writes the JSON.

import { createServer, type IncomingMessage } from 'node:http';
import { InboxStore, type InboxArguments } from './inbox-store.js';
import { announcePort } from './intake-store.js';
import { readBody } from './read-body.js';

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

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
