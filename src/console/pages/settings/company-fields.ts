// Converts the company form's fields to the change to send, which contains only the differences.

import type { AssistantMode, CompanySettingsFragment, SignatureMode, UpdateTenantInput } from './operations.js';

/** The values of the form's fields. */
export interface CompanyFields {
  name: string;
  isLimited: boolean;
  maxSends: string;
  perSeconds: string;
  defaultCountry: string;
  webhookSourceLabel: string;
  /** Each line contains one keyword. */
  optOutKeywords: string;
  optInKeywords: string;
  optOutReply: string;
  sendsReadReceipts: boolean;
  showsTyping: boolean;
  checksNumbers: boolean;
  pushesText: boolean;
  assistants: AssistantMode;
  signature: SignatureMode;
  /** Empty: the first format of every company. */
  signatureFormat: string;
}

export function toFields(company: CompanySettingsFragment): CompanyFields {
  const { name, chatRateLimit, defaultCountry, webhookSourceLabel, optOutReply } = company;
  const { sendsReadReceipts, showsTyping, checksNumbers, pushesText, assistants, signature, signatureFormat } = company;
  return {
    name,
    isLimited: chatRateLimit !== null,
    maxSends: String(chatRateLimit?.max ?? 20),
    perSeconds: String((chatRateLimit?.durationMs ?? 60_000) / 1_000),
    defaultCountry: defaultCountry ?? '',
    webhookSourceLabel: webhookSourceLabel ?? '',
    optOutKeywords: company.optOutKeywords.join('\n'),
    optInKeywords: company.optInKeywords.join('\n'),
    optOutReply: optOutReply ?? '',
    sendsReadReceipts,
    showsTyping,
    checksNumbers,
    pushesText,
    assistants,
    signature,
    signatureFormat,
  };
}

/** The settings that differ, by their names in the API. Several fields may make one setting. */
export function changedSettings(fields: CompanyFields, before: CompanyFields): Setting[] {
  return settings.filter((name) => fieldsOf(name).some((field) => fields[field] !== before[field]));
}

export function toChange(fields: CompanyFields, before: CompanyFields): UpdateTenantInput {
  const values: Required<Pick<UpdateTenantInput, Setting>> = {
    name: fields.name.trim(),
    chatRateLimit: limitOf(fields),
    defaultCountry: orNull(fields.defaultCountry),
    webhookSourceLabel: orNull(fields.webhookSourceLabel),
    optOutKeywords: linesOf(fields.optOutKeywords),
    optInKeywords: linesOf(fields.optInKeywords),
    optOutReply: orNull(fields.optOutReply),
    sendsReadReceipts: fields.sendsReadReceipts,
    showsTyping: fields.showsTyping,
    checksNumbers: fields.checksNumbers,
    pushesText: fields.pushesText,
    assistants: fields.assistants,
    signature: fields.signature,
    signatureFormat: orNull(fields.signatureFormat),
  };
  return Object.fromEntries(changedSettings(fields, before).map((name) => [name, values[name]]));
}

const settings = [
  'name',
  'webhookSourceLabel',
  'signature',
  'signatureFormat',
  'pushesText',
  'chatRateLimit',
  'defaultCountry',
  'sendsReadReceipts',
  'showsTyping',
  'checksNumbers',
  'optOutKeywords',
  'optInKeywords',
  'optOutReply',
  'assistants',
] as const;
type Setting = (typeof settings)[number];

function fieldsOf(name: Setting): readonly (keyof CompanyFields)[] {
  return name === 'chatRateLimit' ? ['isLimited', 'maxSends', 'perSeconds'] : [name];
}

function limitOf({ isLimited, maxSends, perSeconds }: CompanyFields) {
  if (!isLimited) return null;
  return { max: Math.round(Number(maxSends)), durationMs: Math.round(Number(perSeconds) * 1_000) };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

export function linesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
