// Bounds and formats of chat instance input. The schemas are built from the configured drivers and the outbound address policy.

import { z } from 'zod';
import { madeSecretLength } from '../../providers/provider.js';
import { findProvider, leastWebhookSecretLength } from '../../providers/registry.js';
import type { FieldError } from '../../platform/errors.js';
import { httpUrl, jsonObject, uuid } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';

/** The most instances in use, for each tenant. */
export const maxInstances = 200;

/** The reasons why an instance is DEGRADED, the weightiest first. */
export const healthCodes = {
  SENDS_LOST: 'The gateway accepted messages that were neither acknowledged nor in its history. Sending is paused.',
  UNREACHABLE: 'The gateway does not answer. Messages wait, and are tried again.',
  MESSAGES_MISSED: "The gateway's history has messages that no webhook brought.",
  SILENT: 'No lead has written for longer than the habit of these hours explains.',
} as const;

export type HealthCode = keyof typeof healthCodes;

const maxMetadataBytes = 16 * 1024;
const maxBaseUrlLength = 2_048;
const maxTokenLength = 4_096;

/** The rules for gateways that follow from the configuration. */
export interface GatewayRules {
  /** Names of the providers that have a driver. */
  providers: readonly string[];
  /** Returns the reason why a URL must not be called; undefined if it may. */
  checkUrl: (url: string) => string | undefined;
}

/** The gateway's token. It is sent as a Bearer token, so it has only characters that a header can carry. */
const token = z
  .string()
  .min(1, 'must not be empty')
  .max(maxTokenLength)
  .regex(/^[\x21-\x7E]*$/, 'has to consist of printable ASCII characters without blanks');

/** The secret that a provider signs its calls with. */
const webhookSecret = token.min(leastWebhookSecretLength, secretTooShort(leastWebhookSecretLength)).max(200);

/** The schemas of `create` and `update`. */
export function chatInstanceSchemas({ providers, checkUrl }: GatewayRules) {
  const provider = z.string().refine((name) => providers.includes(name), `has to be one of: ${providers.join(', ')}`);
  const baseUrl = httpUrl(maxBaseUrlLength)
    .refine(hasNoCredentials, 'has to come without credentials in it')
    .refine((url) => !/[?#]/.test(url), 'has to come without query or fragment')
    .transform(withoutEndSlash)
    .superRefine((url, context) => {
      const problem = checkUrl(url);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    });
  const optional = {
    baseUrl: baseUrl.nullish(),
    token: token.nullish(),
    webhookSecret: webhookSecret.nullish(),
    metadata: jsonObject(maxMetadataBytes).nullish(),
  };
  return {
    create: z.strictObject({
      accountId: uuid,
      instanceName: shownName(100),
      provider: provider.nullish(),
      isDefault: z.boolean().nullish(),
      ...optional,
    }),
    /** Absent fields stay as they are. Null removes an address, a token, a secret or metadata. */
    update: z.strictObject({
      instanceName: shownName(100).optional(),
      provider: provider.optional(),
      isDefault: z.boolean().optional(),
      ...optional,
    }),
  };
}

type Schemas = ReturnType<typeof chatInstanceSchemas>;

export type CreateChatInstanceInput = z.input<Schemas['create']>;

export type UpdateChatInstanceInput = z.input<Schemas['update']>;

/** Returns the errors in the metadata of an instance of this provider. Missing fields are not required. */
export function metadataProblems(
  provider: string | null | undefined,
  metadata: object | null | undefined,
): FieldError[] {
  const { format, problems = {} } = findProvider(provider ?? '')?.metadata ?? {};
  return Object.entries(problems).flatMap(([name, message]) => {
    const value: unknown = Object(metadata)[name] ?? null;
    const isRight = value === null || (typeof value === 'string' && format?.test(value) === true);
    return isRight ? [] : [{ path: `metadata.${name}`, message }];
  });
}

/** Returns the errors in the webhook secret of an instance of this provider, beyond the checks of the schemas. */
export function webhookSecretProblems(
  provider: string | null | undefined,
  secret: string | null | undefined,
): FieldError[] {
  const minLength = minSecretLengthOf(provider);
  if (secret == null || secret.length >= minLength) return [];
  return [{ path: 'webhookSecret', message: secretTooShort(minLength) }];
}

/** Returns the fewest characters of the webhook secret of an instance of this provider. */
export function minSecretLengthOf(provider: string | null | undefined): number {
  return findProvider(provider ?? '')?.minWebhookSecretLength ?? madeSecretLength;
}

function secretTooShort(minLength: number): string {
  return `has to be at least ${minLength} characters long`;
}

// A value that is not a URL passes, because refinements also run on such values.
function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** Returns one form of an address, so that another way to write it is not a change. */
export function withoutEndSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
