// What would become of what a source brings, with nothing of it kept: the intake of its leads in a transaction that is rolled back.

import type { FairSemaphore } from '../../../platform/fair-semaphore.js';
import type { Transactor } from '../../../platform/transaction.js';
import type { SettledItem, SourceArrival, SourceItemResult, SourceLeadIntake } from './source-lead-intake.js';

export interface SourceRehearsalOptions {
  transactor: Pick<Transactor, 'rehearse'>;
  intake: SourceLeadIntake;
  /** Dry runs take turns of their own. */
  turns: FairSemaphore;
}

export class SourceRehearsal {
  constructor(private readonly options: SourceRehearsalOptions) {}

  /** @returns what would become of each item of each arrival, one arrival after the other. A lead that is created has an id that nothing has. */
  settle(tenantId: string, arrivals: readonly SourceArrival[]): Promise<SettledItem[][]> {
    const { transactor, intake } = this.options;
    return transactor.rehearse(tenantId, async (tx) => {
      const settled: SettledItem[][] = [];
      for (const arrival of arrivals) settled.push(...(await intake.receive(tx, [arrival])));
      return settled;
    });
  }

  /** A dry run of one arrival: its results with the leads as they would be. */
  submit(tenantId: string, arrival: SourceArrival): Promise<SourceItemResult[]> {
    return this.options.turns.run(tenantId, async () => {
      const settled = await this.settle(tenantId, [arrival]);
      return settled.flat().map(toShown);
    });
  }
}

// Of a lead that is there a source is told no more than by a real call.
function toShown({ result, lead, reading }: SettledItem): SourceItemResult {
  if (!('created' in result)) return result;
  const explained = reading === undefined ? result : { ...result, reading };
  if (!result.created || lead === undefined) return explained;
  return { ...explained, leadId: null, lead: { ...lead, id: null } };
}
