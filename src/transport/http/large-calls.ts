// Calls whose bodies take long to read: of each tenant one at a time, and between two of them the process has as much time for others as
// the first one took.

import { AppError } from '../../platform/errors.js';
import { FairTurns } from '../../platform/fair-semaphore.js';

/** Of all tenants; one alone gets one of them. */
const maxAtOnce = 2;
/** Up to 3 MB each. */
const maxWaitingPerTenant = 4;
const maxRestMs = 10_000;
const retryAfterSeconds = 5;

export class LargeCalls {
  private readonly turns = new FairTurns(maxAtOnce);
  private readonly waiting = new Map<string, number>();

  /**
   * Waits for the tenant's turn. @returns what ends it; safe to repeat
   * @throws AppError UNAVAILABLE where 4 of the tenant's wait already
   */
  begin(tenantId: string): Promise<() => void> {
    const waiting = this.waiting.get(tenantId) ?? 0;
    if (waiting >= maxWaitingPerTenant) {
      const detail = 'Too many calls of more than 256 KiB are waiting: send it again, or send smaller ones';
      throw new AppError('UNAVAILABLE', detail, { retryAfterSeconds });
    }
    this.waiting.set(tenantId, waiting + 1);
    return new Promise((begun) => {
      void this.turns.run(tenantId, () => {
        this.leave(tenantId);
        return new Promise<void>((rested) => {
          const startedAtMs = performance.now();
          const end = () => void setTimeout(rested, Math.min(performance.now() - startedAtMs, maxRestMs));
          begun(end);
        });
      });
    });
  }

  private leave(tenantId: string): void {
    const left = (this.waiting.get(tenantId) ?? 1) - 1;
    if (left === 0) this.waiting.delete(tenantId);
    else this.waiting.set(tenantId, left);
  }
}
