// A pooler between: the service says at its start that it cannot be, whatever the pooler takes.

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { requireOwnSessions } from '../../src/platform/migrations.js';
import { freePort } from '../support/redis-server.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const nobody = 65_534;
const isInstalled = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
const whenInstalled = isInstalled ? test : test.skip;

export function describeSessionCheck(): void {
  let database: TestDatabase;
  let folder: string;
  let pooler: ChildProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'leadwire-pooler-'));
    // It refuses to run as root, and then somebody else has to read its settings.
    await chmod(folder, 0o755);
  });

  afterEach(async () => {
    if (pooler === undefined) return;
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
    pooler = undefined;
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** @returns the pooler's URL, once it answers */
  async function startPooler(settings: string): Promise<string> {
    const { hostname, port, pathname, username, password } = new URL(database.url);
    const ownPort = await freePort();
    const file = join(folder, `${ownPort}.ini`);
    await writeFile(
      file,
      `[databases]\n* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}\n` +
        `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${ownPort}\nunix_socket_dir =\nauth_type = any\n${settings}\n`,
    );
    const isRoot = process.getuid?.() === 0;
    const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...(isRoot && { uid: nobody, gid: nobody }) });
    pooler = child;
    const url = `postgresql://${username}@127.0.0.1:${ownPort}${pathname}`;
    while (!(await answers(url))) if (child.exitCode !== null) throw new Error('the pooler ended');
    return url;
  }

  async function answers(connectionString: string): Promise<boolean> {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  test('a server by itself is fine', async () => {
    await expect(requireOwnSessions(database.url)).resolves.toBeUndefined();
  });

  test('a server that cannot be reached, and a database that is not there, are named with what was asked for', async () => {
    const port = await freePort();
    const unreachable = requireOwnSessions(`postgresql://leadwire:x@127.0.0.1:${port}/leads`);
    await expect(unreachable).rejects.toThrow(
      `The database "leads" of DATABASE_URL (127.0.0.1:${port}) cannot be used: connect ECONNREFUSED`,
    );
    const url = new URL(database.url);
    url.pathname = '/not-there';
    await expect(requireOwnSessions(url.href)).rejects.toThrow(
      `The database "not-there" of DATABASE_URL (${url.host}) cannot be used: database "not-there" does not exist`,
    );
  });

  whenInstalled('a pooler that takes no settings is named', async () => {
    const url = await startPooler('pool_mode = session');
    await expect(requireOwnSessions(url)).rejects.toThrow(/^DATABASE_URL leads to a pooler that refuses settings/);
  });

  whenInstalled('one that shares sessions is named', async () => {
    const url = await startPooler('pool_mode = transaction\nignore_startup_parameters = options');
    await expect(requireOwnSessions(url)).rejects.toThrow(/^DATABASE_URL leads to a pooler that shares sessions/);
  });

  whenInstalled('one that shares none and takes settings is fine', async () => {
    const url = await startPooler('pool_mode = session\nignore_startup_parameters = options');
    await expect(requireOwnSessions(url)).resolves.toBeUndefined();
  });
}
