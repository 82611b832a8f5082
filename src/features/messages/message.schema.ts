// Bounds and formats of messages: reports of the gateway (neutral dialect) and messages of operators.

import { z } from 'zod';
import {
  exceedsDepth,
  exceedsLength,
  externalId,
  httpUrl,
  jsonObject,
  storableText,
  text,
  time,
  uuid,
  verbatimText,
} from '../../platform/input.js';
import { MessageDirection, MessageStatus } from '../../platform/prisma/enums.js';
import { chatNumberSchema } from '../leads/lead.schema.js';
import { referralSchema } from '../leads/referrals/referral.js';

/** The longest message text, in characters. */
export const maxBodyLength = 65_536;

/** Returns a reported text in a form that can be stored. A text above `maxBodyLength` is cut at a whole character, with `…` at its end. */
export function boundedBody(written: string): string {
  const body = storableText(written, written.length);
  return exceedsLength(body, maxBodyLength)
    ? `${Array.from(body)
        .slice(0, maxBodyLength - 1)
        .join('')}…`
    : body;
}

/** A text of the neutral dialect, which is cut like `boundedBody`. */
export const reportedText = z
  .string()
  .min(1, 'must not be empty')
  .transform(boundedBody)
  .meta({ description: 'Longer than 65,536 characters: it is cut, with `…` at its end.' });

const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);

/** A time in ISO 8601 or unix seconds, between the years 2000 and 2100. */
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
    (date) => date.getTime() >= earliestMs && date.getTime() < latestMs,
    'has to lie between the years 2000 and 2100',
  );

/** The longest caption of a file, in characters. */
export const maxCaptionLength = 4_096;

const mediaSchema = z.object({
  url: httpUrl(2_048),
  mimeType: text(100).nullish(),
  fileName: text(255).nullish(),
  caption: verbatimText(maxCaptionLength).nullish(),
});

/** A file of an operator's message: a file that was uploaded, or the address of one. */
const sentMediaSchema = mediaSchema
  .extend({ id: uuid.nullish(), url: mediaSchema.shape.url.nullish() })
  .superRefine(({ id, url, mimeType }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (id == null && url == null) issue('url', 'is required where there is no id');
    if (id != null && url != null) issue('url', 'must not be given together with id');
    if (id != null && mimeType != null)
      issue('mimeType', 'must not be given together with id: the upload has its type');
  });

export type SentMedia = z.output<typeof sentMediaSchema>;

const instanceNameSchema = text(100).nullish();

const choiceKinds = ['BUTTON', 'LIST', 'FLOW'] as const;

/** The longest id, title or description of a choice, in characters. */
export const maxChoiceLength = 1_000;

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

/** An inbound message in the neutral dialect. */
export const inboundMessageSchema = z.object(
  {
    instance: instanceNameSchema,
    messageId: externalId,
    from: chatNumberSchema,
    name: text(200).nullish(),
    type: text(32).default('text'),
    text: reportedText.nullish(),
    timestamp: timestampSchema.nullish(),
    media: mediaSchema.nullish(),
    replyTo: externalId.nullish(),
    referral: referralSchema.nullish(),
    choice: choiceSchema.nullish(),
    forwarded: z.boolean().nullish().describe('It came from another conversation.'),
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
      .object({ code: z.union([text(64), z.number().transform(String)]), message: text(1_000).nullish() })
      .nullish(),
  },
  'has to be a JSON object',
);

export type StatusReport = z.output<typeof statusReportSchema>;

// The levels are a part, its variables, and the variables of a button.
const maxVariablesDepth = 4;

/** The longest time by which a message may be scheduled ahead. */
export const maxScheduleAheadMs = 366 * 86_400_000;

const sendAt = z
  .date('has to be a time')
  .refine((date) => date.getTime() <= Date.now() + maxScheduleAheadMs, 'must not lie more than a year ahead');

/** Values of a channel template, which its components check. */
export const channelVariables = z
  .unknown()
  .optional()
  .refine((value) => !exceedsDepth(value, maxVariablesDepth), `must not nest deeper than ${maxVariablesDepth} levels`);

/** A template of the network. */
const channelTemplateSchema = z.strictObject({ id: uuid, variables: channelVariables });

/** An operator's message: text, media, or both, or a template. The templates check `variables`. */
export const sendMessageSchema = z
  .object({
    leadId: uuid,
    instanceId: uuid.nullish(),
    body: verbatimText(maxBodyLength).nullish(),
    media: sentMediaSchema.nullish(),
    templateId: uuid.nullish(),
    variables: z.unknown().optional(),
    channelTemplate: channelTemplateSchema.nullish(),
    sendAt: sendAt.nullish(),
    replyToMessageId: uuid.nullish(),
    idempotencyKey: text(255).nullish(),
    expectedLastMessageId: uuid.nullish(),
  })
  .superRefine((input, context) => {
    for (const [path, message] of contentProblems(input)) context.addIssue({ code: 'custom', path: [path], message });
  });

export type SendMessageInput = Omit<z.input<typeof sendMessageSchema>, 'variables' | 'channelTemplate'> & {
  variables?: Record<string, unknown> | null;
  channelTemplate?: { id: string; variables?: Record<string, unknown> | null } | null;
};

function contentProblems(input: {
  body?: unknown;
  media?: unknown;
  templateId?: unknown;
  variables?: unknown;
  channelTemplate?: unknown;
}): [path: string, message: string][] {
  const isGiven = (field: 'body' | 'media' | 'variables' | 'templateId') => input[field] != null;
  if (input.channelTemplate != null)
    return (['body', 'media', 'templateId', 'variables'] as const)
      .filter(isGiven)
      .map((field) => [field, 'must not be given together with a channel template']);
  if (input.templateId != null)
    return (['body', 'media'] as const)
      .filter(isGiven)
      .map((field) => [field, 'must not be given together with a template']);
  const problems: [string, string][] = [];
  if (isGiven('variables')) problems.push(['variables', 'must not be given without templateId']);
  if (!isGiven('body') && !isGiven('media'))
    problems.push(['body', 'is required where there is neither media nor a template']);
  return problems;
}

export const maxSearchedTextLength = 100;

/** All given conditions have to hold. `since` is inclusive, `until` exclusive, and both compare the time when the message was stored. */
export const messageFilterSchema = z.strictObject({
  leadId: uuid.nullish(),
  direction: z.enum(MessageDirection).nullish(),
  statuses: z.array(z.enum(MessageStatus)).min(1, 'must not be empty').max(10).nullish(),
  instanceId: uuid.nullish(),
  since: time.nullish(),
  until: time.nullish(),
  text: text(maxSearchedTextLength).nullish(),
  bulkSendId: uuid.nullish(),
});

export type MessageFilterInput = z.input<typeof messageFilterSchema>;
export type MessageConditions = z.output<typeof messageFilterSchema>;
