// Handles genuine calls of lead sources: counts, reads, takes in and journals them. A call is answered after it is committed.

import { AppError, notFound } from '../../../platform/errors.js';
import { inAnswerTime } from '../../../platform/http/answer-time.js';
import type { LeadSourcePrincipal } from '../../../platform/principal.js';
import { answerHandshake } from '../../../providers/meta/reported-call.js';
import type { Caller, IntakeLimits } from '../../intake/intake-limits.js';
import type { CallJournal } from '../../intake/journal-writer.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import type { LeadSourceCallers } from './lead-source-callers.js';
import type { LeadSourceCaller } from './source-proof.js';
import { dialectOf, readArrival, routeOf, sourceIdOf } from './read-source-call.js';
import type { SourceArrival, SourceItemResult } from './source-lead-intake.js';
import type { SourceLeadWriter } from './source-lead-writer.js';

export interface SourceCallOptions {
  callers: LeadSourceCallers;
  writer: Pick<SourceLeadWriter, 'submit'>;
  limits: IntakeLimits;
  journal: Pick<CallJournal, 'recordRefusal'>;
}

/** The outcome of a call. `accepted` counts the items that were not refused. */
export interface SourceAnswer {
  accepted: number;
  results: SourceItemResult[];
  /** Sentences that say which parts of the call were left out. */
  notes?: readonly string[];
}

/** A call before its source is looked up. */
export type SourceCall = Omit<WebhookCall, 'route' | 'tenantId'>;

export class SourceCallService {
  constructor(private readonly options: SourceCallOptions) {}

  /**
   * Takes in a call. Safe to repeat.
   * @param check throws further errors of the call, once it is counted
   * @throws AppError VALIDATION_FAILED, also kept in the journal; RATE_LIMITED; NOT_FOUND
   */
  async receive(
    call: SourceCall,
    { sourceId }: LeadSourcePrincipal,
    caller: Caller,
    check?: () => void,
  ): Promise<SourceAnswer> {
    const source = await this.get(sourceId);
    const full = { ...call, tenantId: source.tenantId, route: routeOf(source) };
    await this.options.limits.countLead(full, caller);
    check?.();
    return this.take(full, source);
  }

  /** True if a journalled call came from a lead source. */
  takes(route: string): boolean {
    return sourceIdOf(route) !== undefined;
  }

  /**
   * Runs a call of the journal again, with the current mapping of its source. It counts against no limit. Leads that were taken in before
   * are duplicates. Safe to repeat.
   */
  async replay(call: WebhookCall): Promise<SourceAnswer> {
    const source = await this.options.callers.find(sourceIdOf(call.route) ?? '');
    if (source?.tenantId === call.tenantId) return this.take(call, source);
    const error = new AppError('CONFLICT', `Nothing takes the calls of ${call.route} any more`);
    await this.options.journal.recordRefusal(call, null, error);
    throw error;
  }

  /**
   * Answers Meta's handshake. @returns the challenge
   * @throws AppError NOT_FOUND for an unknown source, FORBIDDEN for a wrong verify token
   */
  async answerHandshake(query: Record<string, unknown>, sourceId: string): Promise<string> {
    const source = await this.options.callers.find(sourceId);
    if (source?.kind !== 'META') throw notFound('lead source');
    const tokens = this.options.callers.listVerifyTokens(source);
    const answer = tokens.map((token) => answerHandshake(query, token)).find((given) => given !== undefined);
    if (answer === undefined) throw new AppError('FORBIDDEN', 'The verify token or the mode of the handshake is wrong');
    return answer.challenge;
  }

  private async get(sourceId: string): Promise<LeadSourceCaller> {
    const source = await this.options.callers.find(sourceId);
    // The source was deleted while its call was read.
    if (source === undefined) throw notFound('lead source');
    return source;
  }

  private async take(call: WebhookCall, source: LeadSourceCaller): Promise<SourceAnswer> {
    const dialect = dialectOf[source.kind];
    const arrival = await this.read(call, source, dialect);
    const submitted = this.options.writer.submit(source.tenantId, { ...arrival, call: { call, dialect } });
    const results = await inAnswerTime(submitted);
    const { notes = [] } = arrival;
    const accepted = results.filter((result) => !('errors' in result)).length;
    return { accepted, results, ...(notes.length > 0 ? { notes } : {}) };
  }

  private async read(
    call: WebhookCall,
    source: LeadSourceCaller,
    dialect: DialectName,
  ): Promise<Omit<SourceArrival, 'call'>> {
    try {
      return await readArrival(call, source);
    } catch (error) {
      // An error that the caller can correct is kept in the journal.
      if (error instanceof AppError) await inAnswerTime(this.options.journal.recordRefusal(call, dialect, error));
      throw error;
    }
  }
}
