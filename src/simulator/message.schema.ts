// Owns the format of input over HTTP: the message to send, the reaction to set, the lead's actions, the webhook target.

import { z } from 'zod';
import { LANGUAGES } from './customer-phrases.js';

const NO_CONTROL_CHARACTERS = /^\P{Cc}+$/u;
const PRINTABLE_ASCII = /^[ -~]+$/;

/** An instance's name: 1 to 128 characters, none of them a control character. */
export const instanceNameSchema = z.string().max(128).regex(NO_CONTROL_CHARACTERS);

/** A chat number (digits) or another id of the network's (`1234@lid`): 1 to 128 characters. */
const addressSchema = z
  .string()
  .max(128)
  .regex(/^[\w.+@:-]+$/);

const mediaSchema = z.object({
  url: z.url().max(4_096),
  mimeType: z.string().max(255).optional(),
  fileName: z.string().max(255).optional(),
  caption: z.string().max(4_096).optional(),
});

const textSchema = z.string().min(1).max(65_536);
const TEXT_OR_MEDIA = { error: 'text or media is needed', path: ['text'] };

/** The body of `POST /messages`. Fields it does not know are ignored. */
export const outgoingMessageSchema = z
  .object({
    instance: instanceNameSchema,
    to: addressSchema,
    type: z.string().min(1).max(32).default('text'),
    text: textSchema.optional(),
    media: mediaSchema.optional(),
    replyTo: z.string().min(1).max(255).optional(),
  })
  .refine((message) => message.text !== undefined || message.media !== undefined, TEXT_OR_MEDIA);

/** A message we were asked to send. */
export type OutgoingMessage = z.infer<typeof outgoingMessageSchema>;

const messageIdSchema = z.string().min(1).max(255);

/** A reaction: null takes it back. */
const emojiSchema = z.string().min(1).max(64).nullable();

/** The body of `POST /reactions`. Fields it does not know are ignored. */
export const outgoingReactionSchema = z.object({
  instance: instanceNameSchema,
  to: addressSchema,
  messageId: messageIdSchema,
  fromMe: z.boolean().optional(),
  emoji: emojiSchema,
});

/** A reaction we were asked to set. */
export type OutgoingReaction = z.infer<typeof outgoingReactionSchema>;

/** A lead's message, or its change to an earlier one. Strict: it is typed by hand, and a misspelt field should not be lost in silence. */
export const leadMessageSchema = z
  .strictObject({
    instance: instanceNameSchema,
    from: addressSchema,
    name: z.string().min(1).max(255).optional(),
    text: textSchema.optional(),
    media: mediaSchema.optional(),
    replyTo: messageIdSchema.optional(),
    reaction: z.strictObject({ messageId: messageIdSchema, emoji: emojiSchema }).optional(),
    edit: z.strictObject({ messageId: messageIdSchema, text: textSchema }).optional(),
    deletion: z.strictObject({ messageId: messageIdSchema }).optional(),
    /** Evolution and WAHA only: the hidden id that the person writes under, from now on. */
    lid: z
      .string()
      .regex(/^\d{1,32}$/)
      .optional(),
    /** Evolution and WAHA only: done on our own phone, in the conversation with `from`. */
    fromPhone: z.boolean().optional(),
    /** Through Meta only: whether the person wants marketing messages. */
    preference: z.enum(['stop', 'resume']).optional(),
    /** The name of a player of players.ts, in place of all these. */
    player: z.string().max(64).optional(),
    variant: z.string().max(64).optional(),
    /** The delay between the steps of a player. */
    delayMs: z.int().min(0).max(3_600_000).optional(),
    /** The language of a player's words; by default, the number decides. */
    language: z.enum(LANGUAGES).optional(),
  })
  .superRefine((message, context) => {
    const changes = (['reaction', 'edit', 'deletion', 'preference', 'player'] as const).filter(
      (name) => message[name] !== undefined,
    );
    for (const [name, problem] of playProblems(message))
      context.addIssue({ code: 'custom', path: [name], message: problem });
    const writes = message.text !== undefined || message.media !== undefined || message.replyTo !== undefined;
    if (changes.length > 1 || (changes.length === 1 && writes))
      context.addIssue({
        code: 'custom',
        path: [changes.at(-1) ?? ''],
        message: 'cannot be combined with anything else',
      });
    else if (changes.length === 0 && message.text === undefined && message.media === undefined)
      context.addIssue({ code: 'custom', path: TEXT_OR_MEDIA.path, message: TEXT_OR_MEDIA.error });
  });

/** The fields that are wrong beside a player, or without one. Names of players and variants are judged in play.ts. */
function playProblems({ player, variant, delayMs, language, fromPhone }: PlayFields): [string, string][] {
  if (player !== undefined) return fromPhone === undefined ? [] : [['fromPhone', 'is not for a player']];
  return Object.entries({ variant, delayMs, language }).flatMap(([field, value]): [string, string][] =>
    value === undefined ? [] : [[field, 'is for a player only']],
  );
}

interface PlayFields {
  player?: string | undefined;
  variant?: string | undefined;
  delayMs?: number | undefined;
  language?: string | undefined;
  fromPhone?: boolean | undefined;
}

/** A message the lead writes, or what it does to one. */
export type LeadMessage = z.infer<typeof leadMessageSchema>;

/** The instance of Meta's Cloud API whose calls are played: its id in the product, and the secret that signs them. */
const cloudTargetSchema = z.strictObject({
  instanceId: z.uuid(),
  appSecret: z.string().min(1).max(512),
});

export type CloudTarget = z.infer<typeof cloudTargetSchema>;

const httpUrlSchema = z.url({ protocol: /^https?$/ }).max(2_048);

/** The address of reports; `webhookBaseUrl` leaves `/webhooks/…` out. With a secret, reports are signed. */
export const webhookTargetSchema = z.strictObject({
  webhookBaseUrl: httpUrlSchema.optional(),
  tenantKey: z.string().min(1).max(512).regex(PRINTABLE_ASCII).optional(),
  webhookSecret: z.string().min(1).max(512).optional(),
  /** Evolution and WAHA only: the whole address, as it is set at such a gateway, in place of one below `webhookBaseUrl`. */
  webhookUrl: httpUrlSchema.optional(),
  /** The protocol that the instance speaks; by default that of its latest call. */
  dress: z.enum(['gateway', 'evolution', 'waha']).optional(),
  /** Reports of this instance are Meta's; the instance is named as the number's id at Meta. */
  cloud: cloudTargetSchema.optional(),
  /** The addresses for leads of Google's and Meta's forms: lead sources in the product. */
  googleForm: z.strictObject({ url: httpUrlSchema, key: z.string().min(1).max(512) }).optional(),
  metaForm: z.strictObject({ url: httpUrlSchema, appSecret: z.string().min(1).max(512) }).optional(),
});

/** The address of reports, and the credentials that they carry. */
export type WebhookTarget = z.infer<typeof webhookTargetSchema>;

/** The `Idempotency-Key` header: 1 to 255 characters. */
export const idempotencyKeySchema = z.string().min(1).max(255);
