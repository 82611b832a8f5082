// The statements that write channel templates, from syncs and from the network's reports.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { NetworkTemplateRecord } from '../../providers/chat-gateway.js';
import type { ReportedTemplateStatus } from '../../providers/reported.js';
import { instancesOfAccount } from '../chat-instances/chat-instance.sql.js';

/** $1 is the tenant, $2 the instance, $3 the time when the sync began. */
export const readTemplateColumns = new Columns<NetworkTemplateRecord>(
  {
    id: ['uuid', newRecordId],
    external_id: ['text', ({ externalId }) => externalId],
    name: ['text', ({ name }) => name],
    language: ['text', ({ language }) => language],
    category: ['text', ({ category }) => category],
    status: ['text', ({ status }) => status],
    components: ['jsonb', ({ components }) => JSON.stringify(components)],
  },
  4,
);

const isNewer = 't.status_reported_at <= EXCLUDED.status_reported_at';

/**
 * $1 tenant, $2 instance, $3 the time when the sync began, `readTemplateColumns`, each name and language once: writes the templates of a
 * sync. A status that was reported after $3 stays.
 */
export const upsertTemplates: NamedStatement = {
  name: 'upsert-channel-templates',
  text: `INSERT INTO channel_templates AS t
      (tenant_id, instance_id, status_reported_at, ${readTemplateColumns.names.join(', ')})
    SELECT $1, $2::uuid, $3::timestamptz, r.* FROM ${readTemplateColumns.rows('r')} ORDER BY r.name, r.language
    ON CONFLICT (tenant_id, instance_id, name, language) DO UPDATE SET
      external_id = EXCLUDED.external_id, category = EXCLUDED.category, components = EXCLUDED.components,
      status = CASE WHEN ${isNewer} THEN EXCLUDED.status ELSE t.status END,
      status_reason = CASE WHEN ${isNewer} AND t.status <> EXCLUDED.status THEN NULL ELSE t.status_reason END,
      status_reported_at = greatest(t.status_reported_at, EXCLUDED.status_reported_at), updated_at = now()`,
};

/**
 * $1 tenant, $2 instance, $3 the time when the sync began; columns of the templates that the sync has read: $4 names, $5 languages.
 * Deletes all other templates, except those with a report after $3.
 */
export const deleteOtherTemplates: NamedStatement = {
  name: 'delete-other-channel-templates',
  text: `DELETE FROM channel_templates t WHERE t.tenant_id = $1 AND t.instance_id = $2 AND t.status_reported_at <= $3::timestamptz
    AND NOT EXISTS (
      SELECT FROM unnest($4::text[], $5::text[]) AS r (name, language) WHERE r.name = t.name AND r.language = t.language)`,
};

/** The network's report on a template, and the instance through which it came. */
export interface TemplateStatusReport extends Omit<ReportedTemplateStatus, 'kind' | 'reportedAt'> {
  instanceId: string;
  reportedAt: Date;
}

export const templateStatusColumns = new Columns<TemplateStatusReport>({
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  waba_id: ['text', ({ wabaId }) => wabaId],
  name: ['text', ({ name }) => name],
  language: ['text', ({ language }) => language],
  status: ['text', ({ status }) => status],
  reason: ['text', ({ reason }) => reason],
  reported_at: ['timestamptz', ({ reportedAt }) => reportedAt],
});

/**
 * $1 tenant, `templateStatusColumns` → for each report, by its position from 0: `isKnown`, true if there is such a template, and `applied`,
 * true if its status was changed. An earlier report changes nothing. If a batch has several reports, the latest counts.
 */
export const reportTemplateStatuses: NamedStatement = {
  name: 'report-channel-template-statuses',
  text: `WITH report AS (
      SELECT position::int - 1 AS position, instance_id, waba_id, name, language, status, reason, least(reported_at, now()) AS reported_at
      FROM ${templateStatusColumns.numberedRows('r')}
    ), found AS (
      SELECT r.*, t.id FROM report r
      JOIN ${instancesOfAccount} i ON i.by_id = r.instance_id
        AND (i.waba_id = r.waba_id OR (i.is_itself AND (i.waba_id IS NULL OR r.waba_id IS NULL)))
      JOIN channel_templates t ON t.tenant_id = $1 AND t.instance_id = i.id AND t.name = r.name AND t.language = r.language
    ), latest AS (
      SELECT DISTINCT ON (id) * FROM found ORDER BY id, reported_at DESC, position DESC
    ), held AS (
      SELECT t.id FROM channel_templates t
      WHERE t.tenant_id = $1 AND t.id = ANY(ARRAY(SELECT id FROM latest)) ORDER BY t.id FOR NO KEY UPDATE
    ), changed AS (
      UPDATE channel_templates t SET status = l.status, status_reason = l.reason, status_reported_at = l.reported_at, updated_at = now()
      FROM latest l JOIN held h ON h.id = l.id
      WHERE t.tenant_id = $1 AND t.id = l.id AND t.status_reported_at <= l.reported_at
      RETURNING l.position
    )
    SELECT r.position, EXISTS (SELECT FROM found f WHERE f.position = r.position) AS "isKnown",
      EXISTS (SELECT FROM changed c WHERE c.position = r.position) AS applied
    FROM report r ORDER BY r.position`,
};
