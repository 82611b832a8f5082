// Calls of lead sources, once they are known to be genuine: counted, read, taken in, and journalled. A call is answered after it is
// committed.

import { AppError, notFound } from '../../../platform/errors.js';
import { within } from '../../../platform/deadline.js';
import { validationFailed } from '../../../platform/input.js';
import type { LeadSourcePrincipal } from '../../../platform/principal.js';
import { answerHandshake } from '../../intake/dialects/meta-dialect.js';
import type { Caller, IntakeLimits } from '../../intake/intake-limits.js';
import type { DeliveryJournal } from '../../intake/journal-writer.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import { pathOfSource } from '../lead-source-kind.js';
import type { LeadSourceKind } from '../lead-source-kind.js';
import { parseExactJson } from '../reading/exact-json.js';
import { parseFormBody, readFormLead } from '../reading/form-lead.js';
import { readGoogleLead } from '../reading/google-lead.js';
import { readNotices } from '../reading/meta-lead.js';
import { readPosting } from '../reading/submission.js';
import type { Submission } from '../reading/submission.js';
import type { LeadSourceCallers } from './lead-source-callers.js';
import type { LeadSourceCaller } from './source-proof.js';
import type { SourceArrival, SourceItemResult, SourceLeadWriter } from './source-lead-writer.js';

export interface SourceCallOptions {
  callers: LeadSourceCallers;
  writer: SourceLeadWriter;
  limits: IntakeLimits;
  journal: DeliveryJournal;
}

/** What became of a call: `accepted` counts the items that were not refused. */
export interface SourceAnswer {
  accepted: number;
  results: SourceItemResult[];
}

/** A call before its source is looked up. */
export type SourceCall = Omit<WebhookCall, 'route' | 'tenantId'>;

type ReadArrival = Omit<SourceArrival, 'call'>;

export const dialectOf: Record<LeadSourceKind, DialectName> = {
  META: 'meta_leads',
  GOOGLE: 'google_leads',
  FORM: 'form',
};

/** As of the other webhooks: callers give a call up after 30 s. */
const answerLimitMs = 15_000;
const retryAfterSeconds = 1;
const sourcePath = /^\/webhooks\/leads\/(?:meta|google|form)\/([\da-f-]{36})$/;

export class SourceCallService {
  constructor(private readonly options: SourceCallOptions) {}

  /** Safe to repeat. @throws AppError VALIDATION_FAILED, also kept in the journal; RATE_LIMITED; NOT_FOUND */
  async receive(call: SourceCall, { sourceId }: LeadSourcePrincipal, caller: Caller): Promise<SourceAnswer> {
    const source = await this.get(sourceId);
    const full = { ...call, tenantId: source.tenantId, route: routeOf(source) };
    await this.options.limits.countLead(full, caller);
    return this.take(full, source);
  }

  /** Whether a journalled call came from a lead source. */
  takes(route: string): boolean {
    return sourcePath.test(route);
  }

  /**
   * Runs a call of the journal again, with the mapping that its source has today. No limit counts it. What was taken in before is a
   * duplicate. Safe to repeat.
   * @throws AppError as `receive`; CONFLICT where the source is gone
   */
  async replay(call: WebhookCall): Promise<SourceAnswer> {
    const source = await this.options.callers.find(sourcePath.exec(call.route)?.[1] ?? '');
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
    // It was deleted while its call was read.
    if (source === undefined) throw notFound('lead source');
    return source;
  }

  private async take(call: WebhookCall, source: LeadSourceCaller): Promise<SourceAnswer> {
    const dialect = dialectOf[source.kind];
    const arrival = await this.read(call, source, dialect);
    const writing = this.options.writer.submit(source.tenantId, { ...arrival, call: { call, dialect } });
    const results = await within<SourceItemResult[] | undefined>(answerLimitMs, writing, () => undefined);
    // It may be stored all the same, and sent again it counts once.
    if (results === undefined)
      throw new AppError('UNAVAILABLE', 'Storing the call takes too long right now: send it again', {
        retryAfterSeconds,
      });
    return { accepted: results.filter((result) => !('errors' in result)).length, results };
  }

  private async read(call: WebhookCall, source: LeadSourceCaller, dialect: DialectName): Promise<ReadArrival> {
    try {
      return readArrival(call, source);
    } catch (error) {
      // What the caller can correct is kept.
      if (error instanceof AppError) await this.options.journal.recordRefusal(call, dialect, error);
      throw error;
    }
  }
}

function routeOf({ kind, sourceId }: LeadSourceCaller): string {
  return pathOfSource({ kind, id: sourceId });
}

/** @throws AppError VALIDATION_FAILED, BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE */
function readArrival({ body, contentType }: WebhookCall, source: LeadSourceCaller): ReadArrival {
  const { sourceId, kind } = source;
  if (kind === 'META')
    return { sourceId, postings: [], items: readNotices(parseExactJson(body, contentType)), isTest: false };
  const submission =
    kind === 'GOOGLE'
      ? readGoogleLead(parseExactJson(body, contentType))
      : readFormLead(parseFormBody(body, contentType));
  return { sourceId, items: [], ...readSubmission(submission, source, body) };
}

function readSubmission(
  submission: Submission | undefined,
  source: LeadSourceCaller,
  whole: Buffer,
): Pick<ReadArrival, 'postings' | 'isTest'> {
  if (submission === undefined) throw validationFailed([{ path: '', message: 'has to be an object' }]);
  const read = readPosting(submission, source, whole);
  if ('errors' in read) throw validationFailed(read.errors);
  const { isTest } = submission;
  return { postings: isTest ? [] : [read.posting], isTest };
}
