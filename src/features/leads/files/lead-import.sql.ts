// The statements of imports: the record, its progress, and the tags and custom fields of new leads.

import type { NamedStatement } from '../../../platform/database/database.js';
import { travelOf, type KeyRange } from '../../../platform/database/page.js';
import { leadColumns } from '../lead.sql.js';
import type { ColumnNote } from './lead-import-columns.js';

export const importStatuses = {
  RUNNING: 'Rows are being taken in.',
  COMPLETED: 'Every row was looked at.',
  INTERRUPTED: 'It was given up half-way: what was taken in stays, and the same file can be sent again.',
} as const;

export type ImportStatus = keyof typeof importStatuses;

export const importUpdates = {
  FILL: 'Empty fields of known leads are filled.',
  OVERWRITE: 'Fields of known leads are replaced, where the row has something.',
} as const;

export type ImportUpdate = keyof typeof importUpdates;

export interface ImportError {
  line: number;
  field: string;
  message: string;
}

export interface LeadImportRecord {
  id: string;
  userId: string;
  fileName: string | null;
  isDryRun: boolean;
  update: ImportUpdate | null;
  columns: Record<string, string | null>;
  columnNotes: ColumnNote[];
  status: ImportStatus;
  totalRows: number;
  processedRows: number;
  createdRows: number;
  existingRows: number;
  updatedRows: number;
  duplicateRows: number;
  refusedRows: number;
  errors: ImportError[];
  problem: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An import without progress for this long is abandoned: its process works on it no more. */
const abandonedAfter = "interval '60 seconds'";
const isAbandoned = `status = 'RUNNING' AND updated_at < clock_timestamp() - ${abandonedAfter}`;

const importColumns = `id, user_id AS "userId", file_name AS "fileName", is_dry_run AS "isDryRun",
  CASE WHEN ${isAbandoned} THEN 'INTERRUPTED' ELSE status END AS status,
  total_rows AS "totalRows", processed_rows AS "processedRows", created_rows AS "createdRows", existing_rows AS "existingRows",
  updated_rows AS "updatedRows", update_mode AS "update", columns, column_notes AS "columnNotes",
  duplicate_rows AS "duplicateRows", refused_rows AS "refusedRows", errors, problem, created_at AS "createdAt",
  CASE WHEN ${isAbandoned} THEN updated_at ELSE finished_at END AS "finishedAt"`;

/** $1 tenant: an import without a worker frees its place. */
export const endAbandonedImports: NamedStatement = {
  name: 'end-abandoned-lead-imports',
  text: `UPDATE lead_imports SET status = 'INTERRUPTED', finished_at = updated_at WHERE tenant_id = $1 AND ${isAbandoned}`,
};

/**
 * $1 tenant, $2 id, $3 user, $4 file name, $5 dry run, $6 rows, $7 update, $8 columns, $9 notes on them, $10 headers → nothing where the
 * tenant has one under way.
 */
export const insertImport: NamedStatement = {
  name: 'insert-lead-import',
  text: `INSERT INTO lead_imports (tenant_id, id, user_id, file_name, is_dry_run, total_rows, update_mode, columns, column_notes, headers)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (tenant_id) WHERE status = 'RUNNING' DO NOTHING RETURNING id`,
};

/** $1 tenant, $2 id. */
export const selectImport: NamedStatement = {
  name: 'select-lead-import',
  text: `SELECT ${importColumns} FROM lead_imports WHERE tenant_id = $1 AND id = $2`,
};

/** $1 tenant, $2 from where (null: the newest end), $3 limit. */
export function selectImports(range: KeyRange): NamedStatement {
  const { sort, comparison } = travelOf(range, 'desc');
  return {
    name: `select-lead-imports-${sort}-${range.isInclusive === true ? 'from' : 'beyond'}`,
    text: `SELECT ${importColumns} FROM lead_imports
      WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id ${comparison} $2) ORDER BY id ${sort} LIMIT $3`,
  };
}

/**
 * $1 tenant, $2 id, then how many rows more: $3 processed, $4 created, $5 existing, $6 duplicate, $7 refused; $8 their errors, $9 the most
 * errors that are kept, $10 updated → nothing where the import was given up.
 */
export const advanceImport: NamedStatement = {
  name: 'advance-lead-import',
  text: `UPDATE lead_imports SET processed_rows = processed_rows + $3::int, created_rows = created_rows + $4::int,
      existing_rows = existing_rows + $5::int, duplicate_rows = duplicate_rows + $6::int, refused_rows = refused_rows + $7::int,
      updated_rows = updated_rows + $10::int,
      errors = CASE WHEN jsonb_array_length(errors) < $9::int
        THEN jsonb_path_query_array(errors || $8::jsonb, format('$[0 to %s]', $9::int - 1)::jsonpath) ELSE errors END,
      updated_at = clock_timestamp()
    WHERE tenant_id = $1 AND id = $2 AND status = 'RUNNING' AND NOT (${isAbandoned}) RETURNING id`,
};

/** $1 tenant, $2 id, $3 status, $4 problem. */
export const finishImport: NamedStatement = {
  name: 'finish-lead-import',
  text: `UPDATE lead_imports SET status = $3, problem = $4, updated_at = clock_timestamp(), finished_at = clock_timestamp()
    WHERE tenant_id = $1 AND id = $2 AND status = 'RUNNING'`,
};

/** $1 tenant; columns of new leads: $2 ids, $3 tags as JSON, $4 custom fields. */
export const labelNewLeads: NamedStatement = {
  name: 'label-new-leads',
  text: `UPDATE leads l SET tags = ARRAY(SELECT jsonb_array_elements_text(w.tags)), custom_fields = w.custom_fields
    FROM unnest($2::uuid[], $3::jsonb[], $4::jsonb[]) AS w (id, tags, custom_fields)
    WHERE l.tenant_id = $1 AND l.id = w.id AND l.id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 ids → leads that are there and not merged, locked in the order of their ids. */
export const lockKnownLeads: NamedStatement = {
  name: 'lock-known-leads',
  text: `SELECT ${leadColumns} FROM leads l WHERE l.tenant_id = $1 AND l.id = ANY($2::uuid[]) AND l.merged_into_id IS NULL
    ORDER BY l.id FOR NO KEY UPDATE`,
};

/** Refused rows that are kept of one import. */
export const maxRefusedRows = 10_000;
const refusedRowDays = 7;

/** $1 tenant, $2 import; columns: $3 lines, $4 cells, $5 reasons, $6 match keys. Beyond `maxRefusedRows` none is kept. */
export const insertRefusedRows: NamedStatement = {
  name: 'insert-refused-lead-rows',
  text: `INSERT INTO lead_import_refused_rows (tenant_id, import_id, line, cells, reason, match_key)
    SELECT $1, $2, line, cells, reason, match_key
    FROM unnest($3::int[], $4::jsonb[], $5::text[], $6::text[]) AS r (line, cells, reason, match_key)
    LIMIT greatest(0, ${maxRefusedRows} - (SELECT count(*) FROM lead_import_refused_rows WHERE tenant_id = $1 AND import_id = $2))
    ON CONFLICT DO NOTHING`,
};

export interface RefusedRow {
  line: number;
  cells: string[];
  reason: string;
}

/** $1 tenant, $2 import, $3 after which line, $4 limit → in the order of the file. */
export const selectRefusedRows: NamedStatement = {
  name: 'select-refused-lead-rows',
  text: `SELECT line, cells, reason FROM lead_import_refused_rows
    WHERE tenant_id = $1 AND import_id = $2 AND line > $3 ORDER BY line LIMIT $4`,
};

/** $1 tenant, $2 import → the headers of its file. */
export const selectImportHeaders: NamedStatement = {
  name: 'select-lead-import-headers',
  text: 'SELECT headers FROM lead_imports WHERE tenant_id = $1 AND id = $2',
};

/** $1 tenant, $2 leads that are erased: deletes the rows with one of their numbers. */
export const eraseRefusedRows: NamedStatement = {
  name: 'erase-refused-lead-rows',
  text: `DELETE FROM lead_import_refused_rows r USING lead_identities i
    WHERE i.tenant_id = $1 AND i.lead_id = ANY($2::uuid[]) AND i.kind = 'PHONE' AND r.tenant_id = $1 AND r.match_key = i.match_key`,
};

/** $1 tenant, $2 limit → how many rows went. */
export const deleteOldRefusedRows: NamedStatement = {
  name: 'delete-old-refused-lead-rows',
  text: `WITH gone AS (
      DELETE FROM lead_import_refused_rows r USING (
        SELECT import_id, line FROM lead_import_refused_rows
        WHERE tenant_id = $1 AND created_at < now() - make_interval(days => ${refusedRowDays}) LIMIT $2 FOR UPDATE SKIP LOCKED
      ) old WHERE r.tenant_id = $1 AND r.import_id = old.import_id AND r.line = old.line RETURNING 1
    ) SELECT count(*)::int AS count FROM gone`,
};
