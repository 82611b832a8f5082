// What zod finds wrong with a value, as a sentence that follows the field's name: "must not be longer than 200 characters".

import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a time',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an ISO 8601 time with its zone',
  date: 'a date as YYYY-MM-DD',
};

const maxNamesShown = 5;

/** Zod's error map for schemas that say nothing themselves. */
export function sentenceOf(issue: RawIssue): string {
  if (issue.input === undefined && isAboutType(issue.code)) return 'is required';
  const say = sentences[issue.code] as ((issue: RawIssue) => string) | undefined;
  return say?.(issue) ?? 'is not valid';
}

type Of<Code extends RawIssue['code']> = Extract<RawIssue, { code: Code }>;

const sentences: { [Code in RawIssue['code']]?: (issue: Of<Code>) => string } = {
  invalid_type: ({ expected }) => `has to be ${types[expected] ?? expected}`,
  invalid_format: ({ format }) => `has to be ${formats[format] ?? 'of the documented format'}`,
  invalid_value: ({ values }) => `has to be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`,
  too_big: tooBig,
  too_small: tooSmall,
  not_multiple_of: ({ divisor }) => `has to be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) => unknownFields(keys),
  invalid_union: () => 'has none of the forms that are taken here',
};

function isAboutType(code: RawIssue['code']): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

function unknownFields(keys: readonly string[]): string {
  const more = keys.length > maxNamesShown ? ` and ${keys.length - maxNamesShown} more` : '';
  const names = keys.slice(0, maxNamesShown).map((key) => key.slice(0, 50));
  return `must not have ${keys.length === 1 ? 'the field' : 'the fields'} ${names.join(', ')}${more}`;
}

function tooBig(issue: Of<'too_big'>): string {
  const most = String(issue.maximum);
  if (issue.origin === 'string') return `must not be longer than ${most} characters`;
  if (isList(issue)) return `must not have more than ${most} entries`;
  return issue.inclusive === false ? `must be less than ${most}` : `must not be more than ${most}`;
}

function tooSmall(issue: Of<'too_small'>): string {
  const least = String(issue.minimum);
  if (issue.origin === 'string') return `must have at least ${least} characters`;
  if (isList(issue)) return `must have at least ${least} ${least === '1' ? 'entry' : 'entries'}`;
  return issue.inclusive === false ? `must be more than ${least}` : `must not be less than ${least}`;
}

function isList({ origin }: Of<'too_big'> | Of<'too_small'>): boolean {
  return origin === 'array' || origin === 'set' || origin === 'map';
}
