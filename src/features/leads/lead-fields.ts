// The fields of a lead: their columns, and which API reads and writes each of them. A new field is a line of `fields`.

import { Columns as ValueColumns, type Column } from '../../platform/database/columns.js';
import type { Prisma } from '../../platform/database/database.js';
import type { ShowableOf } from '../../platform/database/shown-records.js';
import type { Columns } from '../../platform/database/sql-text.js';

type StoredLead = Prisma.LeadGetPayload<object>;
type PositionField = 'lastMessagePosition' | 'lastBulkMessagePosition' | 'lastInboundPosition' | 'lastAnswerPosition';

/** A lead. Prisma gives its positions as numbers, and our own statements as the text of PostgreSQL. */
export type LeadRow = Omit<StoredLead, PositionField> & Record<PositionField, bigint | string | null>;

type LeadUse =
  /** Users, calls and files write it as a text, and a merge takes it over where the survivor has none. */
  | 'text'
  /** Users and files change it. */
  | 'edited'
  /** The answer to a call that brings a lead has it. */
  | 'intake'
  /** Deliveries to endpoints have it as it is. */
  | 'delivered';

interface LeadField {
  /** The column of a lead `l`. */
  column: string;
  uses?: readonly LeadUse[];
}

const fields = {
  tenantId: { column: 'l.tenant_id' },
  id: { column: 'l.id', uses: ['intake', 'delivered'] },
  name: { column: 'l.name', uses: ['text', 'edited', 'intake', 'delivered'] },
  chat: { column: 'l.chat', uses: ['intake', 'delivered'] },
  numberValidity: { column: 'l.number_validity', uses: ['intake', 'delivered'] },
  source: { column: 'l.source', uses: ['text', 'edited', 'intake', 'delivered'] },
  metadata: { column: 'l.metadata', uses: ['edited', 'intake', 'delivered'] },
  tags: { column: 'l.tags', uses: ['edited', 'delivered'] },
  customFields: { column: 'l.custom_fields', uses: ['edited', 'delivered'] },
  assigneeId: { column: 'l.assignee_id', uses: ['delivered'] },
  lastMessageId: { column: 'l.last_message_id' },
  lastMessagePosition: { column: 'l.last_message_position' },
  lastBulkMessageId: { column: 'l.last_bulk_message_id' },
  lastBulkMessagePosition: { column: 'l.last_bulk_message_position' },
  unreadCount: { column: 'l.unread_count', uses: ['delivered'] },
  conversationStatus: { column: 'l.conversation_status', uses: ['delivered'] },
  snoozedUntil: { column: 'l.snoozed_until', uses: ['delivered'] },
  isReminder: { column: 'l.is_reminder' },
  reopenedById: { column: 'l.reopened_by_id' },
  lastInboundPosition: { column: 'l.last_inbound_position' },
  lastAnswerPosition: { column: 'l.last_answer_position' },
  waitingSince: { column: 'l.waiting_since', uses: ['delivered'] },
  lastInboundAt: { column: 'l.last_inbound_at', uses: ['delivered'] },
  mergedIntoId: { column: 'l.merged_into_id', uses: ['delivered'] },
  createdAt: { column: 'l.created_at', uses: ['intake', 'delivered'] },
  updatedAt: { column: 'l.updated_at', uses: ['intake', 'delivered'] },
} as const satisfies Record<keyof LeadRow, LeadField>;

type Fields = typeof fields;
type NameOf<Use extends LeadUse> = {
  [Name in keyof Fields]: Fields[Name] extends { uses: readonly (infer Each)[] }
    ? Use extends Each
      ? Name
      : never
    : never;
}[keyof Fields];

const described = Object.entries(fields) as [keyof Fields, LeadField][];

function namesOf<Use extends LeadUse>(use: Use): NameOf<Use>[] {
  return described.filter(([, { uses }]) => uses?.includes(use)).map(([name]) => name as NameOf<Use>);
}

/** The columns of a lead `l`. The type requires every column. */
export const leadFields = Object.fromEntries(described.map(([name, { column }]) => [name, column])) as Columns<LeadRow>;

const columnOf = (name: keyof Fields): string => fields[name].column.replace('l.', '');

export const textFields = namesOf('text');

/** The texts that a merge takes over. The name has rules of its own. */
export const mergedTexts = textFields.filter((field) => field !== 'name');

export const editedFields = namesOf('edited');

export const deliveredFields = namesOf('delivered');

/** The columns of `editedFields`, and the assignee. */
export const editedColumns = new ValueColumns<LeadRow>({
  id: ['uuid', ({ id }) => id],
  ...Object.fromEntries(
    textFields.map((field): [string, Column<LeadRow>] => [columnOf(field), ['text', (lead) => lead[field]]]),
  ),
  tags: ['jsonb', ({ tags }) => JSON.stringify(tags)],
  custom_fields: ['jsonb', ({ customFields }) => JSON.stringify(customFields)],
  metadata: ['jsonb', ({ metadata }) => (metadata === null ? null : JSON.stringify(metadata))],
  assignee_id: ['uuid', ({ assigneeId }) => assigneeId],
});

const intakeFields = namesOf('intake');

/** A lead as the answer to a call that brings it has it. */
export type IntakeLead = Pick<LeadRow, Exclude<NameOf<'intake'>, 'metadata'>> & { metadata: unknown };

/** The fields of `IntakeLead` in SQL. @param sqlOf what stands for a field */
export const intakeSql = (sqlOf: (column: string, field: NameOf<'intake'>) => string): string =>
  intakeFields.map((field) => sqlOf(columnOf(field), field)).join(', ');

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

export function pickFields<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>;
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
    mergedInto: ['mergedIntoId'],
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
