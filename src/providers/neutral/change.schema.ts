// Bounds and formats of reactions, edits and deletions in the neutral protocol.

import { z } from 'zod';
import { externalId, text } from '../../platform/input/input.js';
import { maxEmojiLength, reportedText } from '../reported.schema.js';
import { inboundMessageSchema } from './message.schema.js';

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
