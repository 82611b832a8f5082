// The cost of idle sockets: the server's memory with thousands of them, signed in, and with a subscription each.

import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { openAudience, openGraphqlSocket, subscribe } from './audience.js';
import { machineTimeMs } from './machine-clock.js';
import { startProduct } from './product.js';
import { percentile, type Bench, type BenchContext, type Comparison, type SideResult } from './side-by-side.js';

const socketCount = 5_000;
const restMs = 5_000;

export const idleSocketsBench: Bench = { name: 'idle-sockets', run: runIdleSockets };

async function runIdleSockets(context: BenchContext): Promise<Comparison[]> {
  const before = await childrenOf(process.pid);
  const environment = { SOCKETS_PER_USER: '100000' };
  const product = await startProduct(context, { environment });
  const [pid] = (await childrenOf(process.pid)).filter((child) => !before.includes(child));
  if (pid === undefined) throw new Error('The server was not found among the processes.');
  const opened: number[] = [];
  const open = async () => {
    const startedAt = machineTimeMs();
    const socket = await openGraphqlSocket(product.url, product.tenant.token);
    opened.push(machineTimeMs() - startedAt);
    return socket;
  };
  // The first sockets bring one-time costs, which belong to none of the others.
  const first = await openAudience(200, open);
  await delay(restMs);
  const emptyKib = await residentKib(pid);
  const startedAt = machineTimeMs();
  const sockets = await openAudience(socketCount, open);
  const perSecond = (socketCount / (machineTimeMs() - startedAt)) * 1_000;
  context.resources.defer(() => {
    for (const socket of [...first, ...sockets]) socket.close();
  });
  await delay(restMs);
  const openKib = ((await residentKib(pid)) - emptyKib) / socketCount;
  context.progress(`${openKib.toFixed(1)} KiB for a socket`);
  for (const socket of sockets) subscribe(socket, 'subscription { messageReceived { id body lead { id name } } }');
  await delay(restMs);
  const subscribedKib = ((await residentKib(pid)) - emptyKib) / socketCount;
  context.progress(`${subscribedKib.toFixed(1)} KiB with a subscription`);
  const sorted = Float64Array.from(opened).sort();
  const times = { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), ratio: undefined };
  const sides: SideResult[] = [{ name: 'opening and signing in', ...times }];
  const notes = [
    `The server's resident memory grew by ${openKib.toFixed(1)} KiB for each socket that was signed in, and by ` +
      `${subscribedKib.toFixed(1)} KiB in all once each had a subscription, ${restMs / 1_000} s later, kernel buffers not counted.`,
  ];
  return [{ title: `${socketCount} idle sockets of one process`, sides, notes }];
}

async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // After the command's name, which may hold anything: state, parent.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) children.push(Number(entry));
  }
  return children;
}

async function residentKib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}
