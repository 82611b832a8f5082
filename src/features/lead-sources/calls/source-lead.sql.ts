// The statements that take in leads of sources once, and those that fetch the leads that Meta has named.

import { Columns } from '../../../platform/database/columns.js';
import type { Database, NamedStatement } from '../../../platform/database/database.js';
import type { Pruner } from '../../../platform/jobs/pruner.js';
import { noteReasons } from '../../intake/journal-writer.js';
import { deleteOldHeld, heldDays } from '../held/held-submission.sql.js';
import { sourceToFetch, type SourceToFetch } from '../lead-source.sql.js';

/** A lead, identified by its source's own id or by a hash. */
export interface SourceLeadKey {
  sourceId: string;
  key: string;
  externalId: string | null;
  callId: string | null;
  /** True if the same answers an hour later are a second submission. False for a call that is replayed. */
  mayRepeat?: boolean;
}

/** The time in which a form without ids of its own may repeat one submission. Later, the same answers are a new submission. */
const repeatedWithin = "interval '1 hour'";

const keys = {
  source_id: ['uuid', ({ sourceId }: SourceLeadKey) => sourceId],
  key: ['text', ({ key }: SourceLeadKey) => key],
} as const;

export const keyColumns = new Columns<SourceLeadKey>({
  ...keys,
  external_id: ['text', ({ externalId }) => externalId],
  call_id: ['uuid', ({ callId }) => callId],
  may_repeat: ['boolean', ({ mayRepeat = false }) => mayRepeat],
});

/**
 * $1 tenant, `keyColumns`, each key once: leads whose answers are here → those that this transaction takes in, by their position from 0.
 * Leads that were taken or erased are left out, unless they may repeat and their hour is over. The first transaction that inserts a key
 * takes it; others wait for that commit. A held submission with the key is removed.
 */
export const takeSourceLeads: NamedStatement = {
  name: 'take-source-leads',
  text: `WITH item AS (
      SELECT * FROM ${keyColumns.numberedRows('i')}
    ), taken AS (
      INSERT INTO lead_source_leads AS l (tenant_id, source_id, key, external_id, call_id, state)
      SELECT $1, source_id, key, external_id, call_id, 'TAKEN' FROM item ORDER BY source_id, key
      ON CONFLICT (tenant_id, source_id, key) DO UPDATE
        SET state = 'TAKEN', due_at = NULL, error = NULL,
          call_id = CASE WHEN l.state = 'TAKEN' THEN EXCLUDED.call_id ELSE coalesce(l.call_id, EXCLUDED.call_id) END,
          created_at = CASE WHEN l.state = 'TAKEN' THEN EXCLUDED.created_at ELSE l.created_at END
        WHERE l.state IN ('PENDING', 'FAILED')
          OR (l.state = 'TAKEN' AND l.external_id IS NULL AND l.created_at < now() - ${repeatedWithin}
            AND EXISTS (SELECT FROM item i WHERE i.source_id = l.source_id AND i.key = l.key AND i.may_repeat))
      RETURNING source_id, key, call_id
    ), released AS (
      DELETE FROM held_submissions h USING taken t WHERE h.tenant_id = $1 AND h.source_id = t.source_id AND h.key = t.key
    )
    SELECT i.position::int - 1 AS position, t.call_id AS "callId" FROM item i JOIN taken t ON t.source_id = i.source_id AND t.key = i.key
    ORDER BY i.position`,
};

/**
 * $1 tenant, `keyColumns`, each key once: leads whose answers are to be fetched → those that are new, or had failed, by their position
 * from 0.
 */
export const expectSourceLeads: NamedStatement = {
  name: 'expect-source-leads',
  text: `WITH item AS (
      SELECT * FROM ${keyColumns.numberedRows('i')}
    ), expected AS (
      INSERT INTO lead_source_leads AS l (tenant_id, source_id, key, external_id, call_id, state, due_at)
      SELECT $1, source_id, key, external_id, call_id, 'PENDING', now() FROM item ORDER BY source_id, key
      ON CONFLICT (tenant_id, source_id, key) DO UPDATE
        SET state = 'PENDING', due_at = now(), attempt_count = 0, call_id = EXCLUDED.call_id
        WHERE l.state = 'FAILED'
      RETURNING source_id, key
    )
    SELECT i.position::int - 1 AS position FROM item i JOIN expected e ON e.source_id = i.source_id AND e.key = i.key
    ORDER BY i.position`,
};

export const takenColumns = new Columns<SourceLeadKey & { leadId: string }>({
  ...keys,
  lead_id: ['uuid', ({ leadId }) => leadId],
});

/** $1 tenant, `takenColumns`: stores the leads that were made. */
export const noteTakenLeads: NamedStatement = {
  name: 'note-taken-source-leads',
  text: `UPDATE lead_source_leads l SET lead_id = t.lead_id FROM ${takenColumns.rows('t')}
    WHERE l.tenant_id = $1 AND l.source_id = t.source_id AND l.key = t.key`,
};

/** $1 tenant, columns: $2 sources, $3 keys → their states and leads; no row for an unknown key. */
export const selectKnownLeads: NamedStatement = {
  name: 'select-known-source-leads',
  text: `SELECT w.position::int - 1 AS position, l.state, l.lead_id AS "leadId"
    FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS w (source_id, key, position)
    CROSS JOIN LATERAL (
      SELECT state, lead_id FROM lead_source_leads k WHERE k.tenant_id = $1 AND k.source_id = w.source_id AND k.key = w.key LIMIT 1
    ) l`,
};

/** $1 tenant, columns: $2 sources, $3 keys: deletes named leads that turn out to be tests or held submissions. */
export const forgetNamedLeads: NamedStatement = {
  name: 'forget-named-source-leads',
  text: `DELETE FROM lead_source_leads l USING unnest($2::uuid[], $3::text[]) AS w (source_id, key)
    WHERE l.tenant_id = $1 AND l.source_id = w.source_id AND l.key = w.key AND l.state IN ('PENDING', 'FAILED')`,
};

/** $1 tenant, $2 sources: stores the time of a test by the product that posts. */
export const noteTests: NamedStatement = {
  name: 'note-lead-source-tests',
  text: `UPDATE lead_sources s SET last_test_at = now()
    FROM (SELECT id FROM lead_sources WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE) w
    WHERE s.tenant_id = $1 AND s.id = w.id`,
};

// Statements of fetching.

/** A lead that this worker has claimed for fetching, until its lease ends. */
export interface ClaimedLead extends SourceToFetch {
  key: string;
  externalId: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  ageMs: number;
}

/** $1 tenant, $2 limit, $3 lease in ms → leads that are due, with their sources. */
export const claimSourceLeads: NamedStatement = {
  name: 'claim-source-leads',
  text: `WITH due AS (
      SELECT source_id, key FROM lead_source_leads WHERE tenant_id = $1 AND state = 'PENDING' AND due_at <= now()
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE lead_source_leads l SET due_at = now() + $3::int * interval '1 ms', attempt_count = l.attempt_count + 1
      FROM due d WHERE l.tenant_id = $1 AND l.source_id = d.source_id AND l.key = d.key
      RETURNING l.*
    )
    SELECT c.key, c.external_id AS "externalId", c.attempt_count AS attempt,
      (extract(epoch FROM now() - c.created_at) * 1000)::float AS "ageMs", ${sourceToFetch}
    FROM claimed c
    JOIN lead_sources s ON s.tenant_id = $1 AND s.id = c.source_id
    JOIN tenants t ON t.id = $1
    ORDER BY c.created_at`,
};

/** $1 tenant, columns: $2 sources, $3 keys: releases claimed leads, without counting the attempt. */
export const releaseSourceLeads: NamedStatement = {
  name: 'release-source-leads',
  text: `UPDATE lead_source_leads l SET due_at = now(), attempt_count = greatest(l.attempt_count - 1, 0)
    FROM unnest($2::uuid[], $3::text[]) AS w (source_id, key)
    WHERE l.tenant_id = $1 AND l.source_id = w.source_id AND l.key = w.key AND l.state = 'PENDING'`,
};

/** $1 tenant → the time until its next lead is due, in ms; null if there is none. */
export const selectNextLeadDue: NamedStatement = {
  name: 'select-next-source-lead-due',
  text: `SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float AS "inMs"
    FROM lead_source_leads WHERE tenant_id = $1 AND state = 'PENDING'`,
};

/** Selects tenants with leads to fetch, by one step in the index for each. */
export const selectTenantsWithLeads: NamedStatement = {
  name: 'select-tenants-with-source-leads',
  text: `WITH RECURSIVE pending AS (
      (SELECT tenant_id FROM lead_source_leads WHERE state = 'PENDING' ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT l.tenant_id FROM lead_source_leads l WHERE l.state = 'PENDING' AND l.tenant_id > p.tenant_id
        ORDER BY l.tenant_id LIMIT 1)
      FROM pending p WHERE p.tenant_id IS NOT NULL
    )
    SELECT p.tenant_id AS "tenantId" FROM pending p JOIN tenants t ON t.id = p.tenant_id
    WHERE t.is_active AND EXISTS (
      SELECT FROM lead_source_leads l WHERE l.tenant_id = p.tenant_id AND l.state = 'PENDING' AND l.due_at <= now())`,
};

/** $1 tenant, $2 source, $3 key, $4 delay in ms, $5 reason: postpones the fetch. */
export const postponeSourceLead: NamedStatement = {
  name: 'postpone-source-lead',
  text: `UPDATE lead_source_leads SET due_at = now() + $4::float * interval '1 ms', error = $5
    WHERE tenant_id = $1 AND source_id = $2 AND key = $3 AND state = 'PENDING'`,
};

/** $1 tenant, $2 source, $3 key, $4 reason: fails a lead. The journal shows the reason beside the call that named the lead. */
export const failSourceLead: NamedStatement = {
  name: 'fail-source-lead',
  text: `WITH failed AS (
      UPDATE lead_source_leads SET state = 'FAILED', due_at = NULL, error = $4
      WHERE tenant_id = $1 AND source_id = $2 AND key = $3 AND state = 'PENDING'
      RETURNING tenant_id, call_id, external_id
    ), told AS (
      SELECT tenant_id, call_id AS delivery_id, concat('lead ', external_id, ': ', $4::text) AS reason
      FROM failed WHERE call_id IS NOT NULL
    ), ${noteReasons}
    SELECT count(*)::int AS count FROM failed`,
};

// Statements of Meta's forms.

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

// Statements of retention.

/** $1 tenant, $2 days, $3 limit → the number of deleted rows: failed or erased leads older than $2, and all leads of deleted sources. */
const deleteOldSourceLeads: NamedStatement = {
  name: 'delete-old-source-leads',
  text: `WITH old AS (
      SELECT source_id, key FROM lead_source_leads
      WHERE tenant_id = $1 AND state IN ('FAILED', 'ERASED') AND created_at < now() - make_interval(days => $2::int)
      ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ), orphaned AS (
      SELECT l.source_id, l.key FROM lead_sources s
      CROSS JOIN LATERAL (
        SELECT k.source_id, k.key FROM lead_source_leads k WHERE k.tenant_id = $1 AND k.source_id = s.id LIMIT $3
      ) l
      WHERE s.tenant_id = $1 AND s.deleted_at < now() - make_interval(days => $2::int) LIMIT $3
    ), gone AS (
      DELETE FROM lead_source_leads l USING (SELECT * FROM old UNION SELECT * FROM orphaned LIMIT $3) o
      WHERE l.tenant_id = $1 AND l.source_id = o.source_id AND l.key = o.key RETURNING l.key
    ) SELECT count(*)::int AS count FROM gone`,
};

/** Deletes the rows of deleted sources that have no leads any more. */
const deleteOldSources: NamedStatement = {
  name: 'delete-old-lead-sources',
  text: `DELETE FROM lead_sources s WHERE s.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM lead_source_leads l WHERE l.tenant_id = s.tenant_id AND l.source_id = s.id)`,
};

/** The days for which Meta keeps leads. Erased leads are remembered as long, so that they are not read again from their forms. */
const endedLeadDays = 90;

/** Removes old rows, once the source can no longer repeat them. @returns the number of rows removed */
export async function pruneSourceLeads(database: Pick<Database, 'query'>, pruner: Pruner): Promise<number> {
  await pruner.runForTenants(deleteOldHeld, [heldDays]);
  const count = await pruner.runForTenants(deleteOldSourceLeads, [endedLeadDays]);
  await database.query(deleteOldSources);
  return count;
}
