// A PostgreSQL on a restored folder, in a folder that only its user may enter, and without a port: it listens on a socket there. It
// recovers to the end of the archive, and ends and goes with all that was restored.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { programEnvironment, runProgram, type DatabaseUser } from './database-user.js';

const pollMs = 200;
/** Any number does: it is a part of the socket's name. */
const port = 5432;

/** Parameters of the primary that the scratch server must not have. */
const parameters = {
  listen_addresses: '',
  port: String(port),
  archive_mode: 'off',
  synchronous_standby_names: '',
  primary_conninfo: '',
  shared_preload_libraries: '',
  hot_standby: 'off',
  ssl: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '20',
  shared_buffers: '128MB',
  timezone: 'UTC',
  logging_collector: 'off',
  log_statement: 'none',
  log_min_error_statement: 'panic',
};

export class ScratchServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly user: DatabaseUser | undefined,
    private readonly binaries: string,
  ) {}

  /** Makes the folder. @param binaries the folder of PostgreSQL's programs */
  static async create(user: DatabaseUser | undefined, binaries: string): Promise<ScratchServer> {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-backup-'));
    const server = new ScratchServer(folder, user, binaries);
    const inside = [server.lock, server.tablespaces];
    for (const path of inside) await mkdir(path, { mode: 0o700 });
    if (user !== undefined) for (const path of [folder, ...inside]) await chown(path, user.uid, user.gid);
    return server;
  }

  /** The folder to restore into. */
  get data(): string {
    return join(this.folder, 'data');
  }

  /** The folder for what stands outside of the database's own folder. */
  get tablespaces(): string {
    return join(this.folder, 'tablespaces');
  }

  /** The folder for locks, so that a restore waits for no backup. */
  get lock(): string {
    return join(this.folder, 'lock');
  }

  /** The address of a database for its user, without a password. */
  urlOf(name: string, user: string): string {
    return `postgresql://${encodeURIComponent(user)}@localhost:${port}/${encodeURIComponent(name)}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Asks the restored folder for the size of a WAL file, in bytes. */
  async readSegmentBytes(signal: AbortSignal): Promise<number> {
    const printed = await runProgram(join(this.binaries, 'pg_controldata'), [this.data], { user: this.user, signal });
    return Number(/^Bytes per WAL segment: +(\d+)$/m.exec(printed)?.[1] ?? 16 * 1_024 * 1_024);
  }

  /** Starts the server, and resolves once it has recovered. @throws Error with what it said before it ended */
  async recover(signal: AbortSignal): Promise<void> {
    const access = join(this.folder, 'access.conf');
    await writeFile(access, 'local all all trust\n');
    await writeFile(join(this.folder, 'server.conf'), '');
    const settings = {
      ...parameters,
      unix_socket_directories: this.folder,
      config_file: join(this.folder, 'server.conf'),
      hba_file: access,
      ident_file: join(this.data, 'pg_ident.conf'),
    };
    const log = await open(this.logFile, 'a', 0o600);
    try {
      const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const output = ['ignore', log.fd, log.fd] as ['ignore', number, number];
      const run = { cwd: '/', env: programEnvironment(), stdio: output, ...this.user };
      this.child = spawn(join(this.binaries, 'postgres'), ['-D', this.data, ...options], run);
      this.child.on('error', () => undefined);
    } finally {
      await log.close();
    }
    while (!(await this.answers())) {
      if (signal.aborted) throw new Error('The recovery takes too long');
      if (this.child.pid === undefined || hasEnded(this.child)) throw new Error(await this.readComplaint());
      await delay(pollMs);
    }
  }

  async remove(): Promise<void> {
    const { child } = this;
    if (child?.pid !== undefined && !hasEnded(child)) {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    }
    // Helpers of a program that was ended may write a last file.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private get logFile(): string {
    return join(this.folder, 'server.log');
  }

  private async answers(): Promise<boolean> {
    const client = new pg.Client({ host: this.folder, port, user: 'postgres', database: 'template1' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch (error) {
      // A server that refuses the user has recovered as well.
      return error instanceof pg.DatabaseError && /^(?:28|3D)/.test(error.code ?? '');
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async readComplaint(): Promise<string> {
    const lines = (await readFile(this.logFile, 'utf8')).split('\n');
    const complaints = lines.flatMap((line) => /(?:FATAL|PANIC): +(.*)$/.exec(line)?.[1] ?? []);
    return complaints[0] ?? lines.filter((line) => line !== '').at(-1) ?? 'PostgreSQL ended without a word';
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
