// Turns a body's bytes into its JSON value. Signature and journal keep the bytes themselves.

import { AppError } from '../errors.js';
import { exceedsDepth, maxJsonDepth } from '../input/input.js';

/** Bodies above this are refused with PAYLOAD_TOO_LARGE. */
export const maxBodyBytes = 256 * 1024;

/** The limit for callers without a credential: a sign-in sends less, a refresh token included. */
export const maxAnonymousBodyBytes = 32 * 1024;

/** The limit for Meta's calls. Its batches reach 3 MB, and it would repeat a call that is refused for its size for days. */
export const maxNetworkBodyBytes = 3 * 1024 * 1024;

/** @param limit in bytes */
export function bodyTooLarge(limit: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body exceeds ${limit / 1_024} KiB`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** @throws AppError UNSUPPORTED_MEDIA_TYPE when the content type is not JSON, BAD_REQUEST when the bytes are not */
export function parseJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (contentType === undefined || !jsonType.test(contentType)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json');
  }
  const value = parse(decode(bytes));
  if (exceedsDepth(value, maxJsonDepth)) {
    throw new AppError('BAD_REQUEST', `The body nests deeper than ${maxJsonDepth} levels`);
  }
  return value;
}

/** Returns undefined where the body is no JSON, or nests too deeply to be written again. */
export function jsonOf(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return exceedsDepth(value, maxJsonDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The body is not valid UTF-8', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The body is not valid JSON', { cause });
  }
}
