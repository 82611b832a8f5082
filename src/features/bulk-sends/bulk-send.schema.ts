// Bounds and formats of a bulk send's input.

import { z } from 'zod';
import { keysOf, text, uuid } from '../../platform/input/input.js';
import { channelVariables, maxScheduleAheadMs } from '../messages/message.schema.js';

/** The most leads of one bulk send. */
export const maxRecipients = 10_000;

const sendAt = z
  .date('has to be a time')
  .refine((time) => time.getTime() <= Date.now() + maxScheduleAheadMs, 'must not be more than a year ahead');

/** The choices for recipients that have opted out. */
export const optedOutChoices = {
  SKIP: 'They are left out; `BulkSend.skipped` counts them.',
  REFUSE: 'Nothing is sent: the error `OPTED_OUT` names them.',
} as const;

/** The input of a bulk send. `bulk-recipients.ts` checks each recipient by `recipientSchema`. */
export const sendMessagesSchema = z
  .strictObject({
    templateId: uuid.nullish(),
    channelTemplateId: uuid.nullish(),
    recipients: z.array(z.unknown()).min(1, 'must not be empty').max(maxRecipients),
    instanceId: uuid.nullish(),
    sendAt: sendAt.nullish(),
    idempotencyKey: text(255),
    onOptedOut: z.enum(keysOf(optedOutChoices)).nullish(),
  })
  .superRefine(({ templateId, channelTemplateId }, context) => {
    const given = [templateId, channelTemplateId].filter((id) => id != null).length;
    if (given === 1) return;
    const message =
      given === 0 ? 'is required without channelTemplateId' : 'must not be given together with channelTemplateId';
    context.addIssue({ code: 'custom', path: ['templateId'], message });
  });

/** A recipient. `variables` are checked later, by `parseTemplateVariables` or by the channel template's components. */
export const recipientSchema = z.strictObject({ leadId: uuid, variables: z.unknown().optional() });

export const channelRecipientSchema = z.strictObject({ leadId: uuid, variables: channelVariables });

export interface RecipientInput {
  leadId: string;
  variables?: Record<string, unknown> | null;
}

export type SendMessagesInput = Omit<z.input<typeof sendMessagesSchema>, 'recipients'> & {
  recipients: RecipientInput[];
};
