// Brings the words of messages into the table that a search reads, behind the writers of messages. A tenant's progress advances with its
// words in one transaction, so a worker that is killed leaves nothing out.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database, SqlRunner } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { takeTurn, TenantSweep } from '../../platform/jobs/tenant-sweep.js';
import { repeatOnConflict } from '../../platform/database/transaction.js';
import {
  advanceProgress,
  beginProgress,
  earlierPerBatch,
  forgetProgress,
  lockProgress,
  selectAgeBehind,
  selectEarlierMessages,
  selectEventBatch,
  selectTenantsBehind,
  writeWords,
  type EventBatch,
  type Progress,
} from './word-index.sql.js';

export interface WordIndexOptions {
  database: Pick<Database, 'query' | 'transaction'>;
  log: Pick<Logger, 'warn'>;
}

const intervalMs = 5_000;
/** After each batch the worker rests this many times as long as PostgreSQL took: callers have nearly all of it. */
const restFactor = 19;
const longestRestMs = 2_000;

export class WordIndexService {
  /** Every worker may run it: one at a time works on a tenant. */
  readonly sweep: TenantSweep;
  /** The age of the oldest event that was not brought in at the last look, in seconds. */
  behindSeconds = 0;
  private readonly stopped = new AbortController();

  constructor(private readonly options: WordIndexOptions) {
    this.sweep = new TenantSweep({
      what: 'words of messages',
      intervalMs,
      listTenants: () => options.database.query<{ tenantId: string }>(selectTenantsBehind),
      work: (tenantId) => takeTurn(() => this.indexNextAndRest(tenantId)),
      log: options.log,
    });
  }

  /** Brings in the words of all messages that were stored before the call. Workers do so by `sweep`, with rests. Safe to repeat. */
  async catchUp(tenantId: string): Promise<void> {
    while (await this.indexNext(tenantId));
  }

  /** Reads how far the words are behind the event logs. */
  async look(): Promise<void> {
    const [age] = await this.options.database.query<{ seconds: number }>(selectAgeBehind);
    this.behindSeconds = age?.seconds ?? 0;
  }

  /** Has all messages of a tenant read again, after some were written without events. */
  async forget(sql: SqlRunner, tenantId: string): Promise<void> {
    await sql.query(forgetProgress, [tenantId]);
  }

  /** Ends the sweep after the batch that it is at. */
  stop(): void {
    this.stopped.abort();
    this.sweep.stop();
  }

  private async indexNextAndRest(tenantId: string): Promise<boolean> {
    const { signal } = this.stopped;
    if (signal.aborted) return false;
    const startedMs = performance.now();
    const isMore = await this.indexNext(tenantId);
    const restMs = Math.min((performance.now() - startedMs) * restFactor, longestRestMs);
    if (isMore) await delay(restMs, undefined, { signal }).catch(() => undefined);
    return isMore;
  }

  /** Brings in one batch of words. @returns false once nothing is left, or while another worker is at it */
  private indexNext(tenantId: string): Promise<boolean> {
    const { database } = this.options;
    return repeatOnConflict(() =>
      database.transaction(
        async (sql) => {
          const [progress] = await sql.query<Progress>(lockProgress, [tenantId]);
          return progress === undefined ? begin(sql, tenantId) : advance(sql, tenantId, progress);
        },
        { tenantId },
      ),
    );
  }
}

async function begin(sql: SqlRunner, tenantId: string): Promise<boolean> {
  const begun = await sql.query(beginProgress, [tenantId]);
  return begun.length > 0;
}

/** Goes on with the events after the progress. Once it is at the newest, earlier messages follow: a busy tenant always has a new event. */
async function advance(sql: SqlRunner, tenantId: string, { lastSeq, earlierThan }: Progress): Promise<boolean> {
  const [batch] = await sql.query<EventBatch>(selectEventBatch, [tenantId, lastSeq]);
  if (batch === undefined) throw new Error('the statement gives one row');
  if (isTorn(batch, lastSeq)) {
    // The log was pruned before its words were read, or is that of a restored database: every message is read again.
    await sql.query(forgetProgress, [tenantId]);
    return true;
  }
  if (batch.lastSeq !== null) {
    await sql.query(writeWords, [tenantId, batch.messageIds]);
    await sql.query(advanceProgress, [tenantId, batch.lastSeq, earlierThan]);
    if (batch.lastSeq !== batch.headSeq) return true;
  }
  return earlierThan !== null && indexEarlier(sql, tenantId, { lastSeq: batch.lastSeq ?? lastSeq, earlierThan });
}

async function indexEarlier(
  sql: SqlRunner,
  tenantId: string,
  { lastSeq, earlierThan }: { lastSeq: string; earlierThan: string },
): Promise<boolean> {
  const messages = await sql.query<{ id: string }>(selectEarlierMessages, [tenantId, earlierThan]);
  const ids = messages.map(({ id }) => id);
  await sql.query(writeWords, [tenantId, ids]);
  const isLast = ids.length < earlierPerBatch;
  await sql.query(advanceProgress, [tenantId, lastSeq, isLast ? null : ids.at(-1)]);
  return !isLast;
}

/** Returns whether events after the progress are missing, or the log ends before it. */
function isTorn({ headSeq, firstSeq }: EventBatch, lastSeq: string): boolean {
  const [head, last] = [BigInt(headSeq), BigInt(lastSeq)];
  if (head === last) return false;
  return head < last || firstSeq === null || BigInt(firstSeq) !== last + 1n;
}
