// The OpenAPI schema of how a number was read.

import { z } from 'zod';
import { keysOf } from '../../../platform/input/input.js';
import type { Wire } from '../../../platform/http/route-description.js';
import { readingRules, type NumberReading } from '../../../platform/phone-numbers/written-number.js';

const rules = Object.entries(readingRules).map(([rule, meaning]) => `\`${rule}\`: ${meaning}`);

/** The reading of a number, as a dry run shows it. */
export const numberReading = z
  .object({
    rule: z.enum(keysOf(readingRules)).describe(rules.join(' ')),
    country: z.string().nullable().describe('Whose numbers the rule has asked for; null where it needs no country.'),
  })
  .describe('Of a dry run: why the number was read as it was.') satisfies z.ZodType<Wire<NumberReading>>;
