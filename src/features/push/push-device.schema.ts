// Bounds of the browsers that users have notified of messages.

import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { shownName } from '../../platform/input/shown-name.js';

/** The most browsers of one user. */
export const maxPushDevices = 10;
export const maxEndpointLength = 1_024;
export const maxDeviceNameLength = 100;
/** A browser that did not open the console for so long is no longer notified. */
export const deviceLifeDays = 30;

const publicKeyBytes = 65;
const secretBytes = 16;

export const keepPushDeviceSchema = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/, error: 'has to be an https URL' }).max(maxEndpointLength),
  publicKey: z
    .base64url({ error: 'has to be Base64 for URLs', abort: true })
    .refine(isPublicKey, 'has to be a public key of the curve P-256'),
  secret: z
    .base64url({ error: 'has to be Base64 for URLs', abort: true })
    .refine((written) => Buffer.from(written, 'base64url').length === secretBytes, `has to be ${secretBytes} bytes`),
  name: shownName(maxDeviceNameLength),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/, 'has to be a language such as `en` or `pt-BR`')
    .max(35),
  notifiesMine: z.boolean(),
  notifiesUnassigned: z.boolean(),
});

export type KeepPushDeviceInput = z.input<typeof keepPushDeviceSchema>;

// The key is tried, because a message for a point that is not on the curve could not be encrypted.
function isPublicKey(written: string): boolean {
  const key = Buffer.from(written, 'base64url');
  if (key.length !== publicKeyBytes) return false;
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}
