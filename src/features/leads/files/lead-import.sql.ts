// The statements of imports: the record, its progress, and the tags and custom fields of new leads.

import type { NamedStatement } from '../../../platform/database.js';
import { travelOf } from '../../../platform/page.js';
import type { KeyRange } from '../../../platform/page.js';

export const importStatuses = {
  RUNNING: 'Rows are being taken in.',
  COMPLETED: 'Every row was looked at.',
  INTERRUPTED: 'It was given up half-way: what was taken in stays, and the same file can be sent again.',
} as const;

export type ImportStatus = keyof typeof importStatuses;

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
  status: ImportStatus;
  totalRows: number;
  processedRows: number;
  createdRows: number;
  existingRows: number;
  duplicateRows: number;
  refusedRows: number;
  errors: ImportError[];
  problem: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** A process that has not got on for this long works on it no more. */
const abandonedAfter = "interval '60 seconds'";
const isAbandoned = `status = 'RUNNING' AND updated_at < clock_timestamp() - ${abandonedAfter}`;

const importColumns = `id, user_id AS "userId", file_name AS "fileName", is_dry_run AS "isDryRun",
  CASE WHEN ${isAbandoned} THEN 'INTERRUPTED' ELSE status END AS status,
  total_rows AS "totalRows", processed_rows AS "processedRows", created_rows AS "createdRows", existing_rows AS "existingRows",
  duplicate_rows AS "duplicateRows", refused_rows AS "refusedRows", errors, problem, created_at AS "createdAt",
  CASE WHEN ${isAbandoned} THEN updated_at ELSE finished_at END AS "finishedAt"`;

/** $1 tenant: an import without a worker frees its place. */
export const endAbandonedImports: NamedStatement = {
  name: 'end-abandoned-lead-imports',
  text: `UPDATE lead_imports SET status = 'INTERRUPTED', finished_at = updated_at WHERE tenant_id = $1 AND ${isAbandoned}`,
};

/** $1 tenant, $2 id, $3 user, $4 file name, $5 dry run, $6 rows → nothing where the tenant has one under way. */
export const insertImport: NamedStatement = {
  name: 'insert-lead-import',
  text: `INSERT INTO lead_imports (tenant_id, id, user_id, file_name, is_dry_run, total_rows) VALUES ($1, $2, $3, $4, $5, $6)
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
 * $1 tenant, $2 id, then how many rows more: $3 processed, $4 created, $5 existing, $6 duplicate, $7 refused; $8 their errors, $9 how
 * many errors are told → nothing where the import was given up.
 */
export const advanceImport: NamedStatement = {
  name: 'advance-lead-import',
  text: `UPDATE lead_imports SET processed_rows = processed_rows + $3::int, created_rows = created_rows + $4::int,
      existing_rows = existing_rows + $5::int, duplicate_rows = duplicate_rows + $6::int, refused_rows = refused_rows + $7::int,
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
