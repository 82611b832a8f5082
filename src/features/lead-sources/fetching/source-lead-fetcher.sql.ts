// The statements by which the leads that Meta has named are fetched.

import type { NamedStatement } from '../../../platform/database/database.js';
import { noteReasons } from '../../intake/journal-writer.js';
import { sourceToFetch, type SourceToFetch } from '../lead-source.sql.js';

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
