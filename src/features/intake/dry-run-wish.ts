// The wish for a dry run in the query of a call, wherever leads are posted.

import { invalidField } from '../../platform/errors.js';

// A misspelt wish for a dry run would create a lead.
const likeDryRun = /^dry[-_]?run$/i;

/** Undefined: the lead is kept. `check` throws VALIDATION_FAILED for a wish that is not clear. */
export function dryRunWishOf(query: Readonly<Record<string, unknown>>): { check: () => void } | undefined {
  const given = Object.entries(query).filter(([name]) => likeDryRun.test(name));
  if (given.length === 0) return undefined;
  const [[name, value] = ['', ''], ...others] = given;
  const isClear = others.length === 0 && name === 'dryRun';
  if (isClear && value === 'false') return undefined;
  const check = () => {
    if (!isClear || value !== 'true') throw invalidField(name, 'has to be dryRun=true or dryRun=false');
  };
  return { check };
}
