// Lists of leads: each statement is put together for its filter and order, and planned for its values.

import type { NamedStatement } from '../../platform/database/database.js';
import { travelOf, type KeyRange } from '../../platform/database/page.js';
import {
  columnsOfShown,
  oncePerSelection,
  partMark,
  type SelectedFields,
  type Showable,
} from '../../platform/database/shown-records.js';
import {
  isUnfiltered,
  madeBetween,
  selectColumns,
  SqlValues,
  whenGiven,
  type SqlText,
} from '../../platform/database/sql-text.js';
import { shownUser, usersAlone, usersWithAccounts } from '../users/user.sql.js';
import { leadFields, newestMessageFields, shownLead } from './lead-fields.js';
import type { ConsentOfLead, MessagesOfLead } from './lead-content.js';
import { leadsFoundBy } from './lead-search.sql.js';
import { conversationStatuses, type ConversationStatus, type LeadConditions } from './lead.schema.js';
import { leadsReferredBy, referredLeads } from './referrals/referral.sql.js';
import { newestMessageId } from './lead.sql.js';

/**
 * The sort key of a list: the id (when the lead came in), the name, the newest message, or, of leads without messages, the id. Leads with
 * messages have two more: the newest inbound message (`lastInbound`, then `noInbound`), or since when the lead waits (`waiting`, then
 * `notWaiting`). The second of each is sorted by the newest message. Each key has an index of its own, except that of leads without
 * messages.
 */
export type LeadSequence =
  'id' | 'name' | 'lastMessage' | 'withoutMessage' | 'lastInbound' | 'noInbound' | 'waiting' | 'notWaiting';

export interface LeadListQuery {
  tenantId: string;
  filter: LeadConditions;
  sequence: LeadSequence;
  direction: 'asc' | 'desc';
  newestThrough: MessagesOfLead['newestThrough'];
  isOptedOut: ConsentOfLead['isOptedOut'];
  /** The relations that are read with each lead. */
  relations?: readonly ShownRelation[];
  /** The fields that will be shown of each lead, where they are known: a page leaves out columns that none of them needs. */
  fields?: SelectedFields | undefined;
}

/**
 * `from` of a range by name is the lead's id followed by its name key. Of a range by messages it is the newest message's id followed by
 * its position, and by the ms of the time where the range is sorted by one.
 */
export const idLength = 36;
export const positionLength = 19;

/** A page of the list, with each lead's name key where it is sorted by that, and with the relations that are asked for. */
export function selectLeads(query: LeadListQuery, range: KeyRange): SqlText {
  const { sequence, relations = [] } = query;
  const { conversationStatuses: statuses, ...filter } = query.filter;
  const values = new SqlValues();
  const conditions = [...conditionsOf(query, values), ...beyond(query, range, values)];
  const { sort } = travelOf(range, query.direction);
  const orderBy = (keys: readonly string[]) => keys.map((key) => `${key} ${sort}`).join(', ');
  const { keys, fields, isByStatus } = keysOf[sequence];
  const { shown, columns } = leadsRead(query);
  const limit = values.use(range.limit);
  const usualTable =
    sequence === 'name'
      ? 'lead_search_keys k JOIN leads l ON l.tenant_id = k.tenant_id AND l.id = k.lead_id'
      : 'leads l';
  const selectWhere = (all: readonly string[], table = usualTable) =>
    `SELECT ${columns} FROM ${table} WHERE ${all.join(' AND ')} ORDER BY ${orderBy(keys)} LIMIT ${limit}`;
  const selectOfStatus = (status: ConversationStatus) => {
    const all = [...conditions, hasStatus([status])];
    if (filter.waiting !== true || sequence === 'waiting') return selectWhere(all);
    const few = selectWhere([...all, `NOT ${isManyWaiting}`], `(${waitingOf(status)} LIMIT ${fewWaiting}) l`);
    const many = selectWhere([...all, isManyWaiting]);
    const probe = `WITH many AS MATERIALIZED (SELECT FROM (${waitingOf(status)} OFFSET ${fewWaiting} LIMIT 1) l)`;
    return `${probe} ${unionOf([few, many])(orderBy(fields), limit)}`;
  };
  // Each status is read by itself: its leads stand in the index in the order of the list.
  const leads = isByStatus
    ? unionOf(distinctStatuses(statuses).map(selectOfStatus))(orderBy(fields), limit)
    : selectWhere([...conditions, ...whenGiven(statuses, hasStatus)]);
  const text = relations.length === 0 ? leads : selectRelated(leads, shown, orderBy(fields), relations);
  const name = `leads-${sequence}-${range.direction}`;
  return { name: isUnfiltered(filter) ? name : undefined, text, values: values.list };
}

/** The shown columns of a lead, and the columns that are read for them. */
interface LeadsRead {
  shown: readonly string[];
  columns: string;
}

const readOfSelection = oncePerSelection(() => new Map<string, LeadsRead>());

// The result is kept, because the same selection is read again and again.
function leadsRead(query: LeadListQuery): LeadsRead {
  const { sequence, fields } = query;
  if (fields === undefined) return findLeadsRead(query);
  const known = readOfSelection(fields);
  const read = known.get(sequence) ?? findLeadsRead(query);
  known.set(sequence, read);
  return read;
}

function findLeadsRead({ sequence, fields, relations = [] }: LeadListQuery): LeadsRead {
  const own = fields && [...fields.keys()].filter((name) => !relations.some(({ field }) => field === name));
  const shown = columnsOfShown(shownLead, own, ['id', 'lastMessageId', 'lastMessagePosition', ...timesOf(sequence)]);
  const related = relations.length === 0 ? [] : columnsOfRelations;
  const read = { ...shown, ...Object.fromEntries(related.map((field) => [field, leadFields[field]])) };
  const nameKey = sequence === 'name' ? ['nameKey'] : [];
  const columns = [selectColumns(read), ...nameKey.map((field) => `k.name_key AS "${field}"`)].join(', ');
  return { shown: [...Object.keys(shown), ...nameKey], columns };
}

/** The columns by which relations are found. */
const columnsOfRelations = ['tenantId', 'id', 'assigneeId', ...newestMessageFields] as const;

function timesOf(sequence: LeadSequence): readonly ('lastInboundAt' | 'waitingSince')[] {
  if (sequence === 'lastInbound' || sequence === 'noInbound') return ['lastInboundAt'];
  return sequence === 'waiting' || sequence === 'notWaiting' ? ['waitingSince'] : [];
}

/**
 * The most waiting leads of a status that are all read and sorted, because they may stand at the end of a list by messages. Where more
 * wait, the list is read from its beginning.
 */
const fewWaiting = 2_000;

const isManyWaiting = 'EXISTS (SELECT FROM many)';

/** The leads of a status of tenant $1 that wait, in the order of their index: no other lead is read. */
const waitingOf = (status: ConversationStatus) => `SELECT l.* FROM leads l
      WHERE l.tenant_id = $1 AND ${hasStatus([status])} AND l.waiting_since IS NOT NULL AND l.last_message_id IS NOT NULL
      ORDER BY l.waiting_since, l.last_message_position, l.last_message_id`;

/** Joins the rows of statements that are sorted alike, in one order. */
function unionOf(statements: readonly string[]): (order: string, limit: string) => string {
  const [only = ''] = statements;
  if (statements.length === 1) return () => only;
  const all = statements.map((statement) => `(${statement})`).join(' UNION ALL ');
  return (order, limit) => `SELECT l.* FROM (${all}) l ORDER BY ${order} LIMIT ${limit}`;
}

// Statuses are written out; none of them comes from outside unchecked.
function hasStatus(statuses: readonly ConversationStatus[]): string {
  const [only] = statuses;
  if (statuses.length === 1) return `l.conversation_status = '${only}'`;
  return `l.conversation_status IN (${statuses.map((status) => `'${status}'`).join(', ')})`;
}

function distinctStatuses(wanted: readonly ConversationStatus[] | null | undefined): ConversationStatus[] {
  return conversationStatuses.filter((status) => wanted?.includes(status) ?? true);
}

export function countLeads(query: LeadListQuery): SqlText {
  const values = new SqlValues();
  const conditions = allConditionsOf({ ...query, sequence: query.sequence === 'name' ? 'id' : query.sequence }, values);
  return { text: `SELECT count(*)::int AS count FROM leads l WHERE ${conditions.join(' AND ')}`, values: values.list };
}

/** The ids of the leads of a list, the newest first. */
export function selectLeadIds(query: Omit<LeadListQuery, 'sequence' | 'direction'>, limit: number): SqlText {
  const values = new SqlValues();
  const conditions = allConditionsOf({ ...query, sequence: 'id', direction: 'desc' }, values);
  const text = `SELECT l.id FROM leads l WHERE ${conditions.join(' AND ')} ORDER BY l.id DESC LIMIT ${values.use(limit)}`;
  return { text, values: values.list };
}

function allConditionsOf(query: LeadListQuery, values: SqlValues): string[] {
  return [...conditionsOf(query, values), ...whenGiven(query.filter.conversationStatuses, hasStatus)];
}

// The sort keys as columns, and as the fields by which the page names them.
const byMessage = {
  keys: ['l.last_message_position', 'l.last_message_id'],
  fields: ['l."lastMessagePosition"', 'l."lastMessageId"'],
  isByStatus: true,
};
const byInbound = {
  keys: ['l.last_inbound_at', ...byMessage.keys],
  fields: ['l."lastInboundAt"', ...byMessage.fields],
  isByStatus: true,
};
const byWaiting = {
  keys: ['l.waiting_since', ...byMessage.keys],
  fields: ['l."waitingSince"', ...byMessage.fields],
  isByStatus: true,
};
const keysOf: Record<LeadSequence, { keys: string[]; fields: string[]; isByStatus?: boolean }> = {
  id: { keys: ['l.id'], fields: ['l.id'] },
  name: { keys: ['k.name_key', 'k.lead_id'], fields: ['l."nameKey"', 'l.id'] },
  lastMessage: byMessage,
  withoutMessage: { keys: ['l.id'], fields: ['l.id'], isByStatus: true },
  lastInbound: byInbound,
  // The time is null in all of these leads: it is named for its index.
  noInbound: byInbound,
  waiting: byWaiting,
  notWaiting: byWaiting,
};

function beyond({ sequence, direction }: LeadListQuery, range: KeyRange, { use }: SqlValues): string[] {
  const { from } = range;
  if (from === undefined) return [];
  const { comparison } = travelOf(range, direction);
  const { keys } = keysOf[sequence];
  const [id, rest] = [from.slice(0, idLength), from.slice(idLength)];
  if (sequence === 'name') return [`(${keys.join(', ')}) ${comparison} (${use(rest)}, ${use(id)}::uuid)`];
  if (sequence === 'id' || sequence === 'withoutMessage') return [`l.id ${comparison} ${use(from)}`];
  const [position, ms] = [rest.slice(0, positionLength), rest.slice(positionLength)];
  const message = `${use(position)}::bigint, ${use(id)}::uuid`;
  if (sequence === 'lastInbound' || sequence === 'waiting')
    return [`(${keys.join(', ')}) ${comparison} (${use(new Date(Number(ms)))}::timestamptz, ${message})`];
  return [`(${byMessage.keys.join(', ')}) ${comparison} (${message})`];
}

// The tenant has to be the first value, because subqueries name it $1.
function conditionsOf(query: LeadListQuery, { use }: SqlValues): string[] {
  const { tenantId, filter, sequence, newestThrough, isOptedOut } = query;
  const tenant = use(tenantId);
  return [
    `l.tenant_id = ${tenant}`,
    ...(sequence === 'name' ? [`k.tenant_id = ${tenant}`] : []),
    ...conditionsOfSequence(sequence),
    'l.merged_into_id IS NULL',
    ...madeBetween('l', filter, use),
    ...whenGiven(filter.sources, (sources) => `l.source = ANY(${use(sources)}::text[])`),
    ...whenGiven(filter.assigneeId, (id) => `l.assignee_id = ${use(id)}`),
    ...whenGiven(filter.unassigned, (isFree) => `l.assignee_id IS ${isFree ? 'NULL' : 'NOT NULL'}`),
    ...whenGiven(filter.unread, (isUnread) => `l.unread_count ${isUnread ? '>' : '='} 0`),
    ...whenGiven(filter.waiting, (isWaiting) => `l.waiting_since IS ${isWaiting ? 'NOT NULL' : 'NULL'}`),
    ...whenGiven(filter.tagsAny, (tags) => taggedAs(`tags && ${use(tags)}::text[]`)),
    ...whenGiven(filter.tagsAll, (tags) => taggedAs(`tags @> ${use(tags)}::text[]`)),
    ...whenGiven(filter.optedOut, (wanted) => (wanted ? isOptedOut : `NOT ${isOptedOut}`)),
    // The validity is written out, for the index of invalid numbers. It never comes from outside unchecked.
    ...whenGiven(filter.numberValidity, (validity) => `l.number_validity = '${validity}'`),
    ...whenGiven(filter.instanceId, (id) => newestThrough(use(id))),
    ...whenGiven(filter.hasReferral, (wanted) => `${wanted ? '' : 'NOT '}${hasReferral}`),
    ...whenGiven(filter.referralSourceId, (id) => `l.id IN (${leadsReferredBy(use(id))})`),
    ...whenGiven(filter.search, (written) => `l.id IN (${leadsFoundBy(written, use)})`),
  ];
}

// EXISTS and not IN, whose negation PostgreSQL would answer row by row.
const hasReferral = `EXISTS (${referredLeads} AND t.lead_id = l.id)`;

function conditionsOfSequence(sequence: LeadSequence): string[] {
  if (sequence === 'id' || sequence === 'name') return [];
  if (sequence === 'withoutMessage') return ['l.last_message_id IS NULL'];
  const time = keysOf[sequence].keys.find((key) => !byMessage.keys.includes(key));
  const hasTime = sequence === 'lastInbound' || sequence === 'waiting';
  return [
    ...(time === undefined ? [] : [`${time} IS ${hasTime ? 'NOT NULL' : 'NULL'}`]),
    'l.last_message_id IS NOT NULL',
  ];
}

function taggedAs(condition: string): string {
  return `l.id IN (SELECT lead_id FROM lead_search_keys WHERE tenant_id = $1 AND ${condition})`;
}

export interface LeadRelation {
  /** The lead's field: the record, null where the lead has none, undefined where it was not asked for. */
  field: string;
  record: Showable;
  /**
   * The FROM clause of the record for a lead `l`, in SQL. The lead's columns are named like its fields.
   * @param columns the columns that are read
   */
  from: (columns: ReadonlySet<string>) => string;
}

/** A relation that is shown, with the columns that this takes. */
export interface ShownRelation {
  field: string;
  from: string;
  columns: Readonly<Record<string, string>>;
}

/** Returns the relations that are shown. */
export function relationsFor(relations: readonly LeadRelation[], fields: SelectedFields): ShownRelation[] {
  return relations.flatMap(({ field, record, from }) => {
    const shown = fields.get(field);
    if (shown === undefined) return [];
    const columns = columnsOfShown(record, shown, ['id']);
    return [{ field, columns, from: from(new Set(Object.keys(columns))) }];
  });
}

/** The user who looks after a lead. */
export const assigneeOfLead: LeadRelation = {
  field: 'assignee',
  record: shownUser,
  from: (columns) => {
    const hasAccount = columns.has('accountId') || columns.has('accountName');
    return `${hasAccount ? usersWithAccounts : usersAlone} WHERE u.tenant_id = l."tenantId" AND u.id = l."assigneeId"`;
  },
};

/**
 * Adds relations to `leads`, a statement that names its columns as fields, and keeps its `order`.
 * @param shown the fields of the leads that are selected
 */
function selectRelated(
  leads: string,
  shown: readonly string[],
  order: string,
  relations: readonly ShownRelation[],
): string {
  // Each relation is read for one lead at a time: the LIMIT keeps the planner from reading tables whole.
  const joins = relations.map(
    ({ field, from, columns }) =>
      `LEFT JOIN LATERAL (SELECT ${selectColumns(columns, field + partMark)} FROM ${from} LIMIT 1) "${field}" ON true`,
  );
  const columns = [...shown.map((field) => `l."${field}"`), ...relations.map(({ field }) => `"${field}".*`)].join(', ');
  return `SELECT ${columns} FROM (${leads}) l ${joins.join(' ')} ORDER BY ${order}`;
}

/** $1 tenant, $2 lead → its newest message, bulk included. No other transaction adds a message until this one ends. */
export const lockNewestMessage: NamedStatement = {
  name: 'lock-newest-message',
  text: `SELECT ${newestMessageId} AS "messageId" FROM leads WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/**
 * $1 tenant, $2 ids, whether their $3 metadata and $4 custom fields are needed → the leads, each by the id that was asked for. The id of a
 * merged lead gives its survivor.
 */
export const selectBulkLeads: NamedStatement = {
  name: 'select-bulk-leads',
  text: `SELECT w.id AS "wantedId", l.id, l.name, l.chat, l.source, CASE WHEN $3 THEN l.metadata END AS metadata,
      CASE WHEN $4 THEN l.custom_fields END AS "customFields"
    FROM leads w JOIN leads l ON l.tenant_id = w.tenant_id AND l.id = coalesce(w.merged_into_id, w.id)
    WHERE w.tenant_id = $1 AND w.id = ANY($2::uuid[])`,
};

/** A subquery for the lead that has the messages of a lead: itself, or the one that it was merged into. */
export function currentLeadId(tenant: string, id: string): string {
  return `SELECT coalesce(l.merged_into_id, l.id) FROM leads l WHERE l.tenant_id = ${tenant} AND l.id = ${id}`;
}
