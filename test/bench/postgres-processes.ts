// The processes of a PostgreSQL server, on Linux: their ids, and the CPU time that they have used.

import { readFile, readdir } from 'node:fs/promises';
import { withClient } from './postgres.js';

const ticksPerSecond = 100;

interface ProcessCpu {
  parent: number;
  /** The time of the process itself; `endedMs` is that of children that have ended. */
  ownMs: number;
  endedMs: number;
}

/** The process that starts all others, and its children. @param backendPid of a connection */
export async function serverPids(backendPid: number): Promise<number[]> {
  const { serverPid, children } = await readServer(backendPid);
  return [serverPid, ...children.keys()];
}

/** The process of another client's connection, such as one of the product's pool, which stays open. */
export async function pidOn(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
    );
    if (rows[0] === undefined) throw new Error('nobody is connected');
    return rows[0].pid;
  });
}

/** The CPU time that a process has used. @throws Error when it is not running, or not on Linux */
export async function processCpuMs(pid: number): Promise<number> {
  const cpu = await cpuOf(pid);
  if (cpu === undefined) throw new Error('the CPU time of a process can only be read on Linux, while it runs');
  return cpu.ownMs;
}

/**
 * The CPU time of the whole server that a connection belongs to, since its start. Connections that have ended count too: the pool closes
 * idle ones, and their use would be missing otherwise.
 */
export async function serverCpuMs(backendPid: number): Promise<number> {
  const { server, children } = await readServer(backendPid);
  return [...children.values()].reduce((sum, { ownMs }) => sum + ownMs, server.ownMs + server.endedMs);
}

async function readServer(backendPid: number) {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const all = new Map<number, ProcessCpu>();
  const used = await Promise.all(pids.map(cpuOf));
  for (const [index, cpu] of used.entries()) if (cpu !== undefined) all.set(pids[index] ?? 0, cpu);
  const serverPid = all.get(backendPid)?.parent;
  const server = serverPid === undefined ? undefined : all.get(serverPid);
  if (serverPid === undefined || server === undefined)
    throw new Error('the CPU time of PostgreSQL can only be read on Linux, beside the server');
  return { serverPid, server, children: new Map([...all].filter(([, { parent }]) => parent === serverPid)) };
}

async function cpuOf(pid: number): Promise<ProcessCpu | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name of the process, which comes before, may hold blanks.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (...places: number[]) =>
    (places.reduce((sum, place) => sum + (fields[place] ?? 0), 0) * 1_000) / ticksPerSecond;
  return { parent: fields[1] ?? 0, ownMs: ms(11, 12), endedMs: ms(13, 14) };
}
