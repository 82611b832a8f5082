// Hands a call that was read to the fast path or, in a batch, to the general path. A dry run takes the general path in a transaction that
// is rolled back.

import type { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { MicroBatcher } from '../../platform/jobs/micro-batcher.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { OptOutEffects } from '../consent/consent.service.js';
import type { FastPath } from './fast-path.js';
import { tallyOf, type ReadWebhookCall, type Settled } from './webhook-call.js';
import type { IntakeWriter } from './writer.js';

/** Settles when the call is stored. @throws AppError UNAVAILABLE when too much is waiting */
export type StoreCall = (read: ReadWebhookCall) => Promise<Settled>;

export interface CallStoreOptions {
  fastPath: FastPath;
  writer: IntakeWriter;
  optedOut: Pick<OptOutEffects, 'untilNothingLeaves'>;
  metrics: Metrics;
  /** Shared by all writers of incoming calls. */
  semaphore: FairSemaphore;
}

const itemWeight = 4 * 1024;
const bounds = {
  maxBatchSize: 200,
  maxBatchWeight: 2 * 1024 * 1024,
  // A single batch at a time keeps a tenant's messages and events in the order in which they came.
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 64 * 1024 * 1024,
};

export class CallStore {
  private readonly microBatcher: MicroBatcher<ReadWebhookCall, Settled>;

  constructor(private readonly options: CallStoreOptions) {
    this.microBatcher = new MicroBatcher<ReadWebhookCall, Settled>({
      write: (tenantId, calls) => options.writer.write(tenantId, calls),
      weightOf,
      name: 'calls',
      meter: options.metrics.microBatcher('general path'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  readonly store: StoreCall = async (call) => {
    const settled = await this.write(call);
    if ('answer' in settled) {
      for (const tally of tallyOf(settled.answer)) this.options.metrics.intakeItems.inc({ ...tally });
      this.countUnknownKinds(call);
    }
    return settled;
  };

  // The metric shows a new kind of message before anybody misses its content.
  private countUnknownKinds({ dialect, intake }: ReadWebhookCall): void {
    if (intake.kind === 'lead') return;
    for (const report of intake.reports)
      if ('item' in report && report.item.kind === 'message' && report.item.isUnknownKind === true)
        this.options.metrics.unknownKinds.inc({ dialect });
  }

  private async write(call: ReadWebhookCall): Promise<Settled> {
    const { tenantId, source } = call.call;
    const written = source === 'history' ? undefined : await this.options.fastPath.submit(call);
    if (written !== undefined) return written;
    const settled = await this.microBatcher.submit(tenantId, call);
    if ('optedOut' in settled) await this.options.optedOut.untilNothingLeaves(tenantId, settled.optedOut ?? []);
    return settled;
  }
}

// The weight is the body's size in bytes, and at least a fixed weight per item, so that many small items are bounded too.
function weightOf({ call, intake }: ReadWebhookCall): number {
  const items = intake.kind === 'lead' ? 1 : intake.reports.length;
  return Math.max(call.body.length, items * itemWeight);
}

/**
 * Returns a `StoreCall` for dry runs: it answers as if the call were stored, and keeps nothing. Each call runs in its own transaction.
 * @param writer a writer whose transactions are rolled back
 */
export function dryRunWith(writer: IntakeWriter): StoreCall {
  return async (read) => {
    const [settled] = await writer.write(read.call.tenantId, [read]);
    if (settled === undefined) throw new Error('a call was not settled');
    return settled;
  };
}
