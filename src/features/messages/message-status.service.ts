// A message's status: changed by one conditional update, applied only when its rank rises (contract, section 6).
// A report for a provider id that is not known yet is parked until the send's answer stores that id.

import { v7 as uuidv7 } from 'uuid';
import type { NamedStatement } from '../../platform/database.js';
import type { Transaction } from '../../platform/transaction.js';
import {
  changeStatusByExternalId,
  changeStatusById,
  insertParkedStatus,
  lockExternalId,
  storeExternalId,
  takeParkedStatuses,
} from './message.sql.js';
import type { MessageSnapshot } from './message.sql.js';

export type MessageStatus = 'QUEUED' | 'SENDING' | 'SENT' | 'DELIVERED' | 'READ' | 'FAILED' | 'CANCELED';

export interface StatusChange {
  status: MessageStatus;
  /** By the reporter's clock; a time in the future counts as now. */
  occurredAt: Date;
  source: 'user' | 'worker' | 'gateway';
  providerCode?: string | null | undefined;
  detail?: string | null | undefined;
}

export interface ProviderReport extends StatusChange {
  instanceId: string;
  externalId: string;
}

export type StatusOutcome =
  { outcome: 'applied' | 'ignored'; messageId: string } | { outcome: 'parked'; messageId: null };

export class MessageStatusService {
  /** Applies, ignores or parks what a gateway reported. Emits MESSAGE_STATUS_CHANGED when applied. Safe to repeat. */
  async report(tx: Transaction, report: ProviderReport): Promise<StatusOutcome> {
    const keys = [report.instanceId, report.externalId];
    const known = await this.change(tx, changeStatusByExternalId, report, keys);
    if (known !== undefined) return known;
    // The send's answer may be storing this id right now: under the lock, one of the two sees the other's work.
    await tx.query(lockExternalId, keys);
    const arrived = await this.change(tx, changeStatusByExternalId, report, keys);
    if (arrived !== undefined) return arrived;
    const { status, providerCode, detail, occurredAt } = report;
    await tx.query(insertParkedStatus, [
      tx.tenantId,
      uuidv7(),
      ...keys,
      status,
      providerCode ?? null,
      detail ?? null,
      occurredAt,
    ]);
    return { outcome: 'parked', messageId: null };
  }

  /** Changes the status of a message of ours. Emits MESSAGE_STATUS_CHANGED when applied. */
  async set(tx: Transaction, messageId: string, change: StatusChange): Promise<void> {
    await this.change(tx, changeStatusById, change, [messageId]);
  }

  /** Marks a message SENT under its provider id, and applies what was reported before that id was known. */
  async setSent(tx: Transaction, message: { id: string; instanceId: string }, externalId: string): Promise<void> {
    const keys = [message.instanceId, externalId];
    await tx.query(lockExternalId, keys);
    await tx.query(storeExternalId, [tx.tenantId, message.id, externalId]);
    await this.set(tx, message.id, { status: 'SENT', occurredAt: new Date(), source: 'worker' });
    const parked = await tx.query<Omit<StatusChange, 'source'>>(takeParkedStatuses, [tx.tenantId, ...keys]);
    for (const change of parked) await this.set(tx, message.id, { ...change, source: 'gateway' });
  }

  private async change(
    tx: Transaction,
    statement: NamedStatement,
    change: StatusChange,
    keys: string[],
  ): Promise<{ outcome: 'applied' | 'ignored'; messageId: string } | undefined> {
    const { status, occurredAt, providerCode = null, detail = null, source } = change;
    const [row] = await tx.query<MessageSnapshot & { targetId: string; applied: boolean }>(statement, [
      tx.tenantId,
      status,
      occurredAt,
      providerCode,
      detail,
      uuidv7(),
      source,
      ...keys,
    ]);
    if (row === undefined) return undefined;
    const { targetId, applied, ...snapshot } = row;
    if (applied) emitStatusChanged(tx, snapshot);
    return { outcome: applied ? 'applied' : 'ignored', messageId: targetId };
  }
}

/** The event of a status change, with the message as it then was. */
export function emitStatusChanged(tx: Transaction, snapshot: MessageSnapshot): void {
  tx.emit({ type: 'MESSAGE_STATUS_CHANGED', messageId: snapshot.id, leadId: snapshot.leadId, data: snapshot });
}
