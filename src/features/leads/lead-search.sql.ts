// Finds leads by what a person types: a name, in any letter case and without accents, or a number in any writing.

import { matchKeyOfNumber } from './identity/lead-identity.js';
import { parseChatNumber } from './identity/written-number.js';

/** Writes a text like `search_form`, near enough to count its characters. */
function formOf(written: string): string {
  return written
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();
}

/** No index of parts of words helps a shorter text, so it has to be the beginning of the name. */
const minPartLength = 3;
const numberCharacters = /^[\d\s.()[\]/+-]+$/;

/**
 * The ids of leads that `written` finds, as a subquery on $1, the tenant. A merged lead is found under its former name and number, and
 * stands for its survivor.
 */
export function leadsFoundBy(written: string, use: (value: unknown) => string): string {
  const found = [nameMatches(written, use), ...numberMatches(written, use)].join(' UNION ALL ');
  return `SELECT coalesce(s.merged_into_id, s.id) FROM leads s WHERE s.tenant_id = $1 AND s.id IN (${found})`;
}

function nameMatches(written: string, use: (value: unknown) => string): string {
  const escaped = String.raw`regexp_replace(search_form(${use(written)}), '([\\%_])', '\\\1', 'g')`;
  const pattern = formOf(written).length < minPartLength ? `${escaped} || '%'` : `'%' || ${escaped} || '%'`;
  return `SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND name_key LIKE ${pattern}`;
}

function numberMatches(written: string, use: (value: unknown) => string): string[] {
  if (!numberCharacters.test(written)) return [];
  const digits = written.replaceAll(/\D/g, '').replace(/^00/, '');
  if (digits.length < minPartLength) return [];
  const part = `SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND chat LIKE ${use(`%${digits}%`)}`;
  const whole = parseChatNumber(written);
  if ('problem' in whole) return [part];
  const key = use(matchKeyOfNumber(whole.digits));
  return [part, `SELECT lead_id FROM lead_identities WHERE tenant_id = $1 AND kind = 'PHONE' AND match_key = ${key}`];
}
