// Hands a call that was read to the fast path or, in a batch, to the general path. Calls keep their order on each path, and a message goes
// behind an earlier one of its person on the general path. No message waits for an earlier one on the fast path: files that follow a text
// within milliseconds may overtake it. All this holds within a process: nothing orders calls that two processes take at the same moment. A
// dry run takes the general path in a transaction that is rolled back.

import type { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { MicroBatcher } from '../../platform/jobs/micro-batcher.js';
import { Tally } from '../../platform/jobs/tally.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { OptOutEffects } from '../consent/consent.service.js';
import { nameOfIdentity } from '../leads/identity/lead-identity.js';
import type { FastPath } from './fast-path.js';
import { tallyOf, type ReadWebhookCall, type Settled } from './webhook-call.js';
import type { GeneralPath } from './general-path.js';

/** Settles when the call is stored. @throws AppError UNAVAILABLE when too much is waiting */
export type StoreCall = (read: ReadWebhookCall) => Promise<Settled>;

export interface CallStoreOptions {
  fastPath: FastPath;
  generalPath: GeneralPath;
  optedOut: Pick<OptOutEffects, 'untilNothingLeaves'>;
  metrics: Metrics;
  /** Shared by all writers of incoming calls. */
  semaphore: FairSemaphore;
}

const itemWeight = 4 * 1024;
const bounds = {
  maxBatchSize: 200,
  maxBatchWeight: 2 * 1024 * 1024,
  // A single batch at a time keeps a tenant's calls on this path in the order in which they came to it.
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 64 * 1024 * 1024,
};

export class CallStore {
  private readonly microBatcher: MicroBatcher<ReadWebhookCall, Settled>;
  /** The messages on the general path, by their person. */
  private readonly underWay = new Tally();

  constructor(private readonly options: CallStoreOptions) {
    this.microBatcher = new MicroBatcher<ReadWebhookCall, Settled>({
      write: (tenantId, calls) => options.generalPath.write(tenantId, calls),
      weightOf,
      name: 'calls',
      meter: options.metrics.microBatcher('general path'),
      semaphore: options.semaphore,
      ...bounds,
    });
  }

  readonly store: StoreCall = async (read) => {
    const settled = await this.write(read);
    if ('answer' in settled) {
      for (const tally of tallyOf(settled.answer)) this.options.metrics.intakeItems.inc({ ...tally });
      this.countUnknownKinds(read);
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

  private async write(read: ReadWebhookCall): Promise<Settled> {
    const { tenantId, source } = read.call;
    const people = peopleOf(read);
    const isBehind = people.some((person) => this.underWay.of(person) > 0);
    const written = source === 'history' || isBehind ? undefined : await this.options.fastPath.submit(read);
    if (written !== undefined) return written;
    const settled = await this.writeInOrder(read, people);
    if ('optedOut' in settled) await this.options.optedOut.untilNothingLeaves(tenantId, settled.optedOut ?? []);
    return settled;
  }

  private async writeInOrder(read: ReadWebhookCall, people: readonly string[]): Promise<Settled> {
    for (const person of people) this.underWay.add(person, 1);
    try {
      return await this.microBatcher.submit(read.call.tenantId, read);
    } finally {
      for (const person of people) this.underWay.add(person, -1);
    }
  }
}

/**
 * The identities of those whose messages a call brings, each in the form that its writings share. Messages of a history have places of
 * their own, so that nothing waits for them.
 */
function peopleOf({ call: { tenantId, source }, intake }: ReadWebhookCall): string[] {
  if (intake.kind === 'lead' || source === 'history') return [];
  return intake.reports.flatMap((report) =>
    'item' in report && report.item.kind === 'message'
      ? report.item.contact.map((identity) => `${tenantId} ${nameOfIdentity(identity)}`)
      : [],
  );
}

// The weight is the body's size in bytes, and at least a fixed weight per item, so that many small items are bounded too.
function weightOf({ call, intake }: ReadWebhookCall): number {
  const items = intake.kind === 'lead' ? 1 : intake.reports.length;
  return Math.max(call.body.length, items * itemWeight);
}

/**
 * Returns a `StoreCall` for dry runs: it answers as if the call were stored, and keeps nothing. Each call runs in its own transaction.
 * @param generalPath one whose transactions are rolled back
 */
export function dryRunWith(generalPath: GeneralPath): StoreCall {
  return async (read) => {
    const [settled] = await generalPath.write(read.call.tenantId, [read]);
    if (settled === undefined) throw new Error('a call was not settled');
    return settled;
  };
}
