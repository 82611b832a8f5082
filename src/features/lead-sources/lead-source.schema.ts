// Bounds and words of lead sources. The schemas are built for the configured service, because only it knows which addresses may be called.

import { z } from 'zod';
import { metaId } from '../../providers/meta/gateway.js';
import type { FieldError } from '../../platform/errors.js';
import { httpUrl, isPlainObject, jsonObject, keysOf } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { withoutEndSlash } from '../chat-instances/chat-instance.schema.js';
import { leadSourceKinds, type LeadSourceKind } from './lead-source-kind.js';
import { readMapping } from './reading/mapping.js';

/** The most sources of a tenant, deleted ones aside. */
export const maxLeadSources = 50;
/** The most forms of a source whose missed leads are read. */
export const maxForms = 100;
/** The days for which missed leads can be read: Meta keeps them for 90 days. */
export const maxReadBackDays = 90;

const maxBaseUrlLength = 2_048;
const maxMappingBytes = 16 * 1024;
const minKeyLength = 8;
const maxKeyLength = 200;
const minAppSecretLength = 16;
const maxTokenLength = 4_096;

const secret = (min: number, max: number) =>
  z
    .string()
    .min(min, `has to be at least ${min} characters long`)
    .max(max)
    .regex(/^[\x21-\x7E]*$/, 'has to consist of printable ASCII characters without blanks');

const oneOf = <Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform((written) => written.toLowerCase().replace(/^sha-/, 'sha'))
    .pipe(z.enum(names as [Name, ...Name[]]));

export const hmacAlgorithms = ['sha256', 'sha512', 'sha1'] as const;
export const hmacEncodings = ['hex', 'base64'] as const;

export type HmacAlgorithm = (typeof hmacAlgorithms)[number];
export type HmacEncoding = (typeof hmacEncodings)[number];

/** Every text that can be signed, with its meaning. */
export const hmacSchemes = {
  BODY: 'The bytes of the body.',
  TIMESTAMP_DOT_BODY: 'The time of the call as it is sent, a full stop, and the bytes of the body.',
  TIMESTAMP_COLON_BODY: 'The time of the call as it is sent, a colon, and the bytes of the body.',
} as const;

export type HmacScheme = keyof typeof hmacSchemes;

export const defaultToleranceSeconds = 300;
const maxToleranceSeconds = 86_400;

/** Headers that cannot hold a signature. They carry credentials or frame the message, so proxies and servers read, change or drop them. */
const reservedHeaders = new Set(
  `host cookie set-cookie authorization proxy-authorization proxy-authenticate www-authenticate x-tenant-key x-api-key transfer-encoding
   content-length content-type content-encoding connection keep-alive proxy-connection te trailer upgrade expect via forwarded date
   origin referer user-agent accept accept-encoding`.split(/\s+/),
);
const reservedPrefixes = ['x-forwarded-', 'sec-', ':', 'access-control-', 'cf-', 'x-real-'];

const isReserved = (name: string) =>
  reservedHeaders.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));

const headerName = z
  .string()
  .trim()
  .toLowerCase()
  .max(100)
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'has to be the name of a header')
  .refine((name) => !isReserved(name), 'must not be a header of HTTP itself, of credentials or of proxies');

const hmacSchema = z
  .strictObject({
    header: headerName,
    algorithm: oneOf(hmacAlgorithms),
    encoding: oneOf(hmacEncodings),
    secret: secret(minKeyLength, maxKeyLength),
    scheme: z.enum(keysOf(hmacSchemes)).nullish(),
    timestampHeader: headerName.nullish(),
    toleranceSeconds: z.number().int().min(1).max(maxToleranceSeconds).nullish(),
  })
  .superRefine(({ header, scheme, timestampHeader, toleranceSeconds }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    const hasTime = scheme != null && scheme !== 'BODY';
    if (!hasTime && timestampHeader != null) refuse('timestampHeader', 'is for a scheme with a timestamp only');
    if (!hasTime && toleranceSeconds != null) refuse('toleranceSeconds', 'is for a scheme with a timestamp only');
    if (timestampHeader === header) refuse('timestampHeader', 'has to be another one than header');
  });

export type HmacInput = z.output<typeof hmacSchema>;

const formIdsSchema = z
  .array(z.string().regex(metaId, "has to be Meta's id of a form: digits, as text"))
  .max(maxForms)
  .transform((ids) => [...new Set(ids)]);

/** Builds the schemas of `create` and `update`. @param checkUrl returns the reason why a URL must not be called; undefined if it may */
export function leadSourceSchemas(checkUrl: (url: string) => string | undefined) {
  const baseUrl = httpUrl(maxBaseUrlLength)
    .refine((url) => !/[?#@]/.test(url), 'has to come without query, fragment and credentials')
    .superRefine((url, context) => {
      const problem = URL.canParse(url) ? checkUrl(url) : undefined;
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .transform((url) => (URL.canParse(url) ? withoutEndSlash(url) : url));
  const optional = {
    key: secret(minKeyLength, maxKeyLength).nullish(),
    appSecret: secret(minAppSecretLength, maxKeyLength).nullish(),
    accessToken: secret(1, maxTokenLength).nullish(),
    baseUrl: baseUrl.nullish(),
    mapping: jsonObject(maxMappingBytes).nullish(),
    hmac: hmacSchema.nullish(),
    formIds: formIdsSchema.nullish(),
  };
  const name = shownName(100);
  return {
    create: z.strictObject({ kind: z.enum(keysOf(leadSourceKinds)), name, ...optional }),
    update: z.strictObject({
      name: name.optional(),
      ...optional,
      readSince: z
        .date('has to be a time')
        .refine((since) => since.getTime() <= Date.now(), 'must not lie ahead')
        .refine(
          (since) => since.getTime() >= Date.now() - maxReadBackDays * 86_400_000,
          `must not lie more than ${maxReadBackDays} days back`,
        )
        .nullish(),
      expectedVersion: z.number().int().min(1).nullish(),
    }),
  };
}

type Schemas = ReturnType<typeof leadSourceSchemas>;

export type CreateLeadSourceInput = Omit<z.input<Schemas['create']>, 'mapping'> & {
  mapping?: Record<string, unknown> | null | undefined;
};
export type UpdateLeadSourceInput = Omit<z.input<Schemas['update']>, 'mapping'> & {
  mapping?: Record<string, unknown> | null | undefined;
};

/** The fields that belong to one kind, beside the name and the mapping. */
const fieldsOfKind: Record<LeadSourceKind, readonly string[]> = {
  META: ['appSecret', 'accessToken', 'key', 'baseUrl', 'formIds', 'readSince'],
  GOOGLE: ['key'],
  FORM: ['hmac'],
};
const neededFields: Record<LeadSourceKind, readonly string[]> = {
  META: ['appSecret', 'accessToken'],
  GOOGLE: ['key'],
  FORM: [],
};

/**
 * Returns the errors in the given fields for a source of this kind, beyond the checks of each field.
 * @param isNew true if the fields that the kind needs have to be given; otherwise they must not be removed
 */
export function sourceProblems(
  kind: LeadSourceKind,
  given: Readonly<Record<string, unknown>>,
  isNew: boolean,
): FieldError[] {
  const others = Object.values(fieldsOfKind).flat();
  const foreign = others.filter((field) => given[field] != null && !fieldsOfKind[kind].includes(field));
  const missing = neededFields[kind].filter((field) => (isNew ? given[field] == null : given[field] === null));
  const { mapping } = given;
  return [
    ...[...new Set(foreign)].map((path) => ({ path, message: `is not for a source of the kind ${kind}` })),
    ...missing.map((path) => ({ path, message: 'is required' })),
    ...(isPlainObject(mapping) ? readMapping(kind, mapping).problems : []),
  ];
}
