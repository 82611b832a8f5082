// The statements by which an operator's message goes through the outbox: it joins the queue, and is claimed when it may leave.
// send-result.service.ts stores results, cancel-retry.sql.ts cancels and retries, bulk-enqueue.service.ts queues many messages at once.

import { Columns, Row } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import type { SentChannelTemplate } from '../channel-templates/channel-template.service.js';
import { hasReplyWindow, hasReplyWindowById } from '../chat-instances/chat-instance.sql.js';
import { isWindowClosed, windowClosesAt } from '../messages/reply-window/reply-window.sql.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { lacksConsent, needsConsent, refusesMessage } from '../consent/consent.sql.js';
import type { SentMedia } from '../messages/message.schema.js';
import { snapshotColumns } from '../messages/message.sql.js';

/** An operator's message as it is accepted. */
export interface OutboundMessage {
  id: string;
  leadId: string;
  instanceId: string;
  authorId: string | null;
  /** `SYSTEM`: the service wrote it by itself, and it has no author. */
  origin: 'USER' | 'SYSTEM';
  type: string;
  body: string | null;
  media: SentMedia | null;
  templateId: string | null;
  templateVersion: number | null;
  /** The network's template to send. */
  channelTemplate: SentChannelTemplate | null;
  /** The time at which it is to leave; null: at once. */
  sendAt: Date | null;
  /** The provider's id of the message that it quotes, which is one of the same instance. */
  replyTo: string | null;
  idempotencyKey: string | null;
  contentHash: Buffer<ArrayBuffer> | null;
}

export const outboundMessage = new Row<OutboundMessage>(
  {
    id: ['uuid', ({ id }) => id],
    lead_id: ['uuid', ({ leadId }) => leadId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    type: ['text', ({ type }) => type],
    body: ['text', ({ body }) => body],
    media: ['jsonb', ({ media }) => (media === null ? null : JSON.stringify({ ...media, id: undefined }))],
    author_id: ['uuid', ({ authorId }) => authorId],
    idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
    content_hash: ['bytea', ({ contentHash }) => contentHash],
    template_id: ['uuid', ({ templateId }) => templateId],
    template_version: ['int', ({ templateVersion }) => templateVersion],
    reply_to_external_id: ['text', ({ replyTo }) => replyTo],
    channel_template: [
      'jsonb',
      ({ channelTemplate }) => (channelTemplate === null ? null : JSON.stringify(channelTemplate)),
    ],
    is_automatic: ['boolean', ({ origin }) => origin === 'SYSTEM'],
  },
  3,
);

/**
 * $1 tenant, $2 when it is to leave: kept only while that lies ahead, `outboundMessage` → nothing where the key is taken. `isWindowClosed`:
 * the network takes no free text of it now, so that it must not be kept. `isScheduled`: it leaves later.
 */
export const insertOutboundMessage: NamedStatement = {
  name: 'insert-outbound-message',
  text: `INSERT INTO messages AS m (tenant_id, ${outboundMessage.names}, direction, status, scheduled_for)
    VALUES ($1, ${outboundMessage.values}, 'OUTBOUND', 'QUEUED', CASE WHEN $2::timestamptz > now() THEN $2::timestamptz END)
    ON CONFLICT (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING ${snapshotColumns}, m.position, CASE WHEN m.channel_template IS NULL AND ${hasReplyWindowById('m.instance_id')}
      THEN ${isWindowClosed('m.lead_id', 'm.instance_id')} ELSE false END AS "isWindowClosed", m.scheduled_for IS NOT NULL AS "isScheduled"`,
};

const positionOfThird = '(SELECT p.position FROM messages p WHERE p.tenant_id = $1 AND p.id = $3)';

/** $1 tenant, $2 lead, $3 message, $4 one that is left out, $5 limit → the lead's messages after the first, the oldest first. */
export const selectOtherMessagesAfter: NamedStatement = {
  name: 'select-other-messages-after',
  text: `SELECT id, direction, type, body, created_at AS "createdAt" FROM messages
    WHERE tenant_id = $1 AND lead_id = $2 AND position > ${positionOfThird} AND id <> $4 ORDER BY position, id LIMIT $5`,
};

/**
 * $1 tenant, $2 lead, $3 message, $4 another one → whether the message is a notice of the lead after which nothing was said but, at most,
 * the other one. Notices move no lead, so a client may show one as the last line while an earlier message is the newest.
 */
export const selectNewestNotice: NamedStatement = {
  name: 'select-newest-notice',
  text: `SELECT NOT EXISTS (
      SELECT FROM messages o WHERE o.tenant_id = $1 AND o.lead_id = $2 AND o.position > m.position AND o.id <> $4 AND NOT o.is_notice
    ) AS "isNewest" FROM messages m WHERE m.tenant_id = $1 AND m.id = $3 AND m.lead_id = $2 AND m.is_notice`,
};

/**
 * The lead's earlier messages go as early as the one that is being queued, as parts of a WITH: $1 tenant; `entry` says whether it waits for
 * a time of its own. Then it waits for none of them.
 * @param leadId its lead, in SQL
 */
export const raiseEarlier = (leadId: string) => `earlier AS (
      SELECT o.message_id FROM outbox_entries o
      WHERE o.tenant_id = $1 AND o.lead_id = ${leadId} AND o.scheduled_at IS NULL AND o.priority > 0
        AND EXISTS (SELECT FROM entry WHERE scheduled_at IS NULL)
      ORDER BY o.position FOR NO KEY UPDATE
    ), raised AS (
      UPDATE outbox_entries o SET priority = 0 FROM earlier e WHERE o.tenant_id = $1 AND o.message_id = e.message_id
    )`;

/** A message's place in the outbox. */
export interface OutboxEntry {
  messageId: string;
  leadId: string;
  instanceId: string;
}

export const outboxEntry = new Row<OutboxEntry>(
  {
    message_id: ['uuid', ({ messageId }) => messageId],
    lead_id: ['uuid', ({ leadId }) => leadId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
  },
  3,
);

/**
 * $1 tenant, $2 transition id, `outboxEntry`: an operator's message joins the queue, ahead of bulk together with what its lead is still
 * to get before it; one that was scheduled waits beside the queue → whether its lead has opted out, so that it may not be sent.
 */
export const insertOutboxEntry: NamedStatement = {
  name: 'insert-outbox-entry',
  text: `WITH entry AS (
      SELECT scheduled_for AS scheduled_at FROM messages WHERE tenant_id = $1 AND id = ${outboxEntry.value('message_id')}
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
      VALUES ($1, $2, ${outboxEntry.value('message_id')}, 'QUEUED', 'user', now())
    ), ${raiseEarlier(outboxEntry.value('lead_id'))}
    INSERT INTO outbox_entries (tenant_id, ${outboxEntry.names}, scheduled_at)
    SELECT $1, ${outboxEntry.values}, scheduled_at FROM entry
    RETURNING ${refusesMessage('$1', outboxEntry.value('lead_id'), outboxEntry.value('message_id'))} AS "isRefused"`,
};

/** $1 tenant, $2 lead, $3 message → `isRefused`: the lead has opted out, so that the message may not be sent. */
export const selectIsRefused: NamedStatement = {
  name: 'select-is-refused',
  text: `SELECT ${refusesMessage('$1', '$2', '$3')} AS "isRefused"`,
};

/**
 * $1 tenant → its limit, and whether something that was scheduled is due. The row lock is the tenant lock: two workers never count the same
 * window at once, and a change of the limit holds from the next claim on. A deactivated tenant has no row: its messages wait.
 */
export const lockTenantLimit: NamedStatement = {
  name: 'lock-tenant-limit',
  text: `SELECT chat_rate_max AS max, chat_rate_duration_ms AS "durationMs",
      EXISTS (SELECT FROM outbox_entries WHERE tenant_id = $1 AND scheduled_at <= now()) AS "hasScheduled"
    FROM tenants WHERE id = $1 AND is_active FOR NO KEY UPDATE`,
};

/**
 * A condition: message `m` of tenant $1 may have left by an attempt without an answer that tells.
 * @param before the attempt began by then. NULL is any time
 */
export const mayHaveLeft = (before = 'NULL::timestamptz'): string => `EXISTS (
  SELECT FROM send_attempts a WHERE a.tenant_id = $1 AND a.message_id = m.id AND a.number > 0
    AND coalesce(a.outcome, 'unknown') = 'unknown' AND (${before} IS NULL OR a.granted_at <= ${before}))`;

/**
 * $1 tenant, $2 window in ms, $3 lease in ms → how many sends the window holds, and in how many ms the first of them leaves it. A send
 * reaches the gateway some time between its grant and its answer, so it keeps its place until its answer is a window old. One without an
 * answer may have reached it until its lease ended, and counts from then. So no window at the gateway, wherever it begins, can hold more
 * than the limit. Only the database's clock counts (read once, so that the index can be used). `isAhead`: some sends lie in its future, as
 * it was set back.
 */
export const measureWindow: NamedStatement = {
  name: 'measure-window',
  text: `SELECT count(*)::int AS held,
      ceil(extract(epoch FROM min(coalesce(a.finished_at, CASE WHEN a.granted_at <= t.now - $3::int * interval '1 ms'
        THEN a.granted_at + $3::int * interval '1 ms' END)) + $2::int * interval '1 ms' - max(t.now)) * 1000)::int AS "opensInMs",
      coalesce(bool_or(greatest(a.granted_at, a.finished_at) > t.now), false) AS "isAhead"
    FROM (SELECT clock_timestamp() AS now) t
    JOIN send_attempts a ON a.tenant_id = $1
    WHERE a.granted_at > (SELECT clock_timestamp()) - ($2::int + $3::int) * interval '1 ms' AND a.granted_at > '-infinity'
      AND (a.finished_at IS NULL OR a.finished_at > t.now - $2::int * interval '1 ms')`,
};

/**
 * $1 tenant, $2 window in ms, $3 lease in ms: sends that lie in the future count from now on. So after a clock was set back no message
 * waits longer than a window, or than the lease of a send without an answer, and no send loses its place.
 */
export const pullBackAttempts: NamedStatement = {
  name: 'pull-back-attempts',
  text: `UPDATE send_attempts a SET granted_at = least(a.granted_at, t.now),
      finished_at = CASE WHEN a.finished_at IS NOT NULL THEN least(a.finished_at, t.now) END
    FROM (SELECT clock_timestamp() AS now) t
    WHERE a.tenant_id = $1 AND a.granted_at > (SELECT clock_timestamp()) - ($2::int + $3::int) * interval '1 ms'
      AND a.granted_at > '-infinity' AND greatest(a.granted_at, a.finished_at) > t.now`,
};

/**
 * $1 tenant: scheduled messages that are due now join the queue, behind all that was accepted until now. A bounded number at a time: a
 * claim waits for it.
 */
export const admitScheduled: NamedStatement = {
  name: 'admit-scheduled',
  text: `UPDATE outbox_entries o SET scheduled_at = NULL, due_at = greatest(o.due_at, o.scheduled_at), position = d.position
    FROM (
      SELECT message_id, nextval('outbox_entries_position_seq') AS position FROM (
        SELECT message_id FROM outbox_entries WHERE tenant_id = $1 AND scheduled_at <= now()
        ORDER BY scheduled_at, position LIMIT 1000 FOR UPDATE
      ) due
    ) d
    WHERE o.tenant_id = $1 AND o.message_id = d.message_id
    RETURNING o.lead_id AS "leadId", o.priority, o.position`,
};

/** A message's place among those of its lead. */
export interface EarlyMessage {
  leadId: string;
  /** A message with a lower priority goes first. */
  priority: number;
  /** The place in the queue, as PostgreSQL writes a bigint. */
  position: string;
}

export const earlyColumns = new Columns<EarlyMessage>({
  lead_id: ['uuid', ({ leadId }) => leadId],
  priority: ['int', ({ priority }) => priority],
  position: ['bigint', ({ position }) => position],
});

/** $1 tenant, `earlyColumns` → the leads' earlier messages leave as early. */
export const raiseBefore: NamedStatement = {
  name: 'raise-before',
  text: `UPDATE outbox_entries o SET priority = w.priority
    FROM ${earlyColumns.rows('w')}
    WHERE o.tenant_id = $1 AND o.lead_id = w.lead_id AND o.scheduled_at IS NULL AND o.position < w.position
      AND o.priority > w.priority`,
};

/**
 * For a transaction that took nothing: its commit is not waited for. A crash of PostgreSQL may then undo that scheduled messages joined the
 * queue, and the next claim does it again.
 */
export const commitWithoutFlush: NamedStatement = {
  name: 'commit-without-flush',
  text: 'SET LOCAL synchronous_commit = off',
};

// A scalar subquery uses the index on (tenant, lead, position): with an anti join the planner compares a lead's messages pairwise.
const firstOfItsLead = `o.message_id = (
  SELECT p.message_id FROM outbox_entries p
  WHERE p.tenant_id = o.tenant_id AND p.lead_id = o.lead_id AND p.scheduled_at IS NULL ORDER BY p.position LIMIT 1)`;

/** True if an instance `i` is out until it is connected. An instance that was never connected is used: not every gateway connects. */
export const isOut = `(i.deleted_at IS NOT NULL OR i.status IN ('DISCONNECTED', 'ERROR', 'INACTIVE')
  OR (i.status = 'CONNECTING' AND i.connected_at IS NOT NULL))`;

/** True if nothing may be sent through an instance `i` now. */
export const isPaused = `(${isOut} OR coalesce(i.outbound_paused_until > now(), false))`;

/** A worker's sends under way through an instance. */
export interface BusyInstance {
  id: string;
  sends: number;
  /** The sends among them that probe the instance after its pause has ended. */
  probes: number;
}

export const busyColumns = new Columns<BusyInstance>(
  {
    instance_id: ['uuid', ({ id }) => id],
    sends: ['int', ({ sends }) => sends],
    probes: ['int', ({ probes }) => probes],
  },
  4,
);

/**
 * $1 tenant, $2 limit, $3 how many sends one instance may have under way, `busyColumns` → the messages that may leave, best first: due, not
 * claimed, their instance not paused, and the earliest of their lead. So a lead's messages leave in the order in which they were accepted,
 * also through retries. One message probes an instance whose pause has ended, whatever was sent before the pause and is unanswered. A
 * message whose instance was deleted during its claim is claimed once more, to end it. `lacksConsent`: its lead has opted out, which no
 * transaction can change while this one holds the tenant lock.
 */
export const selectDue: NamedStatement = {
  name: 'select-due',
  text: `SELECT due.message_id AS "messageId", ${lacksConsent('$1', 'due.lead_id', 'due.message_id')} AS "lacksConsent"
    FROM chat_instances i
    LEFT JOIN ${busyColumns.rows('busy')} ON busy.instance_id = i.id
    CROSS JOIN LATERAL (
      SELECT o.message_id, o.lead_id, o.priority, o.position FROM outbox_entries o
      WHERE o.tenant_id = $1 AND o.instance_id = i.id AND o.scheduled_at IS NULL
        AND (o.due_at <= now() OR o.attempt_count = 0)
        AND (o.lease_until IS NULL OR o.lease_until <= now()) AND ${firstOfItsLead}
      ORDER BY o.priority, o.position
      LIMIT least($2::int, greatest(0, CASE WHEN i.outbound_paused_until IS NULL OR i.deleted_at IS NOT NULL
        THEN $3::int - coalesce(busy.sends, 0) ELSE 1 - coalesce(busy.probes, 0) END))
    ) due
    WHERE i.tenant_id = $1 AND (i.deleted_at IS NOT NULL OR NOT ${isPaused})
    ORDER BY due.priority, due.position LIMIT $2::int`,
};

// The earlier attempts of a claimed message `c` through instance `i`. They are read by message and number from 1 on, as a tenant has many
// attempts of the last hours. An attempt whose answer was lost is repeated, but for one through an instance that is deleted by now.
const attemptsBefore = `
      SELECT (count(*) FILTER (WHERE coalesce(e.outcome, '') NOT IN ('paused', 'retried')))::int AS failed,
        min(e.granted_at) FILTER (WHERE e.outcome IS NULL OR (i.deleted_at IS NOT NULL AND e.outcome = 'unknown')) AS unanswered_at
      FROM generate_series(1, c.attempt_count - 1) AS n
      CROSS JOIN LATERAL (
        SELECT number, outcome, granted_at FROM send_attempts
        WHERE tenant_id = c.tenant_id AND message_id = c.message_id AND number = n LIMIT 1
      ) e
    `;

/** Ids of messages, each with the id of its transition. */
export const claimColumns = new Columns<string>(
  { message_id: ['uuid', (id) => id], transition_id: ['uuid', newRecordId] },
  3,
);

// Claimed rows join others by their own tenant: with `$1` there as well, a plan made for few rows reads the tenant's whole history.
/**
 * $1 tenant, $2 lease in ms, `claimColumns` → what to send and where. Grants are stamped here, under
 * the tenant lock. Taken for the first time, a message becomes SENDING; a retry stays so. `failedAttempts` leaves out those that a
 * paused instance refused, and those before an operator retried the message.
 */
export const claimMessages: NamedStatement = {
  name: 'claim-messages',
  text: `WITH claimed AS (
      UPDATE outbox_entries o SET lease_until = now() + $2::int * interval '1 ms', attempt_count = attempt_count + 1
      FROM ${claimColumns.rows('w')}
      WHERE o.tenant_id = $1 AND o.message_id = w.message_id AND o.message_id = ANY(${claimColumns.array('message_id')})
      RETURNING o.*, w.transition_id
    ), granted AS (
      INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
      SELECT tenant_id, message_id, attempt_count, clock_timestamp() FROM claimed
    ), sending AS (
      UPDATE messages m SET status = 'SENDING', error_code = NULL, error_message = NULL FROM claimed c
      WHERE m.tenant_id = c.tenant_id AND m.id = c.message_id AND m.status = 'QUEUED' RETURNING m.id, c.transition_id
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, from_status, to_status, source, occurred_at)
      SELECT $1, transition_id, id, 'QUEUED', 'SENDING', 'worker', now() FROM sending
    )
    SELECT m.id, m.lead_id AS "leadId", m.instance_id AS "instanceId", m.type, m.body, m.media,
      m.channel_template AS "channelTemplate", CASE WHEN m.channel_template IS NULL AND ${hasReplyWindow('i')}
        THEN coalesce(extract(epoch FROM ${windowClosesAt('c.tenant_id', 'm.lead_id', 'm.instance_id')} - now()) * 1000, 0)::float
      END AS "windowLeftMs",
      m.reply_to_external_id AS "replyTo", ${needsConsent} AS "needsConsent", l.chat, c.attempt_count AS attempt, a.failed AS "failedAttempts",
      least(c.unconfirmed_since, a.unanswered_at) AS "unconfirmedSince", c.unconfirmed_since IS NOT NULL AS "wasUnanswered",
      m.external_id AS "reservedId", m.status NOT IN ('QUEUED', 'SENDING') AS "isReported",
      m.id = ANY(ARRAY(SELECT id FROM sending)) AS "isFirstTake",
      i.provider, i.instance_name AS "instanceName", i.base_url AS "baseUrl", i.token_ciphertext AS "tokenCiphertext",
      i.metadata->>'phoneNumberId' AS "phoneNumberId", i.metadata->>'apiVersion' AS "apiVersion",
      i.outbound_paused_until IS NOT NULL AS "wasPaused", i.deleted_at IS NOT NULL AS "isInstanceDeleted",
      coalesce(i.health_code = 'UNREACHABLE', false) AS "isUnreachable"
    FROM claimed c
    JOIN messages m ON m.tenant_id = c.tenant_id AND m.id = c.message_id
    JOIN leads l ON l.tenant_id = c.tenant_id AND l.id = c.lead_id
    JOIN chat_instances i ON i.tenant_id = c.tenant_id AND i.id = c.instance_id
    CROSS JOIN LATERAL (${attemptsBefore}) a
    ORDER BY c.priority, c.position`,
};

/** $1 tenant, $2 message → the number of an attempt to react to it. Under the tenant lock. It never counts as an attempt to send it. */
export const grantReaction: NamedStatement = {
  name: 'grant-reaction',
  text: `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at, outcome, detail)
    SELECT $1, $2, least(0, min(number)) - 1, clock_timestamp(), 'retried', 'a reaction to the message'
    FROM send_attempts WHERE tenant_id = $1 AND message_id = $2
    RETURNING number`,
};

/** $1 tenant, $2 message, $3 number. */
export const finishReaction: NamedStatement = {
  name: 'finish-reaction',
  text: `UPDATE send_attempts SET finished_at = clock_timestamp() WHERE tenant_id = $1 AND message_id = $2 AND number = $3`,
};

/**
 * $1 tenant → in how many ms something of it may become due by itself: a retry, a worker's lease, a time it was scheduled for, the
 * end of a pause. Null: nothing will. A lease that has ended is due already, and waits for its instance if it was not claimed.
 */
export const selectNextDue: NamedStatement = {
  name: 'select-next-due',
  text: `SELECT ceil(extract(epoch FROM least(
      (SELECT due_at FROM outbox_entries WHERE tenant_id = $1 AND attempt_count > 0 AND lease_until IS NULL AND due_at > now()
        ORDER BY due_at LIMIT 1),
      (SELECT min(lease_until) FROM outbox_entries WHERE tenant_id = $1 AND lease_until > now()),
      (SELECT min(scheduled_at) FROM outbox_entries WHERE tenant_id = $1 AND scheduled_at IS NOT NULL),
      (SELECT min(outbound_paused_until) FROM chat_instances WHERE tenant_id = $1 AND outbound_paused_until > now())
    ) - now()) * 1000)::float AS "inMs"`,
};

/** $1 tenant, $2 instance, $3 provider ids, $4 a message → those that another message has. */
export const selectExternalIdsOfOthers: NamedStatement = {
  name: 'select-external-ids-of-others',
  text: `SELECT external_id AS "externalId" FROM messages
    WHERE tenant_id = $1 AND instance_id = $2 AND external_id = ANY($3::text[]) AND id <> $4`,
};

/** Tenants with anything waiting: one step in the index for each, however long their backlogs are. */
export const selectWaitingTenants: NamedStatement = {
  name: 'select-waiting-tenants',
  text: `WITH RECURSIVE waiting AS (
      (SELECT tenant_id FROM outbox_entries ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT o.tenant_id FROM outbox_entries o WHERE o.tenant_id > w.tenant_id ORDER BY o.tenant_id LIMIT 1)
      FROM waiting w WHERE w.tenant_id IS NOT NULL
    )
    SELECT w.tenant_id AS "tenantId" FROM waiting w JOIN tenants t ON t.id = w.tenant_id WHERE t.is_active`,
};

/** $1 tenant, $2 messages, $3 code, $4 detail → those that now wait for an operator's decision, unless their status has changed since. */
export const leaveUnconfirmed: NamedStatement = {
  name: 'leave-unconfirmed',
  text: `UPDATE messages m SET error_code = $3, error_message = $4
    WHERE m.tenant_id = $1 AND m.id = ANY($2::uuid[]) AND m.status = 'SENDING' RETURNING ${snapshotColumns}`,
};

/**
 * Parts of the WITH of `storeAccepted`: ends the attempts of its `item` (tenant_id, id, attempt, ago_ms), and takes messages $2 of tenant
 * $1 out of the outbox.
 */
export const leaveOutbox = `finished AS (
      UPDATE send_attempts a SET finished_at = clock_timestamp() - i.ago_ms * interval '1 ms', outcome = 'accepted' FROM item i
      WHERE a.tenant_id = i.tenant_id AND a.message_id = i.id AND a.number = i.attempt
    ), left_the_outbox AS (
      DELETE FROM outbox_entries WHERE tenant_id = $1 AND message_id = ANY($2::uuid[])
    )`;
