// Stores what became of fetching a file: its content, why it cannot be had, or when to try again. Fetching belongs to media-fetcher.ts.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Transactor } from '../../platform/transaction.js';
import { endFetch, postponeFetch, storeFetchedFile } from './media.sql.js';
import type { ClaimedFile, FileOfMessage } from './media.sql.js';

/** `temporary`: it is fetched again, not sooner than `retryAfterSeconds`. Details are sentences for operators. */
export type FetchOutcome =
  | {
      outcome: 'stored';
      objectId: string;
      mimeType: string;
      fileName: string | null;
      size: number;
      sha256: Buffer;
    }
  | { outcome: 'expired' | 'failed' | 'tooLarge'; detail: string }
  | { outcome: 'temporary'; detail: string; retryAfterSeconds?: number | undefined };

const endStates = { expired: 'EXPIRED', failed: 'FAILED', tooLarge: 'TOO_LARGE' } as const;

const minuteMs = 60_000;
/** After the first attempt, the second, and so on. When they are used up, the file has failed. */
const retryDelaysMs = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs];
const maxRetryDelayMs = 6 * 60 * minuteMs;

export interface FetchResultOptions {
  database: Database;
  transactor: Transactor;
  metrics: Metrics;
}

export class FetchResultService {
  constructor(private readonly options: FetchResultOptions) {}

  /** Emits MESSAGE_UPDATED when a file is stored, or will not be. Safe to repeat. */
  async settle(tenantId: string, file: ClaimedFile, outcome: FetchOutcome): Promise<void> {
    this.options.metrics.mediaFetches.inc({ outcome: outcome.outcome });
    if (outcome.outcome === 'stored') {
      const { objectId, mimeType, fileName, size, sha256 } = outcome;
      return this.change(tenantId, storeFetchedFile, [tenantId, file.id, objectId, mimeType, fileName, size, sha256]);
    }
    if (outcome.outcome !== 'temporary')
      return this.change(tenantId, endFetch, [tenantId, file.id, endStates[outcome.outcome], outcome.detail]);
    const delayMs = retryDelaysMs[file.attempt - 1];
    if (delayMs === undefined)
      return this.change(tenantId, endFetch, [
        tenantId,
        file.id,
        'FAILED',
        `${outcome.detail} It was tried ${file.attempt} times.`,
      ]);
    const waitMs = Math.min(Math.max(delayMs, (outcome.retryAfterSeconds ?? 0) * 1_000), maxRetryDelayMs);
    await this.options.database.change(tenantId, postponeFetch, [tenantId, file.id, waitMs, outcome.detail]);
  }

  private async change(tenantId: string, statement: NamedStatement, values: readonly unknown[]): Promise<void> {
    await this.options.transactor.run(tenantId, async (tx) => {
      for (const message of await tx.query<FileOfMessage>(statement, values))
        tx.emit({ type: 'MESSAGE_UPDATED', ...message });
    });
  }
}
