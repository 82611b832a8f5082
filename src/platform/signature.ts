// The webhook signature of spec.md: `sha256=<lowercase hex>`, HMAC-SHA256 keyed with the shared secret.

import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const prefix = 'sha256=';
const pattern = /^sha256=[0-9a-f]{64}$/;

/** The header value for a body, over exactly these bytes. */
export function sign(secret: string, body: Buffer | string): string {
  return `${prefix}${hmacOf(secret, body).toString('hex')}`;
}

const blockBytes = 64;
const digestBytes = 32;
/** A larger body is not copied. */
const maxCopiedBytes = 16 * 1024;
const maxSecrets = 100;

/** A block that opens a hash, with room for a digest behind the outer one. */
interface Pads {
  inner: Buffer;
  outer: Buffer;
}

const padsBySecret = new LRUCache<string, Pads>({ max: maxSecrets });

// HMAC (RFC 2104) is two hashes. Made of plain ones, a short body takes half the time: an object of OpenSSL's for each call costs more
// than the hashes, and its removal as garbage as much again.
function hmacOf(secret: string, body: Buffer | string): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length > maxCopiedBytes) return createHmac('sha256', secret).update(bytes).digest();
  const pads = padsBySecret.get(secret) ?? padsOf(secret);
  padsBySecret.set(secret, pads);
  const { inner, outer } = pads;
  hash('sha256', Buffer.concat([inner, bytes]), 'buffer').copy(outer, blockBytes);
  return hash('sha256', outer, 'buffer');
}

function padsOf(secret: string): Pads {
  const given = Buffer.from(secret);
  const key = Buffer.alloc(blockBytes);
  (given.length > blockBytes ? hash('sha256', given, 'buffer') : given).copy(key);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  outer.set(key.map((byte) => byte ^ 0x5c));
  return { inner: Buffer.from(key.map((byte) => byte ^ 0x36)), outer };
}

/**
 * Whether `header` signs `rawBody`. The spec says "the JSON-serialized request body": a sender may have signed the bytes
 * it sent, or `JSON.stringify` of the value it sent otherwise written. Both are accepted, compared in constant time.
 * @param parseBody called only where the bytes do not match. It gives undefined where the body is not JSON. Without it
 * only the bytes count
 */
export function signatureMatches(
  secret: string,
  header: string | undefined,
  rawBody: Buffer,
  parseBody?: () => unknown,
): boolean {
  if (header === undefined || !pattern.test(header)) return false;
  const given = Buffer.from(header.slice(prefix.length), 'hex');
  if (timingSafeEqual(given, hmacOf(secret, rawBody))) return true;
  const parsed = parseBody?.();
  return parsed !== undefined && timingSafeEqual(given, hmacOf(secret, JSON.stringify(parsed)));
}
