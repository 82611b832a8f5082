// A streaming replica of an embedded PostgreSQL, from a copy of its folder. Its replay can be paused, and it can be killed and started
// again.

import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { locateBinaries } from '../../src/dev/embedded-postgres/binaries.js';
import { openFolder } from '../../src/dev/embedded-postgres/data-folder.js';
import type { EmbeddedPostgres } from '../../src/dev/embedded-postgres/embedded-postgres.js';
import { PostgresServer } from '../../src/dev/embedded-postgres/server.js';

const run = promisify(execFile);
const silentLog = { info: () => undefined, warn: () => undefined };
const startLimitMs = 30_000;
const pollMs = 50;

export class PostgresReplica {
  private server: PostgresServer | undefined;

  private constructor(
    private readonly primary: EmbeddedPostgres,
    private readonly dataDir: string,
    readonly port: number,
  ) {}

  /** A running replica in `dataDir`, which has to be missing; `port` has to be free. */
  static async of(primary: EmbeddedPostgres, dataDir: string, port: number): Promise<PostgresReplica> {
    await copyCluster(primary, dataDir);
    const replica = new PostgresReplica(primary, dataDir, port);
    await replica.start();
    return replica;
  }

  databaseUrl(name: string): string {
    const url = new URL(this.primary.databaseUrl(name));
    url.port = String(this.port);
    return url.href;
  }

  get pid(): number {
    return this.server?.child.pid ?? 0;
  }

  async start(): Promise<void> {
    const folder = await openFolder(this.dataDir, undefined, silentLog);
    const settings = { preferredPort: this.port, parameters: { fsync: 'off' } };
    const server = await PostgresServer.launch(folder, await locateBinaries(folder.user), settings);
    if (server.port !== this.port) throw new Error(`the port ${this.port} of the replica is in use`);
    this.server = server;
    const client = await server.connectWhenReady(performance.now() + startLimitMs);
    await client?.end();
  }

  /** Ends the replica as a lost machine does: every connection breaks. */
  async kill(): Promise<void> {
    const { server } = this;
    server?.child.kill('SIGQUIT');
    await server?.stop();
  }

  /** Pauses the replay: commits of the primary stay invisible on the replica. */
  async pauseReplay(): Promise<void> {
    await this.run('SELECT pg_wal_replay_pause()');
    while ((await this.run('SELECT pg_get_wal_replay_pause_state() AS state'))[0]?.['state'] !== 'paused');
  }

  async resumeReplay(): Promise<void> {
    await this.run('SELECT pg_wal_replay_resume()');
  }

  /** Receives from another server, or from none: it then stays as it is. */
  async follow(server: PostgresReplica | undefined): Promise<void> {
    const conninfo = server === undefined ? '' : conninfoOf(server.databaseUrl('postgres'));
    await this.run(`ALTER SYSTEM SET primary_conninfo = '${conninfo}'`);
    await this.run('SELECT pg_reload_conf()');
    const receivers = server === undefined ? 0 : 1;
    while ((await this.run('SELECT pid FROM pg_stat_wal_receiver')).length !== receivers) await delay(pollMs);
  }

  async run(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.server?.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

async function copyCluster(primary: EmbeddedPostgres, dataDir: string): Promise<void> {
  const url = primary.databaseUrl('postgres');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('replica', true)`);
    await run('cp', ['-a', primary.dataDir, dataDir]);
    const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)');
    const cluster = join(dataDir, 'postgres');
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    await writeFile(join(cluster, 'backup_label'), rows[0]?.label ?? '');
    await writeFile(join(cluster, 'standby.signal'), '');
    await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${conninfoOf(url)}'\n`);
    const { stdout } = await run('stat', ['-c', '%u:%g', join(cluster, 'PG_VERSION')]);
    for (const name of ['backup_label', 'standby.signal', 'postgresql.auto.conf'])
      await run('chown', [stdout.trim(), join(cluster, name)]);
  } finally {
    await client.end();
  }
}

function conninfoOf(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}
