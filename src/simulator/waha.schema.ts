// Owns the format of calls to WAHA: sessions, messages, reactions, receipts and queries. Unknown fields are ignored.

import { z } from 'zod';
import { instanceNameSchema } from './message.schema.js';

const chatIdSchema = z
  .string()
  .max(128)
  .regex(/^\+?[\w.@:-]+$/);
/** The network's own id, or `{fromMe}_{chatId}_{id}`. */
const messageIdSchema = z.string().min(1).max(400);
const ownIdSchema = z
  .string()
  .regex(/^[\w.-]{8,128}$/)
  .nullish();
const sessionSchema = instanceNameSchema.default('default');

const fileSchema = z
  .looseObject({
    mimetype: z.string().max(255).nullish(),
    filename: z.string().max(255).nullish(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4_096)
      .optional(),
    /** The bytes of the file in Base64. */
    data: z
      .string()
      .regex(/^[A-Za-z0-9+/]+={0,2}$/)
      .optional(),
  })
  .refine(({ url, data }) => url !== undefined || data !== undefined, {
    error: 'url or data is needed',
    path: ['url'],
  });

const sendSchema = z.looseObject({
  session: sessionSchema,
  chatId: chatIdSchema,
  id: ownIdSchema,
  reply_to: messageIdSchema.nullish(),
});

export const sendTextSchema = sendSchema.extend({ text: z.string().min(1).max(65_536) });
export const sendFileSchema = sendSchema.extend({ file: fileSchema, caption: z.string().max(4_096).nullish() });
export const reactionSchema = z.looseObject({
  session: sessionSchema,
  messageId: messageIdSchema,
  reaction: z.string().max(64),
});
export const seenSchema = z.looseObject({
  session: sessionSchema,
  chatId: chatIdSchema,
  messageIds: z.array(messageIdSchema).max(1_000).nullish(),
  messageId: messageIdSchema.nullish(),
});
export const typingSchema = z.looseObject({ session: sessionSchema, chatId: chatIdSchema });
export const checkExistsSchema = z.looseObject({ session: sessionSchema, phone: chatIdSchema });
export const requestCodeSchema = z.looseObject({ phoneNumber: z.string().regex(/^\+?\d{5,20}$/) });
export const qrSchema = z.looseObject({ format: z.enum(['image', 'raw']).default('image') });

const booleanText = z.enum(['true', 'false']).transform((value) => value === 'true');
const secondsText = z.coerce.number().int().min(0).max(10_000_000_000);

export const listSchema = z.looseObject({
  limit: z.coerce.number().int().min(1).max(1_000).default(10),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  downloadMedia: booleanText.default(true),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  'filter.timestamp.gte': secondsText.optional(),
  'filter.timestamp.lte': secondsText.optional(),
  'filter.fromMe': booleanText.optional(),
});

export const readMessageSchema = z.looseObject({ downloadMedia: booleanText.default(true) });

const configSchema = z.looseObject({
  webhooks: z
    .array(
      z.looseObject({
        url: z.url({ protocol: /^https?$/ }).max(2_048),
        hmac: z.looseObject({ key: z.string().min(1).max(512).nullish() }).nullish(),
        customHeaders: z.array(z.looseObject({ name: z.string(), value: z.string().max(512) })).nullish(),
      }),
    )
    .max(10)
    .nullish(),
});

export type SessionConfig = z.infer<typeof configSchema>;

export const createSessionSchema = z.looseObject({
  name: instanceNameSchema.default('default'),
  start: z.boolean().default(true),
  config: configSchema.nullish(),
});

export const updateSessionSchema = z.looseObject({ config: configSchema.nullish() });
