// Takes in leads of sources in batches, through the intake of leads. Each lead is taken in once, by its source's id. A batch is one
// transaction, with the journal's entries of its calls.

import type { FairSemaphore } from '../../../platform/jobs/fair-semaphore.js';
import type { Metrics } from '../../../platform/observability/metrics.js';
import { MicroBatcher } from '../../../platform/jobs/micro-batcher.js';
import type { Transactor } from '../../../platform/database/transaction.js';
import { bodyWithout, textNamesOneOf } from '../../intake/erased-body.js';
import type { JournalEntry, CallJournal } from '../../intake/journal-writer.js';
import { leadContent } from '../../intake/call-content.js';
import { nameOfIdentity } from '../../leads/identity/lead-identity.js';
import type { SourceArrival, SourceItemResult, SourceLeadIntake } from './source-lead-intake.js';

export interface SourceLeadWriterOptions {
  transactor: Transactor;
  intake: SourceLeadIntake;
  journal: CallJournal;
  metrics: Metrics;
  /** The semaphore that all writers of callers' data share. */
  semaphore: FairSemaphore;
}

const itemWeight = 4 * 1024;
const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 1024 * 1024,
  // In each process batches run one after the other, so that leads of a tenant keep the order in which they came to it.
  maxInFlight: 1,
  maxWaiting: 5_000,
  maxWaitingWeight: 32 * 1024 * 1024,
};

export class SourceLeadWriter {
  private readonly microBatcher: MicroBatcher<SourceArrival, SourceItemResult[]>;

  constructor(private readonly options: SourceLeadWriterOptions) {
    this.microBatcher = new MicroBatcher<SourceArrival, SourceItemResult[]>({
      write: (tenantId, arrivals) => this.write(tenantId, arrivals),
      weightOf: ({ call, entries }) => Math.max(call?.call.body.length ?? 0, entries.length * itemWeight),
      name: 'lead sources',
      meter: options.metrics.microBatcher('lead sources'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  /** Resolves with the outcome of each item, once it is committed. Safe to repeat. @throws AppError UNAVAILABLE */
  submit(tenantId: string, arrival: SourceArrival): Promise<SourceItemResult[]> {
    return this.microBatcher.submit(tenantId, arrival);
  }

  private async write(tenantId: string, arrivals: readonly SourceArrival[]): Promise<SourceItemResult[][]> {
    const { intake, journal, transactor } = this.options;
    const written = await transactor.run(tenantId, async (tx) => {
      const results = (await intake.receive(tx, arrivals)).map((items) => items.map(({ result }) => result));
      const entries = arrivals.flatMap(({ call, notes = [] }, index) => {
        if (call === undefined) return [];
        const all = results[index] ?? [];
        const accepted = all.filter((result) => !('errors' in result)).length;
        const outcome = accepted === all.length ? 'processed' : accepted > 0 ? 'partial' : 'refused';
        const reason = outcome === 'refused' ? { reason: 'VALIDATION_FAILED: no item could be taken' } : {};
        return [
          {
            ...call,
            content: leadContent,
            outcome,
            ...reason,
            result: { accepted, results: all, ...(notes.length > 0 ? { notes } : {}) },
            ...erasedPart(arrivals[index], all),
          } as const,
        ];
      });
      await journal.record(tx, tenantId, entries);
      return results;
    });
    for (const result of written.flat()) {
      const outcome = outcomeOf(result);
      if (outcome !== undefined) this.options.metrics.intakeItems.inc({ item: 'lead', outcome });
    }
    return written;
  }
}

/** Returns the call's body without erased people, because a source may repeat data that was erased. */
function erasedPart(
  arrival: SourceArrival | undefined,
  results: readonly SourceItemResult[],
): Pick<JournalEntry, 'bodyWithoutErased'> {
  if (arrival?.call === undefined) return {};
  const names = arrival.entries.flatMap((entry, index) => {
    const result = results[index];
    const isErased = result !== undefined && 'created' in result && result.duplicate && result.leadId === null;
    return isErased && 'posting' in entry ? [nameOfIdentity({ kind: 'PHONE', value: entry.posting.lead.chat })] : [];
  });
  if (names.length === 0) return {};
  const { call, dialect } = arrival.call;
  const isOfThem = textNamesOneOf(new Set(names), undefined);
  return { bodyWithoutErased: bodyWithout({ body: call.body, dialect }, isOfThem) };
}

function outcomeOf(result: SourceItemResult): 'created' | 'existing' | 'held' | undefined {
  if ('created' in result) return result.duplicate ? undefined : result.created ? 'created' : 'existing';
  return 'outcome' in result && result.outcome === 'held' && !result.duplicate ? 'held' : undefined;
}
