// The statements of reactions, edits and deletions at the network, with changes that wait for a message that is not known yet.

import { Columns } from '../../../platform/database/columns.js';
import type { NamedStatement } from '../../../platform/database/database.js';
import { newRecordId } from '../../../platform/database/record-id.js';
import { externalKeyColumns } from '../message.sql.js';
import type { ExternalKey } from '../reported.js';
import type { LeadIdentity, ReportedChange } from '../../../providers/reported.js';

/** A message to change, locked. */
export interface ChangeTarget {
  id: string;
  leadId: string;
  instanceId: string;
  externalId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  /** The text; the caption for a message with a file that was sent from here. */
  body: string | null;
  editedAt: Date | null;
  deletedAt: Date | null;
}

const targetColumns = `m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.external_id AS "externalId", m.direction,
  coalesce(m.body, m.media->>'caption') AS body, m.edited_at AS "editedAt", m.deleted_at AS "deletedAt"`;

/** $1 tenant, `externalKeyColumns` → the messages with these keys, locked in the order of their ids. */
export const lockChangeTargets: NamedStatement = {
  name: 'lock-change-targets',
  text: `SELECT ${targetColumns} FROM messages m
    WHERE m.tenant_id = $1 AND m.id = ANY(ARRAY(
      SELECT found.id FROM ${externalKeyColumns.rows('w')} CROSS JOIN LATERAL (
        SELECT k.id FROM messages k
        WHERE k.tenant_id = $1 AND k.instance_id = w.instance_id AND k.external_id = w.external_id LIMIT 1
      ) found
    )) ORDER BY m.id FOR NO KEY UPDATE`,
};

/** $1 tenant, $2 message → that message, locked. */
export const lockChangeTarget: NamedStatement = {
  name: 'lock-change-target',
  text: `SELECT ${targetColumns} FROM messages m WHERE m.tenant_id = $1 AND m.id = $2 FOR NO KEY UPDATE`,
};

/** $1 tenant; columns of identities: $2 kinds, $3 match keys → the lead of each one that is known. */
export const selectLeadIdsOfIdentities: NamedStatement = {
  name: 'select-lead-ids-of-identities',
  text: `SELECT w.kind, w.match_key AS "matchKey", found.lead_id AS "leadId"
    FROM unnest($2::identity_kind[], $3::text[]) AS w (kind, match_key)
    CROSS JOIN LATERAL (
      SELECT i.lead_id FROM lead_identities i
      WHERE i.tenant_id = $1 AND i.kind = w.kind AND i.match_key = w.match_key LIMIT 1
    ) found`,
};

/** The newest reaction of one side of the conversation to a message. */
export interface StoredReaction {
  messageId: string;
  fromLead: boolean;
  /** The emoji; null if the reaction was taken back. */
  emoji: string | null;
  userId: string | null;
  reactedAt: Date;
}

/** $1 tenant, $2 messages → their reactions, also those that were taken back. */
export const selectStoredReactions: NamedStatement = {
  name: 'select-stored-reactions',
  text: `SELECT message_id AS "messageId", from_lead AS "fromLead", emoji, user_id AS "userId", reacted_at AS "reactedAt"
    FROM message_reactions WHERE tenant_id = $1 AND message_id = ANY($2::uuid[])`,
};

/** $1 tenant, $2 messages → their reactions, the oldest first. */
export const selectReactions: NamedStatement = {
  name: 'select-reactions',
  text: `${selectStoredReactions.text} AND emoji IS NOT NULL ORDER BY reacted_at, from_lead`,
};

export const reactionColumns = new Columns<StoredReaction>({
  message_id: ['uuid', ({ messageId }) => messageId],
  side: ['text', ({ fromLead }) => (fromLead ? 'LEAD' : 'US')],
  emoji: ['text', ({ emoji }) => emoji],
  user_id: ['uuid', ({ userId }) => userId],
  reacted_at: ['timestamptz', ({ reactedAt }) => reactedAt],
});

/** $1 tenant, `reactionColumns`: each message and side once. The messages are locked. */
export const writeReactions: NamedStatement = {
  name: 'write-reactions',
  text: `INSERT INTO message_reactions (tenant_id, message_id, from_lead, emoji, user_id, reacted_at)
    SELECT $1, message_id, side = 'LEAD', emoji, user_id, reacted_at FROM ${reactionColumns.rows('r')}
    ON CONFLICT (tenant_id, message_id, from_lead)
      DO UPDATE SET emoji = EXCLUDED.emoji, user_id = EXCLUDED.user_id, reacted_at = EXCLUDED.reacted_at`,
};

export const contentColumns = new Columns<ChangeTarget>({
  id: ['uuid', ({ id }) => id],
  body: ['text', ({ body }) => body],
  edited_at: ['timestamptz', ({ editedAt }) => editedAt],
  deleted_at: ['timestamptz', ({ deletedAt }) => deletedAt],
});

/**
 * $1 tenant, `contentColumns`: writes the new content of locked messages. The text of a file's message is its caption. A deleted message
 * keeps neither its file nor its reactions, nor the lead's choice.
 */
export const writeContents: NamedStatement = {
  name: 'write-contents',
  text: `WITH item AS (
      SELECT * FROM ${contentColumns.rows('i')}
    ), gone AS (
      DELETE FROM message_reactions r USING item i WHERE r.tenant_id = $1 AND r.message_id = i.id AND i.deleted_at IS NOT NULL
    )
    UPDATE messages m SET body = i.body, edited_at = i.edited_at, deleted_at = i.deleted_at,
      choice = CASE WHEN i.deleted_at IS NULL THEN m.choice END,
      media = CASE WHEN i.deleted_at IS NULL AND jsonb_typeof(m.media) = 'object'
        THEN m.media - 'caption' || jsonb_strip_nulls(jsonb_build_object('caption', i.body)) END
    FROM item i WHERE m.tenant_id = $1 AND m.id = i.id AND m.id = ANY(${contentColumns.array('id')})`,
};

/** An edit or a deletion that was applied. */
export interface NewChange {
  messageId: string;
  kind: 'EDIT' | 'DELETION';
  previousBody: string | null;
  occurredAt: Date;
}

export const newChangeColumns = new Columns<NewChange>({
  id: ['uuid', newRecordId],
  message_id: ['uuid', ({ messageId }) => messageId],
  kind: ['text', ({ kind }) => kind],
  previous_body: ['text', ({ previousBody }) => previousBody],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
});

/** The most edits and deletions that are kept of one message, which are the newest. */
export const maxChangesKept = 20;

/** $1 tenant, `newChangeColumns`, at most `maxChangesKept` for each message: inserts changes, and removes older ones beyond that number. */
export const insertChanges: NamedStatement = {
  name: 'insert-message-changes',
  text: `WITH fresh AS (
      SELECT * FROM ${newChangeColumns.rows('i')}
    ), counted AS (
      SELECT c.id, row_number() OVER (PARTITION BY c.message_id ORDER BY c.id DESC) + f.count AS place
      FROM (SELECT message_id, count(*) AS count FROM fresh GROUP BY message_id) f
      JOIN message_changes c ON c.tenant_id = $1 AND c.message_id = f.message_id
    ), gone AS (
      DELETE FROM message_changes WHERE tenant_id = $1 AND id IN (SELECT id FROM counted WHERE place > ${maxChangesKept})
    )
    INSERT INTO message_changes (tenant_id, id, message_id, kind, previous_body, occurred_at)
    SELECT $1, id, message_id, kind::message_change_kind, previous_body, occurred_at FROM fresh`,
};

/** $1 tenant, $2 messages → their edits and deletions, the oldest first. */
export const selectChanges: NamedStatement = {
  name: 'select-message-changes',
  text: `SELECT message_id AS "messageId", kind, previous_body AS "previousBody", occurred_at AS "occurredAt",
      recorded_at AS "recordedAt"
    FROM message_changes WHERE tenant_id = $1 AND message_id = ANY($2::uuid[]) ORDER BY id`,
};

/** A change for a provider id that no message has yet, as it is stored. */
export interface ParkedChange extends ExternalKey {
  change: ReportedChange['change'];
  side: 'LEAD' | 'US' | 'WRITER';
  /** The emoji of a reaction, or the text of an edit. */
  content: string | null;
  contact: readonly LeadIdentity[] | null;
  occurredAt: Date;
  webhookCallId: string | null;
}

export const parkedChangeColumns = new Columns<ParkedChange>({
  id: ['uuid', newRecordId],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
  change: ['text', ({ change }) => change],
  side: ['text', ({ side }) => side],
  content: ['text', ({ content }) => content],
  contact: ['jsonb', ({ contact }) => (contact === null ? null : JSON.stringify(contact))],
  occurred_at: ['timestamptz', ({ occurredAt }) => occurredAt],
  delivery_id: ['uuid', ({ webhookCallId }) => webhookCallId],
});

/** $1 tenant, `parkedChangeColumns`, each message, kind and side once: parks changes. The newest by the provider's clock stays. */
export const parkChanges: NamedStatement = {
  name: 'park-changes',
  text: `INSERT INTO parked_changes AS p (tenant_id, ${parkedChangeColumns.names.join(', ')})
    SELECT $1, * FROM ${parkedChangeColumns.rows('i')} ORDER BY instance_id, external_id, change, side
    ON CONFLICT (tenant_id, instance_id, external_id, change, side) DO UPDATE
      SET content = EXCLUDED.content, contact = EXCLUDED.contact, occurred_at = EXCLUDED.occurred_at
      WHERE EXCLUDED.occurred_at >= p.occurred_at`,
};

/**
 * A condition for an instance and a provider id in SQL: a change of tenant $1 waits for the message. Each row costs one probe of the index.
 * If the tenant has no waiting change, which is usual, one probe serves all rows.
 */
export const hasParkedChange = (instanceId: string, externalId: string) => `(
    (SELECT 1 FROM parked_changes p WHERE p.tenant_id = $1 LIMIT 1) IS NOT NULL
    AND (SELECT 1 FROM parked_changes p
      WHERE p.tenant_id = $1 AND p.instance_id = ${instanceId} AND p.external_id = ${externalId} LIMIT 1) IS NOT NULL
  )`;

/** Selects the tenants with changes that wait for messages, by one probe of the index for each. */
export const selectTenantsWithParkedChanges: NamedStatement = {
  name: 'select-tenants-with-parked-changes',
  text: `WITH RECURSIVE waiting AS (
      (SELECT tenant_id FROM parked_changes ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT n.tenant_id FROM waiting w CROSS JOIN LATERAL (
        SELECT p.tenant_id FROM parked_changes p WHERE p.tenant_id > w.tenant_id ORDER BY p.tenant_id LIMIT 1
      ) n
    )
    SELECT tenant_id AS "tenantId" FROM waiting`,
};

/** $1 tenant, $2 limit → the messages that arrived while a change of theirs was being parked, by one probe for each waiting change. */
export const selectMessagesOfParked: NamedStatement = {
  name: 'select-messages-of-parked-changes',
  text: `SELECT DISTINCT found.id, p.instance_id AS "instanceId", p.external_id AS "externalId"
    FROM parked_changes p CROSS JOIN LATERAL (
      SELECT m.id FROM messages m
      WHERE m.tenant_id = p.tenant_id AND m.instance_id = p.instance_id AND m.external_id = p.external_id LIMIT 1
    ) found WHERE p.tenant_id = $1 LIMIT $2`,
};

/**
 * $1 hours, $2 limit. Parts of a WITH that delete changes whose message did not arrive in time: `gone`, and `told` (tenant_id, delivery_id,
 * reason) with the journal's sentences about them.
 */
export const expireParkedChanges = `gone AS (
      DELETE FROM parked_changes WHERE ctid = ANY (ARRAY(
        SELECT p.ctid FROM parked_changes p WHERE p.created_at < now() - make_interval(hours => $1::int)
        ORDER BY p.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING tenant_id, id, delivery_id, external_id, change
    ), told AS (
      SELECT tenant_id, delivery_id,
        string_agg(lower(change) || ' of ' || external_id || ': no message of that id within ' || $1::int || ' h', '; '
          ORDER BY id) AS reason
      FROM gone GROUP BY tenant_id, delivery_id
    )`;

/** $1 days, $2 limit → the number of previous texts that were removed. The times of the changes stay. */
export const forgetPreviousTexts: NamedStatement = {
  name: 'forget-previous-texts',
  text: `WITH forgotten AS (
      UPDATE message_changes SET previous_body = NULL WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM message_changes c
        WHERE c.previous_body IS NOT NULL AND c.recorded_at < now() - make_interval(days => $1::int)
        ORDER BY c.recorded_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )) RETURNING id
    ) SELECT count(*)::int AS count FROM forgotten`,
};
