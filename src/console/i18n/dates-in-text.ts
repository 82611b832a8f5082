// Dates that a sentence of the API, or an answer of a form, has in the form of machines. People read them as they read every other time.

import { formatsNow } from './format.js';

const pattern = /\b\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?\b/g;

/** Writes the dates and times of a text in the user's language and zone. A date without a time is the same day everywhere. */
export function withReadableDates(text: string): string {
  return text.replaceAll(pattern, (written, time?: string) => {
    if (Number.isNaN(Date.parse(written))) return written;
    return time === undefined ? formatsNow().date(written) : formatsNow().full(written);
  });
}
