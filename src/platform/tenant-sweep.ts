// Work that comes up for tenants again and again: one round at a time, and a tenant whose work fails holds up no other.

import type { Logger } from './logger.js';

export interface TenantSweepOptions {
  /** Names the sweep in the log. */
  what: string;
  intervalMs: number;
  /** The tenants that have work now. */
  listTenants: () => Promise<readonly { tenantId: string }[]>;
  /** Has to be safe to repeat, and to run in several processes at once. */
  work: (tenantId: string) => Promise<void>;
  log: Pick<Logger, 'warn'>;
}

export class TenantSweep {
  private timer: NodeJS.Timeout | undefined;
  private isUnderWay = false;

  constructor(private readonly options: TenantSweepOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.run(), this.options.intervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** One round; nothing while another is under way: a database that stands still is not asked by every round. Logs what fails. */
  async run(): Promise<void> {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    const { listTenants, work } = this.options;
    try {
      for (const { tenantId } of await listTenants())
        await work(tenantId).catch((error: unknown) => this.warn(error, tenantId));
    } catch (error) {
      this.warn(error);
    } finally {
      this.isUnderWay = false;
    }
  }

  private warn(error: unknown, tenantId?: string): void {
    const { log, what } = this.options;
    log.warn(
      { err: error, sweep: what, ...(tenantId !== undefined && { tenantId }) },
      'a sweep failed: the next round tries again',
    );
  }
}
