// Runs `npm run dev` as a process on a database of the tests: the documents' examples talk to this server.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { steadyPort } from '../support/redis-server.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { runEnvironment } from '../support/run-environment.js';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

export class DevelopmentServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly database: TestDatabase,
    private readonly dataDir: string,
  ) {}

  /** Resolves when the server prints its greeting. */
  static async start(): Promise<DevelopmentServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'leadwire-documents-'));
    const server = new DevelopmentServer(await steadyPort(), await createTestDatabase(), dataDir);
    await server.startProcess();
    return server;
  }

  get url(): string {
    return `http://localhost:${this.port}`;
  }

  /** Kills the process like a crash, and starts it again on the same port and data. */
  async restart(): Promise<void> {
    await this.endProcess('SIGKILL');
    await this.startProcess();
  }

  async stop(): Promise<void> {
    await this.endProcess('SIGTERM');
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async startProcess(): Promise<void> {
    const env = {
      ...runEnvironment,
      PORT: String(this.port),
      DATABASE_URL: this.database.url,
      DATA_DIR: this.dataDir,
      // All guides in a row make more calls within a minute than a reader does.
      THROTTLE_LIMIT: '1000',
      // No customer of the simulator writes between two examples.
      SIMULATOR_CUSTOMERS: '0',
    };
    const child = spawn(process.execPath, ['dist/dev/dev.js'], {
      cwd: repository,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => output.push(line));
    }
    const greeted = new Promise<void>((resolve) => {
      child.stdout.on('data', () => output.some((line) => line.startsWith('Leadwire is ready')) && resolve());
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the server ended before it was ready:\n${output.join('\n')}`);
    });
    await Promise.race([greeted, ended]);
    ended.catch(() => undefined);
  }

  private async endProcess(signal: NodeJS.Signals): Promise<void> {
    if (this.child === undefined || this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}
