// The drill of a backup at size: a tenant with a million messages, their events and their journal, backed up by pgBackRest, restored and
// examined by `npm run doctor -- --backup`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { BackedUpPostgres, backupsInstalled } from '../support/backed-up-postgres.js';
import { chatNumbers, inboundPath } from './inbound-call.js';
import { prepareProduct } from './product.js';
import type { Bench, BenchContext, Listing } from './side-by-side.js';
import { replaceInbound } from './stored-messages.js';

const manyMessages = 1_000_000;
const fewMessages = 1_000;

// PostgreSQL 15 lacks it. These ids rise from one millisecond to the next.
const createShiftedId = `
  CREATE FUNCTION uuidv7(shift interval) RETURNS uuid VOLATILE LANGUAGE sql AS $$
    SELECT encode(overlay(uuid_send(gen_random_uuid()) PLACING
      substring(int8send((extract(epoch FROM clock_timestamp() + shift) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 'hex')::uuid
  $$`;

export const restoreDrillBench: Bench = { name: 'restore-drill', run: runDrill };

async function runDrill(context: BenchContext): Promise<Listing[]> {
  const { resources, signal, progress, isBrief = false } = context;
  if (!backupsInstalled()) throw new Error('It needs pgbackrest and postgresql-15 of Debian.');
  const messageCount = isBrief ? fewMessages : manyMessages;
  const postgres = await BackedUpPostgres.start();
  resources.defer(() => postgres.remove());
  const { url } = postgres.database;
  const { tenant, environment } = await prepareProduct(
    { ...context, postgres: { ...context.postgres, createDatabase: () => Promise.resolve(url) } },
    {},
  );
  progress(`storing ${messageCount} messages`);
  await postgres.query(createShiftedId);
  await replaceInbound(url, { tenantId: tenant.id, chatNumbers, messageCount, route: inboundPath, signal });
  progress('taking a full backup');
  const backupMs = await timeOf(() => postgres.backUp('full'));
  await postgres.switchWal();
  const [size] = await postgres.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  progress('holding the drill');
  const startedAtMs = performance.now();
  const steps = await holdDrill({ ...environment, PGBACKREST_CONFIG: postgres.configFile }, context);
  const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    {
      title: `A backup of ${messageCount.toLocaleString('en')} messages is restored and examined`,
      columns: ['after', 'check', 'found'],
      rows: steps.map(({ check, found, atMs }) => [inSeconds(atMs - startedAtMs), `\`${check}\``, found]),
      notes: [
        `${(Number(size?.bytes) / 1_024 ** 3).toFixed(1)} GB in PostgreSQL ${await versionOf(postgres)}: each message has its ` +
          `event and its journal entry. The full backup took ${inSeconds(backupMs)}.`,
        'Checks run side by side, and are printed in this order.',
      ],
    },
  ];
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

async function versionOf(postgres: BackedUpPostgres): Promise<string> {
  const [row] = await postgres.query<{ server_version: string }>('SHOW server_version');
  return row?.server_version ?? '';
}

interface Step {
  check: string;
  found: string;
  /** The moment at which it was printed: a time of `performance.now()`. */
  atMs: number;
}

/** Runs the drill as an administrator does. @throws Error where it finds something wrong */
async function holdDrill(environment: Record<string, string>, { signal, resources }: BenchContext): Promise<Step[]> {
  const child = spawn(process.execPath, ['dist/commands/doctor.js', '--backup'], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  resources.defer(() => void child.kill());
  const ended = once(child, 'close');
  const steps: Step[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, check, found] = /^ok +(backup\S*): (.*)$/.exec(line) ?? [];
    if (check !== undefined && found !== undefined) steps.push({ check, found, atMs: performance.now() });
    else if (/^(?:warning|failed) +backup/.test(line)) throw new Error(`The drill says: ${line}`);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The drill ended with ${code}.`);
  return steps;
}
