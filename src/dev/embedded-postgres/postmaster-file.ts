// Reads the postmaster.pid of a running or crashed PostgreSQL, and tells whether that server lives.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, readlink, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The facts that a running or crashed server wrote to its postmaster.pid. */
export interface PostmasterFile {
  readonly pid: number;
  /** Undefined while the server has not opened its port yet. */
  readonly port: number | undefined;
  readonly text: string;
}

/** Reads postmaster.pid; undefined when there is none. An unreadable pid is `NaN`. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return { pid: Number.parseInt(lines[0] ?? '', 10), port: Number(lines[3]) || undefined, text };
}

/** Removes a stale postmaster.pid, unless another start has replaced it since it was read. */
export async function discardPostmasterFile(cluster: string, judged: PostmasterFile): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const aside = `${file}.stale-${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) === judged.text) await rm(aside);
  else await rename(aside, file);
}

/** True when a process with this id exists, a zombie included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True when `pid` is a living PostgreSQL that serves `cluster`. Ids are used again, so a number alone proves nothing. */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  const command = await commandOf(pid);
  if (!/postgres/.test(command)) return false;
  if (command.includes(cluster)) return true;
  // A server that was started by hand may name its folder differently, but the folder is its working directory.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === cluster;
}

async function commandOf(pid: number): Promise<string> {
  if (platform() === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const answer = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => undefined);
  return answer?.stdout ?? '';
}
