// The statements that list and count messages: of many leads at once, or of the whole tenant. They are put together from what is asked
// for, and planned for its values.

import type { Prisma } from '../../platform/database.js';
import { travelOf } from '../../platform/page.js';
import type { KeyRange } from '../../platform/page.js';
import { SqlValues, containing, isUnfiltered, madeBetween, rangeName, whenGiven } from '../../platform/sql-text.js';
import type { SqlText } from '../../platform/sql-text.js';
import type { MessageConditions } from './message-list.schema.js';

type MessageColumn = keyof Prisma.MessageGetPayload<object>;

// Complete, or it does not compile.
const messageColumns: Record<MessageColumn, string> = {
  tenantId: 'tenant_id',
  id: 'id',
  leadId: 'lead_id',
  instanceId: 'instance_id',
  direction: 'direction',
  status: 'status',
  type: 'type',
  body: 'body',
  media: 'media',
  externalId: 'external_id',
  replyToExternalId: 'reply_to_external_id',
  templateId: 'template_id',
  templateVersion: 'template_version',
  bulkSendId: 'bulk_send_id',
  authorId: 'author_id',
  idempotencyKey: 'idempotency_key',
  contentHash: 'content_hash',
  errorCode: 'error_code',
  errorMessage: 'error_message',
  createdAt: 'created_at',
  scheduledFor: 'scheduled_for',
  receivedAt: 'received_at',
  providerTimestamp: 'provider_timestamp',
  sentAt: 'sent_at',
  deliveredAt: 'delivered_at',
  readAt: 'read_at',
  failedAt: 'failed_at',
};

const columns = Object.entries(messageColumns)
  .map(([field, column]) => `m.${column} AS "${field}"`)
  .join(', ');

/** The same range of each lead's messages, the oldest first in the list. */
export function selectMessagesOfLeads(
  tenantId: string,
  leadIds: readonly string[],
  filter: MessageConditions,
  range: KeyRange,
): SqlText {
  const values = new SqlValues();
  const { use } = values;
  const ids = use(leadIds);
  const { sort, comparison } = travelOf(range, 'asc');
  const conditions = [
    'm.lead_id = w.lead_id',
    ...conditionsOf(tenantId, filter, use),
    ...whenGiven(range.from, (from) => `m.id ${comparison} ${use(from)}`),
  ].join(' AND ');
  const text = `SELECT found.* FROM unnest(${ids}::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
      SELECT ${columns} FROM messages m WHERE ${conditions} ORDER BY m.id ${sort} LIMIT ${use(range.limit)}
    ) found ORDER BY found.id ${sort}`;
  const name = isUnfiltered(filter) ? `list-messages-of-leads-${rangeName(range)}` : undefined;
  return { name, text, values: values.list };
}

/** How many messages each lead has; leads without any are left out. */
export function countMessagesOfLeads(tenantId: string, leadIds: readonly string[], filter: MessageConditions): SqlText {
  const { list, use } = new SqlValues();
  const conditions = [`m.lead_id = ANY(${use(leadIds)}::uuid[])`, ...conditionsOf(tenantId, filter, use)].join(' AND ');
  const text = `SELECT m.lead_id AS owner, count(*)::int AS count FROM messages m WHERE ${conditions} GROUP BY m.lead_id`;
  return { text, values: list };
}

/** A page of the tenant's messages, the newest first in the list. */
export function selectMessages(tenantId: string, filter: MessageConditions, range: KeyRange): SqlText {
  const { list, use } = new SqlValues();
  const { sort, comparison } = travelOf(range, 'desc');
  const conditions = [
    ...conditionsOf(tenantId, filter, use),
    ...whenGiven(range.from, (from) => `m.id ${comparison} ${use(from)}`),
  ].join(' AND ');
  const text = `SELECT ${columns} FROM messages m WHERE ${conditions} ORDER BY m.id ${sort} LIMIT ${use(range.limit)}`;
  return { name: isUnfiltered(filter) ? `list-messages-${rangeName(range)}` : undefined, text, values: list };
}

export function countMessages(tenantId: string, filter: MessageConditions): SqlText {
  const { list, use } = new SqlValues();
  const conditions = conditionsOf(tenantId, filter, use).join(' AND ');
  return { text: `SELECT count(*)::int AS count FROM messages m WHERE ${conditions}`, values: list };
}

function conditionsOf(tenantId: string, filter: MessageConditions, use: (value: unknown) => string): string[] {
  return [
    `m.tenant_id = ${use(tenantId)}`,
    ...madeBetween('m', filter, use),
    ...whenGiven(filter.direction, (direction) => `m.direction = ${use(direction)}`),
    ...whenGiven(filter.statuses, statusCondition),
    ...whenGiven(filter.instanceId, (id) => `m.instance_id = ${use(id)}`),
    ...whenGiven(filter.text, (text) => textCondition(use(containing(text)))),
  ];
}

// Statuses are written out; none of them comes from outside unchecked. What failed has the time at which it did, and an index by that.
function statusCondition(statuses: readonly string[]): string {
  const isAnyOf = `m.status IN (${statuses.map((status) => `'${status}'`).join(', ')})`;
  return statuses.every((status) => status === 'FAILED') ? `${isAnyOf} AND m.failed_at IS NOT NULL` : isAnyOf;
}

function textCondition(pattern: string): string {
  return `(m.body ILIKE ${pattern} OR m.media->>'caption' ILIKE ${pattern})`;
}
