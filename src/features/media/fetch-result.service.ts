// Stores the result of fetching a file: its content, the reason why there is none, or the time of the next attempt. media-fetcher.ts
// fetches.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { Transactor } from '../../platform/database/transaction.js';
import { deleteObjectSoon } from './media-objects.sql.js';
import {
  endFetch,
  postponeFetch,
  storeFetchedFile,
  type ClaimedFile,
  type FileOfMessage,
} from './media-fetcher.sql.js';

/**
 * The result of fetching a file. `temporary` is retried, not sooner than `retryAfterSeconds`. If all answers say that the gateway does not
 * know the message, it is retried for 15 minutes at most. Details are sentences for operators.
 */
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
  | { outcome: 'temporary'; detail: string; retryAfterSeconds?: number | undefined; isUnknown?: boolean | undefined };

const endStates = { expired: 'EXPIRED', failed: 'FAILED', tooLarge: 'TOO_LARGE' } as const;

const minuteMs = 60_000;
/** The delays after the first attempt, the second, and so on. After the last one, the file has failed. */
const retryDelaysMs = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs];
/** The delays for a message that the gateway does not know, 15 minutes together. A gateway that stores it late has done so by then. */
const unknownRetryDelaysMs = [10_000, minuteMs, 5 * minuteMs, 15 * minuteMs - 370_000];
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
      const values = [tenantId, file.id, objectId, mimeType, fileName, size, sha256];
      const isKept = await this.change(tenantId, storeFetchedFile, values);
      // The message was erased in the meantime, or another worker was first.
      if (!isKept) await this.options.database.change(tenantId, deleteObjectSoon, [tenantId, objectId]);
      return;
    }
    const { detail } = outcome;
    if (outcome.outcome !== 'temporary') return this.end(tenantId, file, endStates[outcome.outcome], detail);
    // After other faults, a first answer that the message is unknown ends nothing: the gateway may only just have come back.
    const isStillUnknown = outcome.isUnknown === true && file.lastError === detail;
    const delays = isStillUnknown ? unknownRetryDelaysMs : retryDelaysMs;
    const delayMs = delays[file.attempt - 1];
    if (delayMs === undefined)
      return this.end(tenantId, file, 'FAILED', `${detail} It was tried ${file.attempt} times.`);
    const waitMs = Math.min(Math.max(delayMs, (outcome.retryAfterSeconds ?? 0) * 1_000), maxRetryDelayMs);
    await this.options.database.change(tenantId, postponeFetch, [tenantId, file.id, waitMs, detail]);
  }

  private async end(tenantId: string, file: ClaimedFile, state: string, detail: string): Promise<void> {
    await this.change(tenantId, endFetch, [tenantId, file.id, state, detail]);
  }

  /** @returns true if the file was there, and still waited for a result */
  private async change(tenantId: string, statement: NamedStatement, values: readonly unknown[]): Promise<boolean> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const messages = await tx.query<FileOfMessage>(statement, values);
      for (const message of messages) tx.emit({ type: 'MESSAGE_UPDATED', ...message });
      return messages.length > 0;
    });
  }
}
