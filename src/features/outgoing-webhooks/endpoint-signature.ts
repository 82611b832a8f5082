// Signs deliveries to a webhook endpoint, by the Standard Webhooks specification, and makes the secrets that they are signed with.
// webhook-endpoint.service.ts keeps the secrets.

import { createHmac, randomBytes } from 'node:crypto';
import type { SealedColumn } from '../../platform/secret-box.js';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** `whsec_` and 32 random bytes in Base64. */
export function newEndpointSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

export interface SignedContent {
  /** The delivery's id, the same in each attempt. */
  id: string;
  /** The time of the attempt, in whole seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The three headers; one signature for each secret, the present one's first. */
export function signatureHeaders(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${signatureOf(`${id}.${timestamp}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}

function signatureOf(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

const table = 'webhook_endpoints';

export const endpointSecrets: SealedColumn = { table, column: 'secret_ciphertext', ownerOf: (id) => id };
export const previousEndpointSecrets: SealedColumn = {
  table,
  column: 'previous_secret_ciphertext',
  ownerOf: (id) => id,
};
