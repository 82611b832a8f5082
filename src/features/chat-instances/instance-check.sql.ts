// The statement that chooses the lines whose gateways are asked.

import type { NamedStatement } from '../../platform/database.js';
import { lineColumns } from './stored-instance.sql.js';
import type { LineRow } from './stored-instance.sql.js';

export interface CheckedLine extends LineRow {
  tenantId: string;
}

/**
 * $1 how many, $2 for how many hours after its end a line is asked for → lines that are CONNECTING, DISCONNECTED or in ERROR, of
 * tenants that are active: in turn of the tenants, and of each the one that was asked for longest ago. One that somebody is changing
 * waits for the next time.
 */
export const takeLinesToCheck: NamedStatement = {
  name: 'take-lines-to-check',
  text: `WITH due AS (
      SELECT i.tenant_id, i.id FROM tenants t JOIN chat_instances i ON i.tenant_id = t.id
      WHERE t.is_active AND i.deleted_at IS NULL AND (i.status = 'CONNECTING'
        OR (i.status IN ('DISCONNECTED', 'ERROR') AND i.status_changed_at > now() - make_interval(hours => $2::int)))
      ORDER BY row_number() OVER (PARTITION BY i.tenant_id ORDER BY i.state_asked_at NULLS FIRST, i.id),
        i.state_asked_at NULLS FIRST, i.id
      LIMIT $1::int
    ), target AS (
      SELECT i.tenant_id, i.id FROM due d JOIN chat_instances i ON i.tenant_id = d.tenant_id AND i.id = d.id
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE chat_instances i SET state_asked_at = now() FROM target t WHERE i.tenant_id = t.tenant_id AND i.id = t.id
    RETURNING i.tenant_id AS "tenantId", ${lineColumns}`,
};
