// Ends the queued messages of a chat instance that is being deleted. A claimed message is left to its worker.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Queue } from '../../platform/jobs/queue.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { MessageAtChange } from '../messages/message.sql.js';
import { emitStatusChanged, type MessageStatusService } from '../messages/status.service.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import { leaveUnconfirmed, mayHaveLeft } from './outbox.sql.js';

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
    RETURNING o.message_id AS "messageId", m.status = 'SENDING' AND (o.unconfirmed_since IS NOT NULL OR ${mayHaveLeft()}) AS "maybeSent"`,
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
