// A PostgreSQL server process: starting it outside of our process group, waiting until it answers, and ending it. A server
// that an earlier process left is ended in the same way. Deciding whether to end it belongs to embedded-postgres.ts.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { serverEnvironment, wrongPassword, type PostgresFolder } from './data-folder.js';
import { connectTo } from './ownership.js';

/** The interval at which a state that changes by itself is polled. */
export const pollMs = 25;
const fastStopLimitMs = 10_000;
const immediateStopLimitMs = 5_000;
const logFileLimitBytes = 10_000_000;

export interface ServerSettings {
  /** False trades safety against a crash of the machine for speed (tests). Default true. */
  durable?: boolean;
  /** Default 100. */
  maxConnections?: number;
  /** The port to use when it is free; otherwise any free one. Default 54329. */
  preferredPort?: number;
  /** Further server parameters, by name. */
  parameters?: Record<string, string>;
}

/** A server process that we started. */
export class PostgresServer {
  hasExited = false;

  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    private readonly folder: PostgresFolder,
    private readonly logOffset: number,
  ) {
    // A signal during our start ends us at once. The server is in a group of its own, so the signal does not reach it.
    const endWithUs = () => child.kill('SIGINT');
    process.once('exit', endWithUs);
    const noteExit = () => {
      this.hasExited = true;
      process.off('exit', endWithUs);
    };
    child.once('exit', noteExit);
    child.once('error', noteExit);
  }

  static async launch(folder: PostgresFolder, binDir: string, settings: ServerSettings): Promise<PostgresServer> {
    const port = await findFreePort(settings.preferredPort ?? 54_329);
    const logHandle = await open(folder.logFile, 'a', 0o600);
    try {
      if ((await logHandle.stat()).size > logFileLimitBytes) await logHandle.truncate();
      const offset = (await logHandle.stat()).size;
      const child = spawn(join(binDir, 'postgres'), parametersFor(folder, port, settings), {
        ...folder.user,
        cwd: folder.cluster,
        env: serverEnvironment(),
        detached: true,
        stdio: ['ignore', logHandle.fd, logHandle.fd],
      });
      return new PostgresServer(child, port, folder, offset);
    } finally {
      await logHandle.close();
    }
  }

  /** The first connection that succeeds; undefined when another start was faster and the folder has to be read again. */
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
    const output = (await readFile(this.folder.logFile)).subarray(this.logOffset).toString();
    await this.stop();
    const lostARace = /"postmaster\.pid"|pre-existing shared memory|Address already in use/i.test(output);
    if (lostARace && performance.now() < deadline) {
      await delay(pollMs);
      return undefined;
    }
    const end = output.trim().split('\n').slice(-12).join('\n');
    throw new Error(`PostgreSQL did not start; the end of ${this.folder.logFile}:\n${end}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || this.hasExited) return;
    await stopProcess(child.pid, async () => this.hasExited);
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
    ...settings.parameters,
  };
  return ['-D', folder.cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Ends a server, its connections included: politely for 10 seconds, then as after a crash. Safe to repeat. */
export async function stopProcess(pid: number, hasEnded: () => Promise<boolean>): Promise<void> {
  const steps = [
    ['SIGINT', fastStopLimitMs],
    ['SIGQUIT', immediateStopLimitMs],
    ['SIGKILL', immediateStopLimitMs],
  ] as const;
  for (const [signal, limitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile, and the loop below sees it.
    }
    const deadline = performance.now() + limitMs;
    while (performance.now() < deadline) {
      if (await hasEnded()) return;
      await delay(pollMs);
    }
  }
  throw new Error(`The PostgreSQL server (process ${pid}) does not stop.`);
}

/** The preferred port of 127.0.0.1 where it is free, else any free one. */
export async function findFreePort(preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const probe = createServer();
    try {
      await once(probe.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening');
      return (probe.address() as AddressInfo).port;
    } catch {
      // The port is taken.
    } finally {
      probe.close();
    }
  }
  throw new Error('No free TCP port on 127.0.0.1.');
}
