// One PostgreSQL server process: launching it beside our process group, waiting until it answers, ending it, and the
// same for a server that an earlier process left. Who may do so belongs to embedded-postgres.ts.

import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { PostgresBinaries } from './binaries.js';
import { serverEnvironment, wrongPassword } from './data-folder.js';
import type { PostgresFolder } from './data-folder.js';
import { connectTo } from './ownership.js';

/** How often a state that changes by itself is looked at. */
export const pollMs = 25;
const fastStopLimitMs = 10_000;
const immediateStopLimitMs = 5_000;
const logFileLimitBytes = 10_000_000;

export interface ServerSettings {
  /** False trades safety against a crash of the machine for speed (tests). Default true. */
  durable?: boolean;
  /** Default 100. */
  maxConnections?: number;
  /** Taken when free, otherwise any free one. Default 54329. */
  preferredPort?: number;
}

/** One server process that we started. */
export class PostgresServer {
  private hasExited = false;

  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly binaries: PostgresBinaries,
    private readonly folder: PostgresFolder,
    private readonly logOffset: number,
  ) {
    child.once('exit', () => (this.hasExited = true));
    child.once('error', () => (this.hasExited = true));
  }

  static async launch(
    folder: PostgresFolder,
    binaries: PostgresBinaries,
    settings: ServerSettings,
  ): Promise<PostgresServer> {
    const port = await findFreePort(settings.preferredPort ?? 54_329);
    const logHandle = await open(folder.logFile, 'a', 0o600);
    try {
      if ((await logHandle.stat()).size > logFileLimitBytes) await logHandle.truncate();
      const offset = (await logHandle.stat()).size;
      const child = spawn(binaries.postgres, parametersFor(folder, port, settings), {
        ...folder.user,
        cwd: folder.cluster,
        env: serverEnvironment(),
        detached: true,
        stdio: ['ignore', logHandle.fd, logHandle.fd],
        windowsHide: true,
      });
      return new PostgresServer(child, port, binaries, folder, offset);
    } finally {
      await logHandle.close();
    }
  }

  /** The first connection that succeeds; undefined when it lost to another start and the folder has to be looked at again. */
  async connectWhenReady(deadline: number): Promise<pg.Client | undefined> {
    const address = { port: this.port, password: this.folder.password };
    while (!this.hasExited && performance.now() < deadline) {
      const client = await connectTo(address).catch((error: pg.DatabaseError) => error.code);
      if (typeof client === 'object') return client;
      if (client === '28P01') {
        await this.stop();
        throw wrongPassword(this.folder);
      }
      await delay(pollMs);
    }
    const output = await this.readLog();
    await this.stop();
    const lostARace = /"postmaster\.pid"|pre-existing shared memory|Address already in use/i.test(output);
    if (lostARace && performance.now() < deadline) {
      await delay(pollMs);
      return undefined;
    }
    throw new Error(`PostgreSQL did not start; the end of ${this.folder.logFile}:\n${lastLines(output)}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || this.hasExited) return;
    await stopProcess(child.pid, this.binaries, async () => this.hasExited);
  }

  private async readLog(): Promise<string> {
    const whole = await readFile(this.folder.logFile);
    return whole.subarray(Math.min(this.logOffset, whole.length)).toString();
  }
}

function parametersFor(folder: PostgresFolder, port: number, settings: ServerSettings): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: settings.maxConnections ?? 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    ...(settings.durable === false && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  return ['-D', folder.cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Ends a server, its connections included: politely for 10 seconds, then as after a crash. Safe to repeat. */
export async function stopProcess(
  pid: number,
  binaries: PostgresBinaries,
  hasEnded: () => Promise<boolean>,
): Promise<void> {
  const steps = [
    ['INT', fastStopLimitMs],
    ['QUIT', immediateStopLimitMs],
    ['KILL', immediateStopLimitMs],
  ] as const;
  for (const [signal, limitMs] of steps) {
    await sendSignal(pid, signal, binaries);
    const deadline = performance.now() + limitMs;
    while (performance.now() < deadline) {
      if (await hasEnded()) return;
      await delay(pollMs);
    }
  }
  throw new Error(`The PostgreSQL server (process ${pid}) does not stop.`);
}

async function sendSignal(pid: number, signal: 'INT' | 'QUIT' | 'KILL', binaries: PostgresBinaries): Promise<void> {
  try {
    // Windows has no signals; pg_ctl speaks to the server in its own way.
    if (platform() === 'win32') await promisify(execFile)(binaries.pgCtl, ['kill', signal, String(pid)]);
    else process.kill(pid, `SIG${signal}`);
  } catch {
    // It has ended meanwhile, which the caller sees.
  }
}

async function findFreePort(preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const probe = createServer();
    try {
      probe.listen({ port, host: '127.0.0.1', exclusive: true });
      await once(probe, 'listening');
      const address = probe.address();
      if (address && typeof address === 'object') return address.port;
    } catch {
      continue;
    } finally {
      await new Promise((resolve) => probe.close(resolve));
    }
  }
  throw new Error('No free TCP port on 127.0.0.1.');
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n');
}
