// A call of a lead source as it is read: by the kind of its source.

import { validationFailed } from '../../../platform/input.js';
import type { DialectName, WebhookCall } from '../../intake/webhook-call.js';
import { pathOfSource } from '../lead-source-kind.js';
import type { LeadSourceKind } from '../lead-source-kind.js';
import { parseExactJson } from '../reading/exact-json.js';
import { parseFormBody, readFormLead } from '../reading/form-lead.js';
import { readGoogleLead } from '../reading/google-lead.js';
import { readNotices } from '../reading/meta-lead.js';
import { readPosting } from '../reading/submission.js';
import type { Submission } from '../reading/submission.js';
import type { LeadSourceCaller } from './source-proof.js';
import type { SourceArrival } from './source-lead-intake.js';

export const dialectOf: Record<LeadSourceKind, DialectName> = {
  META: 'meta_leads',
  GOOGLE: 'google_leads',
  FORM: 'form',
};

const sourcePath = /^\/webhooks\/leads\/(?:meta|google|form)\/([^/]+)$/i;

/** The source that a path names, in any letter case; undefined where it is no path of lead sources. */
export function sourceIdOf(route: string): string | undefined {
  return sourcePath.exec(route)?.[1];
}

export function routeOf({ kind, sourceId }: LeadSourceCaller): string {
  return pathOfSource({ kind, id: sourceId });
}

/** @throws AppError VALIDATION_FAILED, BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE */
export function readArrival(
  { body, contentType }: Pick<WebhookCall, 'body' | 'contentType'>,
  source: LeadSourceCaller,
): Omit<SourceArrival, 'call'> {
  const { sourceId, kind } = source;
  if (kind === 'META')
    return { sourceId, postings: [], items: readNotices(parseExactJson(body, contentType)), isTest: false };
  const submission =
    kind === 'GOOGLE'
      ? readGoogleLead(parseExactJson(body, contentType))
      : readFormLead(parseFormBody(body, contentType), contentType);
  return { sourceId, items: [], ...readSubmission(submission, source, body) };
}

function readSubmission(
  submission: Submission | undefined,
  source: LeadSourceCaller,
  whole: Buffer,
): Pick<SourceArrival, 'postings' | 'isTest'> {
  if (submission === undefined) throw validationFailed([{ path: '', message: 'has to be an object' }]);
  const read = readPosting(submission, source, whole);
  if ('errors' in read) throw validationFailed(read.errors);
  return { postings: [read.posting], isTest: submission.isTest };
}
