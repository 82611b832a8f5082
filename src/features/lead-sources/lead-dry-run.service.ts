// Dry runs of a source's mapping: a payload is read and taken in like a call of the source, without its proof, and the lead is shown.

import type { MetaLeads } from '../../providers/meta/leads.js';
import type { Database } from '../../platform/database/database.js';
import { invalidField, notFound, type FieldError } from '../../platform/errors.js';
import { exceedsDepth, isPlainObject, isUuid, maxJsonDepth } from '../../platform/input/input.js';
import { bodyTooLarge, maxBodyBytes } from '../../platform/http/json-body.js';
import { requireAdmin, type Principal } from '../../platform/principal.js';
import type { NumberValidity } from '../../platform/prisma/enums.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { judgeNumber } from '../../platform/phone-numbers/number-validity.js';
import type { NumberReading } from '../../platform/phone-numbers/written-number.js';
import { maxSubmissions, readFormLead } from './calls/read-source-call.js';
import type { SourceDryRun } from './calls/source-dry-run.js';
import type { SettledItem } from './calls/source-lead-intake.js';
import { accessOf, readingOf } from './fetching/fetch-source.js';
import { selectSourceToFetch, type SourceToFetch } from './lead-source.sql.js';
import { parseFormBody, type FormBody } from './reading/form-body.js';
import { readGoogleLead } from './reading/google-lead.js';
import { readMetaLead, readNotices } from './reading/meta-lead.js';
import { readPosting, type Disclaimer, type ReadPosting, type Submission } from './reading/submission.js';

/** The lead of a dry run. Its `id` is null for a new lead. */
export interface DryRunLead {
  id: string | null;
  name: string;
  chat: string;
  numberValidity: NumberValidity;
  reading: NumberReading | null;
  source: string;
  metadata: Record<string, unknown> | null;
  tags: string[];
  customFields: Record<string, unknown>;
}

/** A source's submission, as a value or in the form in which it is sent. */
export interface SentPayload {
  payload?: Record<string, unknown> | null | undefined;
  body?: string | null | undefined;
  /** The content type of the body; JSON if it is left out. */
  contentType?: string | null | undefined;
}

export interface LeadDryRun {
  /** The lead; null if there are errors. */
  lead: DryRunLead | null;
  created: boolean;
  duplicate: boolean;
  isTest: boolean;
  /** True if the submission would wait for a number. */
  held: boolean;
  /** The e-mail address of a submission that would wait. */
  email: string | null;
  externalId: string | null;
  disclaimers: readonly Disclaimer[];
  errors: FieldError[];
  /** Sentences that say which parts would be left out. */
  notes: string[];
  /** The outcome of each submission of a list; empty for a single one. */
  submissions: LeadDryRun[];
}

export interface LeadDryRunOptions {
  database: Database;
  graph: MetaLeads;
  secretBox: SecretBox;
  dryRun: Pick<SourceDryRun, 'settle'>;
}

const fetchTimeoutMs = 15_000;

export class LeadDryRunService {
  constructor(private readonly options: LeadDryRunOptions) {}

  /**
   * Reads a source's submission. For META it is a call that names a lead, whose answers are then fetched, or a lead in the form of the
   * Graph API. ADMIN only; changes no row.
   * @returns the outcome; for a list of submissions, that of the first, with all of them in `submissions`
   * @throws AppError NOT_FOUND; VALIDATION_FAILED if there is neither a payload nor a body
   */
  async run(principal: Principal | undefined, id: string, sent: SentPayload): Promise<LeadDryRun> {
    const admin = requireAdmin(principal);
    const values = [admin.tenantId, id];
    const [source] = isUuid(id) ? await this.options.database.query<SourceToFetch>(selectSourceToFetch, values) : [];
    if (source === undefined) throw notFound('lead source');
    const { value, notes, mayLackPlus } = await parseSent(sent);
    if (exceedsDepth(value, maxJsonDepth)) return failedDryRun([{ path: '', message: tooDeep }]);
    const isList = source.kind === 'FORM' && Array.isArray(value);
    const payloads = isList ? (value as unknown[]) : [value];
    if (payloads.length === 0 || payloads.length > maxSubmissions)
      return failedDryRun([{ path: '', message: `has to hold 1 to ${maxSubmissions} submissions` }]);
    const read: ReadPayload[] = [];
    for (const payload of payloads) read.push(await this.read(source, { payload, mayLackPlus }));
    const entries = read.map(({ entry }) => entry);
    const [settled = []] = await this.options.dryRun.settle(admin.tenantId, [{ sourceId: source.sourceId, entries }]);
    const outcomes = read.map((item, index) => ({ ...outcomeOf(item, settled[index], source), notes }));
    const [first = failedDryRun([])] = outcomes;
    return { ...first, submissions: isList ? outcomes : [] };
  }

  private async read(source: SourceToFetch, sent: SentSubmission): Promise<ReadPayload> {
    const submission = await this.submissionOf(source, sent);
    if ('errors' in submission) return { entry: submission, isTest: false };
    const entry = readPosting(submission, readingOf(source), JSON.stringify(submission.document));
    return { entry, isTest: submission.isTest };
  }

  private async submissionOf(
    source: SourceToFetch,
    { payload, mayLackPlus }: SentSubmission,
  ): Promise<Submission | { errors: FieldError[] }> {
    if (source.kind === 'GOOGLE') return readGoogleLead(payload) ?? unreadable;
    if (source.kind === 'FORM') return readFormLead(payload, mayLackPlus) ?? unreadable;
    if (!isPlainObject(payload)) return unreadable;
    if (payload['entry'] === undefined)
      return readMetaLead(payload) ?? { errors: [{ path: 'field_data', message: 'has to be a list of answers' }] };
    const item = readNotices(payload).find((each) => !('ignored' in each));
    if (item === undefined || 'ignored' in item) return { errors: [{ path: 'entry', message: 'names no lead' }] };
    return 'errors' in item ? item : this.fetch(source, item.notice.leadgenId);
  }

  private async fetch(source: SourceToFetch, leadgenId: string): Promise<Submission | { errors: FieldError[] }> {
    const { graph, secretBox } = this.options;
    const found = await graph.find(accessOf(secretBox, source), leadgenId, AbortSignal.timeout(fetchTimeoutMs));
    if (found.outcome !== 'found') return { errors: [{ path: 'leadgen_id', message: found.detail }] };
    return readMetaLead({ ...found.lead, id: leadgenId }) ?? unreadable;
  }
}

/** A payload as a call would be read. A test is judged like a lead, so that its form can be checked. */
interface ReadPayload {
  entry: ReadPosting;
  isTest: boolean;
}

/** A single submission of a body. */
interface SentSubmission extends Pick<FormBody, 'mayLackPlus'> {
  payload: unknown;
}

const unreadable = { errors: [{ path: '', message: 'has to be an object' }] };
const tooDeep = `must not nest deeper than ${maxJsonDepth} levels`;

async function parseSent({ payload, body, contentType }: SentPayload): Promise<FormBody> {
  if (payload != null && body != null) throw invalidField('body', 'cannot be combined with payload');
  if (payload != null) return { value: payload, notes: [] };
  if (body == null) throw invalidField('payload', 'is required, or body');
  const bytes = Buffer.from(body);
  if (bytes.length > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  return parseFormBody(bytes, contentType ?? 'application/json');
}

function failedDryRun(errors: FieldError[]): LeadDryRun {
  return {
    lead: null,
    created: false,
    duplicate: false,
    isTest: false,
    held: false,
    email: null,
    externalId: null,
    disclaimers: [],
    errors,
    notes: [],
    submissions: [],
  };
}

function outcomeOf(
  { entry, isTest }: ReadPayload,
  settled: SettledItem | undefined,
  source: SourceToFetch,
): LeadDryRun {
  if ('errors' in entry) return { ...failedDryRun(entry.errors), isTest };
  const result = settled?.result;
  const duplicate = result !== undefined && 'duplicate' in result && result.duplicate;
  if ('held' in entry) {
    const { email, problem, externalId, disclaimers } = entry.held;
    const errors = [{ path: 'chat', message: problem.replace(/^chat: /, '') }];
    return { ...failedDryRun(errors), held: !isTest, duplicate, isTest, email, externalId, disclaimers };
  }
  if (result === undefined || !('created' in result)) throw new Error('a submission was not settled');
  const { externalId, disclaimers, lead } = entry.posting;
  return {
    ...failedDryRun([]),
    lead: {
      id: result.leadId,
      name: lead.name ?? lead.chat,
      chat: lead.chat,
      numberValidity: judgeNumber(lead.chat),
      reading: lead.reading ?? null,
      source: lead.source ?? source.name,
      metadata: lead.metadata ?? null,
      tags: lead.tags ?? [],
      customFields: lead.customFields ?? {},
    },
    created: result.created && !isTest,
    duplicate,
    isTest,
    externalId,
    disclaimers,
  };
}
