// The statements of submissions that wait for a number. They are bounded in number and in age, because nothing else removes them.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import { travelOf, type KeyRange } from '../../../platform/database/page.js';
import type { Disclaimer, HeldPosting, SourceLead } from '../reading/submission.js';

/** The most submissions of a tenant. Beyond it, the oldest are deleted. */
export const maxHeld = 1_000;
export const heldDays = 90;

export interface HeldRecord {
  id: string;
  sourceId: string;
  key: string;
  externalId: string | null;
  formId: string | null;
  email: string;
  writtenNumber: string | null;
  problem: string;
  lead: SourceLead;
  country: string | null;
  disclaimers: Disclaimer[];
  callId: string | null;
  submittedAt: Date | null;
  createdAt: Date;
}

const columns = `h.id, h.source_id AS "sourceId", h.key, h.external_id AS "externalId", h.form_id AS "formId", h.email,
  h.written_number AS "writtenNumber", h.problem, h.lead, h.country, h.disclaimers, h.call_id AS "callId",
  h.submitted_at AS "submittedAt", h.created_at AS "createdAt"`;

export const heldColumns = new Columns<HeldPosting & { id: string; callId: string | null }>({
  id: ['uuid', ({ id }) => id],
  source_id: ['uuid', ({ sourceId }) => sourceId],
  key: ['text', ({ key }) => key],
  external_id: ['text', ({ externalId }) => externalId],
  form_id: ['text', ({ formId }) => formId],
  email: ['text', ({ email }) => email],
  written_number: ['text', ({ writtenNumber }) => writtenNumber],
  problem: ['text', ({ problem }) => problem],
  lead: ['jsonb', ({ lead }) => JSON.stringify(lead)],
  country: ['text', ({ country }) => country],
  disclaimers: ['jsonb', ({ disclaimers }) => JSON.stringify(disclaimers)],
  call_id: ['uuid', ({ callId }) => callId],
  submitted_at: ['timestamptz', ({ submittedAt }) => submittedAt],
});

/** $1 tenant, `heldColumns`, each key once → the keys that are new. Submissions that were taken in or dismissed before are left out. */
export const holdSubmissions: NamedStatement = {
  name: 'hold-submissions',
  text: `INSERT INTO held_submissions (tenant_id, ${heldColumns.names.join(', ')})
    SELECT $1, ${heldColumns.names.map((name) => `w.${name}`).join(', ')} FROM ${heldColumns.rows('w')}
    WHERE NOT EXISTS (
      SELECT FROM lead_source_leads l WHERE l.tenant_id = $1 AND l.source_id = w.source_id AND l.key = w.key
        AND (l.state = 'ERASED' OR (l.state = 'TAKEN' AND (l.external_id IS NOT NULL OR l.created_at > now() - interval '1 hour'))))
    ORDER BY w.source_id, w.key
    ON CONFLICT (tenant_id, source_id, key) DO NOTHING
    RETURNING source_id AS "sourceId", key`,
};

/** $1 tenant: deletes the oldest submissions beyond `maxHeld`. */
export const keepNewestHeld: NamedStatement = {
  name: 'keep-newest-held-submissions',
  text: `DELETE FROM held_submissions h USING (
      SELECT id FROM held_submissions WHERE tenant_id = $1 ORDER BY id DESC OFFSET ${maxHeld}
    ) o WHERE h.tenant_id = $1 AND h.id = o.id`,
};

/** $1 tenant, $2 days, $3 limit → the number of deleted submissions. */
export const deleteOldHeld: NamedStatement = {
  name: 'delete-old-held-submissions',
  text: `WITH gone AS (
      DELETE FROM held_submissions h USING (
        SELECT id FROM held_submissions WHERE tenant_id = $1 AND created_at < now() - make_interval(days => $2::int)
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
      ) o WHERE h.tenant_id = $1 AND h.id = o.id RETURNING h.id
    ) SELECT count(*)::int AS count FROM gone`,
};

/** Selects the submissions of a source, the newest first. */
export function selectHeld(tenantId: string, sourceId: string, range: KeyRange) {
  const { comparison, sort } = travelOf(range, 'desc');
  const from = range.from === undefined ? '' : `AND h.id ${comparison} $4`;
  return {
    text: `SELECT ${columns} FROM held_submissions h WHERE h.tenant_id = $1 AND h.source_id = $2 ${from} ORDER BY h.id ${sort} LIMIT $3`,
    values: [tenantId, sourceId, range.limit, ...(range.from === undefined ? [] : [range.from])],
  };
}

/** $1 tenant, $2 id → the submission, locked until the transaction ends. */
export const lockHeld: NamedStatement = {
  name: 'lock-held-submission',
  text: `SELECT ${columns} FROM held_submissions h WHERE h.tenant_id = $1 AND h.id = $2 FOR UPDATE`,
};

/** $1 tenant → the written numbers of all submissions, each with the country in which it is read. They are `maxHeld` at most. */
export const selectHeldNumbers: NamedStatement = {
  name: 'select-held-numbers',
  text: `SELECT h.id, h.written_number AS written, coalesce(h.country, t.default_country) AS country
    FROM held_submissions h JOIN tenants t ON t.id = h.tenant_id WHERE h.tenant_id = $1 AND h.written_number IS NOT NULL`,
};

/**
 * $1 tenant, $2 e-mail addresses in lower case, $3 ids → `email` and `callId` of each deleted submission: those with one of the addresses
 * or ids. A source with ids of its own does not bring them back. A submission that is being completed stays.
 */
export const eraseHeldOf: NamedStatement = {
  name: 'erase-held-submissions-of-person',
  text: `WITH theirs AS (
      SELECT h.id FROM held_submissions h
      WHERE h.tenant_id = $1 AND (lower(h.email) = ANY ($2::text[]) OR h.id = ANY ($3::uuid[]))
      FOR UPDATE OF h SKIP LOCKED
    ), gone AS (
      DELETE FROM held_submissions h USING theirs t WHERE h.tenant_id = $1 AND h.id = t.id
      RETURNING h.source_id, h.key, h.external_id, h.email, h.call_id
    ), kept AS (
      INSERT INTO lead_source_leads (tenant_id, source_id, key, state)
      SELECT $1, source_id, key, 'ERASED' FROM gone WHERE external_id IS NOT NULL
      ON CONFLICT (tenant_id, source_id, key) DO NOTHING
    )
    SELECT email, call_id AS "callId" FROM gone`,
};

/** $1 tenant, $2 sources → the number of submissions at each. */
export const countHeld: NamedStatement = {
  name: 'count-held-submissions',
  text: `SELECT source_id AS id, count(*)::int AS count FROM held_submissions WHERE tenant_id = $1 AND source_id = ANY ($2::uuid[]) GROUP BY 1`,
};

/** $1 tenant, $2 id: deletes a submission. If its source has ids of its own, a hash stays, so that it is not held again. */
export const dismissHeld: NamedStatement = {
  name: 'dismiss-held-submission',
  text: `WITH gone AS (
      DELETE FROM held_submissions WHERE tenant_id = $1 AND id = $2 RETURNING source_id, key, external_id
    )
    INSERT INTO lead_source_leads (tenant_id, source_id, key, state)
    SELECT $1, source_id, key, 'ERASED' FROM gone WHERE external_id IS NOT NULL
    ON CONFLICT (tenant_id, source_id, key) DO NOTHING`,
};
