// Notices that another server has become primary. Without synchronous replication it may lack what the former primary acknowledged last,
// and nothing in the database says so.

import pg from 'pg';
import type { Database, NamedStatement } from './database.js';
import type { Logger } from '../observability/logger.js';

export interface PromotionWatchOptions {
  database: Pick<Database, 'query'>;
  log: Pick<Logger, 'warn'>;
}

/** No failover takes less. */
const lookIntervalMs = 1_000;

/** The timeline rises with each promotion. It stands first in the names of the files of PostgreSQL's log. */
const readTimeline: NamedStatement = {
  name: 'read-timeline',
  text: 'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
};

export class PromotionWatch {
  private timeline: string | undefined;
  private promotedAtMs: number | undefined;
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;

  constructor(private readonly options: PromotionWatchOptions) {}

  /**
   * Returns when another server became primary, by this process's clock: the last time that this process noticed. Undefined where it
   * noticed none. Call it every few seconds, so that the timeline of the former primary is known.
   * @throws AppError UNAVAILABLE while the database is away
   */
  async findPromotion(): Promise<number | undefined> {
    // Sends that begin together share one look.
    if (performance.now() - this.lookedAtMs >= lookIntervalMs)
      await (this.looking ??= this.look().finally(() => (this.looking = undefined)));
    return this.promotedAtMs;
  }

  private async look(): Promise<void> {
    const nowMs = performance.now();
    const timeline = await this.readTimeline();
    if (this.timeline !== undefined && timeline !== undefined && timeline !== this.timeline) {
      this.promotedAtMs = Date.now();
      this.options.log.warn({ timeline }, 'another PostgreSQL server is primary: it may lack what was written last');
    }
    this.timeline = timeline ?? this.timeline;
    this.lookedAtMs = nowMs;
  }

  // Some services that speak PostgreSQL's protocol have no such log.
  private async readTimeline(): Promise<string | undefined> {
    try {
      const [row] = await this.options.database.query<{ timeline: string }>(readTimeline);
      return row?.timeline;
    } catch (error) {
      if (isNotOffered(error)) return undefined;
      throw error;
    }
  }
}

const notOffered = new Set(['0A000', '42501', '42883', '55000']);

function isNotOffered(error: unknown): boolean {
  return error instanceof pg.DatabaseError && notOffered.has(error.code ?? '');
}
