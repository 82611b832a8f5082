// The statements that list and count leads. They are put together from what is asked for, and planned for its values.

import { travelOf } from '../../platform/page.js';
import type { KeyRange } from '../../platform/page.js';
import { SqlValues, isUnfiltered, madeBetween, rangeName, whenGiven } from '../../platform/sql-text.js';
import type { SqlText } from '../../platform/sql-text.js';
import type { LeadConditions } from './lead-list.schema.js';
import { selectRelated } from './lead-relations.js';
import type { LeadRelation } from './lead-relations.js';
import { leadColumns } from './lead-row.js';
import { searchSubquery } from './lead-search.js';

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
