// Any other form: a JSON object, or form fields.

import { AppError } from '../../../platform/errors.js';
import { isPlainObject } from '../../../platform/input.js';
import { parseExactJson } from './exact-json.js';
import { joinAnswers } from './submission.js';
import type { Submission } from './submission.js';

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const maxFields = 500;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST */
export function parseFormBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (contentType === undefined || !formType.test(contentType)) return parseJsonOf(bytes, contentType);
  let written;
  try {
    written = utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The body is not valid UTF-8', { cause });
  }
  const fields = [...new URLSearchParams(written)];
  if (fields.length > maxFields) throw new AppError('BAD_REQUEST', `The body has more than ${maxFields} fields`);
  return joinAnswers(fields);
}

function parseJsonOf(bytes: Buffer, contentType: string | undefined): unknown {
  try {
    return parseExactJson(bytes, contentType);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED_MEDIA_TYPE') throw error;
    const types = 'application/json or application/x-www-form-urlencoded';
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as Content-Type: ${types}`);
  }
}

/**
 * @param contentType of the call that brought it
 * @returns undefined where the body is no object
 */
export function readFormLead(body: unknown, contentType?: string): Submission | undefined {
  if (!isPlainObject(body)) return undefined;
  const isUrlEncoded = contentType !== undefined && formType.test(contentType);
  return { externalId: null, document: body, formId: null, disclaimers: [], isTest: false, isUrlEncoded };
}
