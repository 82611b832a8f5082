// The fields of a lead: their columns, and which of them each API reads and writes.

import { Columns as ValueColumns, type Column } from '../../platform/database/columns.js';
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

/** The fields that are a text, which users and files write as they are. */
export const textFields = ['name', 'source'] as const satisfies readonly (keyof LeadRow)[];

/** The texts that a merge takes over where the survivor has none. The name has rules of its own. */
export const mergedTexts = textFields.filter((field) => field !== 'name');

/** The fields that users and files change. */
export const editedFields = [...textFields, 'tags', 'customFields', 'metadata'] as const;

/** The columns of `editedFields`, and the assignee. */
export const editedColumns = new ValueColumns<LeadRow>({
  id: ['uuid', ({ id }) => id],
  name: ['text', ({ name }) => name],
  source: ['text', ({ source }) => source],
  tags: ['jsonb', ({ tags }) => JSON.stringify(tags)],
  custom_fields: ['jsonb', ({ customFields }) => JSON.stringify(customFields)],
  metadata: ['jsonb', ({ metadata }) => (metadata === null ? null : JSON.stringify(metadata))],
  assignee_id: ['uuid', ({ assigneeId }) => assigneeId],
});

/** The fields that a call which brings a lead is answered with. */
const intakeFields = [
  'id',
  'name',
  'chat',
  'numberValidity',
  'source',
  'metadata',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof LeadRow)[];

/** A lead as intake answers it. */
export type IntakeLead = Pick<LeadRow, Exclude<(typeof intakeFields)[number], 'metadata'>> & { metadata: unknown };

/** The fields of `IntakeLead` in SQL. @param sqlOf what stands for a field */
export const intakeSql = (sqlOf: (column: string, field: (typeof intakeFields)[number]) => string): string =>
  intakeFields.map((field) => sqlOf(leadFields[field].replace('l.', ''), field)).join(', ');

/** The columns of `IntakeLead`, of a lead `l`. */
export const intakeColumns = intakeSql((column, field) => `l.${column} AS "${field}"`);

/** The fields that a call brings of a person, and that a new lead keeps as they came. */
export interface BroughtFields {
  metadata?: object | undefined;
}

/** The columns of `BroughtFields`, by their names in the table. */
export function broughtColumns<Item>(broughtBy: (item: Item) => BroughtFields) {
  return {
    metadata: [
      'jsonb',
      (item) => {
        const { metadata } = broughtBy(item);
        return metadata === undefined ? null : JSON.stringify(metadata);
      },
    ],
  } satisfies Record<string, Column<Item>>;
}

/** The names of `broughtColumns`. */
export const broughtNames = Object.keys(broughtColumns(() => ({})));

/** The fields that deliveries to endpoints show as they are. */
export const deliveredFields = [
  'id',
  'name',
  'chat',
  'numberValidity',
  'source',
  'metadata',
  'tags',
  'customFields',
  'assigneeId',
  'unreadCount',
  'conversationStatus',
  'snoozedUntil',
  'waitingSince',
  'lastInboundAt',
  'mergedIntoId',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof LeadRow)[];

/** The columns of exports, in their order. Those of referrals and custom fields follow. */
export const exportColumns = [
  'id',
  'name',
  'chat',
  'source',
  'tags',
  'assignee',
  'unreadCount',
  'createdAt',
  'lastMessageAt',
  'metadata',
  'numberValidity',
  'optedOutAt',
  'optOutSource',
] as const;

export function pickFields<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;
}

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
