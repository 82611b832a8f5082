// Bounds and formats of tenant input.

import { z } from 'zod';
import { keysOf, text } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { countrySchema } from '../../platform/phone-numbers/country.js';
import { keywordKeyOf, maxKeywordLength } from './keyword-form.js';
import { defaultSignatureFormat, maxSignatureFormatLength, signatureFormatProblem } from './message-signature.js';

/** At most `max` sends in any window of `durationMs` (100 ms to one day). */
export const chatRateLimitSchema = z.strictObject({
  max: z.number().int().min(1).max(1_000_000),
  durationMs: z.number().int().min(100).max(86_400_000),
});

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'has to be 1 to 63 lower-case letters, digits and inner hyphens');

/** The most keywords of each kind. An empty list turns that kind off. */
export const maxKeywords = 50;
export const maxOptOutReplyLength = 1_000;

const keyword = text(maxKeywordLength).refine(
  // A keyword that is too long is refused for that alone.
  (written) => written.length > maxKeywordLength || keywordKeyOf(written) !== null,
  'has to have a letter or a digit besides a final . or !',
);

const keywords = z
  .array(keyword)
  .max(maxKeywords)
  .transform((given) => [...new Map(given.map((written) => [keywordKeyOf(written), written])).values()]);

/** An absent or null field stays empty; keywords are then those that every tenant begins with. */
export const createTenantSchema = z.strictObject({
  name: shownName(200),
  slug,
  chatRateLimit: chatRateLimitSchema.nullish(),
  webhookSourceLabel: shownName(100).nullish(),
  defaultCountry: countrySchema.nullish(),
  optOutKeywords: keywords.nullish(),
  optInKeywords: keywords.nullish(),
  optOutReply: text(maxOptOutReplyLength).nullish(),
});

export type CreateTenantInput = z.input<typeof createTenantSchema>;

/** The modes of the tenant's assistants at `POST /mcp`, each with its meaning. */
export const assistantModes = {
  OFF: 'Nothing.',
  DRAFT: 'Read conversations and draft replies, which people send.',
  SEND: 'Also send replies, and change the state of the conversations that they have read.',
} as const;

export type AssistantMode = keyof typeof assistantModes;

/** The places of the signature in texts and captions that users write, each with its meaning. */
export const signatureModes = {
  OFF: 'Nowhere.',
  BEFORE: 'On a line of its own before the text or caption.',
} as const;

export type SignatureMode = keyof typeof signatureModes;

const signatureFormat = text(maxSignatureFormatLength).superRefine((format, context) => {
  const message = signatureFormatProblem(format);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/**
 * Absent fields stay as they are; null brings the first format of signatures back. Null takes a limit, a label, a country or the reply
 * away.
 */
export const updateTenantSchema = z.strictObject({
  name: shownName(200).optional(),
  slug: slug.optional(),
  chatRateLimit: chatRateLimitSchema.nullish(),
  webhookSourceLabel: shownName(100).nullish(),
  defaultCountry: countrySchema.nullish(),
  isActive: z.boolean().optional(),
  optOutKeywords: keywords.optional(),
  optInKeywords: keywords.optional(),
  optOutReply: text(maxOptOutReplyLength).nullish(),
  sendsReadReceipts: z.boolean().optional(),
  showsTyping: z.boolean().optional(),
  checksNumbers: z.boolean().optional(),
  assistants: z.enum(keysOf(assistantModes)).optional(),
  pushesText: z.boolean().optional(),
  signature: z.enum(keysOf(signatureModes)).optional(),
  signatureFormat: signatureFormat
    .nullable()
    .transform((format) => format ?? defaultSignatureFormat)
    .optional(),
});

export type UpdateTenantInput = z.input<typeof updateTenantSchema>;

/** The time for which keys that a rotation replaces stay valid, in seconds: at most a week. */
export const graceSecondsSchema = z.number().int().min(0).max(604_800);
