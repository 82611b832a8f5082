// Keeps bulk and scheduled messages from leads that have opted out. An opt-out and a claim both hold the tenant lock until they commit: a
// claim after the opt-out sees it and ends the message; messages of an earlier claim are waited for before the opt-out is acknowledged.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { OptOutAnswer } from '../consent/consent-intake.service.js';
import type { OptOutEffects } from '../consent/consent.service.js';
import type { LeadService } from '../leads/lead.service.js';
import { unsent, type MessageAtChange } from '../messages/message.sql.js';
import { emitCreated, emitStatusChanged } from '../messages/status.service.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import {
  answerColumns,
  endWaitingMessages,
  insertAnswers,
  selectOnTheWay,
  selectWithoutConsent,
} from './opted-out.sql.js';

export interface OptedOutOptions {
  database: Database;
  queue: Queue;
  leads: LeadService;
  /** The time in milliseconds between the certain end of a first attempt that needs consent and the end of its lease. */
  endsBeforeLeaseMs: number;
}

const canceled = { code: 'OPTED_OUT', detail: 'The lead has opted out of bulk and scheduled messages.' };
const unconfirmed = {
  code: 'SEND_UNCONFIRMED',
  detail:
    'It may have reached the lead: the lead opted out before the gateway had confirmed the message. It is not sent again',
};

const messagesPerStatement = 1_000;
const firstLookMs = 10;
const maxLookMs = 250;

export class OptedOutService implements OptOutEffects {
  constructor(private readonly options: OptedOutOptions) {}

  /** Implements `OptOutEffects.endWaiting`. Emits MESSAGE_STATUS_CHANGED for each message. Safe to repeat. */
  async endWaiting(tx: Transaction, leadIds: readonly string[]): Promise<void> {
    const waiting = await tx.query<{ id: string }>(selectWithoutConsent, [tx.tenantId, leadIds]);
    if (waiting.length === 0) return;
    await this.end(
      tx,
      waiting.map(({ id }) => id),
    );
    // Messages that waited behind them may leave now.
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
  }

  /** Ends messages that lack the consent that they need, and that no worker has. Emits MESSAGE_STATUS_CHANGED for each. */
  async end(tx: Transaction, messageIds: readonly string[]): Promise<void> {
    for (let start = 0; start < messageIds.length; start += messagesPerStatement) {
      const ids = messageIds.slice(start, start + messagesPerStatement);
      const outcomes = [canceled.code, canceled.detail, unconfirmed.code, unconfirmed.detail];
      const values = [tx.tenantId, ids, ids.map(() => newRecordId()), ...outcomes];
      const ended = await tx.query<MessageAtChange>(endWaitingMessages, values);
      await this.options.leads.withdrawAnswers(tx, ended);
      for (const snapshot of ended) emitStatusChanged(tx, snapshot);
    }
  }

  /**
   * Queues a text to each of these leads, ahead of bulk, without an author. It does not count as an answer to the lead. Emits
   * MESSAGE_CREATED and MESSAGE_STATUS_CHANGED for each.
   */
  async answer(tx: Transaction, answers: readonly OptOutAnswer[], text: string): Promise<void> {
    const values = [tx.tenantId, text, ...answerColumns.valuesOf(answers)];
    const queued = await tx.query<OptOutAnswer & { id: string; position: string }>(insertAnswers, values);
    if (queued.length === 0) return;
    await this.options.leads.recordMessages(
      tx,
      queued.map(({ id, leadId, position }) => ({ leadId, messageId: id, position, unread: false, answers: false })),
    );
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
    for (const { id, leadId, instanceId } of queued)
      emitCreated(tx, { ...unsent, id, leadId, instanceId, status: 'QUEUED' });
  }

  /**
   * Implements `OptOutEffects.untilNothingLeaves`. It waits for a gateway's answer at most, and, where a worker died, until its send has
   * certainly ended.
   */
  async untilNothingLeaves(tenantId: string, leadIds: readonly string[]): Promise<void> {
    if (leadIds.length === 0) return;
    const values = [tenantId, leadIds, this.options.endsBeforeLeaseMs];
    const isOnTheWay = async () => (await this.options.database.query(selectOnTheWay, values)).length > 0;
    for (let waitMs = firstLookMs; await isOnTheWay(); waitMs = Math.min(2 * waitMs, maxLookMs)) await delay(waitMs);
  }
}
