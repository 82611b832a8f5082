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
  assistants: AssistantMode;
  signature: SignatureMode;
  /** Empty: the first format of every company. */
  signatureFormat: string;
}

export function toFields(company: CompanySettingsFragment): CompanyFields {
  const { name, chatRateLimit, defaultCountry, webhookSourceLabel, optOutReply } = company;
  const { sendsReadReceipts, showsTyping, checksNumbers, assistants, signature, signatureFormat } = company;
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
    assistants,
    signature,
    signatureFormat,
  };
}

export function toChange(fields: CompanyFields, before: CompanyFields): UpdateTenantInput {
  const differs = (...names: (keyof CompanyFields)[]) => names.some((name) => fields[name] !== before[name]);
  return {
    ...(differs('name') && { name: fields.name.trim() }),
    ...(differs('isLimited', 'maxSends', 'perSeconds') && { chatRateLimit: limitOf(fields) }),
    ...(differs('defaultCountry') && { defaultCountry: orNull(fields.defaultCountry) }),
    ...(differs('webhookSourceLabel') && { webhookSourceLabel: orNull(fields.webhookSourceLabel) }),
    ...(differs('optOutKeywords') && { optOutKeywords: linesOf(fields.optOutKeywords) }),
    ...(differs('optInKeywords') && { optInKeywords: linesOf(fields.optInKeywords) }),
    ...(differs('optOutReply') && { optOutReply: orNull(fields.optOutReply) }),
    ...(differs('sendsReadReceipts') && { sendsReadReceipts: fields.sendsReadReceipts }),
    ...(differs('showsTyping') && { showsTyping: fields.showsTyping }),
    ...(differs('checksNumbers') && { checksNumbers: fields.checksNumbers }),
    ...(differs('assistants') && { assistants: fields.assistants }),
    ...(differs('signature') && { signature: fields.signature }),
    ...(differs('signatureFormat') && { signatureFormat: orNull(fields.signatureFormat) }),
  };
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
