// Bounds and formats of messages and statuses in the neutral protocol.

import { z } from 'zod';
import { externalId, jsonObject, text } from '../../platform/input/input.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';
import { referralSchema } from '../referral.js';
import { maxChoiceLength, mediaSchema, reportedText, timestampSchema } from '../reported.schema.js';

/** The longest `type`, in characters. */
export const maxTypeLength = 32;
/** The longest code and sentence of an error, in characters. */
export const maxErrorCodeLength = 64;
export const maxErrorMessageLength = 1_000;

const instanceNameSchema = text(100).nullish();

const choiceKinds = ['BUTTON', 'LIST', 'FLOW'] as const;

/** The largest answers of a form, in bytes as UTF-8. */
const maxAnswersBytes = 32_768;

/** The choice that the lead made. */
const choiceSchema = z.object(
  {
    kind: z
      .string()
      .meta({ enum: [...choiceKinds], description: 'In any letter case. FLOW: a form that was filled in.' })
      .transform((written) => written.toUpperCase())
      .pipe(z.enum(choiceKinds)),
    id: text(maxChoiceLength).nullish().describe('Your own id of what was picked.'),
    title: text(maxChoiceLength).nullish().describe('The text of a message that has none of its own.'),
    description: text(maxChoiceLength).nullish(),
    answers: jsonObject(maxAnswersBytes).nullish().describe('The answers of a form.'),
  },
  'has to be an object',
);

/** A file without an address is kept as one that cannot be had. */
const reportedMediaSchema = mediaSchema.extend({
  url: mediaSchema.shape.url.nullish().describe('Left out: the message says that a file came, which cannot be had.'),
});

/** An inbound message in the neutral dialect. */
export const inboundMessageSchema = z.object(
  {
    instance: instanceNameSchema,
    messageId: externalId,
    from: chatNumberSchema,
    name: text(200).nullish(),
    type: text(maxTypeLength).default('text').describe('The types of this API in any letter case.'),
    text: reportedText.nullish(),
    timestamp: timestampSchema.nullish(),
    media: reportedMediaSchema.nullish(),
    replyTo: externalId.nullish(),
    referral: referralSchema.nullish(),
    choice: choiceSchema.nullish(),
    forwarded: z.boolean().nullish().describe('It came from another conversation.'),
    fromMe: z.boolean().nullish().describe('It was written on the phone of the line, to the number in `to`.'),
  },
  'has to be a JSON object',
);

export type InboundMessage = z.output<typeof inboundMessageSchema>;

const reportedStatuses = ['SENT', 'DELIVERED', 'READ', 'FAILED'] as const;

/** A status in any letter case. */
const reportedStatus = z
  .string()
  .meta({ enum: [...reportedStatuses], description: 'In any letter case.' })
  .transform((written) => written.toUpperCase())
  .pipe(z.enum(reportedStatuses));

/** A status report in the neutral dialect. */
export const statusReportSchema = z.object(
  {
    instance: instanceNameSchema,
    messageId: externalId,
    status: reportedStatus,
    timestamp: timestampSchema.nullish(),
    error: z
      .object({
        code: z.union([text(maxErrorCodeLength), z.number().transform(String)]),
        message: text(maxErrorMessageLength).nullish(),
      })
      .nullish(),
  },
  'has to be a JSON object',
);

export type StatusReport = z.output<typeof statusReportSchema>;
