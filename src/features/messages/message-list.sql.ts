// The statements that list and count messages, of many leads at once or of the whole tenant. They are built for each request, and planned
// for its values. The file also has the statements by which leads read messages.

import type { NamedStatement, Prisma } from '../../platform/database/database.js';
import type { NewestFirst } from '../../platform/database/newest-first.js';
import { travelOf, type KeyRange } from '../../platform/database/page.js';
import { isUuid } from '../../platform/input/input.js';
import { columnsOfShown, type SelectedFields, type ShowableOf } from '../../platform/database/shown-records.js';
import {
  containing,
  isUnfiltered,
  madeBetween,
  selectColumns,
  SqlValues,
  whenGiven,
  type Columns,
  type SqlText,
} from '../../platform/database/sql-text.js';
import { currentLeadId, type LeadRelation } from '../leads/lead-list.sql.js';
import { positionBehind } from '../leads/conversation/position.js';
import type { MessagesOfLead } from '../leads/lead-content.js';
import type { MessageConditions } from './message.schema.js';
import { externalKeyColumns } from './message.sql.js';

/** A message. Its position stays the text that PostgreSQL gives, because a number would lose digits. */
export type MessageRow = Omit<Prisma.MessageGetPayload<object>, 'position'> & { position: string };

/** The columns of a message `m`. The type makes the list complete. */
export const messageColumns: Columns<MessageRow> = {
  tenantId: 'm.tenant_id',
  id: 'm.id',
  leadId: 'm.lead_id',
  position: 'm.position',
  instanceId: 'm.instance_id',
  direction: 'm.direction',
  status: 'm.status',
  type: 'm.type',
  body: 'm.body',
  media: 'm.media',
  externalId: 'm.external_id',
  replyToExternalId: 'm.reply_to_external_id',
  channelTemplate: 'm.channel_template',
  templateId: 'm.template_id',
  templateVersion: 'm.template_version',
  bulkSendId: 'm.bulk_send_id',
  authorId: 'm.author_id',
  idempotencyKey: 'm.idempotency_key',
  contentHash: 'm.content_hash',
  errorCode: 'm.error_code',
  errorMessage: 'm.error_message',
  createdAt: 'm.created_at',
  scheduledFor: 'm.scheduled_for',
  receivedAt: 'm.received_at',
  providerTimestamp: 'm.provider_timestamp',
  sentAt: 'm.sent_at',
  deliveredAt: 'm.delivered_at',
  readAt: 'm.read_at',
  failedAt: 'm.failed_at',
  isAutomatic: 'm.is_automatic',
  editedAt: 'm.edited_at',
  deletedAt: 'm.deleted_at',
  choice: 'm.choice',
  referral: 'm.referral',
  isForwarded: 'm.is_forwarded',
  isNotice: 'm.is_notice',
  isPlaceholder: 'm.is_placeholder',
  mayWantToStop: 'm.may_want_to_stop',
};

const waitingNeeds = ['status', 'errorCode', 'errorMessage'] as const;

/** The columns of a message that its shown fields need. */
const shownMessage: ShowableOf<MessageRow> = {
  columns: messageColumns,
  needs: {
    author: ['authorId'],
    changes: ['editedAt', 'deletedAt'],
    error: ['errorCode', 'errorMessage'],
    estimatedSendAt: waitingNeeds,
    instance: ['instanceId'],
    lead: ['leadId'],
    media: ['tenantId', 'media'],
    origin: ['direction', 'isAutomatic', 'bulkSendId', 'authorId'],
    queuePosition: waitingNeeds,
    reactions: [],
    replyTo: ['instanceId', 'replyToExternalId'],
    template: ['templateId'],
    timeline: [],
    waitingDetail: waitingNeeds,
    waitingReason: waitingNeeds,
  },
};

// The lead's id tells which lead's page the message belongs to.
const keysOfShown = ['id', 'leadId', 'position'];

/** The newest message of a lead, bulk included. */
export const lastMessageOfLead: LeadRelation = {
  field: 'lastMessage',
  record: shownMessage,
  from: () =>
    `messages m WHERE m.tenant_id = l."tenantId" AND m.id = CASE
      WHEN l."lastBulkMessagePosition" > coalesce(l."lastMessagePosition", 0) THEN l."lastBulkMessageId" ELSE l."lastMessageId" END`,
};

const columns = selectColumns(messageColumns);

/** $1 tenant, $2 ids → the messages. */
export const selectMessagesByIds: NamedStatement = {
  name: 'select-messages-by-ids',
  text: `SELECT ${columns} FROM messages m WHERE m.tenant_id = $1 AND m.id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 key. */
export const selectMessageByIdempotencyKey: NamedStatement = {
  name: 'select-message-by-idempotency-key',
  text: `SELECT ${columns} FROM messages m WHERE m.tenant_id = $1 AND m.idempotency_key = $2`,
};

/** $1 tenant, `externalKeyColumns` → the messages with these keys. */
export const selectMessagesByExternalIds: NamedStatement = {
  name: 'select-whole-messages-by-external-id',
  text: `SELECT ${columns} FROM ${externalKeyColumns.rows('w')} CROSS JOIN LATERAL (
      SELECT * FROM messages WHERE tenant_id = $1 AND instance_id = w.instance_id AND external_id = w.external_id LIMIT 1
    ) m`,
};

/** Returns the key of a message in its lead's list. */
export function messageKeyOf({ position, id }: { position: string; id: string }): string {
  return `${position} ${id}`;
}

/** Returns whether a cursor's text can be such a key. */
export function isMessageKey(text: string): boolean {
  return /^[1-9]\d{18} /.test(text) && isUuid(text.slice(20));
}

/** Selects the same range of each lead's messages. In the list, the oldest comes first. */
export function selectMessagesOfLeads(
  tenantId: string,
  leadIds: readonly string[],
  filter: MessageConditions,
  range: KeyRange,
  fields?: SelectedFields,
): SqlText {
  const values = new SqlValues();
  const { use } = values;
  const ids = use(leadIds);
  const { sort, comparison } = travelOf(range, 'asc');
  const conditions = [
    'm.lead_id = w.lead_id',
    ...conditionsOf(tenantId, filter, use),
    ...whenGiven(range.from, (from) => {
      const [position, id] = from.split(' ');
      return `(m.position, m.id) ${comparison} (${use(position)}::bigint, ${use(id)}::uuid)`;
    }),
  ].join(' AND ');
  const read = selectColumns(columnsOfShown(shownMessage, fields?.keys(), keysOfShown));
  const text = `SELECT found.* FROM unnest(${ids}::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
      SELECT ${read} FROM messages m WHERE ${conditions} ORDER BY m.position ${sort}, m.id ${sort} LIMIT ${use(range.limit)}
    ) found ORDER BY found.position ${sort}, found.id ${sort}`;
  const name = isUnfiltered(filter) ? 'list-messages-of-leads' : undefined;
  return { name, text, values: values.list };
}

/** Counts the messages of each lead; leads without any are left out. */
export function countMessagesOfLeads(tenantId: string, leadIds: readonly string[], filter: MessageConditions): SqlText {
  const { list, use } = new SqlValues();
  const conditions = [`m.lead_id = ANY(${use(leadIds)}::uuid[])`, ...conditionsOf(tenantId, filter, use)].join(' AND ');
  const text = `SELECT m.lead_id AS owner, count(*)::int AS count FROM messages m WHERE ${conditions} GROUP BY m.lead_id`;
  return { text, values: list };
}

/** The list of the tenant's messages. */
export const listedMessages: NewestFirst<MessageConditions> = {
  name: 'list-messages',
  record: shownMessage,
  from: 'messages m',
  keys: keysOfShown,
  conditions: conditionsOf,
};

function conditionsOf(tenantId: string, filter: MessageConditions, use: (value: unknown) => string): string[] {
  const tenant = use(tenantId);
  return [
    `m.tenant_id = ${tenant}`,
    ...whenGiven(filter.leadId, (id) => `m.lead_id = (${currentLeadId(tenant, use(id))})`),
    ...madeBetween('m', filter, use),
    ...whenGiven(filter.direction, (direction) => `m.direction = ${use(direction)}`),
    ...whenGiven(filter.statuses, statusCondition),
    ...whenGiven(filter.instanceId, (id) => `m.instance_id = ${use(id)}`),
    ...whenGiven(filter.bulkSendId, (id) => `m.bulk_send_id = ${use(id)}`),
    ...whenGiven(filter.text, (text) => textCondition(use(containing(text)))),
  ];
}

// Statuses are literals, which is safe because all of them are checked. Failed messages have an index by the time of the failure.
function statusCondition(statuses: readonly string[]): string {
  const isAnyOf = `m.status IN (${statuses.map((status) => `'${status}'`).join(', ')})`;
  return statuses.every((status) => status === 'FAILED') ? `${isAnyOf} AND m.failed_at IS NOT NULL` : isAnyOf;
}

function textCondition(pattern: string): string {
  return `(m.body ILIKE ${pattern} OR m.media->>'caption' ILIKE ${pattern})`;
}

/**
 * A condition: an outbound message answers the lead's earlier messages. A user's message does, and one that was written on the phone. Bulk
 * messages do not, nor messages that were canceled or failed. A scheduled message does from the time when it was sent.
 */
const answers = `direction = 'OUTBOUND' AND bulk_send_id IS NULL AND NOT is_automatic AND status NOT IN ('CANCELED', 'FAILED')
          AND (scheduled_for IS NULL OR status NOT IN ('QUEUED', 'SENDING'))`;

/** A condition: the lead wrote the message. A notice stands on the lead's side, but no person has written it. */
const saidByLead = `direction = 'INBOUND' AND NOT is_notice`;

const positionOf: MessagesOfLead['positionOf'] = (messageId) =>
  `(SELECT p.position FROM messages p WHERE p.tenant_id = $1 AND p.id = ${messageId})`;

const laterInbound: MessagesOfLead['laterInbound'] = (leadId, messageId, most) => `(SELECT count(*)::int FROM (
        SELECT FROM messages WHERE tenant_id = $1 AND lead_id = ${leadId} AND position > ${positionOf(messageId)} AND ${saidByLead} LIMIT ${most}
      ) newer)`;

/** The origin of a message in SQL, equal to `originOf`. @param message an alias of `messages` */
export function originKey(message: string): string {
  return `CASE WHEN ${message}.direction = 'INBOUND' THEN 'LEAD' WHEN ${message}.is_automatic THEN 'SYSTEM'
    WHEN ${message}.bulk_send_id IS NOT NULL THEN 'BULK' WHEN ${message}.author_id IS NULL THEN 'PHONE' ELSE 'USER' END`;
}

/** The statements that leads need of messages. They let leads merge, erase and mark as read without knowing this table. */
export const messagesOfLead: MessagesOfLead = {
  rows: { table: 'messages', key: 'id', listedIn: 'message_ids', makesList: true },
  newest: (kind, column) => `SELECT ${column} FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND NOT is_notice AND bulk_send_id IS ${kind === 'bulk' ? 'NOT NULL' : 'NULL'}
    ORDER BY position DESC, id DESC LIMIT 1`,
  positionOf,
  placeLast: {
    name: 'place-messages-last',
    text: `UPDATE messages m SET position = ${positionBehind('w.newest', 'w.place')} FROM (
        SELECT o.id, n.newest, row_number() OVER (PARTITION BY n.lead_id ORDER BY o.position, o.id) AS place
        FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS n (id, lead_id, newest)
        JOIN messages o ON o.tenant_id = $1 AND o.id = n.id
      ) w WHERE m.tenant_id = $1 AND m.id = w.id RETURNING m.id AS "messageId", m.position`,
  },
  inbound: `SELECT id, row_number() OVER (ORDER BY position DESC, id DESC) AS place FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND ${saidByLead}`,
  conversationOf: (
    leadId,
  ) => `SELECT a.position AS last_answer_position, i.position AS last_inbound_position, i.created_at AS last_inbound_at,
      (SELECT min(created_at) FROM messages
        WHERE tenant_id = $1 AND lead_id = ${leadId} AND ${saidByLead} AND position > coalesce(a.position, 0)) AS waiting_since
    FROM (SELECT (
      SELECT position FROM messages WHERE tenant_id = $1 AND lead_id = ${leadId} AND ${answers} ORDER BY position DESC LIMIT 1
    ) AS position) a
    LEFT JOIN LATERAL (
      SELECT position, created_at FROM messages
      WHERE tenant_id = $1 AND lead_id = ${leadId} AND ${saidByLead} ORDER BY position DESC LIMIT 1
    ) i ON true`,
  newestThrough: (instanceId) => `EXISTS (
    SELECT FROM messages n WHERE n.tenant_id = $1 AND n.id = l.last_message_id AND n.instance_id = ${instanceId})`,
  count: {
    name: 'count-messages-of-lead',
    text: 'SELECT count(*)::int AS count FROM messages WHERE tenant_id = $1 AND lead_id = $2',
  },
  laterInbound,
  countAfter: {
    name: 'count-unread-after',
    text: `SELECT
      (SELECT position FROM messages WHERE tenant_id = $1 AND id = $3 AND lead_id = $2) AS position,
      ${laterInbound('$2', '$3', '$4::int')} AS unread`,
  },
};
