// Baseline: node:http and pg with the product's promises, written by hand. A call is signed, limited, journaled and stored once, with its
// lead, inbox and event, in a transaction of its own. Eight connections, prepared statements, no batches.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { judgeNumber } from '../../../src/platform/phone-numbers/number-validity.js';
import { parseChatNumber, readWrittenNumber } from '../../../src/platform/phone-numbers/written-number.js';
import { newRecordId } from '../../../src/platform/database/record-id.js';
import { signatureMatches } from '../../../src/platform/http/hmac-signature.js';
import { announcePort, requireDatabaseUrl } from './intake-store.js';
import {
  applyStatus,
  findInstance,
  findTenant,
  receiveFirstMessage,
  receiveLead,
  receiveMessage,
  type PreparedStatement,
} from './promising-sql.js';
import { matchKeyOfNumber } from '../../../src/platform/phone-numbers/match-key.js';

const connections = 8;
const maxBodyBytes = 256 * 1024;
const maxKnown = 10_000;
/** A revoked key is refused after this time at most. */
const keyLifeMs = 3_000;
const limit = Number(process.env['THROTTLE_LIMIT'] ?? 100);
const windowMs = 60_000;
const secret = process.env['CHAT_WEBHOOK_SECRET'] ?? '';
const maxTries = 5;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

interface Caller {
  tenantId: string;
  knownUntilMs: number;
  hits: number;
  resetAtMs: number;
}

interface Answer {
  status: number;
  body: object;
}

const pool = new pg.Pool({ connectionString: requireDatabaseUrl(), max: connections, options: '-c TimeZone=UTC' });
const callers = new Map<string, Caller>();
const instances = new Map<string, string>();

async function run<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name: statement.name, text: statement.text, values })).rows;
}

const server = createServer((req, res) => {
  receive(req, res).catch((error: unknown) => {
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'INTERNAL');
    if (refusal.status === 500) process.stderr.write(`${String(error)}\n`);
    reply(res, { status: refusal.status, body: { error: { code: refusal.code } } });
  });
});

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const handle = handlers.get(req.url ?? '');
  if (handle === undefined) throw new Refusal(404, 'NOT_FOUND');
  const caller = await authenticate(String(req.headers['x-tenant-key'] ?? ''));
  count(caller, res);
  const raw = await readRaw(req);
  const receivedAt = new Date();
  if (req.url !== '/webhooks/leads' && !signatureMatches(secret, headerOf(req, 'x-signature'), raw))
    throw new Refusal(401, 'SIGNATURE_INVALID');
  const headers = JSON.stringify({
    'content-type': req.headers['content-type'],
    'user-agent': req.headers['user-agent'],
    'x-signature': req.headers['x-signature'],
  });
  const journal = [caller.tenantId, newRecordId(), headers, raw, receivedAt];
  reply(res, await handle(parse(raw), { tenantId: caller.tenantId, journal }));
}

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}

async function authenticate(apiKey: string): Promise<Caller> {
  const known = callers.get(apiKey);
  if (known !== undefined && known.knownUntilMs > Date.now()) return known;
  const hash = createHash('sha256').update(apiKey).digest();
  const [found] = await run<{ tenantId: string }>(findTenant, [hash]);
  if (found === undefined) throw new Refusal(401, 'UNAUTHENTICATED');
  const { hits, resetAtMs } = callers.get(apiKey) ?? { hits: 0, resetAtMs: 0 };
  if (callers.size >= maxKnown) callers.clear();
  const caller = { tenantId: found.tenantId, knownUntilMs: Date.now() + keyLifeMs, hits, resetAtMs };
  callers.set(apiKey, caller);
  return caller;
}

function count(caller: Caller, res: ServerResponse): void {
  const now = Date.now();
  if (now >= caller.resetAtMs) {
    caller.hits = 0;
    caller.resetAtMs = now + windowMs;
  }
  caller.hits += 1;
  const seconds = Math.ceil((caller.resetAtMs - now) / 1_000);
  res.setHeader('RateLimit', `"calls"; r=${Math.max(0, limit - caller.hits)}; t=${seconds}`);
  res.setHeader('RateLimit-Policy', `"calls"; q=${limit}; w=${windowMs / 1_000}`);
  if (caller.hits <= limit) return;
  res.setHeader('Retry-After', seconds);
  throw new Refusal(429, 'RATE_LIMITED');
}

function readRaw(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) reject(new Refusal(413, 'PAYLOAD_TOO_LARGE'));
      else chunks.push(chunk);
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', reject);
  });
}

function parse(raw: Buffer): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(raw.toString());
  } catch {
    throw new Refusal(400, 'BAD_REQUEST');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(422, 'VALIDATION_FAILED');
  return body as Record<string, unknown>;
}

interface Call {
  tenantId: string;
  /** The parameters that each statement begins with. */
  journal: unknown[];
}

type Handler = (body: Record<string, unknown>, call: Call) => Promise<Answer>;

const handlers = new Map<string, Handler>([
  ['/webhooks/chat/gateway/inbound', takeMessage],
  ['/webhooks/chat/gateway/status', takeStatus],
  ['/webhooks/leads', takeLead],
]);

async function takeMessage(body: Record<string, unknown>, { tenantId, journal }: Call): Promise<Answer> {
  const number = parseChatNumber(textOf(body['from'], 64));
  if (!('digits' in number)) throw new Refusal(422, 'VALIDATION_FAILED');
  const { digits } = number;
  const instanceId = await instanceOf(tenantId, textOf(body['instance'], 100));
  const values = [
    ...journal,
    newRecordId(),
    matchKeyOfNumber(digits),
    instanceId,
    textOf(body['messageId'], 255),
    textOf(body['type'] ?? 'text', 64),
    textOf(body['text'], 65_536),
    timeOf(body['timestamp']),
  ];
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const [stored] = await run<object>(receiveMessage, values);
    if (stored !== undefined) return accepted(stored);
    const name = body['name'] === undefined ? digits : textOf(body['name'], 200);
    const [first] = await run<object>(receiveFirstMessage, [
      ...values,
      newRecordId(),
      digits,
      name,
      judgeNumber(digits),
    ]);
    if (first !== undefined) return accepted(first);
  }
  throw new Refusal(503, 'UNAVAILABLE');
}

const statuses = new Set(['SENT', 'DELIVERED', 'READ', 'FAILED']);

async function takeStatus(body: Record<string, unknown>, { tenantId, journal }: Call): Promise<Answer> {
  const status = textOf(body['status'], 16);
  if (!statuses.has(status)) throw new Refusal(422, 'VALIDATION_FAILED');
  const instanceId = await instanceOf(tenantId, textOf(body['instance'], 100));
  const externalId = textOf(body['messageId'], 255);
  const values = [...journal, instanceId, externalId, status, timeOf(body['timestamp'])];
  const [stored] = await run<{ messageId: string | null; applied: boolean }>(applyStatus, values);
  const outcome = stored?.applied === true ? 'applied' : 'ignored';
  return accepted({ messageId: stored?.messageId, externalId, outcome });
}

async function takeLead(body: Record<string, unknown>, { journal }: Call): Promise<Answer> {
  const { chat, name, source, ...rest } = body;
  const number = readWrittenNumber(textOf(chat, 64));
  if (!('digits' in number)) throw new Refusal(422, 'VALIDATION_FAILED');
  const { digits } = number;
  const values = [
    ...journal,
    newRecordId(),
    matchKeyOfNumber(digits),
    digits,
    name == null ? null : textOf(name, 200),
    source == null ? null : textOf(source, 100),
    Object.keys(rest).length === 0 ? null : JSON.stringify(rest),
    newRecordId(),
    judgeNumber(digits),
  ];
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const [lead] = await run<{ created: boolean }>(receiveLead, values);
    if (lead !== undefined) return { status: lead.created ? 201 : 200, body: lead };
  }
  throw new Refusal(503, 'UNAVAILABLE');
}

function accepted(result: object): Answer {
  return { status: 200, body: { accepted: 1, results: [result] } };
}

async function instanceOf(tenantId: string, name: string): Promise<string> {
  const key = `${tenantId} ${name}`;
  const known = instances.get(key);
  if (known !== undefined) return known;
  const [found] = await run<{ id: string }>(findInstance, [tenantId, name]);
  if (found === undefined) throw new Refusal(422, 'VALIDATION_FAILED');
  if (instances.size >= maxKnown) instances.clear();
  instances.set(key, found.id);
  return found.id;
}

function textOf(value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value === '' || value.length > maxLength || value.includes('\u0000'))
    throw new Refusal(422, 'VALIDATION_FAILED');
  return value;
}

function timeOf(value: unknown): Date {
  if (value === undefined) return new Date();
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Refusal(422, 'VALIDATION_FAILED');
  return new Date(value * 1_000);
}

function reply(res: ServerResponse, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
