// How Meta and we recognize each other: the GET that confirms an address once, and the signature on every POST. Where the
// token and the secret are kept is left to the caller.

import { createHash, timingSafeEqual } from 'node:crypto';
import { signatureMatches } from '../../../platform/signature.js';

/** 1 to 512 printable ASCII characters: the challenge is sent back as it came. */
const challengePattern = /^[\x20-\x7e]{1,512}$/;

/**
 * The answer to Meta's `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…`: to be sent back as plain text, with
 * nothing around it. Undefined where the token or anything else is wrong. Safe to repeat.
 * @param verifyToken what was entered at Meta; an empty one confirms nothing
 */
export function answerHandshake(
  query: Record<string, unknown>,
  verifyToken: string,
): { challenge: string } | undefined {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
  if (typeof token !== 'string' || verifyToken === '' || !equal(token, verifyToken)) return undefined;
  if (mode !== 'subscribe' || typeof challenge !== 'string' || !challengePattern.test(challenge)) return undefined;
  return { challenge };
}

/**
 * Whether `X-Hub-Signature-256` signs exactly these bytes; compared in constant time. Meta signs its own writing of the
 * JSON, so that a body written anew never counts.
 * @param appSecret the app's, not the access token; with an empty one nothing matches
 */
export function cloudSignatureMatches(appSecret: string, header: string | undefined, rawBody: Buffer): boolean {
  return appSecret !== '' && signatureMatches(appSecret, header, rawBody);
}

// By their digests, which have one length: the time tells nothing of the token, not even how long it is.
function equal(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
