// Changes the status of messages, where its rank rises: status-rank.sql.ts has that rule.
// A report for a provider id that is not known yet is parked until the send's answer stores that id.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { LeadService } from '../leads/lead.service.js';
import { externalKeyColumns, type ChangedMessage, type MessageAtChange } from './message.sql.js';
import {
  changedMessage,
  changedMessages,
  changeRow,
  changeStatus,
  changeStatuses,
  changeStatusesByExternalId,
  statusReportColumns,
  type MessageStatus,
  type StatusChange,
} from './status-rank.sql.js';
import {
  acceptedColumns,
  insertParkedStatuses,
  lockExternalIds,
  namedMessageColumns,
  parkedColumns,
  storeAccepted,
  takeParkedOfMany,
  type AcceptedSend,
  type NamedMessage,
  type ParkedReport,
} from './status.sql.js';
import type { ParkedChange } from './changes/change.sql.js';
import type { MessageChangeService } from './changes/change.service.js';
import type { ExternalKey } from './reported.js';

export type StatusOutcome =
  { outcome: 'applied' | 'ignored'; messageId: string } | { outcome: 'parked'; messageId: null };

interface ChangedRow extends ChangedMessage {
  position: number;
  targetId: string;
  applied: boolean;
}

/** A parked report for a message that exists now. */
type ParkedRow =
  ({ status: MessageStatus; messageId: string } & Omit<StatusChange, 'source'>) | ({ status: null } & ParkedChange);

type Waiting = [index: number, report: ParkedReport];

export class MessageStatusService {
  private readonly storeAccepted: NamedStatement;

  /** @param leaveOutbox parts of a WITH by which the outbox ends the attempts of accepted messages and removes their entries */
  constructor(
    leaveOutbox: string,
    private readonly changes: MessageChangeService,
    private readonly leads: Pick<LeadService, 'withdrawAnswers' | 'restoreAnswers'>,
  ) {
    this.storeAccepted = storeAccepted(leaveOutbox);
  }

  /**
   * Applies, ignores or parks reports of a gateway; outcomes in the reports' order. Several reports of one message count in their order.
   * Emits MESSAGE_STATUS_CHANGED for each applied report. Safe to repeat.
   */
  async report(tx: Transaction, reports: readonly ParkedReport[]): Promise<StatusOutcome[]> {
    const outcomes = new Map<number, StatusOutcome>();
    const unknown = await this.applyAll(tx, [...reports.entries()], outcomes);
    if (unknown.length > 0) {
      // A send's answer may be storing such an id at this moment. Under the lock, one of the two sees the other's work.
      await this.lockExternalIds(
        tx,
        unknown.map(([, report]) => report),
      );
      const early = await this.applyAll(tx, unknown, outcomes);
      await this.park(tx, early);
      for (const [index] of early) outcomes.set(index, { outcome: 'parked', messageId: null });
    }
    return reports.map((_, index) => outcomes.get(index) ?? missing());
  }

  /** Changes the status of outbound messages. Emits MESSAGE_STATUS_CHANGED for each message to which the change applies. */
  async set(tx: Transaction, messageIds: readonly string[], change: StatusChange): Promise<void> {
    const [first, ...others] = messageIds;
    if (first === undefined) return;
    const [statement, items] =
      others.length === 0
        ? [changeStatus, changedMessage.valuesOf(first)]
        : [changeStatuses, changedMessages.valuesOf(messageIds)];
    const values = [tx.tenantId, ...changeRow.valuesOf(change), ...items];
    const rows = await tx.query<ChangedMessage>(statement, values);
    for (const { movesAnswer: _movesAnswer, ...snapshot } of rows) emitStatusChanged(tx, snapshot);
    await this.moveAnswers(tx, rows);
  }

  /**
   * Marks messages SENT under their provider ids, takes them out of the outbox, and applies reports that came before their ids were known.
   * Emits MESSAGE_STATUS_CHANGED for each change that is applied.
   */
  async setSent(tx: Transaction, sends: readonly AcceptedSend[]): Promise<void> {
    if (sends.length === 0) return;
    await this.lockExternalIds(tx, sends);
    const values = [tx.tenantId, ...acceptedColumns.valuesOf(sends)];
    const sent = await tx.query<ChangedMessage>(this.storeAccepted, values);
    for (const { movesAnswer: _movesAnswer, ...snapshot } of sent) emitStatusChanged(tx, snapshot);
    await this.moveAnswers(tx, sent);
    await this.applyParked(tx, sends);
  }

  /** Applies reports that came before the messages' provider ids were known. A send has to hold the ids' locks. */
  async applyParked(tx: Transaction, messages: readonly NamedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const values = [tx.tenantId, ...namedMessageColumns.valuesOf(messages)];
    const parked = await tx.query<ParkedRow>(takeParkedOfMany, values);
    const changes: ParkedChange[] = [];
    for (const row of parked)
      if (row.status === null) changes.push(row);
      else await this.set(tx, [row.messageId], { ...row, source: 'gateway' });
    await this.changes.applyParked(tx, changes);
  }

  /** Keeps other transactions from parking a status for these ids, or storing one of the ids, until this transaction ends. */
  async lockExternalIds(tx: Transaction, keys: readonly ExternalKey[]): Promise<void> {
    await tx.query(lockExternalIds, [tx.tenantId, ...externalKeyColumns.valuesOf(keys)]);
  }

  /** @returns the reports whose message does not exist */
  private async applyAll(
    tx: Transaction,
    reports: readonly Waiting[],
    outcomes: Map<number, StatusOutcome>,
  ): Promise<Waiting[]> {
    const unknown: Waiting[] = [];
    // A statement changes a message once: the second report of a message goes into the next one.
    for (let rest = [...reports]; rest.length > 0;) {
      const { round, later } = takeRound(rest);
      const rows = await this.apply(
        tx,
        round.map(([, report]) => report),
      );
      const byPosition = new Map(rows.map((row) => [row.position, row]));
      for (const [position, entry] of round.entries()) {
        const row = byPosition.get(position);
        if (row === undefined) unknown.push(entry);
        else outcomes.set(entry[0], { outcome: row.applied ? 'applied' : 'ignored', messageId: row.targetId });
      }
      rest = later;
    }
    return unknown;
  }

  private async apply(tx: Transaction, reports: readonly ParkedReport[]): Promise<ChangedRow[]> {
    const values = [tx.tenantId, ...statusReportColumns.valuesOf(reports)];
    const rows = await tx.query<ChangedRow>(changeStatusesByExternalId, values);
    for (const row of rows) if (row.applied) emitStatusChanged(tx, toSnapshot(row));
    await this.moveAnswers(tx, rows);
    return rows;
  }

  // A failed message is no answer, until it is delivered after all; and a scheduled one is none until it was sent.
  private async moveAnswers(tx: Transaction, messages: readonly ChangedMessage[]): Promise<void> {
    const moved = messages.filter(({ movesAnswer }) => movesAnswer);
    const [failed, arrived] = [true, false].map((fails) =>
      moved.filter(({ status }) => (status === 'FAILED') === fails),
    );
    await this.leads.withdrawAnswers(tx, failed ?? []);
    await this.leads.restoreAnswers(tx, arrived ?? []);
  }

  private async park(tx: Transaction, reports: readonly Waiting[]): Promise<void> {
    if (reports.length === 0) return;
    const values = [tx.tenantId, ...parkedColumns.valuesOf(reports.map(([, report]) => report))];
    await tx.query(insertParkedStatuses, values);
  }
}

/** Splits reports into the first report of each message, and the others. */
function takeRound(reports: readonly Waiting[]): { round: Waiting[]; later: Waiting[] } {
  const round = new Map<string, Waiting>();
  const later: Waiting[] = [];
  for (const waiting of reports) {
    const key = `${waiting[1].instanceId}:${waiting[1].externalId}`;
    if (round.has(key)) later.push(waiting);
    else round.set(key, waiting);
  }
  return { round: [...round.values()], later };
}

function toSnapshot({
  position: _position,
  targetId: _targetId,
  applied: _applied,
  movesAnswer: _movesAnswer,
  ...snapshot
}: ChangedRow) {
  return snapshot satisfies MessageAtChange;
}

function missing(): never {
  throw new Error('a report has no outcome');
}

/** Emits the events of an outbound message that was queued here, or written on the phone, with the message's state at that time. */
export function emitCreated(tx: Transaction, message: MessageAtChange): void {
  const { instanceId, ...data } = message;
  tx.emit({ type: 'MESSAGE_CREATED', messageId: data.id, leadId: data.leadId, instanceId, data });
  emitStatusChanged(tx, message);
}

/** Emits the event of a status change, with the message's state at that time. */
export function emitStatusChanged(tx: Transaction, { instanceId, ...data }: MessageAtChange): void {
  tx.emit({ type: 'MESSAGE_STATUS_CHANGED', messageId: data.id, leadId: data.leadId, instanceId, data });
}
