// The statements of hidden numbers that gateways are asked for.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import type { StoredInstance } from '../../chat-instances/gateway-endpoints.js';

/** A new lead that is known under a hidden number alone. */
export interface HiddenLead {
  leadId: string;
  /** The instance through which the lead wrote. */
  instanceId: string;
  /** The hidden number as the network writes it, without its domain. */
  hiddenId: string;
}

export const hiddenLeadColumns = new Columns<HiddenLead>(
  {
    lead_id: ['uuid', ({ leadId }) => leadId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    hidden_id: ['text', ({ hiddenId }) => hiddenId],
  },
  3,
);

/** $1 tenant, $2 the providers whose gateways can be asked, `hiddenLeadColumns`. Leads of other providers are left out. Safe to repeat. */
export const expectNumbers: NamedStatement = {
  name: 'expect-numbers',
  text: `INSERT INTO hidden_numbers (tenant_id, lead_id, instance_id, hidden_id)
    SELECT $1, h.lead_id, h.instance_id, h.hidden_id FROM ${hiddenLeadColumns.rows('h')}
    JOIN chat_instances i ON i.tenant_id = $1 AND i.id = h.instance_id AND i.provider = ANY($2::text[])
    ORDER BY h.lead_id
    ON CONFLICT (tenant_id, lead_id) DO NOTHING`,
};

/** A hidden number that this worker may ask for until its lease ends. */
export interface ClaimedNumber extends StoredInstance {
  leadId: string;
  hiddenId: string;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** True where the instance was deleted. */
  isDeleted: boolean;
}

/** $1 tenant, $2 limit, $3 lease in ms → numbers that are due, with their instances. */
export const claimNumbers: NamedStatement = {
  name: 'claim-hidden-numbers',
  text: `WITH due AS (
      SELECT lead_id FROM hidden_numbers WHERE tenant_id = $1 AND due_at <= now()
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE hidden_numbers h SET due_at = now() + $3::int * interval '1 ms', attempt_count = h.attempt_count + 1
      FROM due d WHERE h.tenant_id = $1 AND h.lead_id = d.lead_id
      RETURNING h.*
    )
    SELECT c.lead_id AS "leadId", c.hidden_id AS "hiddenId", c.attempt_count AS attempt, i.id AS "instanceId", i.provider,
      i.instance_name AS "instanceName", i.base_url AS "baseUrl", i.token_ciphertext AS "tokenCiphertext",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.metadata->>'apiVersion' AS "apiVersion",
      i.deleted_at IS NOT NULL AS "isDeleted"
    FROM claimed c JOIN chat_instances i ON i.tenant_id = $1 AND i.id = c.instance_id`,
};

/** $1 tenant, $2 leads: gives back claimed numbers, as if they had not been claimed. */
export const releaseNumbers: NamedStatement = {
  name: 'release-hidden-numbers',
  text: `UPDATE hidden_numbers SET due_at = now(), attempt_count = greatest(attempt_count - 1, 0)
    WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 lead, $3 delay in ms: the number is asked for again after the delay. */
export const postponeNumber: NamedStatement = {
  name: 'postpone-hidden-number',
  text: `UPDATE hidden_numbers SET due_at = now() + $3::float * interval '1 ms' WHERE tenant_id = $1 AND lead_id = $2`,
};

/**
 * $1 tenant, $2 lead: its number is not asked for any more → one row where it was still to be asked for. The lead stays until the
 * transaction ends. A lead that was deleted before gives no row.
 */
export const endNumber: NamedStatement = {
  name: 'end-hidden-number',
  text: `WITH held AS (SELECT id FROM leads WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE)
    DELETE FROM hidden_numbers h USING held WHERE h.tenant_id = $1 AND h.lead_id = held.id
    RETURNING h.lead_id AS "leadId"`,
};

/** $1 tenant → in how many ms its next number is due; null: none is. */
export const selectNextNumberDue: NamedStatement = {
  name: 'select-next-hidden-number-due',
  text: `SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float AS "inMs" FROM hidden_numbers WHERE tenant_id = $1`,
};

/** Tenants with numbers that are due: one step in the index for each tenant with any. */
export const selectTenantsWithNumbers: NamedStatement = {
  name: 'select-tenants-with-hidden-numbers',
  text: `WITH RECURSIVE waiting AS (
      (SELECT tenant_id, due_at FROM hidden_numbers ORDER BY tenant_id, due_at LIMIT 1)
      UNION ALL
      SELECT n.tenant_id, n.due_at FROM waiting w CROSS JOIN LATERAL (
        SELECT tenant_id, due_at FROM hidden_numbers h WHERE h.tenant_id > w.tenant_id ORDER BY tenant_id, due_at LIMIT 1) n
    )
    SELECT w.tenant_id AS "tenantId" FROM waiting w JOIN tenants t ON t.id = w.tenant_id WHERE t.is_active AND w.due_at <= now()`,
};
