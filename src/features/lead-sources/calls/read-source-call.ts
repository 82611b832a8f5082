// Reads a call of a lead source, by the kind of the source.

import { isPlainObject, validationFailed } from '../../../platform/input/input.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import { pathOfSource, type LeadSourceKind } from '../lead-source-kind.js';
import { parseExactJson } from '../reading/exact-json.js';
import { parseFormBody } from '../reading/form-body.js';
import { readGoogleLead } from '../reading/google-lead.js';
import { readNotices } from '../reading/meta-lead.js';
import { readPosting, type Submission } from '../reading/submission.js';
import { isTestLead } from '../reading/test-lead.js';
import type { LeadSourceCaller } from './source-proof.js';
import type { ArrivalEntry, SourceArrival } from './source-lead-intake.js';

export const dialectOf: Record<LeadSourceKind, DialectName> = {
  META: 'meta_leads',
  GOOGLE: 'google_leads',
  FORM: 'form',
};

const sourcePath = /^\/webhooks\/leads\/(?:meta|google|form)\/([^/]+)$/i;

/** Returns the id of the source that a path names, in any letter case; undefined if the path is not one of lead sources. */
export function sourceIdOf(route: string): string | undefined {
  return sourcePath.exec(route)?.[1];
}

export function routeOf({ kind, sourceId }: LeadSourceCaller): string {
  return pathOfSource({ kind, id: sourceId });
}

/** The most submissions of one call. */
export const maxSubmissions = 100;

/** Reads a call. @throws AppError VALIDATION_FAILED, BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE */
export async function readArrival(
  { body, contentType }: Pick<WebhookCall, 'body' | 'contentType'>,
  source: LeadSourceCaller,
): Promise<Omit<SourceArrival, 'call'>> {
  const { sourceId, kind } = source;
  if (kind === 'META') return { sourceId, entries: readNotices(parseExactJson(body, contentType)) };
  if (kind === 'GOOGLE')
    return { sourceId, entries: [readOne(readGoogleLead(parseExactJson(body, contentType)), source)] };
  const { value, notes, mayLackPlus } = await parseFormBody(body, contentType);
  const entries = Array.isArray(value)
    ? readList(value as unknown[], source)
    : [readOne(readFormLead(value, mayLackPlus), source)];
  return { sourceId, entries, notes };
}

/** Reads a call of one submission. If the submission is wrong, the call is refused. */
function readOne(submission: Submission | undefined, source: LeadSourceCaller): ArrivalEntry {
  const entry = readEntry(submission, source);
  if ('errors' in entry) throw validationFailed(entry.errors);
  return entry;
}

function readList(values: readonly unknown[], source: LeadSourceCaller): ArrivalEntry[] {
  if (values.length === 0) throw validationFailed([{ path: '', message: 'has to hold at least one submission' }]);
  if (values.length > maxSubmissions)
    throw validationFailed([{ path: '', message: `must not hold more than ${maxSubmissions} submissions` }]);
  return values.map((value) => readEntry(readFormLead(value), source));
}

function readEntry(submission: Submission | undefined, source: LeadSourceCaller): ArrivalEntry {
  if (submission === undefined) return { errors: [{ path: '', message: 'has to be an object' }] };
  const read = readPosting(submission, source, JSON.stringify(submission.document));
  if ('errors' in read || !submission.isTest) return read;
  return { test: 'posting' in read ? { key: read.posting.key, posting: read.posting } : { key: read.held.key } };
}

/** Reads a form's submission from its fields. @returns undefined if the value is no object */
export function readFormLead(value: unknown, mayLackPlus?: true): Submission | undefined {
  if (!isPlainObject(value)) return undefined;
  return { externalId: null, document: value, formId: null, disclaimers: [], isTest: isTestLead(value), mayLackPlus };
}
