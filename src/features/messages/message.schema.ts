// Bounds and formats of messages of operators, and of the conditions of lists.

import { z } from 'zod';
import { exceedsDepth, text, time, uuid, verbatimText } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { MessageDirection, MessageStatus } from '../../platform/prisma/enums.js';
import { maxBodyLength, mediaSchema } from '../../providers/reported.schema.js';

// An operator sends on what somebody else has named.
const fileNameSchema = shownName(255);

/** A file of an operator's message: a file that was uploaded, or the address of one. */
const sentMediaSchema = mediaSchema
  .extend({ id: uuid.nullish(), url: mediaSchema.shape.url.nullish(), fileName: fileNameSchema.nullish() })
  .superRefine(({ id, url, mimeType }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (id == null && url == null) issue('url', 'is required where there is no id');
    if (id != null && url != null) issue('url', 'must not be given together with id');
    if (id != null && mimeType != null)
      issue('mimeType', 'must not be given together with id: the upload has its type');
  });

export type SentMedia = z.output<typeof sentMediaSchema>;

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
