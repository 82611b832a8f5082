// Forged keys: a public key that is taken for a shared secret, and a forger's own key that a token brings along.

import type { KeyObject } from 'node:crypto';
import type { SigningPair } from '../../support/oidc-server.js';

/** The writings of a public key that may be taken for the secret of HS256. */
export const publicKeyWritings: [string, (key: KeyObject) => string | Buffer][] = [
  ['in PEM', toPem],
  ['in PEM without its last line break', (key) => toPem(key).trimEnd()],
  ['in PEM as PKCS #1', (key) => key.export({ type: 'pkcs1', format: 'pem' })],
  ['in DER', (key) => key.export({ type: 'spki', format: 'der' })],
  ['as JWK', (key) => JSON.stringify(key.export({ format: 'jwk' }))],
  ['by its modulus', (key) => Buffer.from(String(key.export({ format: 'jwk' }).n), 'base64url')],
];

function toPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** Names a key in a header in every way: by value, and by URLs that the service must not ask. */
export function headerWithKey({ kid, publicKey }: SigningPair, url: string): Record<string, unknown> {
  const certificate = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return { kid, jwk: publicKey.export({ format: 'jwk' }), jku: url, x5u: url, x5c: [certificate] };
}
