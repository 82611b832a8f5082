// Converts the fields of the lead source form to the API's input.

import { isObject, parseExactJson } from './lead-payload.js';
import type {
  CreateLeadSourceInput,
  HmacScheme,
  LeadSourceKind,
  LeadSourceRowFragment,
  UpdateLeadSourceInput,
} from './operations.js';

export interface SourceFields {
  kind: LeadSourceKind;
  name: string;
  key: string;
  appSecret: string;
  accessToken: string;
  baseUrl: string;
  formIds: string;
  isSigned: boolean;
  header: string;
  algorithm: string;
  encoding: string;
  scheme: HmacScheme;
  timestampHeader: string;
  toleranceSeconds: string;
  hmacSecret: string;
  mapping: string;
}

export const sourceKinds: readonly LeadSourceKind[] = ['META', 'GOOGLE', 'FORM'];
export const hmacAlgorithms = ['sha256', 'sha512', 'sha1'];
export const hmacEncodings = ['hex', 'base64'];
export const hmacSchemes: readonly HmacScheme[] = ['BODY', 'TIMESTAMP_DOT_BODY', 'TIMESTAMP_COLON_BODY'];

/** @param source undefined for a new lead source */
export function fieldsOfSource(source: LeadSourceRowFragment | undefined): SourceFields {
  if (source === undefined) return emptyFields;
  const { kind, name, baseUrl, forms, hmac, mapping } = source;
  return {
    ...emptyFields,
    ...(hmac === null ? {} : fieldsOfHmac(hmac)),
    kind,
    name,
    baseUrl: baseUrl ?? '',
    formIds: forms.flatMap(({ id, isConfigured }) => (isConfigured ? [id] : [])).join(' '),
    isSigned: hmac !== null,
    mapping: mapping === null ? '' : JSON.stringify(mapping, null, 2),
  };
}

function fieldsOfHmac({ timestampHeader, toleranceSeconds, ...hmac }: NonNullable<LeadSourceRowFragment['hmac']>) {
  return { ...hmac, timestampHeader: timestampHeader ?? '', toleranceSeconds: String(toleranceSeconds ?? 300) };
}

const emptyFields: SourceFields = {
  kind: 'META',
  name: '',
  key: '',
  appSecret: '',
  accessToken: '',
  baseUrl: '',
  formIds: '',
  isSigned: false,
  header: 'x-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  scheme: 'BODY',
  timestampHeader: '',
  toleranceSeconds: '300',
  hmacSecret: '',
  mapping: '',
};

/** Parses the mapping. Returns null for an empty text, which means the default mapping, and undefined if it is not a JSON object. */
export function writtenMapping(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  const value = parseExactJson(text);
  return isObject(value) ? value : undefined;
}

/** Leaves out secrets that are empty. @param mapping the result of `writtenMapping` */
export function toCreateInput(fields: SourceFields, mapping: Record<string, unknown> | null): CreateLeadSourceInput {
  return { kind: fields.kind, name: fields.name.trim(), mapping, ...ownInput(fields, undefined) };
}

export function toUpdateInput(
  fields: SourceFields,
  mapping: Record<string, unknown> | null,
  source: LeadSourceRowFragment,
): UpdateLeadSourceInput {
  return { name: fields.name.trim(), mapping, expectedVersion: source.version, ...ownInput(fields, source) };
}

/** Returns the fields that belong to the source's kind. */
function ownInput(fields: SourceFields, source: LeadSourceRowFragment | undefined) {
  const { kind, key, appSecret, accessToken, baseUrl, formIds } = fields;
  if (kind === 'GOOGLE') return given({ key });
  if (kind === 'FORM') return signatureInput(fields, source);
  return {
    ...given({ key, appSecret, accessToken }),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    formIds: formIds.split(/[\s,;]+/).filter((id) => id !== ''),
  };
}

function given<Name extends string>(fields: Record<Name, string>): Partial<Record<Name, string>> {
  const entries = Object.entries<string>(fields).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Partial<Record<Name, string>>;
}

// An unchanged signature needs no secret. A changed one does, because the API does not return the old secret.
function signatureInput(fields: SourceFields, source: LeadSourceRowFragment | undefined) {
  const { isSigned, header, algorithm, encoding, scheme, hmacSecret } = fields;
  const before = source?.hmac ?? null;
  if (!isSigned) return before === null ? {} : { hmac: null };
  const hmac = { header: header.trim(), algorithm, encoding, scheme, ...timeInput(fields), secret: hmacSecret.trim() };
  const isKept =
    hmac.secret === '' &&
    before?.header === hmac.header.toLowerCase() &&
    before.algorithm === algorithm &&
    before.encoding === encoding &&
    before.scheme === scheme &&
    before.timestampHeader === (hmac.timestampHeader?.toLowerCase() ?? null) &&
    before.toleranceSeconds === hmac.toleranceSeconds;
  return isKept ? {} : { hmac };
}

// Only a signature with a timestamp has these fields.
function timeInput({ scheme, timestampHeader, toleranceSeconds }: SourceFields) {
  if (scheme === 'BODY') return { timestampHeader: null, toleranceSeconds: null };
  const header = timestampHeader.trim();
  return { timestampHeader: header === '' ? null : header, toleranceSeconds: Number(toleranceSeconds) };
}
