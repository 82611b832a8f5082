// Baseline of sending: a worker of pg-boss that posts each message to the gateway and stores its answer, as an HTTP server that is told
// what to do. `POST /enqueue` makes a job of each message that waits; `POST /send?count=` works until so many answers are stored.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PgBoss, type Job, type JobResult } from 'pg-boss';
import pg from 'pg';
import { GatewayPosts, type Post } from './gateway-posts.js';
import { announcePort, requireDatabaseUrl } from './intake-store.js';
import { selectUnsent, storeSent } from './promising-sql.js';

const queue = 'send-message';
const tenantId = process.env['TENANT_ID'] ?? '';
const connections = Number(process.env['CONNECTIONS'] ?? 10);
const localConcurrency = Number(process.env['WORKERS'] ?? 4);
const batchSize = Number(process.env['BATCH_SIZE'] ?? 50);

const pool = new pg.Pool({ connectionString: requireDatabaseUrl(), max: connections, options: '-c TimeZone=UTC' });
const boss = new PgBoss({ connectionString: requireDatabaseUrl(), max: localConcurrency + 1, schedule: false });
boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
await boss.start();
await boss.createQueue(queue, { retryLimit: 12, retryBackoff: true, expireInSeconds: 60 });

const posts = new GatewayPosts();
let stored = 0;
let onStored: () => void = () => undefined;

async function send({ id, data }: Job<Post>): Promise<JobResult> {
  try {
    await pool.query({ ...storeSent, values: [tenantId, data.messageId, await posts.post(data)] });
  } catch (error) {
    return { id, status: 'failed', output: { message: String(error) } };
  }
  stored += 1;
  onStored();
  return { id, status: 'completed' };
}

async function enqueue(): Promise<object> {
  const { rows } = await pool.query<Post>({ ...selectUnsent, values: [tenantId] });
  await boss.insert(
    queue,
    rows.map((data) => ({ data })),
  );
  await boss.getDb().executeSql('VACUUM ANALYZE');
  return { count: rows.length };
}

async function sendAll(count: number): Promise<object> {
  stored = 0;
  const done = new Promise<void>((resolve) => {
    onStored = () => stored === count && resolve();
  });
  const options = { batchSize, localConcurrency, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true } as const;
  await boss.work<Post, unknown, typeof options & { perJobResults: true }>(
    queue,
    { ...options, perJobResults: true },
    (jobs) => Promise.all(jobs.map(send)),
  );
  await done;
  return { count };
}

/** Deletes the completed jobs, which would slow the next ones down. */
async function rest(): Promise<object> {
  await boss.offWork(queue);
  await boss.deleteStoredJobs(queue);
  return {};
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    res.writeHead(500).end();
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://sender');
  const count = Number(searchParams.get('count'));
  const result = await (pathname === '/enqueue' ? enqueue() : pathname === '/send' ? sendAll(count) : rest());
  const body = JSON.stringify(result);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
