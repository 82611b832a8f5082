// The variables of Web Push: the key that the service signs its notifications with, and who answers for them.

import { createECDH } from 'node:crypto';
import type { z } from 'zod';
import { contactUrl, pushKey } from './value-formats.js';

export const webPushVariables = {
  WEB_PUSH_PRIVATE_KEY: {
    schema: pushKey.optional(),
    default: '–',
    meaning:
      'signs notifications to browsers (VAPID): the private half of a key pair of P-256, 32 bytes in Base64 for URLs. Unset: push is not offered',
  },
  WEB_PUSH_CONTACT: {
    schema: contactUrl.optional(),
    default: '–',
    meaning:
      "`mailto:` address or https URL of the service's administrator, for the push services of browsers; required with `WEB_PUSH_PRIVATE_KEY`",
  },
} as const;

type Parsed = { [Name in keyof typeof webPushVariables]: z.output<(typeof webPushVariables)[Name]['schema']> };

export interface WebPushConfig {
  /** Both halves in Base64 for URLs. */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly contact: string;
}

/** Undefined if push is not offered. */
export function webPushOf({
  WEB_PUSH_PRIVATE_KEY: privateKey,
  WEB_PUSH_CONTACT: contact,
}: Parsed): WebPushConfig | undefined {
  if (privateKey === undefined || contact === undefined) return undefined;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return Object.freeze({ privateKey, publicKey: pair.getPublicKey('base64url'), contact });
}
