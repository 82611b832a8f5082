// What belongs to a lead and is read with a page of leads, in one statement. The features that own it say where it is.

import { readColumns, selectColumns } from '../../platform/sql-text.js';
import type { Columns } from '../../platform/sql-text.js';
import { userColumns } from '../users/user.sql.js';
import type { UserRecord } from '../users/user.sql.js';
import type { LeadRow } from './lead-row.js';

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
