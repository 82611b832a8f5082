// Reactions, edits and deletions of messages at the network, as gateways report them. The newest by the provider's clock counts, in
// whatever order reports come. A report that comes before its message is parked.

import type { Transaction } from '../../../platform/database/transaction.js';
import { identityKeyOf, type WantedIdentity } from '../../leads/identity/lead-contact.js';
import { matchKeyOf } from '../../leads/identity/lead-identity.js';
import type { ChangeOf, LeadIdentity, ReportedChange } from '../../../providers/reported.js';
import { externalKeyColumns } from '../message.sql.js';
import { lockExternalIds } from '../status.sql.js';
import type { ExternalKey } from '../reported.js';
import {
  contentColumns,
  insertChanges,
  lockChangeTarget,
  lockChangeTargets,
  maxChangesKept,
  newChangeColumns,
  parkChanges,
  parkedChangeColumns,
  reactionColumns,
  selectLeadIdsOfIdentities,
  selectStoredReactions,
  writeContents,
  writeReactions,
  type ChangeTarget,
  type NewChange,
  type ParkedChange,
  type StoredReaction,
} from './change.sql.js';

/** A reported change whose instance is known. */
export interface ChangeReport extends ExternalKey {
  reported: ReportedChange;
  /** The time that stands in for a report without a time of its own: that of the call. */
  receivedAt: Date;
  /** The id of the webhook call's entry in the journal. */
  webhookCallId: string;
  /** True if the change was found in the gateway's history. */
  isPast?: boolean | undefined;
}

export type ChangeOutcome =
  { outcome: 'applied' | 'ignored'; messageId: string } | { outcome: 'parked'; messageId: null };

/** A change that is about to be judged. */
type Judged = ChangeOf & {
  direction: 'INBOUND' | 'OUTBOUND' | undefined;
  contact: readonly LeadIdentity[] | undefined;
  occurredAt: Date;
  /** True if the time is the provider's. */
  isTimed: boolean;
  /** True for a change from a history, which repeats known changes. Within one second, the stored change counts. */
  isPast: boolean;
  /** The user who reacts here; null for a report. */
  userId: string | null;
};

type Located = [index: number, change: Judged, target: ChangeTarget];

/** Called in the transaction for messages that their writers have deleted, so that upper modules remove their own data. */
export type OnDeletedMessages = (tx: Transaction, messageIds: readonly string[]) => Promise<void>;

export class MessageChangeService {
  constructor(private readonly onDeleted: OnDeletedMessages) {}

  /**
   * Applies, ignores or parks reports of a gateway; outcomes in the reports' order. Emits MESSAGE_UPDATED once for each message whose look
   * changes. It ignores reports that are older than the known state, and edits and deletions by another side than the writer's. It also
   * ignores changes that are said to come from another lead. Safe to repeat.
   */
  async report(tx: Transaction, reports: readonly ChangeReport[]): Promise<ChangeOutcome[]> {
    if (reports.length === 0) return [];
    const targets = await this.lockTargets(tx, reports);
    const early = reports.filter((report) => !targets.has(keyOf(report)));
    if (early.length > 0) {
      // The locks serve as they do for statuses: a send's answer that stores such an id sees the parked report, or this statement sees the
      // message.
      await tx.query(lockExternalIds, [tx.tenantId, ...externalKeyColumns.valuesOf(early)]);
      for (const [key, target] of await this.lockTargets(tx, early)) targets.set(key, target);
    }
    const located = reports.flatMap((report, index): Located[] => {
      const target = targets.get(keyOf(report));
      return target === undefined ? [] : [[index, toJudged(report), target]];
    });
    const applied = await this.apply(tx, located);
    await this.park(
      tx,
      early.filter((report) => !targets.has(keyOf(report))),
    );
    return reports.map((report, index): ChangeOutcome => {
      const target = targets.get(keyOf(report));
      if (target === undefined) return { outcome: 'parked', messageId: null };
      return { outcome: applied.has(index) ? 'applied' : 'ignored', messageId: target.id };
    });
  }

  /** Applies parked changes whose messages exist by now. */
  async applyParked(tx: Transaction, parked: readonly ParkedChange[]): Promise<void> {
    if (parked.length === 0) return;
    const targets = await this.lockTargets(tx, parked);
    const located = parked.toSorted(byTime).flatMap((change, index): Located[] => {
      const target = targets.get(keyOf(change));
      return target === undefined ? [] : [[index, fromParked(change), target]];
    });
    await this.apply(tx, located);
  }

  /** Stores a user's reaction to a message, which the gateway has taken. @returns false if the message is gone */
  async storeReaction(tx: Transaction, messageId: string, emoji: string | null, userId: string): Promise<boolean> {
    const [target] = await tx.query<ChangeTarget>(lockChangeTarget, [tx.tenantId, messageId]);
    if (target === undefined) return false;
    const [stored] = (await this.readReactions(tx, [messageId])).filter(({ fromLead }) => !fromLead);
    // The reaction is the newest one, whatever the clocks of gateway and database say.
    const occurredAt = new Date(Math.max(Date.now(), stored?.reactedAt.getTime() ?? 0));
    const change = { change: 'REACTION', emoji, isTimed: true, isPast: false } as const;
    const judged = { ...change, direction: 'OUTBOUND', contact: undefined, occurredAt, userId } as const;
    await this.apply(tx, [[0, judged, target]]);
    return true;
  }

  private async lockTargets(tx: Transaction, keys: readonly ExternalKey[]): Promise<Map<string, ChangeTarget>> {
    const rows = await tx.query<ChangeTarget>(lockChangeTargets, [tx.tenantId, ...externalKeyColumns.valuesOf(keys)]);
    return new Map(rows.map((target) => [keyOf(target), target]));
  }

  private readReactions(tx: Transaction, messageIds: readonly string[]): Promise<StoredReaction[]> {
    return tx.query<StoredReaction>(selectStoredReactions, [tx.tenantId, messageIds]);
  }

  /** Judges changes one after the other, under their messages' locks, and writes the results of all. @returns the applied changes */
  private async apply(tx: Transaction, located: readonly Located[]): Promise<Set<number>> {
    if (located.length === 0) return new Set();
    const isOfLead = await this.readSenders(tx, located);
    const ids = [...new Set(located.map(([, , { id }]) => id))];
    const hasReactions = located.some(([, { change }]) => change === 'REACTION');
    const sheet = new ChangeSheet(hasReactions ? await this.readReactions(tx, ids) : []);
    const applied = new Set<number>();
    for (const [index, change, target] of located)
      if (isOfLead(change, target) && sheet.judge(change, target)) applied.add(index);
    await this.write(tx, sheet);
    return applied;
  }

  private async write(tx: Transaction, { reactions, contents, changes, shown }: ChangeSheet): Promise<void> {
    const { tenantId } = tx;
    if (reactions.size > 0)
      await tx.query(writeReactions, [tenantId, ...reactionColumns.valuesOf([...reactions.values()])]);
    if (contents.size > 0)
      await tx.query(writeContents, [tenantId, ...contentColumns.valuesOf([...contents.values()])]);
    const deleted = [...contents.values()].filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id);
    if (deleted.length > 0) await this.onDeleted(tx, deleted);
    if (changes.length > 0) {
      const kept = [...Map.groupBy(changes, ({ messageId }) => messageId).values()];
      const rows = kept.flatMap((all) => all.slice(-maxChangesKept));
      await tx.query(insertChanges, [tenantId, ...newChangeColumns.valuesOf(rows)]);
    }
    for (const { id, leadId, instanceId } of shown.values())
      tx.emit({ type: 'MESSAGE_UPDATED', messageId: id, leadId, instanceId });
  }

  /**
   * Returns a test: are the people that a report names the lead of its message? Unknown people pass, because a hidden number is learned
   * from its own messages, and ids of messages cannot be guessed.
   */
  private async readSenders(tx: Transaction, located: readonly Located[]) {
    const wanted = new Map(
      located
        .flatMap(([, { contact = [] }]) => contact.map(toWanted))
        .map((identity) => [identityKeyOf(identity), identity]),
    );
    if (wanted.size === 0) return () => true;
    const all = [...wanted.values()];
    const values = [tx.tenantId, all.map(({ kind }) => kind), all.map(({ matchKey }) => matchKey)];
    const rows = await tx.query<WantedIdentity & { leadId: string }>(selectLeadIdsOfIdentities, values);
    const leadIds = new Map(rows.map((row) => [identityKeyOf(row), row.leadId]));
    return ({ contact = [] }: Judged, { leadId }: ChangeTarget): boolean => {
      const known = contact.flatMap((identity) => leadIds.get(identityKeyOf(toWanted(identity))) ?? []);
      return known.length === 0 || known.includes(leadId);
    };
  }

  private async park(tx: Transaction, reports: readonly ChangeReport[]): Promise<void> {
    if (reports.length === 0) return;
    // The newest of two in one batch counts, as it does for two in the table.
    const newest = new Map(
      reports
        .map(toParked)
        .toSorted(byTime)
        .map((parked) => [`${parked.change} ${parked.side} ${keyOf(parked)}`, parked]),
    );
    await tx.query(parkChanges, [tx.tenantId, ...parkedChangeColumns.valuesOf([...newest.values()])]);
  }
}

/** The results of several changes. Each is judged by the results of those before it on its message. */
class ChangeSheet {
  /** The new reactions, by message and side. */
  readonly reactions = new Map<string, StoredReaction>();
  readonly contents = new Map<string, ChangeTarget>();
  readonly changes: NewChange[] = [];
  /** The messages whose look changes. */
  readonly shown = new Map<string, ChangeTarget>();
  private readonly stored: ReadonlyMap<string, StoredReaction>;

  constructor(stored: readonly StoredReaction[]) {
    this.stored = new Map(stored.map((reaction) => [sideKeyOf(reaction), reaction]));
  }

  /** @returns true if the change counts */
  judge(change: Judged, target: ChangeTarget): boolean {
    const now = this.contents.get(target.id) ?? target;
    if (now.deletedAt !== null) return false;
    if (change.change === 'REACTION') return this.react(change, now);
    if (change.direction !== undefined && change.direction !== now.direction) return false;
    return change.change === 'EDIT' ? this.edit(change, now) : this.delete(change, now);
  }

  private react(change: Judged & { change: 'REACTION' }, now: ChangeTarget): boolean {
    const { emoji, direction, occurredAt, userId } = change;
    const reaction = { messageId: now.id, fromLead: direction === 'INBOUND', emoji, userId, reactedAt: occurredAt };
    const key = sideKeyOf(reaction);
    const before = this.reactions.get(key) ?? this.stored.get(key);
    const isSame = before !== undefined && before.emoji === emoji && (userId ?? before.userId) === before.userId;
    if (before !== undefined && !isNewer(change, before.reactedAt, isSame)) return false;
    // A user's reaction comes back as an echo, so the user who reacted is kept.
    this.reactions.set(key, isSame ? { ...reaction, userId: before.userId } : reaction);
    if (!isSame && (emoji !== null || before?.emoji != null)) this.shown.set(now.id, now);
    return true;
  }

  // A report without a time of its own is a repetition if it changes nothing.
  private edit(change: Judged & { change: 'EDIT' }, now: ChangeTarget): boolean {
    const { text, occurredAt, isTimed } = change;
    const isSame = text === now.body;
    if ((isSame && !isTimed) || (now.editedAt !== null && !isNewer(change, now.editedAt, isSame))) return false;
    this.note({ ...now, body: text, editedAt: occurredAt });
    this.changes.push({ messageId: now.id, kind: 'EDIT', previousBody: now.body, occurredAt });
    return true;
  }

  private delete({ occurredAt }: Judged, now: ChangeTarget): boolean {
    this.note({ ...now, body: null, deletedAt: occurredAt });
    this.changes.push({ messageId: now.id, kind: 'DELETION', previousBody: now.body, occurredAt });
    for (const fromLead of [true, false]) this.reactions.delete(sideKeyOf({ messageId: now.id, fromLead }));
    return true;
  }

  private note(next: ChangeTarget): void {
    this.contents.set(next.id, next);
    this.shown.set(next.id, next);
  }
}

/** @param isSame true if the change repeats the stored state */
function isNewer({ occurredAt, isPast }: Judged, since: Date, isSame: boolean): boolean {
  const difference = occurredAt.getTime() - since.getTime();
  return difference > 0 || (difference === 0 && !isSame && !isPast);
}

function sideKeyOf({ messageId, fromLead }: Pick<StoredReaction, 'messageId' | 'fromLead'>): string {
  return `${messageId} ${fromLead}`;
}

function keyOf({ instanceId, externalId }: ExternalKey): string {
  return `${instanceId}:${externalId}`;
}

function toWanted(identity: LeadIdentity): WantedIdentity {
  return { ...identity, matchKey: matchKeyOf(identity) };
}

function byTime(one: ParkedChange, other: ParkedChange): number {
  return one.occurredAt.getTime() - other.occurredAt.getTime();
}

function toJudged({ reported, receivedAt, isPast = false }: ChangeReport): Judged {
  const { direction, contact, timestamp } = reported;
  const occurredAt = pastOf(timestamp ?? receivedAt);
  return { ...reported, direction, contact, occurredAt, isTimed: timestamp !== undefined, userId: null, isPast };
}

// A clock that runs ahead must not hide later changes.
function pastOf(time: Date): Date {
  return new Date(Math.min(time.getTime(), Date.now()));
}

const sideOf = { INBOUND: 'LEAD', OUTBOUND: 'US' } as const;
const directionOf = { LEAD: 'INBOUND', US: 'OUTBOUND', WRITER: undefined } as const;

function toParked(report: ChangeReport): ParkedChange {
  const { instanceId, externalId, webhookCallId, reported } = report;
  const { change, direction, contact = null } = reported;
  const side = direction === undefined ? 'WRITER' : sideOf[direction];
  const { occurredAt } = toJudged(report);
  return { instanceId, externalId, webhookCallId, change, side, content: contentOf(reported), contact, occurredAt };
}

function contentOf(change: ChangeOf): string | null {
  if (change.change === 'REACTION') return change.emoji;
  return change.change === 'EDIT' ? change.text : null;
}

function fromParked({ change, side, content, contact, occurredAt }: ParkedChange): Judged {
  const direction = directionOf[side];
  const common = { direction, contact: contact ?? undefined, occurredAt, isTimed: true, userId: null, isPast: false };
  if (change === 'REACTION') return { ...common, change, emoji: content };
  return change === 'EDIT' ? { ...common, change, text: content } : { ...common, change };
}
