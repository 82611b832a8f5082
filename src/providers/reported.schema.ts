// Bounds of the reports of gateways, whatever protocol they speak.

import { z } from 'zod';
import { exceedsLength, httpUrl, storableText, text, verbatimText } from '../platform/input/input.js';

/** The longest message text, in characters. */
export const maxBodyLength = 65_536;

/** Returns a reported text in a form that can be stored. A text above `maxBodyLength` is cut at a whole character, with `…` at its end. */
export function boundedBody(written: string): string {
  return boundedText(written, maxBodyLength);
}

/** Returns a reported text of at most so many characters: a longer one is cut like `boundedBody`. */
export function boundedText(written: string, maxLength: number): string {
  const words = storableText(written, written.length);
  if (!exceedsLength(words, maxLength)) return words;
  const kept = Array.from(words).slice(0, maxLength - 1);
  return `${kept.join('')}…`;
}

/** A text that a gateway reports, which is cut like `boundedBody`. */
export const reportedText = z
  .string()
  .min(1, 'must not be empty')
  .transform(boundedBody)
  .meta({ description: 'Longer than 65,536 characters: it is cut, with `…` at its end.' });

const earliestMs = Date.UTC(2000, 0, 1);
const latestMs = Date.UTC(2100, 0, 1);

/** A time in ISO 8601 or unix seconds, between the years 2000 and 2100. */
export const timestampSchema = z
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

export const maxMimeTypeLength = 100;

/** A file by its address. */
export const mediaSchema = z.object({
  url: httpUrl(2_048),
  mimeType: text(maxMimeTypeLength).nullish(),
  fileName: text(255).nullish(),
  caption: verbatimText(maxCaptionLength).nullish(),
});

/** The longest id, title or description of a choice, in characters. */
export const maxChoiceLength = 1_000;

/** The longest emoji that is kept, in UTF-16 units: families of several people with skin tones have fewer. */
export const maxEmojiLength = 64;
