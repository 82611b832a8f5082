// The statements that list and count leads. They are put together from what is asked for, and planned for its values.

import { travelOf } from '../../platform/page.js';
import type { KeyRange } from '../../platform/page.js';
import {
  isUnfiltered,
  madeBetween,
  rangeName,
  readColumns,
  selectColumns,
  SqlValues,
  whenGiven,
} from '../../platform/sql-text.js';
import type { Columns, SqlText } from '../../platform/sql-text.js';
import { userColumns } from '../users/user.sql.js';
import type { UserRecord } from '../users/user.sql.js';
import { matchKeyOfNumber, parseChatNumber } from './identity/lead-identity.js';
import type { LeadConditions } from './lead.schema.js';
import { leadColumns } from './lead.sql.js';
import type { LeadRow } from './lead.sql.js';

/**
 * What a list is sorted by: the id (when the lead came in), the name, the newest message, or, of leads without messages, the id.
 * Each has an index of its own.
 */
export type LeadSequence = 'id' | 'name' | 'lastMessage' | 'withoutMessage';

export interface LeadListQuery {
  tenantId: string;
  filter: LeadConditions;
  sequence: LeadSequence;
  direction: 'asc' | 'desc';
  /** What is read with each lead. */
  relations?: readonly LeadRelation[];
}

/** `from` of a range by name is the lead's id followed by its name key. */
export const idLength = 36;

/** A page of the list, with each lead's name key where it is sorted by that, and with the relations that are asked for. */
export function selectLeads(query: LeadListQuery, range: KeyRange): SqlText {
  const { sequence, relations = [] } = query;
  const values = new SqlValues();
  const conditions = [...conditionsOf(query, values), ...beyond(query, range, values)].join(' AND ');
  const { sort } = travelOf(range, query.direction);
  const orderBy = (keys: readonly string[]) => keys.map((key) => `${key} ${sort}`).join(', ');
  const { keys, fields } = keysOf[sequence];
  const columns = sequence === 'name' ? `${leadColumns}, k.name_key AS "nameKey"` : leadColumns;
  const leads = `SELECT ${columns} FROM ${tableOf(sequence)} WHERE ${conditions} ORDER BY ${orderBy(keys)} LIMIT ${values.use(range.limit)}`;
  const text = relations.length === 0 ? leads : selectRelated(leads, orderBy(fields), relations);
  const name = ['list-leads', sequence, query.direction, rangeName(range), ...relations.map(({ field }) => field)].join(
    '-',
  );
  return { name: isUnfiltered(query.filter) ? name : undefined, text, values: values.list };
}

export function countLeads(query: LeadListQuery): SqlText {
  const values = new SqlValues();
  const conditions = conditionsOf({ ...query, sequence: query.sequence === 'name' ? 'id' : query.sequence }, values);
  return { text: `SELECT count(*)::int AS count FROM leads l WHERE ${conditions.join(' AND ')}`, values: values.list };
}

// As columns, and as the fields that the page names them.
const keysOf: Record<LeadSequence, { keys: string[]; fields: string[] }> = {
  id: { keys: ['l.id'], fields: ['l.id'] },
  name: { keys: ['k.name_key', 'k.lead_id'], fields: ['l."nameKey"', 'l.id'] },
  lastMessage: { keys: ['l.last_message_id'], fields: ['l."lastMessageId"'] },
  withoutMessage: { keys: ['l.id'], fields: ['l.id'] },
};

function tableOf(sequence: LeadSequence): string {
  if (sequence !== 'name') return 'leads l';
  return 'lead_search_keys k JOIN leads l ON l.tenant_id = k.tenant_id AND l.id = k.lead_id';
}

function beyond({ sequence, direction }: LeadListQuery, range: KeyRange, { use }: SqlValues): string[] {
  const { from } = range;
  if (from === undefined) return [];
  const { comparison } = travelOf(range, direction);
  if (sequence !== 'name') return [`${keysOf[sequence].keys.join()} ${comparison} ${use(from)}`];
  const [id, nameKey] = [from.slice(0, idLength), from.slice(idLength)];
  return [`(k.name_key, k.lead_id) ${comparison} (${use(nameKey)}, ${use(id)}::uuid)`];
}

// The tenant is $1: subqueries say so too.
function conditionsOf({ tenantId, filter, sequence }: LeadListQuery, { use }: SqlValues): string[] {
  const tenant = use(tenantId);
  return [
    `l.tenant_id = ${tenant}`,
    ...(sequence === 'name' ? [`k.tenant_id = ${tenant}`] : []),
    ...(sequence === 'lastMessage' ? ['l.last_message_id IS NOT NULL'] : []),
    ...(sequence === 'withoutMessage' ? ['l.last_message_id IS NULL'] : []),
    'l.merged_into_id IS NULL',
    ...madeBetween('l', filter, use),
    ...whenGiven(filter.sources, (sources) => `l.source = ANY(${use(sources)}::text[])`),
    ...whenGiven(filter.assigneeId, (id) => `l.assignee_id = ${use(id)}`),
    ...whenGiven(filter.unassigned, (isFree) => `l.assignee_id IS ${isFree ? 'NULL' : 'NOT NULL'}`),
    ...whenGiven(filter.unread, (isUnread) => `l.unread_count ${isUnread ? '>' : '='} 0`),
    ...whenGiven(filter.tagsAny, (tags) => taggedAs(`tags && ${use(tags)}::text[]`)),
    ...whenGiven(filter.tagsAll, (tags) => taggedAs(`tags @> ${use(tags)}::text[]`)),
    ...whenGiven(filter.instanceId, (id) => newestThrough(use(id))),
    ...whenGiven(filter.search, (written) => `l.id IN (${searchSubquery(written, use)})`),
  ];
}

function taggedAs(condition: string): string {
  return `l.id IN (SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND ${condition})`;
}

function newestThrough(instanceId: string): string {
  return `EXISTS (SELECT FROM messages n WHERE n.tenant_id = $1 AND n.id = l.last_message_id AND n.instance_id = ${instanceId})`;
}

export interface LeadRelation<Row = object> {
  /** The lead's field: the record, null where the lead has none, undefined where it was not asked for. */
  field: string;
  /** Where a lead `l` has it, in SQL; the lead's columns are named as its fields. */
  from: string;
  columns: Columns<Row>;
}

/** Who looks after a lead. */
export const assigneeOfLead: LeadRelation<UserRecord> = {
  field: 'assignee',
  from: `users u JOIN accounts a ON a.tenant_id = u.tenant_id AND a.user_id = u.id
    WHERE u.tenant_id = l."tenantId" AND u.id = l."assigneeId"`,
  columns: userColumns,
};

/** What `leads` selects, a statement that names its columns as fields, in its `order` and with what belongs to each lead. */
export function selectRelated(leads: string, order: string, relations: readonly LeadRelation[]): string {
  // One by one: the LIMIT keeps the planner from reading tables whole.
  const joins = relations.map(
    ({ field, from, columns }) =>
      `LEFT JOIN LATERAL (SELECT ${selectColumns(columns, prefixOf(field))} FROM ${from} LIMIT 1) "${field}" ON true`,
  );
  const related = relations.map(({ field }) => `"${field}".*`).join(', ');
  return `SELECT l.*, ${related} FROM (${leads}) l ${joins.join(' ')} ORDER BY ${order}`;
}

/** Gives a row that was read with these relations their records. */
export function withRelated<Lead extends LeadRow>(lead: Lead, relations: readonly LeadRelation[]): Lead {
  const row: Record<string, unknown> = { ...lead };
  const related = relations.map(({ field, columns }) => [field, readColumns(columns, prefixOf(field), row)]);
  return Object.assign(lead, Object.fromEntries(related));
}

function prefixOf(field: string): string {
  return `${field}.`;
}

/** As `search_form` writes a text, near enough to count its characters. */
function formOf(written: string): string {
  return written
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();
}

/** Shorter, and no index of parts of words helps: then it is the beginning of the name. */
const minPartLength = 3;
const numberCharacters = /^[\d\s.()[\]/+-]+$/;

/**
 * The ids of leads that `written` finds, as a subquery on $1, the tenant. A lead that was merged is found under what it was
 * called, and stands for the one that it became.
 */
export function searchSubquery(written: string, use: (value: unknown) => string): string {
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
