// Tests by which products try a form: one rule for all, a test makes no lead.

import { isPlainObject } from '../../../platform/input/input.js';
import { nameKey } from '../../leads/name-key.js';

/** The answer with which Meta's test tool fills questions. */
const dummyAnswer = /^<test lead: dummy data for .*>$/s;
/** `is_test` of Google and TikTok, `testLead` of LinkedIn. */
const flags = new Set(['istest', 'testlead', 'istestlead']);

/** Returns whether an answer is one of Meta's test tool. */
export const isDummyAnswer = (value: unknown): boolean => typeof value === 'string' && dummyAnswer.test(value);

/** Returns whether the fields of a submission, or of an object directly within, say that it is a test. */
export function isTestLead(fields: Readonly<Record<string, unknown>>): boolean {
  return saysTest(fields) || Object.values(fields).some((inner) => isPlainObject(inner) && saysTest(inner));
}

function saysTest(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).some(
    ([name, value]) =>
      isDummyAnswer(value) || (name.length <= maxFlagLength && flags.has(nameKey(name)) && isTrue(value)),
  );
}

const maxFlagLength = 20;

const isTrue = (value: unknown) =>
  value === true || value === 1 || (typeof value === 'string' && /^(?:true|1)$/i.test(value));
