// Whether a secret makes the signature that a call came with. Computed here: the secret does not leave the browser.

export type SignatureVerdict = 'missing' | 'malformed' | 'bytes' | 'json' | 'different';

export interface SignatureCheck {
  verdict: SignatureVerdict;
  /** What the header would have to be, over the bytes as they came. */
  expected: string;
}

const pattern = /^sha256=[0-9a-f]{64}$/;

/** Needs a secure context, as https and localhost are. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

export async function sign(secret: string, body: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
  return `sha256=${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** @param takesJson whether `JSON.stringify` of the body may be signed too; Meta signs bytes alone */
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
