// A lead source as it is shown, and the statements that write it and its forms. Statements of its leads are in calls/source-lead.sql.ts.

import { Row } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { LeadSourceKind } from './lead-source-kind.js';
import {
  maxForms,
  maxReadBackDays,
  type HmacAlgorithm,
  type HmacEncoding,
  type HmacScheme,
} from './lead-source.schema.js';
import { type SealedSecrets, sealed } from './lead-source-secrets.js';

/** The signature of a form's calls; null fields if the calls are not signed. */
export interface SourceHmac {
  hmacHeader: string | null;
  hmacAlgorithm: HmacAlgorithm | null;
  hmacEncoding: HmacEncoding | null;
  /** The signed text. Null means BODY if there is a header. */
  hmacScheme: HmacScheme | null;
  hmacTimestampHeader: string | null;
  hmacToleranceSeconds: number | null;
}

const hmacColumns = `s.hmac_header AS "hmacHeader", s.hmac_algorithm AS "hmacAlgorithm", s.hmac_encoding AS "hmacEncoding",
  s.hmac_scheme AS "hmacScheme", s.hmac_timestamp_header AS "hmacTimestampHeader", s.hmac_tolerance_seconds AS "hmacToleranceSeconds"`;

/** A source without its secrets. */
export interface LeadSourceRecord extends SourceHmac {
  id: string;
  kind: LeadSourceKind;
  name: string;
  hasKey: boolean;
  hasAppSecret: boolean;
  hasAccessToken: boolean;
  baseUrl: string | null;
  mapping: Record<string, unknown> | null;
  /** The time of the last test by the product that posts. */
  lastTestAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `s.id, s.kind, s.name, s.key_ciphertext IS NOT NULL AS "hasKey", s.app_secret_ciphertext IS NOT NULL AS "hasAppSecret",
  s.access_token_ciphertext IS NOT NULL AS "hasAccessToken", s.base_url AS "baseUrl", s.mapping::json AS mapping, ${hmacColumns},
  s.last_test_at AS "lastTestAt", s.version, s.created_at AS "createdAt",
  s.updated_at AS "updatedAt"`;

// Statements of administration.

/** $1 tenant → its sources, the oldest first. */
export const selectSources: NamedStatement = {
  name: 'select-lead-sources',
  text: `SELECT ${columns} FROM lead_sources s WHERE s.tenant_id = $1 AND s.deleted_at IS NULL ORDER BY s.id`,
};

/** $1 tenant, $2 id → the source unless it is deleted. */
export const selectSource: NamedStatement = {
  name: 'select-lead-source',
  text: `SELECT ${columns} FROM lead_sources s WHERE s.tenant_id = $1 AND s.id = $2 AND s.deleted_at IS NULL`,
};

/** $1 tenant, $2 id → the source unless it is deleted. A change waits for the end of another change. */
export const lockSource: NamedStatement = {
  name: 'lock-lead-source',
  text: `SELECT ${columns}, ${sealed} FROM lead_sources s
    WHERE s.tenant_id = $1 AND s.id = $2 AND s.deleted_at IS NULL FOR NO KEY UPDATE`,
};

/** $1 tenant. A creation of a source waits for the end of another creation. */
export const lockSources: NamedStatement = {
  name: 'lock-lead-sources',
  text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

/** $1 tenant → the number of its sources. */
export const countSources: NamedStatement = {
  name: 'count-lead-sources',
  text: 'SELECT count(*)::int AS count FROM lead_sources WHERE tenant_id = $1 AND deleted_at IS NULL',
};

export type WrittenSource = SealedSecrets &
  SourceHmac &
  Pick<LeadSourceRecord, 'id' | 'kind' | 'name' | 'baseUrl' | 'mapping'>;

export const sourceRow = new Row<WrittenSource>({
  id: ['uuid', ({ id }) => id],
  kind: ['text', ({ kind }) => kind],
  name: ['text', ({ name }) => name],
  key_ciphertext: ['bytea', ({ keyCiphertext }) => keyCiphertext],
  app_secret_ciphertext: ['bytea', ({ appSecretCiphertext }) => appSecretCiphertext],
  access_token_ciphertext: ['bytea', ({ accessTokenCiphertext }) => accessTokenCiphertext],
  base_url: ['text', ({ baseUrl }) => baseUrl],
  mapping: ['text', ({ mapping }) => (mapping === null ? null : JSON.stringify(mapping))],
  hmac_header: ['text', ({ hmacHeader }) => hmacHeader],
  hmac_algorithm: ['text', ({ hmacAlgorithm }) => hmacAlgorithm],
  hmac_encoding: ['text', ({ hmacEncoding }) => hmacEncoding],
  hmac_secret_ciphertext: ['bytea', ({ hmacSecretCiphertext }) => hmacSecretCiphertext],
  hmac_scheme: ['text', ({ hmacScheme }) => hmacScheme],
  hmac_timestamp_header: ['text', ({ hmacTimestampHeader }) => hmacTimestampHeader],
  hmac_tolerance_seconds: ['int', ({ hmacToleranceSeconds }) => hmacToleranceSeconds],
});

/** $1 tenant, `sourceRow` → the new source. */
export const insertSource: NamedStatement = {
  name: 'insert-lead-source',
  text: `INSERT INTO lead_sources AS s (tenant_id, ${sourceRow.names}) VALUES ($1, ${sourceRow.values}) RETURNING ${columns}`,
};

const changing = [
  'name',
  'key_ciphertext',
  'app_secret_ciphertext',
  'access_token_ciphertext',
  'base_url',
  'mapping',
  'hmac_header',
  'hmac_algorithm',
  'hmac_encoding',
  'hmac_secret_ciphertext',
  'hmac_scheme',
  'hmac_timestamp_header',
  'hmac_tolerance_seconds',
];

/** $1 tenant, `sourceRow` → the changed source. */
export const updateSource: NamedStatement = {
  name: 'update-lead-source',
  text: `UPDATE lead_sources s SET ${changing.map((name) => `${name} = ${sourceRow.value(name)}`).join(', ')},
      version = version + 1, updated_at = now()
    WHERE tenant_id = $1 AND id = ${sourceRow.value('id')} AND kind = ${sourceRow.value('kind')} RETURNING ${columns}`,
};

/** $1 tenant, $2 id, $3 reason: deletes the source, its secrets, forms and held submissions, and fails its waiting leads. */
export const deleteSource: NamedStatement = {
  name: 'delete-lead-source',
  text: `WITH gone AS (
      UPDATE lead_sources SET deleted_at = now(), updated_at = now(), key_ciphertext = NULL, app_secret_ciphertext = NULL,
        access_token_ciphertext = NULL, hmac_secret_ciphertext = NULL
      WHERE tenant_id = $1 AND id = $2
    ), forms AS (
      DELETE FROM lead_source_forms WHERE tenant_id = $1 AND source_id = $2
    ), held AS (
      DELETE FROM held_submissions WHERE tenant_id = $1 AND source_id = $2
    )
    UPDATE lead_source_leads SET state = 'FAILED', due_at = NULL, error = $3
    WHERE tenant_id = $1 AND source_id = $2 AND state = 'PENDING'`,
};

/** $1 source → the source with its tenant, if the tenant is active. */
export const selectSourceToCall: NamedStatement = {
  name: 'select-lead-source-to-call',
  text: `SELECT s.tenant_id AS "tenantId", s.id, s.kind, s.name, s.mapping::json AS mapping, ${hmacColumns},
      t.default_country AS "defaultCountry", ${sealed}
    FROM lead_sources s JOIN tenants t ON t.id = s.tenant_id
    WHERE s.id = $1 AND s.deleted_at IS NULL AND t.is_active`,
};

/** The fields of a source that a worker needs to read its leads. */
export interface SourceToFetch {
  sourceId: string;
  kind: LeadSourceKind;
  name: string;
  baseUrl: string | null;
  mapping: Record<string, unknown> | null;
  accessTokenCiphertext: Uint8Array | null;
  defaultCountry: string | null;
}

export const sourceToFetch = `s.id AS "sourceId", s.kind, s.name, s.base_url AS "baseUrl", s.mapping::json AS mapping,
  s.access_token_ciphertext AS "accessTokenCiphertext", t.default_country AS "defaultCountry"`;

/** $1 tenant, $2 id → the source with the fields that a dry run needs. */
export const selectSourceToFetch: NamedStatement = {
  name: 'select-lead-source-to-fetch',
  text: `SELECT ${sourceToFetch} FROM lead_sources s JOIN tenants t ON t.id = s.tenant_id
    WHERE s.tenant_id = $1 AND s.id = $2 AND s.deleted_at IS NULL`,
};

// Statements of the fields that are shown beside a source.

export interface SourceActivity {
  id: string;
  lastLeadAt: Date | null;
  pendingLeads: number;
  failedLeads: number;
  lastError: string | null;
  lastErrorAt: Date | null;
}

/** The most leads of a state that are counted. */
export const maxCounted = 1_000;

const countOf = (state: string) => `(SELECT count(*)::int FROM (
      SELECT FROM lead_source_leads l WHERE l.tenant_id = $1 AND l.source_id = i.id AND l.state = '${state}' LIMIT ${maxCounted}) c)`;

/** $1 tenant, $2 sources → their activity. */
export const selectActivities: NamedStatement = {
  name: 'select-lead-source-activities',
  text: `SELECT i.id, taken.at AS "lastLeadAt", ${countOf('PENDING')} AS "pendingLeads", ${countOf('FAILED')} AS "failedLeads",
      failed.error AS "lastError", failed.at AS "lastErrorAt"
    FROM unnest($2::uuid[]) AS i (id)
    LEFT JOIN LATERAL (
      SELECT l.created_at AS at FROM lead_source_leads l
      WHERE l.tenant_id = $1 AND l.source_id = i.id ORDER BY l.created_at DESC LIMIT 1
    ) taken ON true
    LEFT JOIN LATERAL (
      SELECT l.created_at AS at, l.error FROM lead_source_leads l
      WHERE l.tenant_id = $1 AND l.source_id = i.id AND l.error IS NOT NULL ORDER BY l.created_at DESC LIMIT 1
    ) failed ON true`,
};

export interface SourceFormRecord {
  sourceId: string;
  id: string;
  isConfigured: boolean;
  readUntil: Date;
  error: string | null;
}

/** $1 tenant, $2 sources → their forms. */
export const selectForms: NamedStatement = {
  name: 'select-lead-source-forms',
  text: `SELECT source_id AS "sourceId", form_id AS id, is_configured AS "isConfigured", read_until AS "readUntil", error
    FROM lead_source_forms WHERE tenant_id = $1 AND source_id = ANY($2::uuid[]) ORDER BY source_id, form_id`,
};

/** A form is read from the time on when its source was made. Meta and the memory of erasures reach no further back. */
const formStart = `greatest(s.created_at, now() - interval '${maxReadBackDays} days')`;

/** $1 tenant, $2 source, $3 forms: sets the configured forms. Forms that calls have named stay. */
export const configureForms: NamedStatement = {
  name: 'configure-lead-source-forms',
  text: `WITH gone AS (
      DELETE FROM lead_source_forms WHERE tenant_id = $1 AND source_id = $2 AND is_configured AND form_id <> ALL ($3::text[])
    )
    INSERT INTO lead_source_forms (tenant_id, source_id, form_id, is_configured, read_until)
    SELECT $1, s.id, f.form_id, true, ${formStart}
    FROM unnest($3::text[]) AS f (form_id) JOIN lead_sources s ON s.tenant_id = $1 AND s.id = $2
    ON CONFLICT (tenant_id, source_id, form_id) DO UPDATE SET is_configured = true`,
};

/** $1 tenant, columns: $2 sources, $3 forms that calls have named: adds them, up to `maxForms` of a source. */
export const noteForms: NamedStatement = {
  name: 'note-lead-source-forms',
  text: `INSERT INTO lead_source_forms (tenant_id, source_id, form_id, is_configured, read_until, due_at)
    SELECT $1, s.id, f.form_id, false, ${formStart}, now() + interval '1 hour'
    FROM unnest($2::uuid[], $3::text[]) AS f (source_id, form_id)
    JOIN lead_sources s ON s.tenant_id = $1 AND s.id = f.source_id AND s.deleted_at IS NULL
    WHERE (SELECT count(*) FROM lead_source_forms k WHERE k.tenant_id = $1 AND k.source_id = f.source_id) < ${maxForms}
    ORDER BY s.id, f.form_id
    ON CONFLICT (tenant_id, source_id, form_id) DO NOTHING`,
};

/** $1 tenant, $2 source, $3 time or null: makes its forms due now. If a time is given, they are read from that time on. */
export const readFormsNow: NamedStatement = {
  name: 'read-lead-source-forms-now',
  text: `UPDATE lead_source_forms SET due_at = now(), attempt_count = 0, error = NULL,
      read_until = coalesce($3, read_until),
      reading_until = CASE WHEN $3::timestamptz IS NULL THEN reading_until END,
      cursor = CASE WHEN $3::timestamptz IS NULL THEN cursor END
    WHERE tenant_id = $1 AND source_id = $2`,
};

/** $1 tenant, $2 source: retries leads that could not be fetched, with the current settings of the source. */
export const fetchAgain: NamedStatement = {
  name: 'fetch-source-leads-again',
  text: `UPDATE lead_source_leads SET state = 'PENDING', due_at = now(), attempt_count = 0
    WHERE tenant_id = $1 AND source_id = $2 AND external_id IS NOT NULL
      AND (state = 'FAILED' OR (state = 'PENDING' AND error IS NOT NULL))`,
};
