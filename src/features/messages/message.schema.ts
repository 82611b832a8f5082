// Bounds and formats of messages: what the gateway reports (neutral dialect) and what operators send.

import { z } from 'zod';
import { externalId, httpUrl, text, uuid, verbatimText } from '../../platform/input.js';
import { chatNumberSchema } from '../leads/lead.schema.js';

/** Longest message text, in UTF-16 units. */
export const maxBodyLength = 65_536;

const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);

/** ISO 8601 or unix seconds, between the years 2000 and 2100. */
const timestampSchema = z
  .union(
    [
      z.number().transform((seconds) => new Date(seconds * 1_000)),
      z.iso.datetime({ offset: true }).transform((iso) => new Date(iso)),
    ],
    {
      error: 'has to be unix seconds or an ISO 8601 time',
    },
  )
  .refine(
    (time) => time.getTime() >= earliestMs && time.getTime() < latestMs,
    'has to lie between the years 2000 and 2100',
  );

const mediaSchema = z.object({
  url: httpUrl(2_048),
  mimeType: text(100).nullish(),
  fileName: text(255).nullish(),
  caption: verbatimText(4_096).nullish(),
});

export type Media = z.output<typeof mediaSchema>;

const instanceNameSchema = text(100).nullish();

/** One inbound message in the neutral dialect. */
export const inboundMessageSchema = z.object(
  {
    instance: instanceNameSchema,
    messageId: externalId,
    from: chatNumberSchema,
    name: text(200).nullish(),
    type: text(32).default('text'),
    text: verbatimText(maxBodyLength).nullish(),
    timestamp: timestampSchema.nullish(),
    media: mediaSchema.nullish(),
    replyTo: externalId.nullish(),
  },
  'has to be a JSON object',
);

export type InboundMessage = z.output<typeof inboundMessageSchema>;

/** One status report in the neutral dialect. */
export const statusReportSchema = z.object(
  {
    instance: instanceNameSchema,
    messageId: externalId,
    status: z.enum(['SENT', 'DELIVERED', 'READ', 'FAILED']),
    timestamp: timestampSchema.nullish(),
    error: z
      .object({ code: z.union([text(64), z.number().transform(String)]), message: text(1_000).nullish() })
      .nullish(),
  },
  'has to be a JSON object',
);

export type StatusReport = z.output<typeof statusReportSchema>;

/** What an operator sends: text, media, or both. */
export const sendMessageSchema = z
  .object({
    leadId: uuid,
    instanceId: uuid.nullish(),
    body: verbatimText(maxBodyLength).nullish(),
    media: mediaSchema.nullish(),
    idempotencyKey: text(255).nullish(),
  })
  .refine((input) => input.body != null || input.media != null, {
    path: ['body'],
    message: 'is required where there is no media',
  });

export type SendMessageInput = z.input<typeof sendMessageSchema>;
