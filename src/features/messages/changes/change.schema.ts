// Bounds and formats of reactions, edits and deletions: reports of gateways (neutral dialect), and reactions from here.

import { z } from 'zod';
import { externalId, text, uuid } from '../../../platform/input.js';
import { inboundMessageSchema, reportedText } from '../message.schema.js';
import { maxEmojiLength } from '../reported.js';

const { instance, from, timestamp } = inboundMessageSchema.shape;

const target = externalId.describe('The id of the message that it is about.');

const common = {
  instance,
  /** The id of the event itself. It is not stored, because the event is no message. */
  messageId: externalId.nullish().describe("The event's own id; it is not kept."),
  from,
  timestamp,
};

/** A reaction of a lead in the neutral dialect. */
const inboundReactionSchema = z.object({
  ...common,
  type: z.literal('reaction'),
  reaction: z.object({
    messageId: target,
    emoji: z
      .union([text(maxEmojiLength), z.literal('')])
      .nullish()
      .describe('Empty, null or left out: the reaction was taken back.'),
  }),
});

/** A lead's edit of a message of its own. */
const inboundEditSchema = z.object({
  ...common,
  type: z.literal('edit'),
  edit: z.object({ messageId: target, text: reportedText.describe('The new text, or caption.') }),
});

/** A lead's deletion of a message of its own. */
const inboundDeletionSchema = z.object({
  ...common,
  type: z.literal('deletion'),
  deletion: z.object({ messageId: target }),
});

export const changeSchemas = {
  reaction: inboundReactionSchema,
  edit: inboundEditSchema,
  deletion: inboundDeletionSchema,
};

export type InboundChange = z.output<(typeof changeSchemas)[keyof typeof changeSchemas]>;

// A keycap is a digit, `#` or `*` before its combining mark; a flag is made of regional indicators or tags.
const emojiPart = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function isEmoji(value: string): boolean {
  return emojiPart.test(value) && [...graphemes.segment(value)].length === 1;
}

/** The service's own reaction to a message: one emoji, or null. */
export const reactionInputSchema = z.object({
  id: uuid,
  emoji: z
    .string()
    .max(maxEmojiLength, `must not be longer than ${maxEmojiLength} characters`)
    .refine(isEmoji, 'has to be one emoji')
    .nullish(),
});
