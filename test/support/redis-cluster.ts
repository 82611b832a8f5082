// The tests' own Redis Cluster: three primaries, each with a replica that takes over within a second or two. It needs redis-server and
// redis-cli on the machine.

import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const nodeCount = 6;
/** Stays below the ports of outgoing connections and clear of other tests; a node's bus has the port 10,000 above. */
const firstPort = 6_400 + (process.pid % 300) * nodeCount;
const nodeTimeoutMs = 1_000;

export function redisClusterInstalled(): boolean {
  return ['redis-server', 'redis-cli'].every(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  );
}

export class RedisCluster {
  private constructor(
    private readonly nodes: Map<number, ChildProcess>,
    private readonly folder: string,
  ) {}

  static async start(): Promise<RedisCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'leadwire-cluster-'));
    const nodes = new Map<number, ChildProcess>();
    const cluster = new RedisCluster(nodes, folder);
    for (let port = firstPort; port < firstPort + nodeCount; port += 1) nodes.set(port, startNode(port, folder));
    for (const port of nodes.keys()) await until(async () => (await ask(port, 'PING')) === 'PONG');
    const addresses = [...nodes.keys()].map((port) => `127.0.0.1:${port}`);
    await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes']);
    for (const port of nodes.keys())
      await until(async () => (await ask(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
    // A primary whose replica has not synchronised has no successor.
    for (const port of nodes.keys())
      await until(async () => /connected_slaves:1|master_link_status:up/.test(await ask(port, 'INFO', 'replication')));
    return cluster;
  }

  get url(): string {
    return [...this.nodes.keys()].map((port) => `redis://127.0.0.1:${port}`).join(',');
  }

  /** Kills the primary that has this key. */
  async killPrimaryOf(key: string): Promise<void> {
    const [port] = this.nodes.keys();
    const slot = Number(await ask(port ?? 0, 'CLUSTER', 'KEYSLOT', key));
    const lines = (await ask(port ?? 0, 'CLUSTER', 'NODES')).split('\n');
    const holder = lines.find((line) => slotsOf(line).some(([from, to]) => from <= slot && slot <= to));
    const held = Number(/:(\d+)@/.exec(holder ?? '')?.[1]);
    const child = this.nodes.get(held);
    if (child === undefined) throw new Error('nobody has the slot');
    this.nodes.delete(held);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    for (const child of this.nodes.values()) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

function startNode(port: number, folder: string): ChildProcess {
  const options = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': nodeTimeoutMs,
    'repl-diskless-sync-delay': 0,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  return child;
}

async function ask(port: number, ...command: string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...command]).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

function slotsOf(line: string): [number, number][] {
  return line
    .split(' ')
    .slice(8)
    .flatMap((part): [number, number][] => {
      const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
      return from === undefined ? [] : [[Number(from), Number(to)]];
    });
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isDone()); await delay(50))
    if (Date.now() > deadline) throw new Error('the cluster did not come up');
}
