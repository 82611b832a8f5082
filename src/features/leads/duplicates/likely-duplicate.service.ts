// Other leads that are likely the same person. Nothing is merged by it: a user compares the two and decides.

import type { Database, NamedStatement } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/input/input.js';
import { requireUser, type Principal } from '../../../platform/principal.js';
import { SqlValues, type SqlText } from '../../../platform/database/sql-text.js';
import { emailOf, selectLeadsByIds, type LeadRow } from '../lead.sql.js';

/** Why two leads are likely one person, the strongest reason first. */
export const likelyDuplicateReasons = {
  SAME_EMAIL: 'Both have the same e-mail address, in the field `email` or `e-mail`.',
  SAME_NUMBER: 'One number is the end of the other: it was written without its country or area.',
  HIDDEN_NUMBER: 'Both have the same name of two words or more, and the number of one is hidden.',
  SAME_NAME: 'Both have the same name of two words or more and the same source, and came within a week.',
} as const;

export type LikelyDuplicateReason = keyof typeof likelyDuplicateReasons;

export interface LikelyDuplicate {
  lead: LeadRow;
  reason: LikelyDuplicateReason;
}

/** The most that are shown of one lead. */
export const maxLikelyDuplicates = 5;

interface Known {
  id: string;
  nameKey: string;
  chat: string | null;
  source: string;
  createdAt: Date;
  email: string | null;
}

interface Found {
  id: string;
  reason: LikelyDuplicateReason;
}

/** The address in the fields that are named so. */
const emailKey = (lead: string) =>
  `left(lower(coalesce(${lead}.custom_fields ->> 'email', ${lead}.custom_fields ->> 'e-mail', ${lead}.metadata ->> 'email', ${lead}.metadata ->> 'e-mail')), 254)`;

/** $1 tenant, $2 lead, or one that was merged into it → what others are compared with. */
const selectKnown: NamedStatement = {
  name: 'select-known-of-lead',
  text: `SELECT l.id, k.name_key AS "nameKey", l.chat, l.source, l.created_at AS "createdAt", ${emailKey('l')} AS email
    FROM leads l JOIN lead_search_keys k ON k.tenant_id = l.tenant_id AND k.lead_id = l.id
    WHERE l.tenant_id = $1 AND l.id = (SELECT coalesce(merged_into_id, id) FROM leads WHERE tenant_id = $1 AND id = $2)`,
};

/** The most leads that each reason reads. */
const maxRead = 100;
const nearDays = 7;
// A shorter end of a number is that of too many people.
const minSharedDigits = 8;

export class LikelyDuplicateService {
  constructor(private readonly database: Database) {}

  /**
   * Lists up to 5 leads that are likely the same person as this one, the strongest reason first. Leads that were merged into others, and
   * those that were separated from this one by hand, are left out. Reads at most 100 leads for each reason, by indexes.
   * @throws AppError NOT_FOUND
   */
  async list(principal: Principal | undefined, leadId: string): Promise<LikelyDuplicate[]> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(leadId)) throw notFound('lead');
    const [known] = await this.database.query<Known>(selectKnown, [tenantId, leadId]);
    if (known === undefined) throw notFound('lead');
    const statement = findLikely(tenantId, known);
    if (statement === undefined) return [];
    const found = await this.database.query<Found>(statement.text, statement.values);
    if (found.length === 0) return [];
    const leads = await this.database.query<LeadRow>(selectLeadsByIds, [tenantId, found.map(({ id }) => id)]);
    const byId = new Map(leads.map((lead) => [lead.id, lead]));
    return found.flatMap(({ id, reason }) => {
      const lead = byId.get(id);
      return lead === undefined ? [] : [{ lead, reason }];
    });
  }
}

/** @returns undefined where nothing is known by which others could be found */
function findLikely(tenantId: string, known: Known): SqlText | undefined {
  const values = new SqlValues();
  const { use } = values;
  const [tenant, own] = [use(tenantId), use(known.id)];
  const ways = [sameEmail(known, tenant, use), sameNumber(known, tenant, use), sameName(known, tenant, use)];
  const found = ways.flatMap((way) => (way === undefined ? [] : [`(${way} LIMIT ${maxRead})`]));
  if (found.length === 0) return undefined;
  const text = `SELECT id, reason FROM (
      SELECT DISTINCT ON (f.id) f.id, f.reason, f.weight FROM (${found.join(' UNION ALL ')}) f (id, reason, weight)
      JOIN leads l ON l.tenant_id = ${tenant} AND l.id = f.id AND l.merged_into_id IS NULL
      WHERE f.id <> ${own}::uuid AND NOT EXISTS (
        SELECT FROM lead_merges m WHERE m.tenant_id = ${tenant} AND m.undone_at IS NOT NULL
          AND ((m.survivor_id = ${own}::uuid AND m.merged_id = f.id) OR (m.survivor_id = f.id AND m.merged_id = ${own}::uuid)))
      ORDER BY f.id, f.weight
    ) best ORDER BY weight, id DESC LIMIT ${maxLikelyDuplicates}`;
  return { text, values: values.list };
}

type Use = SqlValues['use'];

function sameEmail({ email }: Known, tenant: string, use: Use): string | undefined {
  if (email === null || !email.includes('@')) return undefined;
  // The index has addresses of other fields too, such as that of a seller, which many leads share.
  return `SELECT e.id, 'SAME_EMAIL', 1 FROM leads e
    WHERE e.tenant_id = ${tenant} AND ${emailOf('e')} = ${use(email)} AND ${emailKey('e')} = ${use(email)}`;
}

function sameNumber({ chat }: Known, tenant: string, use: Use): string | undefined {
  if (chat === null || chat.length < minSharedDigits) return undefined;
  const whole = use(chat);
  return `SELECT k.lead_id, 'SAME_NUMBER', 2 FROM lead_search_keys k
    WHERE k.tenant_id = ${tenant} AND k.chat LIKE ${use(`%${chat.slice(-minSharedDigits)}`)}
      AND k.chat <> ${whole} AND (k.chat LIKE '%' || ${whole} OR ${whole} LIKE '%' || k.chat)`;
}

function sameName({ nameKey, chat, source, createdAt }: Known, tenant: string, use: Use): string | undefined {
  // A single word is the name of too many, and digits are the number in place of a name.
  if (!/\p{L}\S* +\S/u.test(nameKey)) return undefined;
  const isHidden = chat === null ? 'true' : 'n.chat IS NULL';
  return `SELECT n.id, CASE WHEN ${isHidden} THEN 'HIDDEN_NUMBER' ELSE 'SAME_NAME' END, CASE WHEN ${isHidden} THEN 3 ELSE 4 END
    FROM (SELECT lead_id FROM lead_search_keys WHERE tenant_id = ${tenant} AND name_key = ${use(nameKey)}
      ORDER BY lead_id DESC LIMIT ${maxRead}) k
    JOIN leads n ON n.tenant_id = ${tenant} AND n.id = k.lead_id
    WHERE ${isHidden} OR (n.source = ${use(source)}
      AND abs(extract(epoch FROM n.created_at - ${use(createdAt)}::timestamptz)) <= ${nearDays * 86_400})`;
}
