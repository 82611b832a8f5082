// Bounds of our own reactions to messages.

import { z } from 'zod';
import { uuid } from '../../../platform/input/input.js';
import { maxEmojiLength } from '../../../providers/reported.schema.js';

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
