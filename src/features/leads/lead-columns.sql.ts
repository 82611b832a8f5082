// The columns of leads, and which of them a page reads: those that what is shown of its leads needs.

import type { Prisma } from '../../platform/database.js';
import { selectColumns } from '../../platform/sql-text.js';
import type { Columns } from '../../platform/sql-text.js';

/** Of a lead `l`. Complete, or it does not compile. */
export const leadFields: Columns<Prisma.LeadGetPayload<object>> = {
  tenantId: 'l.tenant_id',
  id: 'l.id',
  name: 'l.name',
  chat: 'l.chat',
  numberValidity: 'l.number_validity',
  source: 'l.source',
  metadata: 'l.metadata',
  tags: 'l.tags',
  customFields: 'l.custom_fields',
  assigneeId: 'l.assignee_id',
  lastMessageId: 'l.last_message_id',
  lastBulkMessageId: 'l.last_bulk_message_id',
  unreadCount: 'l.unread_count',
  conversationStatus: 'l.conversation_status',
  snoozedUntil: 'l.snoozed_until',
  reopenedById: 'l.reopened_by_id',
  lastInboundId: 'l.last_inbound_id',
  lastAnswerId: 'l.last_answer_id',
  lastInboundAt: 'l.last_inbound_at',
  waitingSince: 'l.waiting_since',
  mergedIntoId: 'l.merged_into_id',
  createdAt: 'l.created_at',
  updatedAt: 'l.updated_at',
};

/** Fields by their names, each with the names of its own. */
export type SelectedFields = ReadonlyMap<string, ReadonlySet<string>>;

// What a page leaves out where nothing of it is shown: reading, sending and parsing a column takes time in each row.
const details = ['numberValidity', 'metadata', 'tags', 'customFields'] as const;
const conversation = [
  'conversationStatus',
  'snoozedUntil',
  'reopenedById',
  'lastInboundId',
  'lastAnswerId',
  'lastInboundAt',
  'waitingSince',
] as const;
/** Fields that need nothing of both. A field that is not listed here needs everything. */
const plainFields: readonly string[] = [
  '__typename',
  'id',
  'name',
  'chat',
  'source',
  'unreadCount',
  'createdAt',
  'updatedAt',
  'lastMessage',
  'assignee',
  'optOut',
];
const optionalColumns = [
  { mark: 'd', columns: details, fieldsWithout: new Set([...plainFields, ...conversation]) },
  { mark: 'c', columns: conversation, fieldsWithout: new Set([...plainFields, ...details]) },
];

/**
 * The columns of a page's leads; `mark` tells those of other pages apart.
 * @param fields what will be shown of each lead; everything where it is not known
 * @param keepsTimes whether cursors are made of the conversation's times
 */
export function pageColumns(
  fields: SelectedFields | undefined,
  keepsTimes: boolean,
): { columns: string; mark: string } {
  const isNeeded = ({ mark, fieldsWithout }: (typeof optionalColumns)[number]) =>
    fields === undefined ||
    (mark === 'c' && keepsTimes) ||
    ![...fields.keys()].every((field) => fieldsWithout.has(field));
  const needed = optionalColumns.filter(isNeeded);
  const leftOut = new Set<string>(optionalColumns.flatMap((group) => (needed.includes(group) ? [] : group.columns)));
  const kept = Object.entries(leadFields).filter(([field]) => !leftOut.has(field));
  return { columns: selectColumns(Object.fromEntries(kept)), mark: needed.map(({ mark }) => mark).join('') };
}
