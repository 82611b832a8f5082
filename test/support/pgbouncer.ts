// A pgbouncer before a database, on machines that have the program. It refuses to run as root, so it runs as `nobody`, who must be able to
// read its settings.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './redis-server.js';

const nobody = 65_534;

export function pgbouncerInstalled(): boolean {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
}

export class Pgbouncer {
  private constructor(
    /** The URL of the database through the pooler. */
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * Resolves once the pooler answers.
   * @param settings lines of the section `[pgbouncer]`
   * @param connectQuery a statement to run in each session that the pooler opens
   */
  static async start(databaseUrl: string, settings: string, connectQuery = ''): Promise<Pgbouncer> {
    const { hostname, port, pathname, username, password } = new URL(databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-pooler-'));
    await chmod(folder, 0o755);
    const ownPort = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    const query = connectQuery === '' ? '' : ` connect_query='${connectQuery.replaceAll("'", "''")}'`;
    await writeFile(
      file,
      `[databases]\n* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}${query}\n` +
        `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${ownPort}\nunix_socket_dir =\nauth_type = any\n${settings}\n`,
    );
    const isRoot = process.getuid?.() === 0;
    const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...(isRoot && { uid: nobody, gid: nobody }) });
    const url = `postgresql://${username}@127.0.0.1:${ownPort}${pathname}`;
    while (!(await answers(url))) if (child.exitCode !== null) throw new Error('the pooler ended');
    return new Pgbouncer(url, child, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
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
