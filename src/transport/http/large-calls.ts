// Calls with large bodies. Those of a tenant run one at a time, each followed by as much rest as it took.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'express';
import { AppError } from '../../platform/errors.js';
import { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { Tally } from '../../platform/jobs/tally.js';

/** The most large calls of all tenants at once; a single tenant gets one of the places. */
const maxAtOnce = 2;
/** The calls have up to 3 MB each. */
const maxWaitingPerTenant = 4;
const maxRestMs = 10_000;
/** A large body itself takes less. Longer waits, for the database or for a caller that reads slowly, keep no place from others. */
const maxTurnMs = 10_000;
/** A caller who waited for longer would give up, and has made the process hold the body meanwhile. */
const maxWaitMs = 30_000;
const retryAfterSeconds = 5;

export class LargeCalls {
  private readonly semaphore = new FairSemaphore(maxAtOnce);
  private readonly waiting = new Tally();

  /** @param turnMs the longest time of a turn @param waitMs the longest time until it comes */
  constructor(
    private readonly turnMs = maxTurnMs,
    private readonly waitMs = maxWaitMs,
  ) {}

  /** @returns UNAVAILABLE where 4 calls of the tenant wait already */
  findRefusal(tenantId: string): AppError | undefined {
    if (this.waiting.of(tenantId) < maxWaitingPerTenant) return undefined;
    return refusalOf('Too many large calls of this tenant are waiting: send it again, or send smaller ones');
  }

  /**
   * Waits for the tenant's turn, which ends when the response closes, and after 10 s at the latest.
   * @throws AppError UNAVAILABLE where 4 calls of the tenant wait already, and where the turn does not come within 30 s
   */
  async take(tenantId: string, res: Response): Promise<void> {
    const refusal = this.findRefusal(tenantId);
    if (refusal !== undefined) throw refusal;
    this.waiting.add(tenantId, 1);
    await new Promise<void>((start, refuse) => {
      let hasGivenUp = false;
      const givesUp = setTimeout(() => {
        hasGivenUp = true;
        refuse(refusalOf('Too many large calls are waiting: send it again, or send smaller ones'));
      }, this.waitMs).unref();
      void this.semaphore.run(tenantId, async () => {
        clearTimeout(givesUp);
        this.waiting.add(tenantId, -1);
        if (hasGivenUp) return;
        const startedAtMs = performance.now();
        const signal = AbortSignal.timeout(this.turnMs);
        const closed = res.closed ? undefined : once(res, 'close', { signal }).catch(() => undefined);
        start();
        await closed;
        await delay(Math.min(performance.now() - startedAtMs, maxRestMs));
      });
    });
  }
}

function refusalOf(detail: string): AppError {
  return new AppError('UNAVAILABLE', detail, { retryAfterSeconds });
}
