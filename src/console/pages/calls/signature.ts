// Compares a call's signature with the signature that a secret makes. The browser computes it, so that the secret does not leave it.

export type SignatureVerdict = 'missing' | 'malformed' | 'bytes' | 'json' | 'different';

export interface SignatureCheck {
  verdict: SignatureVerdict;
  /** The expected header, computed over the bytes as received. */
  expected: string;
}

const pattern = /^sha256=[0-9a-f]{64}$/;

/** True in a secure context, such as https or localhost. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

export async function sign(secret: string, body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** @param takesJson true if the signature may also cover `JSON.stringify` of the body; Meta signs only the bytes */
export async function checkSignature(
  secret: string,
  header: string | undefined,
  body: Uint8Array<ArrayBuffer>,
  takesJson: boolean,
): Promise<SignatureCheck> {
  const expected = await sign(secret, body);
  if (header === undefined) return { verdict: 'missing', expected };
  if (!pattern.test(header)) return { verdict: 'malformed', expected };
  if (header === expected) return { verdict: 'bytes', expected };
  const json = takesJson ? normalized(body) : undefined;
  const isJson = json !== undefined && header === (await sign(secret, json));
  return { verdict: isJson ? 'json' : 'different', expected };
}

function normalized(body: Uint8Array): string | undefined {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
