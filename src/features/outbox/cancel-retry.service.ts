// Cancels an operator's accepted message while it waits, or retries it after it failed. Sending belongs to dispatcher.ts.

import { AppError, notFound } from '../../platform/errors.js';
import { isUuid } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { GatewayEndpoints } from '../chat-instances/gateway-endpoints.js';
import type { LeadService } from '../leads/lead.service.js';
import { numberNotOnNetworkCode } from '../../providers/chat-gateway.js';
import { forgetAbsentNumber } from './channel-number/channel-number.sql.js';
import { dispatchOutboundJob } from './outbox.jobs.js';
import { optedOut } from './send.service.js';
import {
  cancelUnsent,
  canceledColumns,
  endFailedWaiting,
  lockMessage,
  lockWaiting,
  requeueMessage,
  selectRetriable,
  type RetriableRow,
} from './cancel-retry.sql.js';
import { outboxEntry } from './outbox.sql.js';
import { emitStatusChanged } from '../messages/status.service.js';
import { asQueued, type MessageRow, type MessageService } from '../messages/message.service.js';
import { windowClosed } from '../messages/reply-window/reply-window.service.js';
import type { MessageAtChange } from '../messages/message.sql.js';

/** The error of a send whose answer was lost and cannot be looked up: an operator decides. */
export const sendUnconfirmed = 'SEND_UNCONFIRMED';

export interface CancelRetryOptions {
  transactor: Transactor;
  queue: Queue;
  leads: LeadService;
  messages: MessageService;
  endpoints: GatewayEndpoints;
}

export class CancelRetryService {
  constructor(private readonly options: CancelRetryOptions) {}

  /**
   * Cancels a message that waits for its turn, its time or its next attempt. No worker may have claimed it, and it must certainly not have
   * been sent. Safe to repeat.
   * @throws AppError NOT_FOUND; CONFLICT for any other message, saying how far it is
   */
  async cancel(principal: Principal | undefined, id: string): Promise<MessageRow> {
    const user = requireUser(principal);
    if (!isUuid(id)) throw notFound('message');
    await this.options.transactor.run(user.tenantId, async (tx) => {
      // The entry is locked before the message, as a worker locks the two.
      const [entry] = await tx.query<{ isUntaken: boolean }>(lockWaiting, [tx.tenantId, id]);
      if (entry?.isUntaken !== true) return;
      const [canceled] = await tx.query<MessageAtChange>(cancelUnsent, [
        tx.tenantId,
        ...canceledColumns.valuesOf([{ id }]),
      ]);
      // Messages that waited behind it may leave now.
      if (canceled === undefined) return;
      await this.options.leads.withdrawAnswers(tx, [canceled]);
      await this.announce(tx, canceled);
    });
    const message = await this.get(user, id);
    if (message.status !== 'CANCELED') throw conflict(reasonNotToCancel(message));
    return message;
  }

  /**
   * Sends a message again that failed, or whose answer was lost and cannot be looked up. It goes to the end of the
   * queue, under the same idempotency key or reserved id. Safe to repeat: one that is QUEUED stays as it is.
   * @throws AppError NOT_FOUND; CONFLICT for any other message, saying how far it is, for one that the gateway accepted after we had
   * given it up, or accepted and reported as failed later (under the same key it would answer with its first result), and where its
   * instance was deleted; OPTED_OUT and WINDOW_CLOSED as for sendMessage
   */
  async retry(principal: Principal | undefined, id: string): Promise<MessageRow> {
    const user = requireUser(principal);
    if (!isUuid(id)) throw notFound('message');
    const isRequeued = await this.options.transactor.run(user.tenantId, async (tx) => {
      await tx.query(endFailedWaiting, [tx.tenantId, id]);
      // The message is read after the lock: the locking statement itself can see too early a state.
      await tx.query(lockMessage, [tx.tenantId, id]);
      const [message] = await tx.query<RetriableRow>(selectRetriable, [tx.tenantId, id]);
      if (message === undefined) throw notFound('message');
      if (message.status === 'QUEUED') return false;
      const { endpoints } = this.options;
      const keepsId = endpoints.reservesIds(message.provider) && hasUnusedId(message);
      const reason = reasonNotToRetry(message, keepsId, endpoints.honoursKeys(message.provider));
      if (reason !== undefined) throw conflict(reason);
      if (message.isRefused) throw optedOut();
      if (message.isWindowClosed) throw windowClosed();
      const { leadId, instanceId, status, errorCode } = message;
      const entry = outboxEntry.valuesOf({ messageId: id, leadId, instanceId });
      const values = [tx.tenantId, newRecordId(), ...entry, status, keepsId];
      const [requeued] = await tx.query<MessageAtChange>(requeueMessage, values);
      if (requeued === undefined) return true;
      // The gateway is asked again: the lead may have joined the network since.
      if (errorCode === numberNotOnNetworkCode) await tx.query(forgetAbsentNumber, [tx.tenantId, leadId]);
      // The message is an answer to the lead again.
      if (status === 'FAILED') await this.options.leads.restoreAnswers(tx, [requeued]);
      await this.announce(tx, requeued);
      return true;
    });
    const message = await this.get(user, id);
    // The message is shown as it was accepted: a worker may have taken it meanwhile.
    return isRequeued ? asQueued(message) : message;
  }

  private async announce(tx: Transaction, snapshot: MessageAtChange): Promise<void> {
    await this.options.queue.send(tx, dispatchOutboundJob, { tenantId: tx.tenantId });
    emitStatusChanged(tx, snapshot);
  }

  private async get(user: UserPrincipal, id: string): Promise<MessageRow> {
    const message = await this.options.messages.find(user, id);
    if (message === null) throw notFound('message');
    return message;
  }
}

function reasonNotToCancel({ status }: MessageRow): string {
  if (status === null) return 'The lead wrote this message: only what we send can be canceled';
  const isHandedOver = status === 'QUEUED' || status === 'SENDING';
  if (isHandedOver) return `The message is ${status}: it was handed to the gateway, or is being handed over right now`;
  return `The message is ${status}: only what still waits can be canceled`;
}

function reasonNotToRetry(message: RetriableRow, keepsId: boolean, honoursKeys: boolean): string | undefined {
  const { status, errorCode, externalId, isWaiting, isInstanceDeleted, failedBy } = message;
  if (status === null) return 'The lead wrote this message: only what we send can be sent again';
  const isUndecided = status === 'SENDING' && errorCode === sendUnconfirmed && !isWaiting;
  if (status !== 'FAILED' && !isUndecided) return `The message is ${status}: only what failed can be sent again`;
  if (status === 'FAILED' && isWaiting) return 'Its last attempt has no answer yet: try again in a moment';
  if (externalId !== null && !keepsId && failedBy !== 'gateway')
    return 'The gateway accepted the message after we had given it up: sent again, the lead would get it twice';
  if (externalId !== null && honoursKeys)
    return 'The gateway accepted the message, and would answer the same key with that once more: send a new message';
  if (isInstanceDeleted) return 'The chat instance of this message was deleted: send a new message through another one';
  return undefined;
}

/** The gateway has reserved an id for it, and is not known to have accepted it: it is sent again under that id, so that it arrives once. */
function hasUnusedId({ externalId, wasAccepted, failedBy }: RetriableRow): boolean {
  return externalId !== null && !wasAccepted && failedBy !== 'gateway';
}

function conflict(detail: string): AppError {
  return new AppError('CONFLICT', detail);
}
