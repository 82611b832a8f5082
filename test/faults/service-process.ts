// The built service as a process of its own, for tests that kill it.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dataFolderOf, jwtSecret, type TestEnvironment } from '../support/test-app.js';
import type { TestDatabase } from '../support/test-database.js';
import { keepLogLine, noteSecretsOf } from '../support/test-log.js';
import { runEnvironment } from '../support/run-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The output of `npm run build`. */
const builtService = 'dist/main.js';
/** Variables for processes that are started by the dozen: compiled code outlives the process that compiled it. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'leadwire-compile-cache') };

interface LogLine {
  level?: number | string;
  msg?: string;
  port?: number;
  err?: { message?: string; stack?: string };
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class ServiceProcess {
  private readonly lines: LogLine[] = [];
  private readonly output: string[] = [];
  private wake: () => void = () => undefined;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessEnd>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit').then(([code, signal]) => {
      this.wake();
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => this.read(line));
    }
  }

  /** Starts on this database and resolves when it listens. */
  static start(database: TestDatabase, environment: TestEnvironment = {}): Promise<ServiceProcess> {
    return ServiceProcess.run([process.execPath, builtService], database, environment);
  }

  /** Starts the service by `npm start`: signals go to npm. */
  static startByNpm(database: TestDatabase, environment: TestEnvironment = {}): Promise<ServiceProcess> {
    const home = { HOME: process.env['HOME'] };
    return ServiceProcess.run(['npm', 'start', '--silent'], database, { ...home, ...environment });
  }

  static startBy(
    command: string[],
    database: TestDatabase,
    environment: TestEnvironment = {},
  ): Promise<ServiceProcess> {
    return ServiceProcess.run(command, database, environment);
  }

  private static async run(
    command: string[],
    database: TestDatabase,
    environment: TestEnvironment,
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(command, database, { DATA_DIR: dataFolderOf(database), ...environment });
    await service.untilLogged('listening');
    return service;
  }

  /** Starts on this database, and does not wait until the service listens. */
  static begin(database: Pick<TestDatabase, 'url'>, environment: TestEnvironment = {}): ServiceProcess {
    return ServiceProcess.spawn([process.execPath, builtService], database, environment);
  }

  private static spawn(
    [file = '', ...args]: string[],
    database: Pick<TestDatabase, 'url'>,
    environment: TestEnvironment,
  ): ServiceProcess {
    const env = {
      ...compileCache,
      ...runEnvironment,
      NODE_ENV: 'test',
      PORT: '0',
      DATABASE_URL: database.url,
      JWT_SECRET: jwtSecret,
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      THROTTLE_LIMIT: '1000000',
      LOG_LEVEL: 'info',
      ...environment,
    };
    noteSecretsOf(env);
    const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ServiceProcess(child);
  }

  get port(): number {
    return this.lines.find((line) => line.msg === 'listening')?.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The process's output, for the message of a failed test. */
  get log(): string {
    return this.output.join('\n');
  }

  /** The process's output past its logger: the stack of a crash. */
  get crash(): string {
    return this.complaintsSince(0).crash;
  }

  /** The errors that the process logged: faults of the service, which no test provokes knowingly. */
  get faults(): string[] {
    return this.complaintsSince(0).faults;
  }

  /** The number of lines that the process has written. */
  get lineCount(): number {
    return this.output.length;
  }

  /** The `faults` and `crash` in the output after the first `lineCount` lines. */
  complaintsSince(lineCount: number): { faults: string[]; crash: string } {
    const output = this.output.slice(lineCount);
    const errors = output.map(parseLine).filter((line) => line?.level === 50 || line?.level === 'error');
    const faults = errors.map((line) => `${line?.msg}: ${line?.err?.stack ?? line?.err?.message}`);
    return { faults, crash: output.filter((line) => !line.startsWith('{')).join('\n') };
  }

  /** Resolves once the process has logged this sentence. */
  async untilLogged(sentence: string): Promise<void> {
    while (!this.lines.some((line) => line.msg === sentence)) {
      if (!this.isRunning) throw new Error(`the process ended before it said "${sentence}":\n${this.log}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }

  /** Stops the process for this time, as an overloaded machine does: time goes on, and its sockets stay open. */
  async stall(durationMs: number): Promise<void> {
    this.child.kill('SIGSTOP');
    await delay(durationMs);
    this.child.kill('SIGCONT');
  }

  private read(line: string): void {
    this.output.push(line);
    keepLogLine(line);
    const parsed = parseLine(line);
    if (parsed !== undefined) this.lines.push(parsed);
    this.wake();
  }
}

/** Parses a line of the logger; undefined for other output, such as the plain text of a crash. */
function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
