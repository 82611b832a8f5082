// The outbox's services to other modules: it ends the queued messages of a chat instance that is being deleted, measures what waits, and
// deletes old attempts. A claimed message is left to its worker.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import type { OutboxReading } from '../../platform/observability/outbox-gauges.js';
import type { Pruner } from '../../platform/jobs/pruner.js';
import type { Queue } from '../../platform/jobs/queue.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { LeadContent } from '../leads/lead-content.js';
import { type MessageAtChange } from '../messages/message.sql.js';
import { countParkedStatuses } from '../messages/status.sql.js';
import { emitStatusChanged, type MessageStatusService } from '../messages/status.service.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import { leaveUnconfirmed } from './outbox.sql.js';

interface WaitingEntry {
  messageId: string;
  /** The message was handed over, and the result is unknown. */
  maybeSent: boolean;
}

/** $1 tenant, $2 instance → the messages that are not claimed, taken from the outbox. */
const takeWaiting: NamedStatement = {
  name: 'take-waiting-of-instance',
  text: `WITH waiting AS (
      SELECT message_id FROM outbox_entries
      WHERE tenant_id = $1 AND instance_id = $2 AND (lease_until IS NULL OR lease_until <= now())
      ORDER BY message_id FOR UPDATE
    )
    DELETE FROM outbox_entries o USING waiting w JOIN messages m ON m.tenant_id = $1 AND m.id = w.message_id
    WHERE o.tenant_id = $1 AND o.message_id = w.message_id
    RETURNING o.message_id AS "messageId", m.status = 'SENDING' AND (o.unconfirmed_since IS NOT NULL OR EXISTS (
      SELECT FROM send_attempts a WHERE a.tenant_id = $1 AND a.message_id = o.message_id AND a.outcome IS NULL)) AS "maybeSent"`,
};

const messagesPerStatement = 5_000;

const deleted = {
  status: 'FAILED',
  occurredAt: null,
  source: 'user',
  providerCode: 'INSTANCE_DELETED',
  detail: 'The chat instance was deleted before the message was sent. Send it through another one.',
} as const;
const unconfirmed = {
  code: 'SEND_UNCONFIRMED',
  detail:
    'It may have reached the lead: the chat instance was deleted before its gateway had confirmed it. Look at the chat, and send it again only if it is not there',
};

export class InstanceOutboxService {
  constructor(
    private readonly queue: Queue,
    private readonly statuses: MessageStatusService,
  ) {}

  /**
   * Takes all that waits to be sent through an instance from the outbox, scheduled messages included: FAILED with INSTANCE_DELETED,
   * or, if it may have been sent already, SENDING with SEND_UNCONFIRMED for an operator to decide on. Emits
   * MESSAGE_STATUS_CHANGED for each. Safe to repeat.
   */
  async endWaiting(tx: Transaction, instanceId: string): Promise<void> {
    const waiting = await tx.query<WaitingEntry>(takeWaiting, [tx.tenantId, instanceId]);
    if (waiting.length === 0) return;
    const idsWhere = (maybeSent: boolean) =>
      waiting.filter((entry) => entry.maybeSent === maybeSent).map((entry) => entry.messageId);
    const [lost, open] = [idsWhere(false), idsWhere(true)];
    await this.fail(tx, lost);
    const values = [tx.tenantId, open, unconfirmed.code, unconfirmed.detail];
    for (const left of await tx.query<MessageAtChange>(leaveUnconfirmed, values)) emitStatusChanged(tx, left);
    // Their leads' later messages, through other instances, need wait no longer.
    await this.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
  }

  // Messages fail in portions: one statement for a whole backlog could outlast the time that a statement has.
  private async fail(tx: Transaction, messageIds: readonly string[]): Promise<void> {
    for (let start = 0; start < messageIds.length; start += messagesPerStatement) {
      await this.statuses.set(tx, messageIds.slice(start, start + messagesPerStatement), deleted);
    }
  }
}

type TenantReading = OutboxReading['notable'][number];

const maxTenants = 1_000;
const maxRows = 50_000;
/** Tenants that are reported one by one: this many with most messages, and as many with the oldest. */
const notableTenants = 20;

export interface OutboxReadingOptions {
  database: Database;
  /** True if the tenant's rate limit leaves no room, as far as this process has seen. */
  isLimited: (tenantId: string) => boolean;
  /** $1 most endpoints → `oldestSeconds`: for how long the oldest delivery to a webhook endpoint has been due. */
  measureEndpoints: string;
}

export class OutboxReadingService {
  constructor(private readonly options: OutboxReadingOptions) {}

  /** Reads what waits: of all tenants together, and of a few notable ones. Takes a second at most, once it has a connection. */
  async read(): Promise<OutboxReading> {
    const { database, isLimited, measureEndpoints } = this.options;
    return database.transaction(async (sql) => {
      await sql.query(limitReadingTime);
      const tenants = await sql.query<TenantReading>(measureOutbox, [maxTenants, maxRows]);
      const [parked] = await sql.query<{ count: number }>(countParkedStatuses, [maxRows]);
      const [endpoints] = await sql.query<{ oldestSeconds: number }>(measureEndpoints, [maxTenants]);
      return {
        messages: tenants.reduce((sum, { messages }) => sum + messages, 0),
        tenants: tenants.length,
        limitedTenants: tenants.filter(({ tenantId }) => isLimited(tenantId)).length,
        oldestSeconds: tenants.reduce((oldest, { oldestSeconds }) => Math.max(oldest, oldestSeconds), 0),
        notable: notableOf(tenants),
        parkedStatuses: parked?.count ?? 0,
        endpointOldestSeconds: endpoints?.oldestSeconds ?? 0,
      };
    });
  }
}

function notableOf(tenants: readonly TenantReading[]): TenantReading[] {
  const first = (compare: (a: TenantReading, b: TenantReading) => number) =>
    tenants.toSorted(compare).slice(0, notableTenants);
  return [
    ...new Set([...first((a, b) => b.messages - a.messages), ...first((a, b) => b.oldestSeconds - a.oldestSeconds)]),
  ];
}

/**
 * $1 most tenants, $2 most messages of a tenant → what of each tenant waits (what is scheduled for later does not) and for how long it has
 * been due. Like selectWaitingTenants, it takes one step in the index for each tenant. Its messages are not sorted: that would read them
 * all.
 */
export const measureOutbox = `WITH RECURSIVE waiting AS (
    (SELECT tenant_id FROM outbox_entries ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.tenant_id FROM outbox_entries o WHERE o.tenant_id > w.tenant_id ORDER BY o.tenant_id LIMIT 1)
    FROM waiting w WHERE w.tenant_id IS NOT NULL
  ), tenant AS (
    SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL LIMIT $1::int
  )
  SELECT t.tenant_id AS "tenantId", o.messages,
    greatest(0, coalesce(extract(epoch FROM now() - o.due_at), 0))::float AS "oldestSeconds"
  FROM tenant t CROSS JOIN LATERAL (
    SELECT count(*)::int AS messages, min(due_at) AS due_at FROM (
      SELECT due_at, scheduled_at FROM outbox_entries WHERE tenant_id = t.tenant_id LIMIT $2::int
    ) o WHERE scheduled_at IS NULL
  ) o WHERE o.messages > 0`;

/** A statement of the reading ends after a second. */
export const limitReadingTime = `SET LOCAL statement_timeout = 1000`;

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

/** The statements on messages that wait to be sent to a lead. */
export const outboxOfLead: Omit<LeadContent['outbox'], 'endDoubles'> = {
  rows: { table: 'outbox_entries', key: 'message_id', listedIn: 'message_ids', makesList: false },
  isBeingSent: {
    name: 'is-lead-being-sent-to',
    text: `SELECT FROM outbox_entries
    WHERE tenant_id = $1 AND lead_id = $2 AND scheduled_at IS NULL AND lease_until > now() LIMIT 1`,
  },
  forgetAnswers: {
    name: 'forget-answers-to-sends',
    text: `UPDATE send_attempts a SET detail = NULL FROM messages m
    WHERE m.tenant_id = $1 AND m.lead_id = ANY($2::uuid[]) AND a.tenant_id = $1 AND a.message_id = m.id AND a.detail IS NOT NULL`,
  },
};

/**
 * $1 tenant, $2 hours, $3 limit → how many were deleted. A message that still waits keeps its attempts. Attempts of another day are not
 * written to any more, so the place of their rows holds for the length of the statement.
 */
export const deleteOldSendAttempts: NamedStatement = {
  name: 'delete-old-send-attempts',
  text: `WITH gone AS (
      DELETE FROM send_attempts WHERE ctid = ANY (ARRAY(
        SELECT a.ctid FROM send_attempts a
        WHERE a.tenant_id = $1 AND a.granted_at < now() - make_interval(hours => $2::int) AND a.granted_at > '-infinity'
          AND NOT EXISTS (
          SELECT FROM outbox_entries o WHERE o.tenant_id = a.tenant_id AND o.message_id = a.message_id)
        ORDER BY a.granted_at LIMIT $3 FOR UPDATE OF a SKIP LOCKED
      )) RETURNING message_id
    ) SELECT count(*)::int AS count FROM gone`,
};

// The longest window of a rate limit is a day. An attempt counts until its answer is as old, which is a little later.
const sendAttemptHours = 25;

/** Deletes attempts to send that no rate limit counts any more. @returns how many were deleted */
export function pruneSendAttempts(pruner: Pruner): Promise<number> {
  return pruner.runForTenants(deleteOldSendAttempts, [sendAttemptHours]);
}
