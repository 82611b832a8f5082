// The statements by which the forms of Meta are read.

import type { NamedStatement } from '../../../platform/database/database.js';
import { sourceToFetch, type SourceToFetch } from '../lead-source.sql.js';

/** A form that this worker has claimed for reading, until its lease ends. */
export interface ClaimedForm extends SourceToFetch {
  formId: string;
  attempt: number;
  /** The time up to which leads were read. */
  readUntil: Date;
  /** The time when the current reading began. */
  readingUntil: Date;
  cursor: string | null;
}

/** $1 tenant, $2 limit, $3 lease in ms → forms that are due, with their sources. */
export const claimForms: NamedStatement = {
  name: 'claim-lead-source-forms',
  text: `WITH due AS (
      SELECT source_id, form_id FROM lead_source_forms WHERE tenant_id = $1 AND due_at <= now()
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE lead_source_forms f SET due_at = now() + $3::int * interval '1 ms', attempt_count = f.attempt_count + 1,
        reading_until = coalesce(f.reading_until, now())
      FROM due d WHERE f.tenant_id = $1 AND f.source_id = d.source_id AND f.form_id = d.form_id
      RETURNING f.*
    )
    SELECT c.form_id AS "formId", c.attempt_count AS attempt, c.read_until AS "readUntil", c.reading_until AS "readingUntil", c.cursor,
      ${sourceToFetch}
    FROM claimed c
    JOIN lead_sources s ON s.tenant_id = $1 AND s.id = c.source_id
    JOIN tenants t ON t.id = $1
    ORDER BY c.form_id`,
};

/** $1 tenant, columns: $2 sources, $3 forms: releases claimed forms, without counting the attempt. */
export const releaseForms: NamedStatement = {
  name: 'release-lead-source-forms',
  text: `UPDATE lead_source_forms f SET due_at = now(), attempt_count = greatest(f.attempt_count - 1, 0)
    FROM unnest($2::uuid[], $3::text[]) AS w (source_id, form_id)
    WHERE f.tenant_id = $1 AND f.source_id = w.source_id AND f.form_id = w.form_id`,
};

/** $1 tenant → the time until its next form is due, in ms; null if it has no form. */
export const selectNextFormDue: NamedStatement = {
  name: 'select-next-lead-source-form-due',
  text: `SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float AS "inMs" FROM lead_source_forms WHERE tenant_id = $1`,
};

/** Selects tenants with forms to read, by one step in the index for each tenant that has forms. */
export const selectTenantsWithForms: NamedStatement = {
  name: 'select-tenants-with-lead-source-forms',
  text: `WITH RECURSIVE formed AS (
      (SELECT tenant_id FROM lead_source_forms ORDER BY tenant_id, due_at LIMIT 1)
      UNION ALL
      SELECT (SELECT f.tenant_id FROM lead_source_forms f WHERE f.tenant_id > p.tenant_id ORDER BY f.tenant_id, f.due_at LIMIT 1)
      FROM formed p WHERE p.tenant_id IS NOT NULL
    )
    SELECT p.tenant_id AS "tenantId" FROM formed p JOIN tenants t ON t.id = p.tenant_id
    WHERE t.is_active AND EXISTS (SELECT FROM lead_source_forms f WHERE f.tenant_id = p.tenant_id AND f.due_at <= now())`,
};

/** $1 tenant, $2 source, $3 form, $4 its `read_until` when it was claimed, $5 the next page: makes the form due at once, for that page. */
export const continueForm: NamedStatement = {
  name: 'continue-lead-source-form',
  text: `UPDATE lead_source_forms SET cursor = $5, due_at = now(), attempt_count = 0, error = NULL
    WHERE tenant_id = $1 AND source_id = $2 AND form_id = $3 AND read_until = $4`,
};

/**
 * $1 tenant, $2 source, $3 form, $4 its `read_until` when it was claimed, $5 delay in ms: ends a reading of all pages. If an ADMIN has
 * asked for another reading since, that one starts over.
 */
export const endForm: NamedStatement = {
  name: 'end-lead-source-form',
  text: `UPDATE lead_source_forms SET read_until = reading_until, reading_until = NULL, cursor = NULL, attempt_count = 0, error = NULL,
      due_at = now() + $5::float * interval '1 ms'
    WHERE tenant_id = $1 AND source_id = $2 AND form_id = $3 AND read_until = $4 AND reading_until IS NOT NULL`,
};

/** $1 tenant, $2 source, $3 form, $4 delay in ms, $5 reason, $6 true to begin with the first page. */
export const postponeForm: NamedStatement = {
  name: 'postpone-lead-source-form',
  text: `UPDATE lead_source_forms SET due_at = now() + $4::float * interval '1 ms', error = $5, cursor = CASE WHEN NOT $6::bool THEN cursor END
    WHERE tenant_id = $1 AND source_id = $2 AND form_id = $3`,
};
