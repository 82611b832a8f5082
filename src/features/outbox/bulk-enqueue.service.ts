// Queues many messages in one transaction of the caller, and takes back those that no worker has taken. send.service.ts queues an
// operator's message to one lead. rate-limited-claim.service.ts decides what may leave when.

import { Columns, Row } from '../../platform/database/columns.js';
import type { NamedStatement } from '../../platform/database/database.js';
import { invalidField, notFound } from '../../platform/errors.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { ChatInstanceService } from '../chat-instances/chat-instance.service.js';
import { holdInstance } from '../chat-instances/chat-instance.sql.js';
import type { LeadService } from '../leads/lead.service.js';
import { recordBulkMessages } from '../leads/lead.sql.js';
import { lockTenant } from '../tenants/tenant.sql.js';
import { endingDoubles } from './doubled-bulk.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import { raiseBeforeAll } from './rate-limited-claim.service.js';
import { unsent, type MessageAtChange } from '../messages/message.sql.js';
import { emitCreated, emitStatusChanged } from '../messages/status.service.js';
import { cancelUnsent, canceledColumns, joinByHash, lockUntaken, selectOpenOfBulkSend } from './cancel-retry.sql.js';
import type { EarlyMessage } from './outbox.sql.js';

/** Across leads, a message with a lower priority leaves first: an operator's reply has 0. */
export const bulkPriority = 10;

/** A text to one lead. */
export interface QueuedText {
  leadId: string;
  body: string;
  /** The network's template to send, as JSON. */
  channelTemplate?: string | undefined;
}

/** The common terms of many messages. */
export interface QueueTerms {
  bulkSendId: string;
  instanceId: string;
  authorId: string;
  /** Null for texts of a channel template. */
  templateId: string | null;
  templateVersion: number | null;
  /** The earliest time at which they leave; null: at once. */
  sendAt: Date | null;
}

export interface BulkEnqueueOptions {
  queue: Queue;
  leads: LeadService;
  chatInstances: ChatInstanceService;
}

interface HeldInstance {
  id: string;
  hasReplyWindow: boolean;
}

type Queued = QueuedText & { id: string };
/** A text with its message's position in the conversation. */
type Placed = Queued & { position: string };

interface InsertedText {
  id: string;
  position: string;
  /** The place of the statement's first message in the queue. */
  place: string;
}

// A statement of this many rows holds no other statement of the connection up, and costs little more for each row than a larger one.
const rowsPerStatement = 1_000;

export class BulkEnqueueService {
  constructor(private readonly options: BulkEnqueueOptions) {}

  /**
   * The instance that messages go through: the wanted one, or the tenant's default, and whether its network has a reply window. It is
   * not deleted while the transaction lasts.
   * @throws AppError NOT_FOUND for one that the tenant has not; VALIDATION_FAILED where it has none at all
   */
  async holdInstance(tx: Transaction, wanted: string | null): Promise<HeldInstance> {
    const known = await this.options.chatInstances.listKnown(tx, tx.tenantId);
    const chosen = wanted === null ? known[0] : known.find(({ id }) => id === wanted);
    if (chosen === undefined && wanted === null)
      throw invalidField('instanceId', 'this tenant has no chat instance yet');
    const [held] = chosen === undefined ? [] : await tx.query<HeldInstance>(holdInstance, [tx.tenantId, chosen.id]);
    if (held === undefined) throw notFound('chat instance');
    return held;
  }

  /**
   * Queues texts as messages of a bulk send, in their order, behind what operators write: messages, transitions, outbox, the leads'
   * newest bulk messages (which leaves the inbox in its order), one job, and MESSAGE_CREATED and MESSAGE_STATUS_CHANGED for each.
   */
  async enqueue(tx: Transaction, texts: readonly QueuedText[], terms: QueueTerms): Promise<void> {
    const queued: Placed[] = [];
    let place: string | undefined;
    for (const chunk of chunksOf(texts)) {
      const messages = chunk.map((text) => ({ ...text, id: newRecordId() }));
      const rows = await this.insert(tx, messages, terms);
      place ??= rows[0]?.place;
      const positions = new Map(rows.map(({ id, position }) => [id, position]));
      for (const message of messages) queued.push({ ...message, position: positions.get(message.id) ?? unplaced() });
    }
    const moved = await this.recordMessages(tx, queued);
    await this.yieldToReplies(tx, place);
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
    const { instanceId } = terms;
    for (const { id, leadId } of queued)
      emitCreated(tx, { ...unsent, id, leadId: moved.get(id) ?? leadId, instanceId, status: 'QUEUED' });
    if (moved.size > 0) await endingDoubles(this.options.queue)(tx, [...new Set(moved.values())]);
  }

  /**
   * Cancels the messages of a bulk send that wait for their turn, their time or their next attempt. Messages that a worker has claimed, or
   * that may have been sent, go on. Emits MESSAGE_STATUS_CHANGED for each that is canceled. Safe to repeat.
   */
  async cancelUntaken(tx: Transaction, bulkSendId: string): Promise<void> {
    // Claims take this tenant lock, too. Without it, entries that a claim only reads would seem claimed, or each would wait for the other.
    await tx.query(lockTenant, [tx.tenantId]);
    await tx.query(joinByHash, []);
    const open = await tx.query<{ id: string }>(selectOpenOfBulkSend, [tx.tenantId, bulkSendId]);
    const untaken: { id: string }[] = [];
    for (const chunk of chunksOf(open))
      untaken.push(...(await tx.query<{ id: string }>(lockUntaken, [tx.tenantId, chunk.map(({ id }) => id)])));
    if (untaken.length === 0) return;
    for (const chunk of chunksOf(untaken)) {
      const values = [tx.tenantId, ...canceledColumns.valuesOf(chunk)];
      for (const snapshot of await tx.query<MessageAtChange>(cancelUnsent, values)) emitStatusChanged(tx, snapshot);
    }
    // Messages that waited behind them may leave now.
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
  }

  // A reply that was accepted meanwhile waits for its lead's earlier messages only: they go as early as it does.
  private async yieldToReplies(tx: Transaction, place: string | undefined): Promise<void> {
    await raiseBeforeAll(tx, await tx.query<EarlyMessage>(selectRepliesSince, [tx.tenantId, bulkPriority, place]));
  }

  private async insert(tx: Transaction, messages: readonly Queued[], terms: QueueTerms): Promise<InsertedText[]> {
    const values = [
      tx.tenantId,
      bulkPriority,
      terms.sendAt,
      ...commonRow.valuesOf(terms),
      ...queuedColumns.valuesOf(messages),
    ];
    return tx.query<InsertedText>(insertQueuedTexts, values);
  }

  /** @returns the messages whose lead was merged meanwhile, with the leads they have now */
  private async recordMessages(tx: Transaction, queued: readonly Placed[]): Promise<Map<string, string>> {
    // Leads are locked in one order over all chunks: two of these calls, or a call and a merge, never lock leads in opposite order.
    const byLead = queued.toSorted((one, other) => (one.leadId < other.leadId ? -1 : 1));
    const unrecorded = new Set<string>();
    for (const chunk of chunksOf(byLead)) {
      const columns = [
        chunk.map(({ leadId }) => leadId),
        chunk.map(({ id }) => id),
        chunk.map(({ position }) => position),
      ];
      const rows = await tx.query<{ leadId: string }>(recordBulkMessages, [tx.tenantId, ...columns]);
      for (const { leadId } of rows) unrecorded.add(leadId);
    }
    const left = queued.filter(({ leadId }) => unrecorded.has(leadId));
    const written = left.map(({ id, leadId, position }) => ({ leadId, messageId: id, position, unread: false }));
    return this.options.leads.recordMessages(tx, written, 'bulk');
  }
}

function unplaced(): never {
  throw new Error('a message that was just written has no position');
}

function* chunksOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rowsPerStatement)
    yield items.slice(start, start + rowsPerStatement);
}

/** The common columns of the messages' rows. */
const commonRow = new Row<QueueTerms>(
  {
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    author_id: ['uuid', ({ authorId }) => authorId],
    template_id: ['uuid', ({ templateId }) => templateId],
    template_version: ['int', ({ templateVersion }) => templateVersion],
    bulk_send_id: ['uuid', ({ bulkSendId }) => bulkSendId],
  },
  4,
);

const queuedColumns = new Columns<Queued>(
  {
    id: ['uuid', ({ id }) => id],
    lead_id: ['uuid', ({ leadId }) => leadId],
    body: ['text', ({ body }) => body],
    transition_id: ['uuid', newRecordId],
    channel_template: ['jsonb', ({ channelTemplate }) => channelTemplate],
  },
  commonRow.next,
);

/**
 * $1 tenant, $2 priority, $3 when to leave (null, or past: at once), `commonRow`, `queuedColumns` in the order of acceptance →
 * `InsertedText` of each.
 */
const insertQueuedTexts: NamedStatement = {
  name: 'insert-queued-texts',
  text: `WITH item AS (
      SELECT * FROM ${queuedColumns.rows('i')}
    ), written AS (
      INSERT INTO messages (tenant_id, id, lead_id, ${commonRow.names}, direction, status, type, body, scheduled_for,
        channel_template)
      SELECT $1, id, lead_id, ${commonRow.values}, 'OUTBOUND', 'QUEUED',
        CASE WHEN channel_template IS NULL THEN 'text' ELSE 'template' END, body,
        CASE WHEN $3::timestamptz > now() THEN $3::timestamptz END, channel_template FROM item
      RETURNING id, position
    ), explained AS (
      INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
      SELECT $1, transition_id, id, 'QUEUED', 'user', now() FROM item
    ), waiting AS (
      INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, priority, scheduled_at)
      SELECT $1, id, lead_id, ${commonRow.value('instance_id')}, $2, CASE WHEN $3::timestamptz > now() THEN $3::timestamptz END
      FROM item
      RETURNING position
    )
    SELECT id, position, (SELECT min(position) FROM waiting) AS place FROM written`,
};

/**
 * $1 tenant, $2 priority, $3 place in the queue → the leads with a reply that was accepted while messages of that priority were being
 * queued, from that place on, and its priority and place. Under the locks of their leads.
 */
const selectRepliesSince: NamedStatement = {
  name: 'select-replies-since',
  text: `SELECT o.lead_id AS "leadId", min(o.priority) AS priority, max(o.position) AS position
    FROM chat_instances i CROSS JOIN LATERAL (
      SELECT lead_id, priority, position FROM outbox_entries
      WHERE tenant_id = $1 AND instance_id = i.id AND scheduled_at IS NULL AND priority < $2 AND position > $3
    ) o
    WHERE i.tenant_id = $1 GROUP BY o.lead_id`,
};
