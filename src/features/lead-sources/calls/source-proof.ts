// The proof that a call comes from its source: Meta's signature, Google's key, or the signature that is configured for a form.

import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../platform/errors.js';
import { isPlainObject } from '../../../platform/input/input.js';
import { parseJsonBody } from '../../../platform/http/json-body.js';
import { sha256 } from '../../../platform/secret-box.js';
import { metaSignatureMatches } from '../../../providers/meta/reported-call.js';
import type { LeadSourceKind } from '../lead-source-kind.js';
import { withoutField } from '../reading/exact-json.js';
import { googleKeyField } from '../reading/google-lead.js';
import type { ReadingSource } from '../reading/submission.js';
import { faultOfCall, faultOfHeaders, type FormSignature, type Header } from './form-signature.js';

/** A source that may be called, with the secrets that prove its calls. */
export interface LeadSourceCaller extends ReadingSource {
  tenantId: string;
  kind: LeadSourceKind;
  key: string | undefined;
  appSecret: string | undefined;
  hmac: FormSignature | undefined;
}

export const metaSignature = 'x-hub-signature-256';
const metaSignatureForm = /^sha256=[\da-f]{64}$/i;

/** True if calls of this source prove where they come from. */
export function isSigned({ kind, hmac }: LeadSourceCaller): boolean {
  return kind !== 'FORM' || hmac !== undefined;
}

/** True if the headers, as far as they tell, are those of a genuine call. */
export function looksGenuine({ kind, hmac }: LeadSourceCaller, header: Header): boolean {
  if (kind === 'META') return metaSignatureForm.test(header(metaSignature) ?? '');
  return hmac === undefined || faultOfHeaders(hmac, header) === undefined;
}

/** Verifies a call. @returns the body without a key; undefined if the call is not genuine */
export function verifiedBody(caller: LeadSourceCaller, header: Header, body: Buffer): Buffer | undefined {
  const { kind, appSecret, key, hmac } = caller;
  if (kind === 'META') return metaSignatureMatches(appSecret ?? '', header(metaSignature), body) ? body : undefined;
  if (kind === 'GOOGLE') return googleKeyMatches(key ?? '', body) ? withoutField(body, googleKeyField) : undefined;
  return hmac === undefined || faultOfCall(hmac, header, body) === undefined ? body : undefined;
}

/**
 * Returns the error for a call that is not genuine. It names the part that is wrong.
 * @param body undefined if it was not read, because the headers are wrong
 */
export function notGenuine({ kind, hmac }: LeadSourceCaller, header: Header, body?: Buffer): AppError {
  if (kind === 'GOOGLE') return new AppError('UNAUTHENTICATED', 'google_key is missing or wrong');
  if (kind === 'META' || hmac === undefined)
    return new AppError('SIGNATURE_INVALID', 'X-Hub-Signature-256 is missing or does not match the body');
  const fault = body === undefined ? faultOfHeaders(hmac, header) : faultOfCall(hmac, header, body);
  return new AppError('SIGNATURE_INVALID', fault?.detail ?? `${hmac.header} does not match`);
}

/** True if a body carries the key. A body that cannot be read carries none. */
function googleKeyMatches(key: string, body: Buffer): boolean {
  return key !== '' && equal(googleKeyOf(body) ?? '', key);
}

function googleKeyOf(body: Buffer): string | undefined {
  try {
    // The type is fixed here: the content type is judged when the call is read.
    const value = parseJsonBody(body, 'application/json');
    const key = isPlainObject(value) ? value[googleKeyField] : undefined;
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

// Compares digests, which have one length, so that the time tells nothing of the key, not even its length.
export function equal(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
