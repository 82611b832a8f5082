// Reads the query parameter `dryRun` of calls that post leads, and refuses it elsewhere.

import { invalidField } from '../../platform/errors.js';

// A misspelt `dryRun` would create a lead, so similar names are recognised too.
const likeDryRun = /^dry[-_]?run$/i;

/** Returns undefined where the lead is to be kept. `check` throws VALIDATION_FAILED for an unclear parameter. */
export function readDryRunParameter(query: Readonly<Record<string, unknown>>): { check: () => void } | undefined {
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

/** @throws AppError VALIDATION_FAILED where a call asks for a dry run on a path that has none */
export function refuseDryRun(query: Readonly<Record<string, unknown>>): void {
  if (readDryRunParameter(query) === undefined) return;
  throw invalidField(
    'dryRun',
    'is for leads alone, and this call would be kept: try it with tryWebhook, or under Calls',
  );
}
