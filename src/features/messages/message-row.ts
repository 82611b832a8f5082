// A message as it is stored, and the columns that make one in SQL.

import type { Prisma } from '../../platform/database.js';
import type { Columns } from '../../platform/sql-text.js';
import type { LeadRelation } from '../leads/lead-relations.js';

export type MessageRow = Prisma.MessageGetPayload<object>;

/** Of a message `m`. Complete, or it does not compile. */
export const messageColumns: Columns<MessageRow> = {
  tenantId: 'm.tenant_id',
  id: 'm.id',
  leadId: 'm.lead_id',
  instanceId: 'm.instance_id',
  direction: 'm.direction',
  status: 'm.status',
  type: 'm.type',
  body: 'm.body',
  media: 'm.media',
  externalId: 'm.external_id',
  replyToExternalId: 'm.reply_to_external_id',
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
};

/** The newest message of a lead, bulk included. */
export const lastMessageOfLead: LeadRelation<MessageRow> = {
  field: 'lastMessage',
  from: 'messages m WHERE m.tenant_id = l."tenantId" AND m.id = greatest(l."lastMessageId", l."lastBulkMessageId")',
  columns: messageColumns,
};
