// What may leave now, and what became of it: the tenant's limit, leases, retries and final statuses, all in PostgreSQL.
// When to ask, and the sending itself, belong to outbound.dispatcher.ts.

import { v7 as uuidv7 } from 'uuid';
import type { SendResult } from '../../clients/chat-gateway.js';
import type { Database } from '../../platform/database.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import type { MessageStatusService } from './message-status.service.js';
import { emitStatusChanged } from './message-status.service.js';
import {
  claimMessages,
  deleteOutboxEntry,
  finishAttempt,
  lockOutboxEntry,
  lockTenantLimit,
  measureWindow,
  postponeOutboxEntry,
  selectDue,
  selectNextDue,
  selectWaitingTenants,
} from './outbound.sql.js';
import { maxAttempts, retryDelayMs } from './retry-policy.js';

/** A message in this worker's hands until its lease ends. */
export interface ClaimedMessage {
  id: string;
  leadId: string;
  instanceId: string;
  type: string;
  body: string | null;
  media: object | null;
  replyTo: string | null;
  chat: string | null;
  /** From 1. */
  attempt: number;
  provider: string;
  instanceName: string;
  baseUrl: string | null;
  tokenCiphertext: Uint8Array | null;
}

export interface Claim {
  messages: ClaimedMessage[];
  /** When asking again can bring more: a place in the window opens, a retry is due, a lease ends. Undefined: nothing waits. */
  nextInMs: number | undefined;
}

export interface OutboundOptions {
  database: Database;
  transactor: Transactor;
  statuses: MessageStatusService;
  /** A claimed message is presumed abandoned after this; longer than a send can take. */
  leaseMs: number;
}

type RefusedSend = Exclude<SendResult, { outcome: 'accepted' }>;

// Where every place is held by a send without an answer: another process's answers ring no bell here.
const unansweredPollMs = 100;

export class OutboundService {
  constructor(private readonly options: OutboundOptions) {}

  /** Takes at most `limit` messages that the tenant's limit permits to leave now. */
  async claim(tenantId: string, limit: number): Promise<Claim> {
    return this.options.transactor.run(tenantId, async (tx) => {
      const { permits, opensInMs } = await this.measurePermits(tx, limit);
      if (permits === 0) return { messages: [], nextInMs: opensInMs };
      const due = await tx.query<{ messageId: string }>(selectDue, [tenantId, permits]);
      const messages = await this.take(
        tx,
        due.map((row) => row.messageId),
      );
      // As many as were permitted: there may be more, and the next claim says when.
      return { messages, nextInMs: due.length === permits ? 1 : await this.nextInMs(tx) };
    });
  }

  /**
   * Stores the gateway's answer: sent, to be tried again, or failed. That it was accepted counts whenever it is learned;
   * a refusal only while nobody else has taken the message up again.
   */
  async settle(tenantId: string, message: ClaimedMessage, result: SendResult): Promise<void> {
    await this.options.transactor.run(tenantId, async (tx) => {
      const detail = result.outcome === 'accepted' ? null : `${result.code}: ${result.detail}`;
      await tx.query(finishAttempt, [tenantId, message.id, message.attempt, result.outcome, detail]);
      if (result.outcome === 'accepted') await this.options.statuses.setSent(tx, message, result.externalId);
      else if (!(await this.settleRefusal(tx, message, result))) return;
      await tx.query(deleteOutboxEntry, [tenantId, message.id]);
    });
  }

  /** @returns whether that was the message's last attempt */
  private async settleRefusal(tx: Transaction, message: ClaimedMessage, result: RefusedSend): Promise<boolean> {
    const held = await tx.query(lockOutboxEntry, [tx.tenantId, message.id, message.attempt]);
    if (held.length === 0) return false;
    if (result.outcome === 'temporary' && message.attempt < maxAttempts) {
      const delayMs = retryDelayMs(message.attempt, result.retryAfterSeconds);
      await tx.query(postponeOutboxEntry, [tx.tenantId, message.id, delayMs]);
      return false;
    }
    const failure = { status: 'FAILED' as const, occurredAt: new Date(), source: 'worker' as const };
    await this.options.statuses.set(tx, message.id, { ...failure, providerCode: result.code, detail: result.detail });
    return true;
  }

  async listWaitingTenants(): Promise<string[]> {
    const rows = await this.options.database.query<{ tenantId: string }>(selectWaitingTenants);
    return rows.map((row) => row.tenantId);
  }

  private async measurePermits(tx: Transaction, limit: number): Promise<{ permits: number; opensInMs?: number }> {
    const [tenant] = await tx.query<{ max: number | null; durationMs: number | null }>(lockTenantLimit, [tx.tenantId]);
    if (tenant === undefined) return { permits: 0 };
    if (tenant.max === null || tenant.durationMs === null) return { permits: limit };
    const values = [tx.tenantId, tenant.durationMs, this.options.leaseMs];
    const [window] = await tx.query<{ held: number; opensInMs: number | null }>(measureWindow, values);
    const permits = Math.max(0, Math.min(limit, tenant.max - (window?.held ?? 0)));
    return { permits, opensInMs: Math.max(1, window?.opensInMs ?? unansweredPollMs) };
  }

  private async take(tx: Transaction, messageIds: string[]): Promise<ClaimedMessage[]> {
    if (messageIds.length === 0) return [];
    const rows = await tx.query<ClaimedMessage & { firstTaken: boolean }>(claimMessages, [
      tx.tenantId,
      messageIds,
      messageIds.map(() => uuidv7()),
      this.options.leaseMs,
    ]);
    for (const { id, leadId, firstTaken } of rows) {
      if (firstTaken) emitStatusChanged(tx, { ...unsent, id, leadId, status: 'SENDING' });
    }
    return rows;
  }

  private async nextInMs(tx: Transaction): Promise<number | undefined> {
    const [next] = await tx.query<{ inMs: number }>(selectNextDue, [tx.tenantId]);
    return next === undefined ? undefined : Math.max(1, next.inMs);
  }
}

const unsent = {
  externalId: null,
  errorCode: null,
  errorMessage: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
};
