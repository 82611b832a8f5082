// Bounds of written numbers, and the numbers that gateways report.

import { z } from 'zod';
import { isStorable } from '../input/input.js';
import { maxWrittenLength } from './number-parts.js';
import { parseChatNumber } from './written-number.js';

// Beside the number, the field's text may be kept as it is.
const writtenText = z.string().max(maxWrittenLength).refine(isStorable);

/** A number as it is written, as text or as a JSON number. */
export const writtenNumberSchema = z.union([writtenText, z.number().int().positive()], {
  error: (issue) => (issue.input === undefined ? 'is required' : 'has to be a phone number'),
});

export type ReadingContext = Pick<z.RefinementCtx, 'addIssue'>;

/** Returns what was read, or reports the problem to the schema at work. */
export function found<Read extends object>(number: Read | { problem: string }, context: ReadingContext): Read {
  if (!('problem' in number)) return number;
  context.addIssue({ code: 'custom', message: number.problem });
  return z.NEVER;
}

/** A number that a gateway reports, in any common writing; comes out as digits with country code. */
export const chatNumberSchema = writtenNumberSchema
  .transform((written, context) => found(parseChatNumber(String(written)), context).digits)
  .describe('A phone number with its country code, in any common writing.');
