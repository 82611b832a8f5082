// A server under measurement: a process of its own, so that the load generator does not share its event loop. It reports its port as the
// product does: a line of JSON with `port` and `"msg":"listening"` on standard output.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const loader = new URL('../support/typescript-loader.ts', import.meta.url).href;
const startLimitMs = 30_000;
const stopLimitMs = 15_000;
const keptErrorLength = 4_000;

export interface ServerOptions {
  /** The folder in which it runs. Default: this repository. */
  folder?: string;
  /** The path relative to the folder; TypeScript is loaded as it is. */
  script: string;
  /** A command that runs the one given to it. Default: none. */
  wrapper?: readonly string[];
  nodeArguments?: readonly string[];
  /** The whole environment but PATH: nothing else is inherited. */
  environment: Record<string, string>;
  /** The signal that ends it. Default `SIGTERM`. */
  endsBy?: 'SIGTERM' | 'SIGKILL';
  /** Called with the process before it listens. */
  onSpawn?: (pid: number) => void;
  resources: AsyncDisposableStack;
  signal: AbortSignal;
}

/** Starts a server; `resources` ends it. @returns its address @throws Error when it does not listen; its output is then printed */
export async function startServer(options: ServerOptions): Promise<string> {
  return (await startProcess(options)).url;
}

/** Starts a server like `startServer`. @returns its address and its process id */
export async function startProcess(options: ServerOptions): Promise<{ url: string; pid: number }> {
  const { folder = repository, script, wrapper = [], nodeArguments = [], environment, endsBy, onSpawn } = options;
  const { resources, signal } = options;
  const loading = /\.(?:ts|mjs)$/.test(script) ? ['--disable-warning=ExperimentalWarning', '--import', loader] : [];
  const [command, ...given] = [...wrapper, process.execPath, ...loading, ...nodeArguments, script];
  const child = spawn(command, given, {
    cwd: folder,
    // No load balancer has to be told to ask elsewhere, so that the end needs no delay.
    env: { PATH: process.env['PATH'], SHUTDOWN_DELAY_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = keepEnd(child);
  let ending = false;
  child.once('exit', (code, exitSignal) => {
    if (!ending && !signal.aborted) process.stderr.write(`${script} ended (${exitSignal ?? code}):\n${output()}\n`);
  });
  const { pid = 0 } = child;
  if (pid !== 0) onSpawn?.(pid);
  resources.defer(async () => {
    ending = true;
    await stop(child, endsBy);
  });
  const port = await portOf(child, AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]));
  return { url: `http://127.0.0.1:${port}`, pid };
}

// The listeners also keep both pipes flowing, so that a server never waits for a reader.
function keepEnd(child: ChildProcess): () => string {
  let kept = '';
  const keep = (chunk: Buffer) => (kept = (kept + chunk.toString()).slice(-keptErrorLength));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => kept.trim();
}

async function portOf(child: ChildProcess, signal: AbortSignal): Promise<number> {
  if (child.stdout === null) throw new Error('the server has no standard output');
  const lines = createInterface({ input: child.stdout });
  const found = new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => {
      const port = listeningPort(line);
      if (port !== undefined) resolve(port);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('A server ended before it listened.')));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await found;
  } finally {
    lines.removeAllListeners('line');
  }
}

function listeningPort(line: string): number | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { msg?: unknown; port?: unknown };
  return entry.msg === 'listening' && typeof entry.port === 'number' ? entry.port : undefined;
}

async function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const cutOff = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(cutOff);
}
