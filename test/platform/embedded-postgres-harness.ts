// Embedded servers in folders of their own, and the queries that their tests share.

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { readPostmasterFile } from '../../src/dev/embedded-postgres/postmaster-file.js';

const isRoot = process.getuid?.() === 0;
export const asRoot = isRoot ? test : test.skip;

export let prepared: string;
export let root: string;
export let dataDir: string;
export let warnings: string[];
export let running: EmbeddedPostgres[];

/** Gives each test of a file a folder of its own. */
export function withDataFolders(): void {
  // Initialising takes most of a start, so tests with another subject copy an initialised folder.
  beforeAll(async () => {
    prepared = await mkdtemp(join(tmpdir(), 'leadwire-prepared-'));
    running = [];
    await (await start({ dataDir: prepared })).stop();
  });

  afterAll(() => rm(prepared, { recursive: true, force: true }));

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'leadwire-embedded-'));
    await chmod(root, 0o755);
    dataDir = join(root, 'data');
    warnings = [];
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true });
  });
}

export async function prepare(): Promise<void> {
  await promisify(execFile)('cp', ['-a', prepared, dataDir]);
}

export async function start(
  options: { dataDir?: string; fallbackDir?: string; durable?: boolean; preferredPort?: number } = {},
): Promise<EmbeddedPostgres> {
  const log = { info: () => undefined, warn: (sentence: string) => void warnings.push(sentence) };
  const server = await startEmbeddedPostgres({ dataDir, log, durable: false, preferredPort: 0, ...options });
  running.push(server);
  return server;
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

export const clusterOf = (folder: string) => join(folder, 'postgres');

export async function serverPid(): Promise<number> {
  return (await readPostmasterFile(clusterOf(dataDir)))!.pid;
}
