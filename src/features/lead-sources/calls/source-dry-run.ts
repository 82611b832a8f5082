// Dry runs of a source's leads: intake runs in a transaction that is rolled back, so nothing is kept.

import type { Database } from '../../../platform/database/database.js';
import { inDryRun } from '../../../platform/database/dry-run.js';
import type { FairSemaphore } from '../../../platform/jobs/fair-semaphore.js';
import type {
  SettledItem,
  SourceArrival,
  SourceItemResult,
  SourceLeadIntake,
  TakenResult,
} from './source-lead-intake.js';

export interface SourceDryRunOptions {
  database: Database;
  intake: SourceLeadIntake;
  /** The semaphore of dry runs, so that they do not compete with real calls. */
  turns: FairSemaphore;
}

export class SourceDryRun {
  constructor(private readonly options: SourceDryRunOptions) {}

  /**
   * Judges arrivals one after the other.
   * @returns the outcome of each item of each arrival. The id of a lead that only the dry run has created is null.
   */
  async settle(tenantId: string, arrivals: readonly SourceArrival[]): Promise<SettledItem[][]> {
    const { database, intake } = this.options;
    const settled = await inDryRun(database, tenantId, async (tx) => {
      const items: SettledItem[][] = [];
      for (const arrival of arrivals) items.push(...(await intake.receive(tx, [arrival])));
      return items;
    });
    const created = new Set(settled.flat().flatMap(({ result }) => (isCreated(result) ? result.leadId : [])));
    return settled.map((items) => items.map((item) => withoutNewId(item, created)));
  }

  /** Runs one arrival as a dry run. The results show the new leads in full. */
  submit(tenantId: string, arrival: SourceArrival): Promise<SourceItemResult[]> {
    return this.options.turns.run(tenantId, async () => {
      const settled = await this.settle(tenantId, [arrival]);
      return settled.flat().map(toShown);
    });
  }
}

function isCreated(result: SourceItemResult): result is TakenResult {
  return 'created' in result && result.created;
}

function withoutNewId(item: SettledItem, created: ReadonlySet<string | null>): SettledItem {
  const { result } = item;
  return 'created' in result && created.has(result.leadId) ? { ...item, result: { ...result, leadId: null } } : item;
}

// A dry run tells a source no more about a known lead than a real call does.
function toShown({ result, lead, reading }: SettledItem): SourceItemResult {
  if (!('created' in result)) return result;
  const explained = reading === undefined ? result : { ...result, reading };
  return isCreated(result) && lead !== undefined ? { ...explained, lead: { ...lead, id: null } } : explained;
}
