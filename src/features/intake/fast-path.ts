// The fast path for most calls: one message of a known lead, one status of a known message, or one lead. A batch is one statement.
// general-path.ts writes what such a statement leaves out, and every other call.

import type { FairSemaphore } from '../../platform/jobs/fair-semaphore.js';
import { isContention, isMissingReference } from '../../platform/observability/fault.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { MicroBatcher, type MicroBatcherOptions } from '../../platform/jobs/micro-batcher.js';
import type { Transactor } from '../../platform/database/transaction.js';
import type { ErasedIdentityService } from '../leads/identity/erased-identity.service.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import type { IntakeLead } from '../leads/lead.service.js';
import { isPlaceholder, toStatusChange } from '../messages/reported.js';
import type { ReportedMessage, ReportedStatus } from '../../providers/reported.js';
import {
  contactColumns,
  leadColumns,
  messageColumns,
  receiveKnownMessages,
  receivePostedLeads,
  reportKnownStatuses,
  statusColumns,
  type FastPathCall,
  type ItemPayload,
  type StatusCall,
} from './fast-path.sql.js';
import type { LeadIntake, ReadWebhookCall, Settled } from './webhook-call.js';

type WriteBatch<Payload> = (
  options: FastPathOptions,
  tenantId: string,
  calls: readonly FastPathCall<Payload>[],
) => Promise<FastPathAnswers>;
type PayloadOf<Write> = Write extends WriteBatch<infer Payload> ? Payload : never;
type Batcher<Payload> = MicroBatcher<FastPathCall<Payload>, Settled | undefined>;

// In each process, a tenant has one statement of each kind under way. The same calls in twice as many statements cost PostgreSQL a quarter
// more. Each statement would wait for the commit of the other anyway.
const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 1024 * 1024,
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 64 * 1024 * 1024,
} satisfies Partial<MicroBatcherOptions<never, never>>;

export class FastPath {
  private readonly messages: Batcher<PayloadOf<typeof writeMessages>>;
  private readonly statuses: Batcher<PayloadOf<typeof writeStatuses>>;
  private readonly leads: Batcher<PayloadOf<typeof writeLeads>>;

  constructor(private readonly options: FastPathOptions) {
    this.messages = this.microBatcherOf('messages', writeMessages);
    this.statuses = this.microBatcherOf('statuses', writeStatuses);
    this.leads = this.microBatcherOf('leads', writeLeads);
  }

  /**
   * Resolves when the call's batch is committed. @returns undefined for a call that is left to general-path.ts
   * @throws AppError UNAVAILABLE when too much is waiting
   */
  async submit({ call, dialect, intake }: ReadWebhookCall): Promise<Settled | undefined> {
    if (call.replayOf !== undefined) return undefined;
    const entry = { call, dialect };
    const { tenantId } = call;
    if (intake.kind === 'lead') return this.leads.submit(tenantId, { ...entry, payload: intake });
    const [report, ...others] = intake.reports;
    if (report === undefined || others.length > 0 || 'errors' in report) return undefined;
    const { item, instance, ownNumber, messageId } = report;
    const payload = { instance, ownNumber, messageId };
    if (item.kind === 'status' && item.contact === undefined)
      return this.statuses.submit(tenantId, { ...entry, payload: { ...payload, item } });
    if (item.kind === 'message' && isPlain(item))
      return this.messages.submit(tenantId, { ...entry, payload: { ...payload, item } });
    return undefined;
  }

  private microBatcherOf<Payload>(name: string, write: WriteBatch<Payload>): Batcher<Payload> {
    return new MicroBatcher<FastPathCall<Payload>, Settled | undefined>({
      write: (tenantId, calls) => this.attempt(write, tenantId, calls),
      weightOf: ({ call }) => call.body.length,
      name,
      meter: this.options.metrics.microBatcher(name),
      semaphore: this.options.semaphore,
      ...bounds,
    });
  }

  private async attempt<Payload>(
    write: WriteBatch<Payload>,
    tenantId: string,
    calls: readonly FastPathCall<Payload>[],
  ): Promise<FastPathAnswers> {
    try {
      return await write(this.options, tenantId, calls);
    } catch (error) {
      // A record is being removed, or another transaction holds rows that would change. The general path waits for it and then writes the
      // calls.
      if (isMissingReference(error) || isContention(error)) return calls.map(() => undefined);
      throw error;
    }
  }
}

/**
 * Returns whether one statement can write a message and its lead. Other messages differ: a file has its own row and a job that fetches it,
 * and a referral makes a touch. A notice changes nothing of its conversation, and a message without content is marked.
 */
function isPlain(item: ReportedMessage): boolean {
  const isAlone = item.media === undefined && item.referral === undefined && item.isNotice === undefined;
  return item.direction === 'INBOUND' && isAlone && !isPlaceholder(item);
}

export interface FastPathOptions {
  transactor: Transactor;
  erasedIdentities: Pick<ErasedIdentityService, 'digestOfOptOut'>;
  metrics: Metrics;
  /** Shared by all writers of incoming calls. */
  semaphore: FairSemaphore;
}

/** The answer of each call, in their order; undefined for a call that was left out. */
export type FastPathAnswers = (Settled | undefined)[];

interface WrittenLead extends IntakeLead {
  position: number;
  created: boolean;
}

export async function writeLeads(
  { transactor, erasedIdentities }: FastPathOptions,
  tenantId: string,
  calls: readonly FastPathCall<LeadIntake>[],
): Promise<FastPathAnswers> {
  const posted = calls.map((entry) => {
    const identity = { kind: 'PHONE', value: entry.payload.lead.chat } as const;
    return { entry, optOutDigest: erasedIdentities.digestOfOptOut(tenantId, identity) };
  });
  const rows = await transactor.runAlone<WrittenLead>(tenantId, receivePostedLeads, [
    tenantId,
    ...leadColumns.valuesOf(posted),
  ]);
  const answers: FastPathAnswers = calls.map(() => undefined);
  for (const { position, ...answer } of rows) answers[position] = { answer };
  return answers;
}

interface WrittenMessage {
  position: number;
  messageId: string;
  leadId: string;
  duplicate: boolean;
}

export async function writeMessages(
  { transactor }: FastPathOptions,
  tenantId: string,
  calls: readonly FastPathCall<ItemPayload<ReportedMessage>>[],
): Promise<FastPathAnswers> {
  const identities = calls.flatMap(({ payload }, index) =>
    payload.item.contact.map((identity) => ({ place: index + 1, kind: identity.kind, matchKey: matchKeyOf(identity) })),
  );
  const values = [tenantId, ...messageColumns.valuesOf(calls), ...contactColumns.valuesOf(identities)];
  const rows = await transactor.runAlone<WrittenMessage>(tenantId, receiveKnownMessages, values);
  const answers: FastPathAnswers = calls.map(() => undefined);
  for (const { position, ...result } of rows) answers[position] = { answer: { accepted: 1, results: [result] } };
  return answers;
}

interface WrittenStatus {
  position: number;
  messageId: string;
  externalId: string;
  applied: boolean;
}

export async function writeStatuses(
  { transactor }: FastPathOptions,
  tenantId: string,
  calls: readonly FastPathCall<ItemPayload<ReportedStatus>>[],
): Promise<FastPathAnswers> {
  // A statement changes a message once: a second status of the same id takes the general path, after the first.
  const batch = new Map<string, StatusCall & { index: number }>();
  for (const [index, entry] of calls.entries()) {
    const { item } = entry.payload;
    const { externalId } = item;
    if (!batch.has(externalId)) batch.set(externalId, { index, entry, externalId, ...toStatusChange(item) });
  }
  const reports = [...batch.values()];
  const values = [tenantId, ...statusColumns.valuesOf(reports)];
  const rows = await transactor.runAlone<WrittenStatus>(tenantId, reportKnownStatuses, values);
  const answers: FastPathAnswers = calls.map(() => undefined);
  for (const { position, applied, ...named } of rows) {
    const result = { ...named, outcome: applied ? ('applied' as const) : ('ignored' as const) };
    const report = reports[position];
    if (report !== undefined) answers[report.index] = { answer: { accepted: 1, results: [result] } };
  }
  return answers;
}
