// The statements of notes and touches. Reads take many leads at once.

import type { NamedStatement } from '../../../platform/database/database.js';
import { travelOf, type KeyRange } from '../../../platform/database/page.js';

export interface LeadNoteRow {
  id: string;
  leadId: string;
  authorId: string;
  body: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface LeadTouchRow {
  id: string;
  leadId: string;
  source: string;
  metadata: unknown;
  referral: unknown;
  createdAt: Date;
}

const noteColumns =
  'id, lead_id AS "leadId", author_id AS "authorId", body, created_at AS "createdAt", updated_at AS "updatedAt"';

/** $1 tenant, $2 id, $3 lead, $4 author, $5 body. */
export const insertNote: NamedStatement = {
  name: 'insert-lead-note',
  text: `INSERT INTO lead_notes (tenant_id, id, lead_id, author_id, body) VALUES ($1, $2, $3, $4, $5) RETURNING ${noteColumns}`,
};

/** $1 tenant, $2 id → the note. A merge of its lead waits. */
export const lockNote: NamedStatement = {
  name: 'lock-lead-note',
  text: `SELECT ${noteColumns} FROM lead_notes WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 id, $3 body. */
export const updateNote: NamedStatement = {
  name: 'update-lead-note',
  text: `UPDATE lead_notes SET body = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2 RETURNING ${noteColumns}`,
};

/** $1 tenant, $2 id. */
export const deleteNote: NamedStatement = {
  name: 'delete-lead-note',
  text: 'DELETE FROM lead_notes WHERE tenant_id = $1 AND id = $2',
};

const listed = {
  lead_notes: noteColumns,
  lead_touches: 'id, lead_id AS "leadId", source, metadata, referral, created_at AS "createdAt"',
} as const;

/** $1 tenant, $2 leads, $3 from where (null: the newest end), $4 limit → the rows of each lead, in the order of travel. */
export function selectOfLeads(table: keyof typeof listed, range: KeyRange): NamedStatement {
  const { sort, comparison } = travelOf(range, 'desc');
  return {
    name: `select-${table}-${sort}-${range.isInclusive === true ? 'from' : 'beyond'}`,
    text: `SELECT found.* FROM unnest($2::uuid[]) AS w (lead_id) CROSS JOIN LATERAL (
        SELECT ${listed[table]} FROM ${table} t
        WHERE t.tenant_id = $1 AND t.lead_id = w.lead_id AND ($3::uuid IS NULL OR t.id ${comparison} $3)
        ORDER BY t.id ${sort} LIMIT $4
      ) found ORDER BY found.id ${sort}`,
  };
}

/** $1 tenant, $2 leads → how many rows each has; leads without any are left out. */
export function countOfLeads(table: keyof typeof listed): NamedStatement {
  return {
    name: `count-${table}`,
    text: `SELECT lead_id AS owner, count(*)::int AS count FROM ${table}
      WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[]) GROUP BY lead_id`,
  };
}

/**
 * $1 tenant → its notes, the newest first.
 * @param condition on the words of a note. OFFSET keeps their index in the plan: in the order of the notes, the words of each would be
 * made.
 */
export function notesWhose(condition: (words: string) => string): string {
  return `SELECT ${noteColumns} FROM (
      SELECT * FROM lead_notes n WHERE ${condition('words_of_message(n.tenant_id, n.body, NULL::jsonb)')} OFFSET 0
    ) found WHERE tenant_id = $1 ORDER BY id DESC`;
}
