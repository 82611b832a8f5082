// The input schema of a dry-run call, with its bounds.

import { z } from 'zod';
import { isPlainObject, text } from '../../platform/input/input.js';

const maxHeaders = 50;
const maxHeaderLength = 8_192;
const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

type Headers = Record<string, string>;

/** Header names become lower case, because HTTP ignores their letter case. */
const headersSchema = z
  .custom<Record<string, unknown>>(isPlainObject, 'has to be an object')
  .transform((given, context): Headers => {
    const entries = Object.entries(given);
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (entries.length > maxHeaders) refuse([], `must not have more than ${maxHeaders} headers`);
    const headers = entries.slice(0, maxHeaders).flatMap(([name, value]): [string, string][] => {
      if (!headerName.test(name)) refuse([name.slice(0, 100)], 'is not the name of a header');
      else if (typeof value !== 'string') refuse([name], 'has to be text');
      else if (value.length > maxHeaderLength) refuse([name], `must not be longer than ${maxHeaderLength} characters`);
      else return [[name.toLowerCase(), value]];
      return [];
    });
    return Object.fromEntries(headers);
  });

/** The schema leaves the body's size to the dry run, which checks it like the size of a real call. */
export const callDryRunSchema = z.strictObject({
  route: text(255),
  headers: headersSchema.nullish(),
  body: z.string(),
});

export interface CallDryRunInput {
  route: string;
  headers?: Record<string, unknown> | null | undefined;
  body: string;
}
