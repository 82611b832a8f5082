// What zod finds wrong with a value, as a sentence that follows the field's name: "must not be longer than 200 characters".

import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;
type Sized = Extract<RawIssue, { code: 'too_big' } | { code: 'too_small' }>;

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
  switch (issue.code) {
    case 'invalid_type':
      return `has to be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return `has to be ${formats[issue.format] ?? 'of the documented format'}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'not_multiple_of':
      return `has to be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownFields(issue.keys);
    case 'invalid_union':
      return 'has none of the forms that are taken here';
    default:
      return 'is not valid';
  }
}

function isAboutType(code: RawIssue['code']): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}

function oneOf(values: readonly unknown[]): string {
  return `has to be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
}

function unknownFields(keys: readonly string[]): string {
  const more = keys.length > maxNamesShown ? ` and ${keys.length - maxNamesShown} more` : '';
  const names = keys.slice(0, maxNamesShown).map((key) => key.slice(0, 50));
  return `must not have ${keys.length === 1 ? 'the field' : 'the fields'} ${names.join(', ')}${more}`;
}

function tooBig(issue: Sized & { code: 'too_big' }): string {
  const most = String(issue.maximum);
  if (issue.origin === 'string') return `must not be longer than ${most} characters`;
  if (isList(issue)) return `must not have more than ${most} entries`;
  return issue.inclusive === false ? `must be less than ${most}` : `must not be more than ${most}`;
}

function tooSmall(issue: Sized & { code: 'too_small' }): string {
  const least = String(issue.minimum);
  if (issue.origin === 'string') return `must have at least ${least} characters`;
  if (isList(issue)) return `must have at least ${least} ${least === '1' ? 'entry' : 'entries'}`;
  return issue.inclusive === false ? `must be more than ${least}` : `must not be less than ${least}`;
}

function isList({ origin }: Sized): boolean {
  return origin === 'array' || origin === 'set' || origin === 'map';
}
