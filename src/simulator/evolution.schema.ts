// Owns the format of calls to Evolution API: messages, reactions, receipts and queries. Unknown fields are ignored.

import { z } from 'zod';
import { instanceNameSchema } from './message.schema.js';

/** Digits, or a jid. */
const numberSchema = z
  .string()
  .max(128)
  .regex(/^\+?[\w.@:-]+$/);
const idSchema = z.string().min(1).max(255);
const keySchema = z.looseObject({ id: idSchema, remoteJid: numberSchema.optional(), fromMe: z.boolean().optional() });
const quotedSchema = z.looseObject({ key: z.looseObject({ id: idSchema }) }).optional();
const base64Text = /^[A-Za-z0-9+/]+={0,2}$/;

/** An address, or the bytes themselves in Base64; both come out as an address. */
const fileSchema = z
  .string()
  .min(1)
  .transform((value, context) => {
    if (/^https?:\/\//.test(value) && URL.canParse(value) && value.length <= 4_096) return value;
    if (base64Text.test(value)) return `data:application/octet-stream;base64,${value}`;
    context.addIssue({ code: 'custom', message: 'Owned media must be a url or base64' });
    return z.NEVER;
  });

export const sendTextSchema = z.looseObject({
  number: numberSchema,
  text: z.string().min(1).max(65_536),
  quoted: quotedSchema,
});

export const sendMediaSchema = z.looseObject({
  number: numberSchema,
  mediatype: z.enum(['image', 'document', 'video', 'audio']),
  media: fileSchema,
  mimetype: z.string().max(255).optional(),
  fileName: z.string().max(255).optional(),
  caption: z.string().max(4_096).optional(),
  quoted: quotedSchema,
});

export const sendAudioSchema = z.looseObject({ number: numberSchema, audio: fileSchema, quoted: quotedSchema });

export const sendReactionSchema = z.looseObject({
  key: keySchema.extend({ remoteJid: numberSchema }),
  reaction: z.string().max(64),
});

export const markReadSchema = z.looseObject({ readMessages: z.array(keySchema).min(1).max(1_000) });

export const presenceSchema = z.looseObject({
  number: numberSchema,
  presence: z.enum(['unavailable', 'available', 'composing', 'recording', 'paused']),
  /** The duration in milliseconds. */
  delay: z.int().min(0).max(120_000),
});

export const numbersSchema = z.looseObject({ numbers: z.array(numberSchema).min(1).max(1_000) });

export const mediaMessageSchema = z.looseObject({ message: z.looseObject({ key: z.looseObject({ id: idSchema }) }) });

/** Evolution ignores a time without its other end, and a `fromMe` that is false. */
export const findMessagesSchema = z.looseObject({
  where: z
    .looseObject({
      key: z
        .looseObject({ id: idSchema.optional(), remoteJid: numberSchema.optional(), fromMe: z.boolean().optional() })
        .optional(),
      messageTimestamp: z.looseObject({ gte: z.string().optional(), lte: z.string().optional() }).optional(),
    })
    .optional(),
  page: z.int().min(0).optional(),
  /** The number of records of a page. */
  offset: z.int().min(0).max(10_000).optional(),
});

export const createInstanceSchema = z.looseObject({ instanceName: instanceNameSchema });

export const setWebhookSchema = z.looseObject({
  webhook: z.looseObject({
    enabled: z.boolean().default(true),
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    headers: z.record(z.string(), z.string().max(512)).optional(),
  }),
});
