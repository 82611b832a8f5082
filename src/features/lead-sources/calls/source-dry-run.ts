// Dry runs of a source's leads: intake runs in a transaction that is rolled back, so nothing is kept.

import type { FairSemaphore } from '../../../platform/fair-semaphore.js';
import type { Transactor } from '../../../platform/transaction.js';
import type { SettledItem, SourceArrival, SourceItemResult, SourceLeadIntake } from './source-lead-intake.js';

export interface SourceDryRunOptions {
  transactor: Pick<Transactor, 'dryRun'>;
  intake: SourceLeadIntake;
  /** The semaphore of dry runs, so that they do not compete with real calls. */
  turns: FairSemaphore;
}

export class SourceDryRun {
  constructor(private readonly options: SourceDryRunOptions) {}

  /** Judges arrivals one after the other. @returns the outcome of each item of each arrival. The id of a created lead names no record. */
  settle(tenantId: string, arrivals: readonly SourceArrival[]): Promise<SettledItem[][]> {
    const { transactor, intake } = this.options;
    return transactor.dryRun(tenantId, async (tx) => {
      const settled: SettledItem[][] = [];
      for (const arrival of arrivals) settled.push(...(await intake.receive(tx, [arrival])));
      return settled;
    });
  }

  /** Runs one arrival as a dry run. The results show the new leads in full. */
  submit(tenantId: string, arrival: SourceArrival): Promise<SourceItemResult[]> {
    return this.options.turns.run(tenantId, async () => {
      const settled = await this.settle(tenantId, [arrival]);
      return settled.flat().map(toShown);
    });
  }
}

// A dry run tells a source no more about a known lead than a real call does.
function toShown({ result, lead, reading }: SettledItem): SourceItemResult {
  if (!('created' in result)) return result;
  const explained = reading === undefined ? result : { ...result, reading };
  if (!result.created || lead === undefined) return explained;
  return { ...explained, leadId: null, lead: { ...lead, id: null } };
}
