// Baseline: pg-boss by itself, as an HTTP server that is told what to do. `POST /drain?count=&workers=&batchSize=` fetches and
// completes that many empty jobs; `POST /pick-up?count=&intervalMs=` tells how long each job waited for a polling worker.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { machineTimeMs } from '../machine-clock.js';
import { announcePort, requireDatabaseUrl } from './intake-store.js';

const drained = 'drained';
const pickedUp = 'picked-up';
const pollingIntervalSeconds = 0.5;
const lookIntervalMs = 100;

const connections = Number(process.env['CONNECTIONS'] ?? 10);
const boss = new PgBoss({
  connectionString: requireDatabaseUrl(),
  max: connections,
  supervise: false,
  schedule: false,
});
boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
await boss.start();
await boss.createQueue(drained);
await boss.createQueue(pickedUp);

const waits = new Map<string, number>();
await boss.work<{ number: number }>(pickedUp, { pollingIntervalSeconds, batchSize: 500 }, (jobs) => {
  for (const { data } of jobs) waits.set(String(data.number), machineTimeMs());
  return Promise.resolve();
});

/** @returns when each job was done, in milliseconds since the first fetch */
async function drain(count: number, workers: number, batchSize: number): Promise<number[]> {
  await boss.insert(
    drained,
    Array.from({ length: count }, () => ({ data: {} })),
  );
  await boss.getDb().executeSql('VACUUM ANALYZE');
  const startedAt = machineTimeMs();
  const doneAtMs: number[] = [];
  const work = async () => {
    for (;;) {
      const jobs = await boss.fetch(drained, { batchSize });
      if (jobs.length === 0) return;
      await boss.complete(
        drained,
        jobs.map((job) => job.id),
      );
      const atMs = machineTimeMs() - startedAt;
      doneAtMs.push(...jobs.map(() => atMs));
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return doneAtMs;
}

/** @returns how long each job waited, in milliseconds */
async function measurePickUp(count: number, intervalMs: number): Promise<number[]> {
  waits.clear();
  const sentAt: number[] = [];
  const startedAt = machineTimeMs();
  for (let number = 0; number < count; number += 1) {
    await delay(Math.max(0, startedAt + number * intervalMs - machineTimeMs()));
    sentAt.push(machineTimeMs());
    await boss.send(pickedUp, { number });
  }
  while (waits.size < count) await delay(lookIntervalMs);
  return sentAt.map((sent, number) => (waits.get(String(number)) ?? Infinity) - sent);
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    res.writeHead(500).end();
  });
});

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://queue');
  const read = (name: string) => Number(searchParams.get(name));
  const times =
    pathname === '/drain'
      ? await drain(read('count'), read('workers'), read('batchSize'))
      : await measurePickUp(read('count'), read('intervalMs'));
  const body = JSON.stringify(times);
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

server.listen(0, '127.0.0.1', () => announcePort(server.address()));
