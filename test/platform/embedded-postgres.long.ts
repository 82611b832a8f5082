// Slow tests of the embedded server: they take whole initialisations, or a process of its own that is killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopAbandonedServer } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { isServerOf, readPostmasterFile } from '../../src/dev/embedded-postgres/postmaster-file.js';
import {
  asRoot,
  clusterOf,
  dataDir,
  prepare,
  prepared,
  query,
  root,
  running,
  serverPid,
  start,
  until,
  warnings,
  withDataFolders,
} from './embedded-postgres-harness.js';

withDataFolders();

describe('a first start and the next', () => {
  test('takes another port when the preferred one is taken', async () => {
    await prepare();
    const first = await start();
    const other = await start({ dataDir: prepared, preferredPort: first.port });
    expect(other.port).not.toBe(first.port);
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a second start on the same folder', () => {
  test('of several at the same instant, one succeeds', async () => {
    const results = await Promise.allSettled([start(), start(), start()]);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    expect(reasons.map(({ name }) => name)).toEqual(['AlreadyRunningError', 'AlreadyRunningError']);
    expect(await query(running[0]!.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });
});

describe('after an unclean stop', () => {
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

  test('of the owner by a signal before it is ready: the server ends as well', async () => {
    await prepare();
    const left = await startInDyingProcess('SIGTERM');
    await until(async () => !(await isServerOf(clusterOf(dataDir), left)));
    expect(await readPostmasterFile(clusterOf(dataDir))).toBeUndefined();
  });

  // The owner has to be a process of its own, so that it can be killed. It takes SIGTERM as a process does that is starting.
  async function startInDyingProcess(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number> {
    const module = fileURLToPath(new URL('../../src/dev/embedded-postgres/embedded-postgres.ts', import.meta.url));
    const loader = fileURLToPath(new URL('../support/typescript-loader.ts', import.meta.url));
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(module)};
      const options = ${JSON.stringify({ dataDir, durable: false, preferredPort: 0 })};
      const log = { info() {}, warn: console.error };
      process.on('SIGTERM', () => process.exit(0));
      console.log((await startEmbeddedPostgres({ ...options, log })).url);`;
    const parameters = ['--import', loader, '--input-type=module', '--eval', script];
    const owner = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(owner.stdout, 'data')) as [Buffer];
    await query(url.toString().trim(), 'CREATE TABLE kept AS SELECT 7 AS value');
    const pid = await serverPid();
    owner.kill(signal);
    await once(owner, 'exit');
    return pid;
  }
});

describe('a folder that cannot be used', () => {
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
});
