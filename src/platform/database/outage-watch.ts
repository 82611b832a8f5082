// Tells the log that the database is away, once and every minute, and that it is back: everything else only meets it.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database.js';
import { within } from '../jobs/deadline.js';
import type { Logger } from '../observability/logger.js';

export interface OutageWatchOptions {
  database: Pick<Database, 'ping' | 'poolUse'>;
  log: Pick<Logger, 'warn'>;
  /** The time between two looks, in milliseconds. Default 5,000. */
  intervalMs?: number | undefined;
  /** The time between two lines of an outage, in milliseconds. Default 60,000. */
  reminderMs?: number | undefined;
}

const defaultIntervalMs = 5_000;
const defaultReminderMs = 60_000;
/** A connection that a request waits for comes in this time, or not at all. */
const answerLimitMs = 5_000;

const awaySentence =
  'PostgreSQL does not answer: callers get 503, and messages wait. Everything goes on by itself when it answers again';

export class OutageWatch {
  private readonly ended = new AbortController();
  private awaySinceMs: number | undefined;
  private toldAtMs = 0;

  constructor(private readonly options: OutageWatchOptions) {}

  start(): void {
    void this.watch();
  }

  /** Ends the looks. One that is under way holds nothing up, and tells nothing any more. */
  stop(): void {
    this.ended.abort();
  }

  private async watch(): Promise<void> {
    const { intervalMs = defaultIntervalMs } = this.options;
    const { signal } = this.ended;
    while (!signal.aborted) {
      await this.look();
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      await within(answerLimitMs, this.options.database.ping(), () => {
        throw new Error(`there was no answer within ${answerLimitMs} ms`);
      });
      if (!this.ended.signal.aborted) this.noteAnswer();
    } catch (error) {
      if (!this.ended.signal.aborted) this.noteFailure(error, askedAtMs);
    }
  }

  private noteFailure(err: unknown, askedAtMs: number): void {
    const { database, log, reminderMs = defaultReminderMs } = this.options;
    const isFirst = this.awaySinceMs === undefined;
    this.awaySinceMs ??= askedAtMs;
    if (!isFirst && performance.now() - this.toldAtMs < reminderMs) return;
    this.toldAtMs = performance.now();
    // The pool may be too small for what waits, and the database well.
    log.warn({ err, ...this.awayFor(), waiting: database.poolUse.waiting }, awaySentence);
  }

  private noteAnswer(): void {
    if (this.awaySinceMs === undefined) return;
    this.options.log.warn(this.awayFor(), 'PostgreSQL answers again');
    this.awaySinceMs = undefined;
  }

  private awayFor(): { awaySeconds: number } {
    return { awaySeconds: Math.round((performance.now() - (this.awaySinceMs ?? performance.now())) / 1_000) };
  }
}
