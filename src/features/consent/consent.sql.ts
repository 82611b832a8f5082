// The statements of consent: the ledger, the opt-outs, and the conditions that other modules put into theirs.

import { Columns } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Columns as RecordColumns } from '../../platform/database/sql-text.js';
import type { LeadRelation } from '../leads/lead-list.sql.js';
import type { ConsentAction, ConsentSource } from './consent.schema.js';

/** A lead that has opted out. */
export interface OptOutRow {
  /** The id of the entry in the ledger. */
  id: string;
  leadId: string;
  at: Date;
  source: ConsentSource;
  keyword: string | null;
  messageId: string | null;
}

const optOutColumns: RecordColumns<OptOutRow> = {
  id: 'x.entry_id',
  leadId: 'x.lead_id',
  at: 'x.opted_out_at',
  source: 'x.source',
  keyword: 'x.keyword',
  messageId: 'x.message_id',
};

/** The opt-out that is read with leads in lists. */
export const optOutOfLead: LeadRelation = {
  field: 'optOut',
  record: { columns: optOutColumns, needs: { message: ['messageId'] } },
  from: () => 'opt_outs x WHERE x.tenant_id = l."tenantId" AND x.lead_id = l.id',
};

/** $1 tenant, $2 leads → the opt-outs of those that have opted out. */
export const selectOptOuts: NamedStatement = {
  name: 'select-opt-outs',
  text: `SELECT ${Object.entries(optOutColumns)
    .map(([field, column]) => `${column} AS "${field}"`)
    .join(', ')} FROM opt_outs x WHERE x.tenant_id = $1 AND x.lead_id = ANY($2::uuid[])`,
};

/** A condition: a lead `l` of tenant $1 has opted out. */
export const isOptedOut = 'EXISTS (SELECT FROM opt_outs x WHERE x.tenant_id = $1 AND x.lead_id = l.id)';

/** A condition: a message `m` needs its lead's consent, because it belongs to a bulk send or was scheduled. */
export const needsConsent = '(m.bulk_send_id IS NOT NULL OR m.scheduled_for IS NOT NULL)';

/**
 * A condition: message `message` to `lead`, both as columns, lacks the consent that it needs. A scalar subquery looks up one row for each
 * message. Most leads have not opted out, and then the message is not read.
 */
export function lacksConsent(tenant: string, lead: string, message: string): string {
  return `(SELECT true FROM opt_outs x WHERE x.tenant_id = ${tenant} AND x.lead_id = ${lead} AND (
    SELECT ${needsConsent} FROM messages m WHERE m.tenant_id = ${tenant} AND m.id = ${message}) LIMIT 1) IS TRUE`;
}

// The lowest id of the last two days, so that a lead's older messages are not read.
const lowestRecentId = `(lpad(to_hex((extract(epoch FROM now() - interval '48 hours') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/**
 * A condition: an operator may not send a message to a lead, because the lead has opted out. It holds if the message needs consent, or if
 * the lead wrote nothing in the last 24 hours, by the provider's clock. All parameters are places of values.
 */
export function refusesMessage(tenant: string, lead: string, message: string): string {
  return `(SELECT true FROM opt_outs x WHERE x.tenant_id = ${tenant} AND x.lead_id = ${lead} AND (
    EXISTS (SELECT FROM messages m WHERE m.tenant_id = ${tenant} AND m.id = ${message} AND ${needsConsent})
    OR NOT EXISTS (
      SELECT FROM messages n WHERE n.tenant_id = ${tenant} AND n.lead_id = x.lead_id AND n.id >= ${lowestRecentId}
        AND n.direction = 'INBOUND' AND NOT n.is_notice AND coalesce(n.provider_timestamp, n.received_at) > now() - interval '24 hours'
    )) LIMIT 1) IS TRUE`;
}

/** A decision about a lead, with its evidence. */
export interface ConsentDecision {
  leadId: string;
  action: ConsentAction;
  source: ConsentSource;
  keyword?: string | undefined;
  reason?: string | undefined;
  messageId?: string | undefined;
  webhookCallId?: string | undefined;
  userId?: string | undefined;
  /** The time by the provider's clock; undefined for now. */
  decidedAt?: Date | undefined;
}

export const decisionColumns = new Columns<ConsentDecision>({
  id: ['uuid', newRecordId],
  lead_id: ['uuid', ({ leadId }) => leadId],
  action: ['text', ({ action }) => action],
  source: ['text', ({ source }) => source],
  keyword: ['text', ({ keyword }) => keyword],
  reason: ['text', ({ reason }) => reason],
  message_id: ['uuid', ({ messageId }) => messageId],
  webhook_call_id: ['uuid', ({ webhookCallId }) => webhookCallId],
  user_id: ['uuid', ({ userId }) => userId],
  decided_at: ['timestamptz', ({ decidedAt }) => decidedAt],
});

/**
 * $1 tenant, `decisionColumns`: decisions about different leads, under the tenant lock → the positions from 0 of the decisions that changed
 * a lead's opt-out. A lead's own decision counts by the provider's clock, to the second. A later decision of the lead supersedes it, and a
 * user's later opt-out supersedes an opt-in. A user's decision counts by the order of arrival. A user's decision that changes nothing, and
 * a preference that is known, are not entered again.
 */
export const enterDecisions: NamedStatement = {
  name: 'enter-consent-decisions',
  text: `WITH item AS (
      SELECT i.*, least(coalesce(i.decided_at, clock_timestamp()), clock_timestamp()) AS occurred_at
      FROM ${decisionColumns.numberedRows('i')}
    ), judged AS (
      SELECT i.*, o.lead_id IS NOT NULL AS was_out, i.source <> 'USER' AND EXISTS (
          SELECT FROM consent_entries e WHERE e.tenant_id = $1 AND e.lead_id = i.lead_id AND e.action <> i.action AND e.action <> 'DISCLAIMER'
            AND date_trunc('second', e.occurred_at) > i.occurred_at AND (i.action = 'OPT_IN' OR e.source <> 'USER')
        ) AS is_superseded
      FROM item i LEFT JOIN opt_outs o ON o.tenant_id = $1 AND o.lead_id = i.lead_id
      WHERE CASE i.source
        WHEN 'USER' THEN (o.lead_id IS NULL) = (i.action = 'OPT_OUT')
        WHEN 'PREFERENCE' THEN NOT EXISTS (
          SELECT FROM consent_entries e WHERE e.tenant_id = $1 AND e.lead_id = i.lead_id AND e.source = i.source
            AND e.action = i.action AND e.occurred_at = i.occurred_at::timestamptz(3))
        ELSE true END
    ), entered AS (
      INSERT INTO consent_entries (tenant_id, id, lead_id, original_lead_id, action, source, is_superseded, keyword, reason,
        message_id, webhook_call_id, user_id, occurred_at)
      SELECT $1, id, lead_id, lead_id, action, source, is_superseded, keyword, reason, message_id, webhook_call_id, user_id,
        occurred_at
      FROM judged
    ), opted_out AS (
      INSERT INTO opt_outs (tenant_id, lead_id, entry_id, opted_out_at, source, keyword, message_id)
      SELECT $1, lead_id, id, occurred_at, source, keyword, message_id FROM judged
      WHERE action = 'OPT_OUT' AND NOT is_superseded AND NOT was_out
    ), opted_in AS (
      DELETE FROM opt_outs o USING judged j
      WHERE o.tenant_id = $1 AND o.lead_id = j.lead_id AND j.action = 'OPT_IN' AND NOT j.is_superseded
    )
    SELECT position::int - 1 AS position FROM judged WHERE NOT is_superseded AND was_out = (action = 'OPT_IN') ORDER BY position`,
};

/** A lead's ticked disclaimers in a form elsewhere. They are evidence, and no decision. */
export interface DisclaimerAnswer {
  leadId: string;
  evidence: object;
  webhookCallId?: string | undefined;
  /** The time by the form's clock; undefined for now. */
  answeredAt?: Date | undefined;
}

export const disclaimerColumns = new Columns<DisclaimerAnswer>({
  id: ['uuid', newRecordId],
  lead_id: ['uuid', ({ leadId }) => leadId],
  evidence: ['jsonb', ({ evidence }) => JSON.stringify(evidence)],
  webhook_call_id: ['uuid', ({ webhookCallId }) => webhookCallId],
  answered_at: ['timestamptz', ({ answeredAt }) => answeredAt],
});

/** $1 tenant, `disclaimerColumns`: writes their entries. */
export const enterDisclaimers: NamedStatement = {
  name: 'enter-disclaimers',
  text: `INSERT INTO consent_entries
      (tenant_id, id, lead_id, original_lead_id, action, source, is_superseded, evidence, webhook_call_id, occurred_at)
    SELECT $1, id, lead_id, lead_id, 'DISCLAIMER', 'LEAD_FORM', false, evidence, webhook_call_id,
      least(coalesce(answered_at, now()), now())
    FROM ${disclaimerColumns.rows('i')}`,
};

/** $1 tenant, $2 merged lead, $3 survivor: the survivor gets the entries. Each keeps the lead that it was entered for. */
export const moveEntries: NamedStatement = {
  name: 'move-consent-entries',
  text: 'UPDATE consent_entries SET lead_id = $3 WHERE tenant_id = $1 AND lead_id = $2',
};

/** $1 tenant, $2 merged lead, $3 survivor. The survivor has opted out if one of the two had. */
export const moveOptOut: NamedStatement = {
  name: 'move-opt-out',
  text: `WITH moved AS (
      DELETE FROM opt_outs WHERE tenant_id = $1 AND lead_id = $2 RETURNING *
    )
    INSERT INTO opt_outs (tenant_id, lead_id, entry_id, opted_out_at, source, keyword, message_id)
    SELECT tenant_id, $3, entry_id, opted_out_at, source, keyword, message_id FROM moved
    ON CONFLICT (tenant_id, lead_id) DO NOTHING`,
};

/** $1 tenant, $2 survivor, $3 merged lead, $4 the leads that came with it, itself included: gives their entries back to the merged lead. */
export const returnEntries: NamedStatement = {
  name: 'return-consent-entries',
  text: `UPDATE consent_entries SET lead_id = $3
    WHERE tenant_id = $1 AND lead_id = $2 AND original_lead_id = ANY($4::uuid[])`,
};

/** A condition: entry `entry` of tenant $1 is an opt-out that no later opt-in of its lead has lifted. */
function isInEffect(entry: string): string {
  return `${entry}.action = 'OPT_OUT' AND NOT ${entry}.is_superseded AND NOT EXISTS (
      SELECT FROM consent_entries n WHERE n.tenant_id = $1 AND n.lead_id = ${entry}.lead_id AND n.action = 'OPT_IN'
        AND NOT n.is_superseded AND (n.recorded_at, n.id) > (${entry}.recorded_at, ${entry}.id))`;
}

const sharedEvidence = 'keyword, message_id, webhook_call_id, user_id, occurred_at';

/**
 * $1 tenant, $2 survivor, $3 merged lead, with its own entries again, $4 the beginning of the merge, $5 and $6 the ids of new entries.
 * Nobody knows which of the two decided while they were one lead. So an opt-out of that time counts for both, and only a user's opt-in
 * lifts one of the survivor's. A lead whose own entries do not say that it has opted out gets one that does, without the user's words.
 */
export const keepOptOuts: NamedStatement = {
  name: 'keep-opt-outs-of-separated-leads',
  text: `WITH decision AS (
      SELECT e.*, e.recorded_at >= $4::timestamptz AS is_shared FROM consent_entries e
      WHERE e.tenant_id = $1 AND e.lead_id = ANY(ARRAY[$2, $3]::uuid[]) AND e.action <> 'DISCLAIMER'
    ), candidate AS (
      SELECT $3::uuid AS for_lead, $6::uuid AS new_id, e.* FROM decision e WHERE e.lead_id = $2 AND e.action = 'OPT_OUT' AND e.is_shared
      UNION ALL
      SELECT $2, $5, e.* FROM decision e WHERE e.lead_id = $2 AND e.action = 'OPT_OUT' AND NOT EXISTS (
        SELECT FROM decision n WHERE n.lead_id = $2 AND n.action = 'OPT_IN' AND (n.source = 'USER' OR NOT n.is_shared)
          AND NOT n.is_superseded AND CASE WHEN e.is_superseded THEN date_trunc('second', n.occurred_at) > e.occurred_at
            ELSE (n.recorded_at, n.id) > (e.recorded_at, e.id) END)
    )
    INSERT INTO consent_entries (tenant_id, id, lead_id, original_lead_id, action, source, is_superseded, ${sharedEvidence})
    SELECT DISTINCT ON (for_lead) tenant_id, new_id, for_lead, for_lead, action, source, false, ${sharedEvidence}
    FROM candidate c WHERE NOT EXISTS (
      SELECT FROM decision e WHERE e.lead_id = c.for_lead AND ${isInEffect('e')})
    ORDER BY for_lead, recorded_at, id`,
};

/** $1 tenant, $2 leads: deletes their opt-outs. */
export const deleteOptOuts: NamedStatement = {
  name: 'delete-opt-outs',
  text: 'DELETE FROM opt_outs WHERE tenant_id = $1 AND lead_id = ANY($2::uuid[])',
};

/** $1 tenant, $2 leads without a row here: restores their opt-outs from their own entries, at the first opt-out after the last opt-in. */
export const restoreOptOuts: NamedStatement = {
  name: 'restore-opt-outs',
  text: `INSERT INTO opt_outs (tenant_id, lead_id, entry_id, opted_out_at, source, keyword, message_id)
    SELECT DISTINCT ON (e.lead_id) e.tenant_id, e.lead_id, e.id, e.occurred_at, e.source, e.keyword, e.message_id
    FROM consent_entries e
    WHERE e.tenant_id = $1 AND e.lead_id = ANY($2::uuid[]) AND ${isInEffect('e')}
    ORDER BY e.lead_id, e.recorded_at, e.id`,
};
