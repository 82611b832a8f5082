// Changes a known lead by a row of an imported file.

import { jsonObject } from '../../../platform/input/input.js';
import { RunAgain, type Transaction } from '../../../platform/database/transaction.js';
import { changedFields } from '../../audit/audit.service.js';
import { mayHavePlaceholderName } from '../identity/lead-identity.js';
import { editedColumns, editedFields, pickFields, textFields } from '../lead-fields.js';
import type { CustomFields } from '../lead-labels.js';
import { maxCustomFields, maxLeadMetadataBytes } from '../lead.schema.js';
import { updateLeads, type LeadRow } from '../lead.sql.js';
import { lockKnownLeads, type ImportUpdate } from './lead-import.sql.js';
import type { ImportedLead } from './lead-import.schema.js';

/** A row of the file and the lead that it is about. */
export interface KnownRow {
  leadId: string;
  given: ImportedLead;
}

type TextField = (typeof textFields)[number];
type Changed = { after: LeadRow; fields: string[] } | { problem: { field: string; message: string } };

const metadataSchema = jsonObject(maxLeadMetadataBytes);

/** Returns the lead as the row changes it, or the problem with that; undefined where nothing changes. */
function changeOf(before: LeadRow, given: ImportedLead, update: ImportUpdate): Changed | undefined {
  const after = update === 'FILL' ? filled(before, given) : overwritten(before, given);
  const changed = changedFields(pickFields(before, editedFields), pickFields(after, editedFields));
  if (changed === undefined) return undefined;
  const fields = Object.keys(after.customFields as CustomFields);
  if (fields.length > Math.max(maxCustomFields, Object.keys(before.customFields as CustomFields).length))
    return { problem: { field: 'customFields', message: `a lead has at most ${maxCustomFields} custom fields` } };
  const metadata = metadataSchema.nullable().safeParse(after.metadata);
  if (!metadata.success)
    return { problem: { field: 'metadata', message: metadata.error.issues[0]?.message ?? 'is too large' } };
  return { after, fields: Object.keys(changed.after) };
}

/**
 * Changes known leads like an edit does, each locked in the order of their ids. Emits LEAD_UPDATED for each that changes. Safe to repeat.
 * @returns the number of changed leads, and the rows whose leads cannot change so
 * @throws RunAgain where one of the leads was merged or erased meanwhile
 */
export async function updateKnownLeads(
  tx: Transaction,
  rows: readonly KnownRow[],
  { update, userId }: { update: ImportUpdate; userId: string },
): Promise<{ updated: number; refused: { row: KnownRow; field: string; message: string }[] }> {
  if (rows.length === 0) return { updated: 0, refused: [] };
  const ids = [...new Set(rows.map(({ leadId }) => leadId))];
  const locked = await tx.query<LeadRow>(lockKnownLeads, [tx.tenantId, ids]);
  if (locked.length < ids.length) throw new RunAgain('A lead of the file was merged or erased meanwhile');
  const leads = new Map(locked.map((lead) => [lead.id, lead]));
  const changes = new Map<string, LeadRow>();
  const refused: { row: KnownRow; field: string; message: string }[] = [];
  for (const row of rows) {
    const before = changes.get(row.leadId) ?? leads.get(row.leadId);
    const change = before === undefined ? undefined : changeOf(before, row.given, update);
    if (change === undefined) continue;
    if ('problem' in change) {
      refused.push({ row, ...change.problem });
      continue;
    }
    changes.set(row.leadId, change.after);
    tx.emit({ type: 'LEAD_UPDATED', leadId: row.leadId, data: { change: 'FIELDS', fields: change.fields, userId } });
  }
  if (changes.size > 0) await tx.query(updateLeads, [tx.tenantId, ...editedColumns.valuesOf([...changes.values()])]);
  return { updated: changes.size, refused };
}

function filled(before: LeadRow, given: ImportedLead): LeadRow {
  const { name, tags, customFields, metadata } = given;
  const kept = Object.entries(before.customFields as CustomFields).filter(([, value]) => value !== '');
  return {
    ...before,
    ...textsOf((field) => before[field] ?? given[field]),
    name: mayHavePlaceholderName(before) ? (name ?? before.name) : before.name,
    tags: before.tags.length === 0 ? (tags ?? []) : before.tags,
    customFields: { ...valuesOf(customFields), ...Object.fromEntries(kept) },
    metadata: metadata == null ? before.metadata : asJson({ ...metadata, ...metadataOf(before) }),
  };
}

function overwritten(before: LeadRow, given: ImportedLead): LeadRow {
  const { tags, customFields, metadata } = given;
  return {
    ...before,
    ...textsOf((field) => given[field] ?? before[field]),
    tags: tags ?? before.tags,
    customFields: { ...(before.customFields as CustomFields), ...valuesOf(customFields) },
    metadata: metadata == null ? before.metadata : asJson({ ...metadataOf(before), ...metadata }),
  };
}

function textsOf(valueOf: (field: TextField) => LeadRow[TextField] | undefined): Pick<LeadRow, TextField> {
  return Object.fromEntries(textFields.map((field) => [field, valueOf(field)])) as Pick<LeadRow, TextField>;
}

function valuesOf(given: ImportedLead['customFields']): CustomFields {
  return Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function metadataOf({ metadata }: LeadRow): Record<string, unknown> {
  return (metadata ?? {}) as Record<string, unknown>;
}

function asJson(metadata: Record<string, unknown>): LeadRow['metadata'] {
  return metadata as LeadRow['metadata'];
}
