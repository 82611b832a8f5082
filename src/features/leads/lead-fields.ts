// The fields of a lead: their columns, and which of them each API reads and writes.

import type { Prisma } from '../../platform/database/database.js';
import type { ShowableOf } from '../../platform/database/shown-records.js';
import type { Columns } from '../../platform/database/sql-text.js';

type StoredLead = Prisma.LeadGetPayload<object>;
type PositionField = 'lastMessagePosition' | 'lastBulkMessagePosition' | 'lastInboundPosition' | 'lastAnswerPosition';

/** A lead. Prisma gives its positions as numbers, and our own statements as the text of PostgreSQL. */
export type LeadRow = Omit<StoredLead, PositionField> & Record<PositionField, bigint | string | null>;

/** The columns of a lead `l`. The type requires every column. */
export const leadFields: Columns<LeadRow> = {
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
  lastMessagePosition: 'l.last_message_position',
  lastBulkMessageId: 'l.last_bulk_message_id',
  lastBulkMessagePosition: 'l.last_bulk_message_position',
  unreadCount: 'l.unread_count',
  conversationStatus: 'l.conversation_status',
  snoozedUntil: 'l.snoozed_until',
  isReminder: 'l.is_reminder',
  reopenedById: 'l.reopened_by_id',
  lastInboundPosition: 'l.last_inbound_position',
  lastAnswerPosition: 'l.last_answer_position',
  lastInboundAt: 'l.last_inbound_at',
  waitingSince: 'l.waiting_since',
  mergedIntoId: 'l.merged_into_id',
  createdAt: 'l.created_at',
  updatedAt: 'l.updated_at',
};

/** The columns by which a lead's newest message is found. */
export const newestMessageFields = [
  'lastMessageId',
  'lastMessagePosition',
  'lastBulkMessageId',
  'lastBulkMessagePosition',
] as const;

/** The columns that the shown fields of a lead need. The relations of a page are read with it, and need nothing more. */
export const shownLead: ShowableOf<LeadRow> = {
  columns: leadFields,
  needs: {
    assignee: ['assigneeId'],
    lastMessage: newestMessageFields,
    optOut: [],
    channelNumber: [],
    firstReferral: [],
    identities: [],
    merges: [],
    messages: [],
    notes: [],
    presence: [],
    replyInstance: [],
    replyWindow: [],
    scheduledReplyAt: [],
    snoozeKind: ['conversationStatus', 'isReminder'],
    touches: [],
  },
};
