// Bounds and formats of calls and notices in the neutral dialect: entries of a conversation that no person wrote.

import { z } from 'zod';
import { externalId, keysOf } from '../../platform/input/input.js';
import { reportedText } from '../reported.schema.js';
import { inboundMessageSchema } from './message.schema.js';
import { chatNumberSchema } from '../../platform/phone-numbers/number.schema.js';

const { instance, messageId, from, name, timestamp } = inboundMessageSchema.shape;

/** A phone call of a lead. All events of one call have one `callId`, and make one message. */
const inboundCallSchema = z.object({
  instance,
  messageId: messageId.nullish().describe('It is not kept: the call is known by `callId`.'),
  from,
  name,
  type: z.literal('call'),
  callId: externalId.describe('The same for all events of one call.'),
  video: z.boolean().nullish(),
  timestamp,
});

const noticeKinds = {
  NUMBER_CHANGED: 'The lead has another number; `newFrom` becomes one of its identities, and replies go there.',
  IDENTITY_CHANGED: "The lead's security code has changed.",
  CALL_PERMISSION: 'The lead has said whether, and until when, it may be called.',
  OTHER: 'Something else that the network says.',
} as const;

const inboundNoticeSchema = z.object({
  instance,
  messageId,
  from,
  name,
  type: z.literal('notice'),
  text: reportedText.nullish().describe('The line that people read; one of ours where left out.'),
  notice: z.object(
    {
      kind: z
        .string()
        .meta({ enum: keysOf(noticeKinds), description: 'In any letter case.' })
        .transform((written) => written.toUpperCase())
        .pipe(z.enum(keysOf(noticeKinds))),
      newFrom: chatNumberSchema.nullish(),
    },
    'has to be an object',
  ),
  timestamp,
});

export const eventSchemas = { call: inboundCallSchema, notice: inboundNoticeSchema };

export type InboundCall = z.output<typeof inboundCallSchema>;
export type InboundNotice = z.output<typeof inboundNoticeSchema>;
