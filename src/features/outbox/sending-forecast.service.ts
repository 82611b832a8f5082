// Forecasts when the messages that wait, and a number of further ones, will have left: the tenant's pace. Every role may ask. It moves no
// message: rate-limited-claim.service.ts decides what leaves when.

import { z } from 'zod';
import type { Database, NamedStatement } from '../../platform/database/database.js';
import { parseInput } from '../../platform/input/input.js';
import { requireUser, type Principal } from '../../platform/principal.js';
import { isPaused } from './outbox.sql.js';
import { maxCountedPlace, slotInMs, type QueuePositionService } from './queue-position.service.js';

export const maxForecast = 1_000_000;

export interface SendingPace {
  /** Null: no limit. */
  max: number | null;
  durationMs: number | null;
  /** At most `maxCountedPlace`. */
  waiting: number;
  /** False if more messages wait than were counted. */
  isComplete: boolean;
  doneAt: Date | null;
}

interface PaceRow {
  max: number | null;
  durationMs: number | null;
  waiting: number;
  now: Date;
}

/**
 * $1 tenant, $2 the most to count → its limit, and the messages that wait in its queue. Scheduled messages are not in the queue yet, and
 * those of a paused instance do not stand before others.
 */
const selectPace: NamedStatement = {
  name: 'select-sending-forecast',
  text: `SELECT t.chat_rate_max AS max, t.chat_rate_duration_ms AS "durationMs", now() AS now,
      (SELECT count(*)::int FROM (
        SELECT FROM chat_instances i JOIN outbox_entries o ON o.tenant_id = $1 AND o.instance_id = i.id AND o.scheduled_at IS NULL
        WHERE i.tenant_id = $1 AND NOT ${isPaused} LIMIT $2::int
      ) queued) AS waiting
    FROM tenants t WHERE t.id = $1`,
};

const countSchema = z.int().min(0, 'must not be negative').max(maxForecast, `must be at most ${maxForecast}`);

export interface SendingPaceOptions {
  database: Pick<Database, 'query'>;
  queuePositions: Pick<QueuePositionService, 'readWindow'>;
}

export class SendingForecastService {
  constructor(private readonly options: SendingPaceOptions) {}

  /**
   * Returns the tenant's limit, and when the messages that wait and `count` further ones have left at the earliest: null without a limit,
   * or where there is none of them. A longer queue is counted up to `maxCountedPlace`, so that asking costs the same then.
   * @throws AppError VALIDATION_FAILED
   */
  async read(principal: Principal | undefined, count: unknown): Promise<SendingPace> {
    const { tenantId } = requireUser(principal);
    const further = parseInput(countSchema, count, 'count');
    const { database, queuePositions } = this.options;
    const [row] = await database.query<PaceRow>(selectPace, [tenantId, maxCountedPlace + 1]);
    if (row === undefined) throw new Error('a user has no tenant');
    const { max, durationMs, now } = row;
    const waiting = Math.min(row.waiting, maxCountedPlace);
    const pace = { max, durationMs, waiting, isComplete: row.waiting === waiting };
    const last = waiting + further - 1;
    if (max === null || durationMs === null || last < 0) return { ...pace, doneAt: null };
    const window = await queuePositions.readWindow(database, tenantId, durationMs);
    const inMs = slotInMs(last, { max, durationMs }, window);
    return { ...pace, doneAt: new Date(now.getTime() + inMs) };
  }
}
