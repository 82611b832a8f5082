// The tests' own Redis: a `redis-server` process on a free loopback port that keeps nothing on disk. Tests that need it are reported as
// skipped on machines without the program.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';

/** Tells if `redis-server` can be started here: `const whenRedis = redisServerInstalled() ? describe : describe.skip`. */
export function redisServerInstalled(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A loopback port that is free at the moment of the call. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

// Below the ports that outgoing connections take; each process of a test run has sixty of its own.
const portsPerProcess = 60;
const firstPort = 10_000 + (process.pid % 330) * portsPerProcess;
let askedCount = 0;

/** A loopback port for a server that stops and starts again: no other process takes it meanwhile. At most sixty for each process. */
export async function steadyPort(): Promise<number> {
  while (askedCount < portsPerProcess) {
    const port = firstPort + askedCount;
    askedCount += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${firstPort} on is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  if (!(await isListening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A Redis at `port`. After a stop and a new start it is empty, as after a crash without persistence. */
export class RedisServer {
  readonly port: number;
  #process: ChildProcess | undefined;
  readonly #killWithUs = () => this.#process?.kill('SIGKILL');

  constructor(port: number) {
    this.port = port;
  }

  /** A running server on a free port. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Resolves once connections are accepted; rejects with the server's output when it ends before that. */
  async start(): Promise<void> {
    if (this.#process !== undefined) throw new Error('This Redis is running already');
    const options = { port: this.port, bind: '127.0.0.1', dir: tmpdir(), save: '', appendonly: 'no', daemonize: 'no' };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = child;
    process.once('exit', this.#killWithUs);
    await ready(child);
  }

  /** Ends the process at once, paused or not, dropping its connections. Safe to repeat. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    process.off('exit', this.#killWithUs);
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Freezes the process: its connections stay open, and nothing is answered until `resume`. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Runs one command on a connection of its own, as an operator would. */
  async command(...args: string[]): Promise<unknown> {
    const client = createClient({ url: this.url });
    await client.connect();
    try {
      return await client.sendCommand(args);
    } finally {
      client.destroy();
    }
  }
}

async function ready(child: ChildProcess): Promise<void> {
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server ended:\n${output.join('\n')}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      output.push(line);
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
}
