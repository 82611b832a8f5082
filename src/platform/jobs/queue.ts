// pg-boss: jobs in PostgreSQL, enqueued inside the caller's transaction. Their names, payloads and handlers stand in the modules'
// *.jobs.ts.

import { types } from 'node:util';
import { PgBoss, type QueueResult } from 'pg-boss';
import type { Logger } from '../observability/logger.js';
import { defaultSilenceLimitMs, type SqlRunner } from '../database/database-server.js';

/** A queue of jobs: its name is the type of its payload. */
export interface JobQueue<Payload extends object> {
  readonly name: string;
  /** The time limit of a handler before the job is handed out again, in seconds. */
  readonly expireInSeconds: number;
  readonly retryLimit: number;
  /** At most one job, waiting or under way, in all processes: a further one is dropped. Fixed once the queue exists. */
  readonly exclusive?: boolean;
  /** The wait of a job before it is handed out, in seconds. */
  readonly delaySeconds?: number;
  /**
   * The times of jobs that come by themselves, as a cron expression in UTC. Of the jobs missed while no process worked, one is made up for.
   */
  readonly cron?: string;
  /** The time without a success after which such a job counts as overdue, in seconds. Default 900; at least three times its interval. */
  readonly overdueSeconds?: number;
  /** Phantom: fixes the payload's type. */
  readonly payload?: Payload;
}

export interface QueueOptions {
  url: string;
  /** True if this process works on jobs: it then also looks after the queues (expiry, deletion). */
  works: boolean;
  log: Logger;
  meter?: JobMeter;
  /** The time that a statement of the queue may be without an answer before its connection is given up, in milliseconds. Default 40,000. */
  silenceLimitMs?: number;
}

/** Counts the outcomes of jobs. */
export interface JobMeter {
  /** Tells that this process works on a task that comes by itself, and after how many seconds without a success it is overdue. */
  expect: (task: string, overdueSeconds: number) => void;
  ran: (task: string, outcome: 'succeeded' | 'failed') => void;
  /** Tells that a task that comes by itself was done. */
  succeeded: (task: string, seconds: number) => void;
}

const defaultOverdueSeconds = 900;
const poolSize = 4;
const stopTimeoutMs = 10_000;
/** pg-boss looks every 5 s for jobs that wait for others. No job does, and the look costs more than all other idle work. */
const flowIntervalSeconds = 3_600;

export class Queue {
  private readonly boss: PgBoss;
  private readonly workedOn = new Set<string>();

  constructor(private readonly options: QueueOptions) {
    // pg-boss hands on options that pg knows and its own types do not.
    const connections = {
      connectionString: options.url,
      application_name: 'leadwire-queue',
      max: poolSize,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      // PostgreSQL may lose the fact that a job was taken, or is done: the job comes again, and handlers are safe to repeat. The job itself
      // commits with its sender's transaction.
      options: '-c synchronous_commit=off',
      query_timeout: options.silenceLimitMs ?? defaultSilenceLimitMs,
    };
    this.boss = new PgBoss({
      ...connections,
      supervise: options.works,
      schedule: options.works,
      useListenNotify: options.works,
      flowIntervalSeconds,
    });
    // Without a listener a lost connection would end the process; pg-boss goes on by itself.
    this.boss.on('error', (error) => options.log.warn({ err: asError(error) }, 'the job queue met an error'));
    this.boss.on('warning', (warning) => options.log.warn({ warning }, 'the job queue warns'));
  }

  /** Creates the queues' tables and the given queues where they are missing. Safe to repeat. */
  async start(queues: readonly JobQueue<object>[]): Promise<void> {
    await this.boss.start();
    const known = new Map((await this.boss.getQueues()).map((queue) => [queue.name, queue]));
    for (const queue of queues) {
      const { name, expireInSeconds, retryLimit, exclusive = false, cron } = queue;
      const options = { expireInSeconds, retryLimit, notify: true, deleteAfterSeconds: 3_600 };
      const existing = known.get(name);
      if (existing === undefined)
        await this.boss.createQueue(name, { ...options, policy: exclusive ? 'exclusive' : 'standard' });
      else if (!hasOptions(existing, options)) await this.boss.updateQueue(name, options);
      if (cron !== undefined) await this.boss.schedule(name, cron, {}, { missed: 'once' });
    }
  }

  /** Leaves further jobs to other processes; running handlers go on, and jobs can still be sent. Safe to repeat. */
  async leaveJobs(): Promise<void> {
    await Promise.all([...this.workedOn].map((name) => this.boss.offWork(name, { wait: false })));
  }

  /** Waits for running handlers, at most 10 s. */
  async stop(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: stopTimeoutMs, close: true });
  }

  /** Enqueues a job within the caller's transaction: the job exists exactly when the transaction commits. */
  async send<Payload extends object>(tx: SqlRunner, queue: JobQueue<Payload>, payload: Payload): Promise<void> {
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: await tx.query<object>(text, values) }),
    };
    const { delaySeconds: startAfter } = queue;
    await this.boss.send(queue.name, payload, startAfter === undefined ? { db } : { db, startAfter });
  }

  /** Hands batches of jobs to `handle`, at once when one is enqueued. A handler that throws has its batch retried. */
  async work<Payload extends object>(
    queue: JobQueue<Payload>,
    handle: (payloads: Payload[]) => Promise<void>,
  ): Promise<void> {
    const options = {
      batchSize: 500,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 5,
    };
    if (queue.cron !== undefined) this.options.meter?.expect(queue.name, queue.overdueSeconds ?? defaultOverdueSeconds);
    this.workedOn.add(queue.name);
    await this.boss.work<Payload>(queue.name, options, (jobs) =>
      this.run(queue, () => handle(jobs.map((job) => job.data))),
    );
  }

  private async run({ name, cron }: JobQueue<object>, work: () => Promise<void>): Promise<void> {
    const { meter } = this.options;
    const startedAtMs = performance.now();
    try {
      await work();
    } catch (error) {
      meter?.ran(name, 'failed');
      throw error;
    }
    meter?.ran(name, 'succeeded');
    if (cron !== undefined) meter?.succeeded(name, (performance.now() - startedAtMs) / 1_000);
  }
}

function hasOptions(queue: QueueResult, options: Partial<QueueResult>): boolean {
  return Object.entries(options).every(([name, value]) => queue[name as keyof QueueResult] === value);
}

/** pg-boss reports some errors as plain records of what they were, which no rule of the log recognises. */
function asError(reported: Error | { message: string; code?: string; stack?: string }): Error {
  if (types.isNativeError(reported)) return reported;
  const { message, code, stack } = reported;
  return Object.assign(new Error(message), code === undefined ? {} : { code }, stack === undefined ? {} : { stack });
}
