// The signature of webhook calls: `sha256=<lowercase hex>`, HMAC-SHA256 keyed with the shared secret.

import { createHmac, timingSafeEqual } from 'node:crypto';

const pattern = /^sha256=[0-9a-f]{64}$/;

/** The header value for a body, over exactly these bytes. */
export function sign(secret: string, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Returns whether `header` signs `rawBody`. The spec says "the JSON-serialized request body". A sender may have signed the bytes it sent,
 * or `JSON.stringify` of a value that it sent in another form. Both are accepted, compared in constant time.
 * @param parseBody called only where the bytes do not match. It gives undefined where the body is not JSON. Without it only the bytes count
 */
export function signatureMatches(
  secret: string,
  header: string | undefined,
  rawBody: Buffer,
  parseBody?: () => unknown,
): boolean {
  if (header === undefined || !pattern.test(header)) return false;
  if (equal(header, sign(secret, rawBody))) return true;
  const parsed = parseBody?.();
  return parsed !== undefined && equal(header, sign(secret, JSON.stringify(parsed)));
}

function equal(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
