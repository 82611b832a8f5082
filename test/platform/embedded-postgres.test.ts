// The embedded server's starts, stops and refusals. embedded-postgres.long.ts has the slow tests.

import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AlreadyRunningError } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { isAlive, readPostmasterFile } from '../../src/dev/embedded-postgres/postmaster-file.js';
import {
  asRoot,
  clusterOf,
  dataDir,
  prepare,
  query,
  root,
  serverPid,
  start,
  until,
  warnings,
  withDataFolders,
} from './embedded-postgres-harness.js';

withDataFolders();

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

  test('of both: a postmaster.pid that names a process of somebody else is no obstacle', async () => {
    await prepare();
    // The file names this process, as when process ids start again from 1 in a new container.
    const text = [process.pid, clusterOf(dataDir), 1, 1, '', '127.0.0.1', '1 1', 'ready', ''].join('\n');
    await writeFile(join(clusterOf(dataDir), 'postmaster.pid'), text);
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(isAlive(process.pid)).toBe(true);
  });
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

  test('is reported with the end of the log when the server does not start', async () => {
    await prepare();
    const settings = join(clusterOf(dataDir), 'postgresql.conf');
    await writeFile(settings, `${await readFile(settings, 'utf8')}\nno_such_setting = 1\n`);
    await expect(start()).rejects.toThrow(/PostgreSQL did not start[^]*no_such_setting/);
  });
});
