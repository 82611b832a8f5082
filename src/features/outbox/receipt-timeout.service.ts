// The receipt timeout: marks messages that the gateway accepted and has not reported on since, so that an operator sees them. The next
// report removes the mark (status.service.ts).

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Transactor } from '../../platform/database/transaction.js';
import { snapshotColumns, type MessageAtChange } from '../messages/message.sql.js';
import { emitStatusChanged } from '../messages/status.service.js';

export interface ReceiptTimeoutOptions {
  database: Database;
  transactor: Transactor;
  log: Logger;
  /** The longest time that a message may be SENT without a report, in minutes; 0: for ever. */
  deadlineMinutes: number;
  /** The most messages that are looked at, and marked in one transaction, at a time. */
  chunkSize: number;
}

/** A place in the order of sending. */
interface Place {
  /** The time of sending, as PostgreSQL writes it. */
  sentAt: string;
  id: string;
}

interface SentMessage extends Place {
  tenantId: string;
  overdue: boolean;
}

// A message that was sent longer than this before the deadline is not marked.
const lookBackDays = 7;
const beforeAll: Place = { sentAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export class ReceiptTimeoutService {
  private stopping = false;
  /** All that was sent up to here has been looked at by this process. */
  private seen = beforeAll;

  constructor(private readonly options: ReceiptTimeoutOptions) {}

  /**
   * Marks messages that are SENT for longer than the deadline without DELIVERED, READ or FAILED: they stay SENT, with the error
   * NOT_ACKNOWLEDGED. Emits MESSAGE_STATUS_CHANGED once for each. By the database's clock. Goes on where the process's last run
   * ended, the first one up to a week back. Safe to repeat, and to run twice at once. A tenant that fails is logged and left to
   * the next run.
   * @returns how many
   */
  async markOverdue(): Promise<number> {
    const { deadlineMinutes, chunkSize } = this.options;
    let count = 0;
    let place: Place | undefined = deadlineMinutes === 0 ? undefined : this.seen;
    let hasFailed = false;
    while (place !== undefined && !this.stopping) {
      const chunk: SentMessage[] = await this.readAfter(place);
      const marked = await this.markChunk(chunk.filter(({ overdue }) => overdue));
      count += marked.count;
      hasFailed ||= marked.hasFailed;
      const last = chunk.at(-1);
      if (last !== undefined && !hasFailed) this.seen = last;
      place = chunk.length === chunkSize ? last : undefined;
    }
    return count;
  }

  /** A run that is under way ends with its chunk, and none begins any more. */
  stop(): void {
    this.stopping = true;
  }

  private readAfter({ sentAt, id }: Place): Promise<SentMessage[]> {
    const { database, deadlineMinutes, chunkSize } = this.options;
    const values = [deadlineMinutes, lookBackDays, sentAt, id, chunkSize];
    return database.query<SentMessage>(selectPastDeadline, values);
  }

  private async markChunk(overdue: readonly SentMessage[]): Promise<{ count: number; hasFailed: boolean }> {
    let count = 0;
    let hasFailed = false;
    for (const [tenantId, messages] of Map.groupBy(overdue, (message) => message.tenantId)) {
      const ids = messages.map(({ id }) => id);
      const marked = await this.markOf(tenantId, ids);
      count += marked ?? 0;
      hasFailed ||= marked === undefined;
    }
    return { count, hasFailed };
  }

  /** @returns undefined when it failed */
  private async markOf(tenantId: string, messageIds: string[]): Promise<number | undefined> {
    const values = [tenantId, messageIds, 'NOT_ACKNOWLEDGED', detailOf(this.options.deadlineMinutes)];
    try {
      return await this.options.transactor.run(tenantId, async (tx) => {
        const marked = await tx.query<MessageAtChange>(markOverdue, values);
        for (const snapshot of marked) emitStatusChanged(tx, snapshot);
        return marked.length;
      });
    } catch (error) {
      this.options.log.error({ err: error, tenantId }, 'messages without a report could not be marked; retrying');
      return undefined;
    }
  }
}

function detailOf(deadlineMinutes: number): string {
  const time = deadlineMinutes === 1 ? 'a minute' : `${deadlineMinutes} minutes`;
  return `The gateway accepted it, and has not said within ${time} that it was delivered. Check that the chat instance works, and look at the chat`;
}

/**
 * $1 deadline in minutes, $2 days, $3 and $4 the last send that was looked at (a time and an id; -infinity and the lowest at first), $5
 * limit → what was sent since, the longest ago first, up to the deadline: `overdue` where no report came. Messages that were written on the
 * phone have no author. Messages that were sent days before the deadline are left: a new deadline does not look back further.
 */
export const selectPastDeadline: NamedStatement = {
  name: 'select-messages-past-deadline',
  text: `SELECT tenant_id AS "tenantId", id, sent_at::text AS "sentAt", status = 'SENT' AND error_code IS NULL AS overdue FROM messages
    WHERE author_id IS NOT NULL
      AND sent_at < now() - make_interval(mins => $1::int)
      AND sent_at > now() - make_interval(mins => $1::int, days => $2::int)
      AND sent_at >= $3::timestamptz AND (sent_at, id) > ($3::timestamptz, $4::uuid)
    ORDER BY sent_at, id LIMIT $5`,
};

/** $1 tenant, $2 messages, $3 code, $4 detail → those that still have no report. */
export const markOverdue: NamedStatement = {
  name: 'mark-overdue-messages',
  text: `WITH target AS (
      SELECT id FROM messages WHERE tenant_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE messages m SET error_code = $3, error_message = $4 FROM target t
    WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY($2::uuid[]) AND m.status = 'SENT' AND m.error_code IS NULL
    RETURNING ${snapshotColumns}`,
};
