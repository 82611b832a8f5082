// The sentences about wrong input where a schema has no sentence of its own.

import { z } from 'zod';
import { fieldErrors, text } from '../../../src/platform/input/input.js';

export function describeInputSentence(): void {
  test.each<[string, z.ZodType, unknown, string]>([
    ['nothing', z.string(), undefined, 'is required'],
    ['no value of a list', z.enum(['SENT', 'READ']), undefined, 'is required'],
    ['a number for text', z.string(), 5, 'has to be text'],
    ['text for a number', z.number(), 'x', 'has to be a number'],
    ['NaN', z.number(), Number.NaN, 'has to be a number'],
    ['a fraction', z.int(), 1.5, 'has to be a whole number'],
    ['text for a boolean', z.boolean(), 'x', 'has to be true or false'],
    ['an object for a list', z.array(z.string()), {}, 'has to be a list'],
    ['a list for an object', z.object({}), [], 'has to be an object'],
    ['text that is long', text(200), 'x'.repeat(201), 'must not be longer than 200 characters'],
    ['text that is short', z.string().min(16), 'x', 'must have at least 16 characters'],
    ['a list that is long', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must not have more than 2 entries'],
    ['a list that is empty', z.array(z.string()).min(1), [], 'must have at least 1 entry'],
    ['a number that is large', z.number().max(10), 11, 'must not be more than 10'],
    ['a number that is not below', z.number().lt(10), 10, 'must be less than 10'],
    ['a number that is small', z.number().min(1), 0, 'must not be less than 1'],
    ['a number that is not above', z.number().positive(), 0, 'must be more than 0'],
    ['a value of no list', z.enum(['SENT', 'READ']), 'sent', 'has to be one of SENT, READ'],
    ['another value than the one', z.literal('x'), 'y', 'has to be x'],
    ['an unknown field', z.strictObject({}), { a: 1 }, 'must not have the field a'],
    [
      'many unknown fields',
      z.strictObject({}),
      Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`${index}`.repeat(60), 1])),
      `must not have the fields ${[0, 1, 2, 3, 4].map((digit) => `${digit}`.repeat(50)).join(', ')} and 2 more`,
    ],
    ['none of several forms', z.union([z.string(), z.number()]), true, 'has none of the forms that are taken here'],
    ['no e-mail address', z.email(), 'x', 'has to be an e-mail address'],
    ['no time', z.iso.datetime(), 'x', 'has to be an ISO 8601 time with its zone'],
    ['a wrong format', z.string().regex(/a/), 'b', 'has to be of the documented format'],
  ])('%s', (_case, schema, value, sentence) => {
    const { error } = schema.safeParse(value);
    expect(fieldErrors(error!)[0]?.message).toBe(sentence);
  });
}
