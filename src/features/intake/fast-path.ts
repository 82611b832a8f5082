// The short way for what most calls say: one message of a known lead, one status of a known message, one lead. A batch of them is
// one statement. What such a statement leaves out, and every other call, is writer.ts's.

import { isContention, isRuleViolation } from '../../platform/fault.js';
import { Gatherer } from '../../platform/micro-batcher.js';
import type { GathererOptions } from '../../platform/micro-batcher.js';
import type { DirectAnswers, DirectCall, DirectIntakeOptions } from './direct-call.js';
import { writeLeads } from './direct-lead.js';
import { writeMessages } from './direct-message.js';
import { writeStatuses } from './direct-status.js';
import type { Settled } from './intake-answer.js';
import type { ReadWebhookCall } from './webhook-call.js';

type WriteBatch<Said> = (
  options: DirectIntakeOptions,
  tenantId: string,
  calls: readonly DirectCall<Said>[],
) => Promise<DirectAnswers>;
type SaidBy<Write> = Write extends WriteBatch<infer Said> ? Said : never;
type Lane<Said> = Gatherer<DirectCall<Said>, Settled | undefined>;

// How many statements of one tenant and kind may be under way: while PostgreSQL writes one, the calls of the next are read.
const lanesPerTenant = 2;
const lowDigits = 8;
const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 1024 * 1024,
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 64 * 1024 * 1024,
} satisfies Partial<GathererOptions<never, never>>;

export class DirectIntake {
  private readonly messages: Lane<SaidBy<typeof writeMessages>>;
  private readonly statuses: Lane<SaidBy<typeof writeStatuses>>;
  private readonly leads: Lane<SaidBy<typeof writeLeads>>;

  constructor(private readonly options: DirectIntakeOptions) {
    this.messages = this.gathererOf('messages', writeMessages);
    this.statuses = this.gathererOf('statuses', writeStatuses);
    this.leads = this.gathererOf('leads', writeLeads);
  }

  /**
   * Resolves when the call's batch is committed. @returns undefined for a call that is left to writer.ts
   * @throws AppError UNAVAILABLE when too much is waiting
   */
  async submit({ call, dialect, intake }: ReadWebhookCall): Promise<Settled | undefined> {
    if (call.replayOfId !== undefined) return undefined;
    const direct = { call, dialect };
    const { tenantId } = call;
    if (intake.kind === 'lead')
      return this.leads.submit(tenantId, { ...direct, said: intake }, laneOf(intake.lead.chat));
    const [report, ...others] = intake.reports;
    if (report === undefined || others.length > 0 || 'errors' in report) return undefined;
    const { item, instance, messageId } = report;
    if (item.kind === 'status' && item.contact === undefined)
      return this.statuses.submit(tenantId, { ...direct, said: { item, instance } }, laneOf(item.externalId));
    if (item.kind === 'message' && item.direction === 'INBOUND') {
      const said = { item, instance, messageId };
      return this.messages.submit(tenantId, { ...direct, said }, laneOf(item.contact[0].value));
    }
    return undefined;
  }

  private gathererOf<Said>(name: string, write: WriteBatch<Said>): Lane<Said> {
    return new Gatherer<DirectCall<Said>, Settled | undefined>({
      write: (tenantId, calls) => this.attempt(write, tenantId, calls),
      weightOf: ({ call }) => call.body.length,
      name,
      meter: this.options.metrics.gatherer(name),
      turns: this.options.turns,
      ...bounds,
    });
  }

  private async attempt<Said>(
    write: WriteBatch<Said>,
    tenantId: string,
    calls: readonly DirectCall<Said>[],
  ): Promise<DirectAnswers> {
    try {
      return await write(this.options, tenantId, calls);
    } catch (error) {
      // A lead is being merged, or somebody holds what is to be changed: the long way waits and goes on from there.
      if (isRuleViolation(error) || isContention(error)) return calls.map(() => undefined);
      throw error;
    }
  }
}

// What concerns one person or one message goes through one lane, so that it keeps its order; two writings of a number end alike.
function laneOf(subject: string): number {
  let sum = 0;
  for (const character of subject.slice(-lowDigits)) sum += character.charCodeAt(0);
  return sum % lanesPerTenant;
}
