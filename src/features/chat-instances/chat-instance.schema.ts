// Bounds and formats of chat instance input. Which makes of gateway there are and which addresses may be called is known only
// to the service that is put together, so the schemas are made for it.

import { z } from 'zod';
import { httpUrl, jsonObject, text, uuid } from '../../platform/input.js';

/** Of one tenant, in use. */
export const maxInstances = 200;

const maxMetadataBytes = 16 * 1024;
const maxBaseUrlLength = 2_048;
const maxTokenLength = 4_096;

/** What this service can reach. */
export interface GatewayRules {
  /** The makes of gateway there is a driver for, by provider name. */
  providers: readonly string[];
  /** What is wrong with calling a URL; undefined where nothing is. */
  checkUrl: (url: string) => string | undefined;
}

/** Sent as a Bearer token: what a header can carry, without blanks. */
const token = z
  .string()
  .min(1, 'must not be empty')
  .max(maxTokenLength)
  .regex(/^[\x21-\x7E]*$/, 'has to consist of printable ASCII characters without blanks');

/** What the network signs its own calls with; an app secret of Meta's has 32 characters. */
const webhookSecret = token.min(16, 'has to be at least 16 characters long').max(200);

/** The schemas of `create` and `update`, by these rules. */
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
      instanceName: text(100),
      provider: provider.nullish(),
      isDefault: z.boolean().nullish(),
      ...optional,
    }),
    /** Absent fields stay as they are; null takes an address, a token or metadata away. */
    update: z.strictObject({
      instanceName: text(100).optional(),
      provider: provider.optional(),
      isDefault: z.boolean().optional(),
      ...optional,
    }),
  };
}

type Schemas = ReturnType<typeof chatInstanceSchemas>;

export type CreateChatInstanceInput = z.input<Schemas['create']>;

export type UpdateChatInstanceInput = z.input<Schemas['update']>;

// A refinement also sees what is no URL at all.
function hasNoCredentials(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

// Two writings of one address are equal, or a changed writing would ask for the token anew.
function withoutEndSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
