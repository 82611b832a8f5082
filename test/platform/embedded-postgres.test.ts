import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  AlreadyRunningError,
  startEmbeddedPostgres,
  stopAbandonedServer,
} from '../../src/dev/embedded-postgres/embedded-postgres.js';
import type { EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { isAlive, isServerOf, readPostmasterFile } from '../../src/dev/embedded-postgres/data-folder.js';

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

let prepared: string;
let root: string;
let dataDir: string;
let warnings: string[];
let running: EmbeddedPostgres[];

// Initialising takes most of a start, so the tests that are about something else copy a folder that has been.
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

async function prepare(): Promise<void> {
  await promisify(execFile)('cp', ['-a', prepared, dataDir]);
}

async function start(
  options: { dataDir?: string; fallbackDir?: string; durable?: boolean; preferredPort?: number } = {},
): Promise<EmbeddedPostgres> {
  const log = { info: () => undefined, warn: (sentence: string) => void warnings.push(sentence) };
  const server = await startEmbeddedPostgres({ dataDir, log, durable: false, preferredPort: 0, ...options });
  running.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

const clusterOf = (folder: string) => join(folder, 'postgres');

async function serverPid(): Promise<number> {
  return (await readPostmasterFile(clusterOf(dataDir)))!.pid;
}

describe('a first start and the next', () => {
  test('initialises a UTF-8 cluster in UTC that only this machine reaches, with a password only its owner reads', async () => {
    const server = await start();
    const rows = await query(
      server.url,
      `SELECT current_database() AS name, current_setting('server_encoding') AS encoding,
       current_setting('listen_addresses') AS addresses, current_setting('TimeZone') AS zone, lower('ÄÖ') AS folded`,
    );
    expect(rows).toEqual([{ name: 'leadwire', encoding: 'UTF8', addresses: '127.0.0.1', zone: 'UTC', folded: 'äö' }]);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(warnings).toEqual([]);
  });

  test('keeps data, and may be stopped twice', async () => {
    await prepare();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    await Promise.all([first.stop(), first.stop()]);
    expect(await readPostmasterFile(clusterOf(dataDir))).toBeUndefined();
    const second = await start();
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
    expect(warnings).toEqual([]);
  });

  test('takes another port when the preferred one is taken', async () => {
    await prepare();
    const first = await start();
    const other = await start({ dataDir: prepared, preferredPort: first.port });
    expect(other.port).not.toBe(first.port);
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a second start on the same folder', () => {
  test('is refused in a sentence, also right after the first one lost its connection', async () => {
    await prepare();
    const server = await start();
    const refused = `Leadwire is already running on this data folder (${dataDir})`;
    await expect(start()).rejects.toThrow(refused);
    const [owner] = await query<{ ended: boolean }>(
      server.url,
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE application_name = 'leadwire owner'`,
    );
    expect(owner).toEqual({ ended: true });
    await expect(start()).rejects.toThrow(AlreadyRunningError);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('of several at the same instant, one succeeds', async () => {
    const results = await Promise.allSettled([start(), start(), start()]);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    expect(reasons.map(({ name }) => name)).toEqual(['AlreadyRunningError', 'AlreadyRunningError']);
    expect(await query(running[0]!.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });
});

describe('after an unclean stop', () => {
  test('of the server: says so, and the next start recovers what was committed', async () => {
    await prepare();
    const first = await start({ durable: true });
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS value');
    process.kill(await serverPid(), 'SIGKILL');
    await until(async () => warnings.length > 0);
    expect(warnings).toEqual([expect.stringContaining('PostgreSQL ended unexpectedly')]);
    const second = await start();
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  test('of the owner alone: stops the server it left, and starts again', async () => {
    await prepare();
    const left = await startInDyingProcess();
    expect(await isServerOf(clusterOf(dataDir), left)).toBe(true);
    const server = await start();
    expect(await isServerOf(clusterOf(dataDir), left)).toBe(false);
    expect(await query(server.url, 'SELECT value FROM kept')).toEqual([{ value: 7 }]);
  });

  test('of the owner alone: the server can be stopped without starting another', async () => {
    await prepare();
    const left = await startInDyingProcess();
    await stopAbandonedServer(dataDir, { info: () => undefined, warn: () => undefined });
    expect(await isServerOf(clusterOf(dataDir), left)).toBe(false);
  });

  test('of both: a postmaster.pid that names a process of somebody else is no obstacle', async () => {
    await prepare();
    // As when process ids start again from 1 in a new container.
    const text = [process.pid, clusterOf(dataDir), 1, 1, '', '127.0.0.1', '1 1', 'ready', ''].join('\n');
    await writeFile(join(clusterOf(dataDir), 'postmaster.pid'), text);
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(process.pid)).toBe(true);
  });

  test('of the first initialisation: begins again, and sets aside what it does not know', async () => {
    await mkdir(join(clusterOf(dataDir), 'base'), { recursive: true });
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    await mkdir(join(dataDir, `postgres.init-${child.pid}-abc`, 'data'), { recursive: true });
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(warnings).toEqual([expect.stringContaining('held no complete PostgreSQL data')]);
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.i'));
    expect(names).toEqual([expect.stringMatching(/^postgres\.incomplete-\d+$/)]);
  });

  // The owner has to be a process of its own, so that it can be killed.
  async function startInDyingProcess(): Promise<number> {
    const module = fileURLToPath(new URL('../../src/dev/embedded-postgres/embedded-postgres.ts', import.meta.url));
    const loader = fileURLToPath(new URL('../support/typescript-loader.ts', import.meta.url));
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(module)};
      const options = ${JSON.stringify({ dataDir, durable: false, preferredPort: 0 })};
      const log = { info() {}, warn: console.error };
      console.log((await startEmbeddedPostgres({ ...options, log })).url);`;
    const parameters = ['--import', loader, '--input-type=module', '--eval', script];
    const owner = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(owner.stdout, 'data')) as [Buffer];
    await query(url.toString().trim(), 'CREATE TABLE kept AS SELECT 7 AS value');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    return serverPid();
  }
});

describe('a folder that cannot be used', () => {
  test('is refused in a sentence when its data is of another PostgreSQL', async () => {
    await mkdir(clusterOf(dataDir), { recursive: true });
    await writeFile(join(clusterOf(dataDir), 'PG_VERSION'), '14\n');
    await expect(start()).rejects.toThrow(/was written by PostgreSQL 14, and the embedded one is 18/);
  });

  test('is refused in a sentence when its password was lost', async () => {
    await prepare();
    await rm(join(dataDir, 'postgres-password'));
    await expect(start()).rejects.toThrow(/postgres-password is not the password of the database/);
    expect(await readPostmasterFile(clusterOf(dataDir))).toBeUndefined();
  });

  asRoot("is refused in a sentence when PostgreSQL's user cannot reach it", async () => {
    await chmod(root, 0o700);
    await expect(start()).rejects.toThrow(`PostgreSQL's user cannot enter ${root}`);
  });

  asRoot('gives way to the fallback, with one warning that names both', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const fallbackDir = join(root, 'fallback');
    const server = await start({ dataDir: join(closed, 'data'), fallbackDir });
    expect(server.dataDir).toBe(fallbackDir);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(warnings).toEqual([expect.stringContaining(`to ${fallbackDir} instead of ${join(closed, 'data')}`)]);
    await expect(access(clusterOf(join(closed, 'data')))).rejects.toThrow();
  });

  asRoot('may itself be closed to others: it is handed to PostgreSQL', async () => {
    await mkdir(dataDir, { mode: 0o700 });
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('is reported with the end of the log when the server does not start', async () => {
    await prepare();
    const settings = join(clusterOf(dataDir), 'postgresql.conf');
    await writeFile(settings, `${await readFile(settings, 'utf8')}\nno_such_setting = 1\n`);
    await expect(start()).rejects.toThrow(/PostgreSQL did not start[^]*no_such_setting/);
  });
});
