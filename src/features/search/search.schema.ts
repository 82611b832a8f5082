// The input of a search.

import { z } from 'zod';
import { text } from '../../platform/input/input.js';
import { maxSearchLength } from '../leads/lead.schema.js';

export const defaultFound = 20;
/** The most leads, and the most messages, of one search. */
export const maxFound = 50;

export const searchSchema = z.object({
  text: text(maxSearchLength),
  first: z
    .number()
    .int()
    .min(0, 'must not be less than 0')
    .max(maxFound, `must not be more than ${maxFound}`)
    .nullish()
    .transform((first) => first ?? defaultFound),
});

export type Search = z.output<typeof searchSchema>;
