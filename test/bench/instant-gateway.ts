// The gateway of the outbound benches, as a process of its own: accepts every message, after LATENCY_MS (0), and keeps the arrivals.
// `GET /arrivals?instance=` returns them, and `DELETE /arrivals` forgets them.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { announcePort } from './baselines/intake-store.js';
import { machineTimeMs } from './machine-clock.js';

/** The arrivals of one instance, as two columns. */
interface Arrivals {
  times: number[];
  texts: string[];
}

const latencyMs = Number(process.env['LATENCY_MS'] ?? 0);
const byInstance = new Map<string, Arrivals>();
let accepted = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const at = machineTimeMs();
  if (req.method === 'GET') return tell(req, res);
  if (req.method === 'DELETE') {
    byInstance.clear();
    return reply(res, {});
  }
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => accept(at, Buffer.concat(chunks).toString(), res));
});

function accept(at: number, body: string, res: ServerResponse): void {
  const { instance, text } = JSON.parse(body) as { instance: string; text: string };
  const arrivals = byInstance.get(instance) ?? { times: [], texts: [] };
  byInstance.set(instance, arrivals);
  arrivals.times.push(at);
  arrivals.texts.push(text);
  accepted += 1;
  const answer = { messageId: `accepted-${accepted}` };
  if (latencyMs === 0) reply(res, answer);
  else setTimeout(() => reply(res, answer), latencyMs);
}

function tell(req: IncomingMessage, res: ServerResponse): void {
  const { searchParams } = new URL(req.url ?? '', 'http://gateway');
  reply(res, byInstance.get(searchParams.get('instance') ?? '') ?? { times: [], texts: [] });
}

function reply(res: ServerResponse, answer: object): void {
  const body = JSON.stringify(answer);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
