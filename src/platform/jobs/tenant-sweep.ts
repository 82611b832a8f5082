// Work that comes up for tenants again and again: one round at a time, and a tenant whose work fails holds up no other.

import type { Logger } from '../observability/logger.js';

export interface TenantRoundOptions {
  /** Names the sweep in the log. */
  what: string;
  /** The tenants that have work now. */
  listTenants: () => Promise<readonly { tenantId: string }[]>;
  /** Has to be safe to repeat, and to run in several processes at once. */
  work: (tenantId: string) => Promise<void>;
  log: Pick<Logger, 'warn'>;
}

export interface TenantSweepOptions extends TenantRoundOptions {
  intervalMs: number;
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

  /** Runs one round, and nothing while another is under way: a database that stands still is not asked by every round. Logs failures. */
  async run(): Promise<void> {
    if (this.isUnderWay) return;
    this.isUnderWay = true;
    try {
      await serveTenants(this.options);
    } finally {
      this.isUnderWay = false;
    }
  }
}

/** Runs one round: each tenant that has work gets its turn. Logs failures. */
export async function serveTenants({ what, listTenants, work, log }: TenantRoundOptions): Promise<void> {
  const warn = (err: unknown, tenant: { tenantId?: string } = {}) =>
    log.warn({ err, sweep: what, ...tenant }, 'a sweep failed: the next round tries again');
  try {
    for (const { tenantId } of await listTenants())
      await work(tenantId).catch((error: unknown) => warn(error, { tenantId }));
  } catch (error) {
    warn(error);
  }
}

// The most transactions of one tenant before the next has its turn.
const transactionsPerTurn = 20;

/** Takes a tenant's turn in a round: its transactions one after the other, 20 at most. @param work says whether there may be more */
export async function takeTurn(work: () => Promise<boolean>): Promise<void> {
  for (let done = 0; done < transactionsPerTurn; done += 1) if (!(await work())) return;
}
