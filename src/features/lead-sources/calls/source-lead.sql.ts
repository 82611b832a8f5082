// The statements that take in leads of sources once, and those that remove old ones. Fetching belongs to the folder `fetching`.

import { Columns } from '../../../platform/database/columns.js';
import type { Database, NamedStatement } from '../../../platform/database/database.js';
import type { Pruner } from '../../../platform/jobs/pruner.js';
import { deleteOldHeld, heldDays } from '../held/held-submission.sql.js';

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

/** $1 tenant, columns: $2 sources, $3 keys: leads of erased people, so that they are neither fetched nor read again. */
export const noteErasedLeads: NamedStatement = {
  name: 'note-erased-source-leads',
  text: `INSERT INTO lead_source_leads AS l (tenant_id, source_id, key, state)
    SELECT DISTINCT $1::uuid, w.source_id, w.key, 'ERASED' FROM unnest($2::uuid[], $3::text[]) AS w (source_id, key) ORDER BY 2, 3
    ON CONFLICT (tenant_id, source_id, key) DO UPDATE
      SET state = 'ERASED', external_id = NULL, call_id = NULL, error = NULL, due_at = NULL
      WHERE l.state IN ('PENDING', 'FAILED')`,
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
