// Finds leads by what a person types: a name, in any letter case and without accents, a number in any writing, the beginning of an e-mail
// address, or a tag.

import { SqlValues, type SqlText } from '../../platform/database/sql-text.js';
import { matchKeyOfNumber } from '../../platform/phone-numbers/match-key.js';
import { takeApart } from '../../platform/phone-numbers/number-parts.js';
import { readWrittenNumber } from '../../platform/phone-numbers/written-number.js';
import { toTag } from './lead.schema.js';
import { emailOf } from './lead.sql.js';

/** Writes a text like `search_form`, near enough to count its characters. */
function formOf(written: string): string {
  return written
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();
}

/** No index of parts of words helps a shorter text, so it has to be the beginning of the name. */
const minPartLength = 3;
/** The most words that have to be found. */
const maxWords = 10;
const numberCharacters = /^[\d\s.()[\]/+-]+$/;
/** An address, or its beginning, as it is pasted: in angle brackets, behind `mailto:`, or in a sentence. */
const emailIn = /[^\s<>()[\]",;:]+@[^\s<>()[\]",;:]*/;

/**
 * The ids of leads that `written` finds, as a subquery on $1, the tenant. A merged lead is found under its former name and number, and
 * stands for its survivor.
 */
export function leadsFoundBy(written: string, use: Use): string {
  // Without its @ an address is no part of a filter, whose finds may all be written to.
  const byEmail = written.includes('@') ? emailMatches(written, use) : [];
  return leadsAmong([nameMatches(written, use), ...numberMatches(written, use), ...byEmail]);
}

/**
 * Selects the ids of leads that a person looks for, the likeliest first: whose name begins so, then whom a message was exchanged with last.
 * Beside `leadsFoundBy` it finds a name by several words of it in any order, an e-mail address by its beginning without the @, and a tag.
 */
export function findLeads(tenantId: string, written: string, limit: number): SqlText {
  const values = new SqlValues();
  const { use } = values;
  const tenant = use(tenantId);
  const ways = [numberMatches, emailMatches, tagMatches, wordMatches].flatMap((matches) => matches(written, use));
  const found = leadsAmong([nameMatches(written, use), ...ways]);
  const text = `SELECT l.id FROM leads l
    JOIN lead_search_keys k ON k.tenant_id = l.tenant_id AND k.lead_id = l.id
    WHERE l.tenant_id = ${tenant} AND l.merged_into_id IS NULL AND l.id IN (${found})
    ORDER BY k.name_key LIKE ${escapedForm(written, use)} || '%' DESC,
      greatest(l.last_message_position, l.last_bulk_message_position) DESC NULLS LAST, l.id DESC LIMIT ${use(limit)}`;
  return { text, values: values.list };
}

type Use = SqlValues['use'];

function leadsAmong(found: readonly string[]): string {
  return `SELECT coalesce(s.merged_into_id, s.id) FROM leads s WHERE s.tenant_id = $1 AND s.id IN (${found.join(' UNION ALL ')})`;
}

function escapedForm(written: string, use: Use): string {
  return String.raw`regexp_replace(search_form(${use(written)}), '([\\%_])', '\\\1', 'g')`;
}

function nameMatches(written: string, use: Use): string {
  const escaped = escapedForm(written, use);
  const pattern = formOf(written).length < minPartLength ? `${escaped} || '%'` : `'%' || ${escaped} || '%'`;
  return `SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND name_key LIKE ${pattern}`;
}

function numberMatches(written: string, use: Use): string[] {
  const number = numberIn(written);
  if (number === undefined) return [];
  // Exit codes and trunk prefixes are no part of a stored number.
  const digits = number.replaceAll(/\D/g, '').replace(/^0+/, '');
  if (digits.length < minPartLength) return [];
  const part = `SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND chat LIKE ${use(`%${digits}%`)}`;
  const whole = readWrittenNumber(number);
  if ('problem' in whole) return [part];
  const key = use(matchKeyOfNumber(whole.digits));
  return [part, `SELECT lead_id FROM lead_identities WHERE tenant_id = $1 AND kind = 'PHONE' AND match_key = ${key}`];
}

/** Returns the number that a person types or pastes, out of its address and in ASCII digits; undefined where it is anything else. */
function numberIn(written: string): string | undefined {
  if (numberCharacters.test(written)) return written;
  const parts = takeApart(written);
  return 'problem' in parts || !numberCharacters.test(parts.text) ? undefined : parts.text;
}

/** A word is the beginning of the e-mail address, which may stand in any field of the lead. */
function emailMatches(written: string, use: Use): string[] {
  const address = emailIn.exec(written)?.[0] ?? written.trim();
  if (address.length < minPartLength || /\s/.test(address)) return [];
  const beginning = use(`${address.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  return [`SELECT e.id FROM leads e WHERE e.tenant_id = $1 AND ${emailOf('e')} LIKE ${beginning}`];
}

function tagMatches(written: string, use: Use): string[] {
  return [
    `SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND tags @> ARRAY[${use(toTag(written))}]::text[]`,
  ];
}

/** Every word is part of the name, or the beginning of a word of it where it is short; digits may be part of the number. */
function wordMatches(written: string, use: Use): string[] {
  const words = written.split(/\s+/).slice(0, maxWords);
  if (words.length < 2) return [];
  const conditions = words.map((word) => `(${partsLike(word, use).join(' OR ')})`);
  return [`SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND ${conditions.join(' AND ')}`];
}

function partsLike(word: string, use: Use): string[] {
  const escaped = escapedForm(word, use);
  if (formOf(word).length < minPartLength)
    return [`name_key LIKE ${escaped} || '%'`, `name_key LIKE '% ' || ${escaped} || '%'`];
  const digits = numberCharacters.test(word) ? word.replaceAll(/\D/g, '') : '';
  const isPart = [`name_key LIKE '%' || ${escaped} || '%'`];
  return digits.length < minPartLength ? isPart : [...isPart, `chat LIKE ${use(`%${digits}%`)}`];
}
