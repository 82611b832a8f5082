// Messages that a gateway reports: recorded once each, whatever it repeats. The journal and the dialects belong to webhooks.

import type { Transaction } from '../../platform/transaction.js';
import { identityKeyOf } from '../leads/identity/identity-cache.js';
import type { WantedIdentity } from '../leads/identity/identity-cache.js';
import type { HiddenLead } from '../leads/hidden-numbers/hidden-number.sql.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import type { LeadIdentity } from '../leads/identity/lead-identity.js';
import type { LeadContact, LeadService } from '../leads/lead.service.js';
import { sourceOfReferral } from '../leads/referrals/referral.js';
import {
  adoptEchoes,
  echoColumns,
  externalKeyColumns,
  insertReportedMessages,
  newMessageColumns,
  selectMessagesByExternalId,
  selectRecipients,
  unsent,
} from './message.sql.js';
import type { LocatedMessage, NewMessage, StoredMessage } from './reported.js';
import { emitCreated } from './status.service.js';
import type { MessageStatusService } from './status.service.js';

export interface ReceivedMessage {
  messageId: string;
  leadId: string;
  /** The message was there already, or stands twice in this batch. */
  duplicate: boolean;
}

/** What a status reveals of the person whom its message went to. */
export interface Revealed {
  messageId: string;
  contact: readonly LeadIdentity[];
}

/** Called in the transaction for new messages that have files, which upper modules fetch. */
export type OnFiles = (tx: Transaction, messages: readonly NewMessage[]) => Promise<void>;
/** Called in the transaction for new leads that are known under a hidden number alone. */
export type OnHiddenLeads = (tx: Transaction, leads: readonly HiddenLead[]) => Promise<void>;
/** A message as it was inserted. */
interface WrittenMessage extends StoredMessage {
  sentAt: string | null;
}

/** The source of what a message brings, where nothing else names one. */
const usualSource = 'webhook';

export class MessageIntakeService {
  constructor(
    private readonly leads: LeadService,
    private readonly statuses: MessageStatusService,
    private readonly onFiles: OnFiles,
    private readonly onHiddenLeads: OnHiddenLeads,
  ) {}

  /**
   * Records each message once and finds or creates its lead; results in the items' order. Emits MESSAGE_RECEIVED for each
   * new one of a lead, MESSAGE_CREATED and MESSAGE_STATUS_CHANGED for each one that was written on the phone. Safe to repeat.
   * @param source the source of leads that are created, where the tenant has no label of its own
   */
  async receive(tx: Transaction, items: readonly LocatedMessage[], source: string): Promise<ReceivedMessage[]> {
    if (items.length === 0) return [];
    const unique = distinct(items);
    // First, so that a redelivery changes nothing, not even who its sender is.
    const stored = new Map((await this.selectStored(tx, unique)).map((message) => [storedKeyOf(message), message]));
    const fresh = await this.prepare(
      tx,
      unique.filter((item) => !stored.has(keyOf(item))),
      source,
    );
    const adopted = await this.adoptEchoes(tx, fresh);
    for (const [key, message] of adopted) stored.set(key, message);
    const written = await this.insert(
      tx,
      fresh.filter((message) => !adopted.has(keyOf(message))),
    );
    for (const message of written) stored.set(storedKeyOf(message), message);
    const inserted = new Set(written.map(({ id }) => id));
    // What was written by another process at this very moment.
    const known = fresh.filter((message) => !stored.has(keyOf(message)));
    for (const message of await this.selectStored(tx, known)) stored.set(storedKeyOf(message), message);
    return items.map((item) => {
      const message = stored.get(keyOf(item));
      if (message === undefined) throw new Error('a message that was just written cannot be read');
      // The first item of a new message is the original; `delete` makes every further one in this batch a duplicate.
      return { messageId: message.id, leadId: message.leadId, duplicate: !inserted.delete(message.id) };
    });
  }

  /**
   * Adds to leads what statuses reveal of their recipients: an identity that the lead was not known under is added to it, or, where
   * another lead has it, the two are one. Safe to repeat.
   */
  async learnRecipients(tx: Transaction, reveals: readonly Revealed[]): Promise<void> {
    if (reveals.length === 0) return;
    const messageIds = reveals.map(({ messageId }) => messageId);
    const rows = await tx.query<WantedIdentity & { messageId: string }>(selectRecipients, [tx.tenantId, messageIds]);
    const known = Map.groupBy(rows, ({ messageId }) => messageId);
    const contacts = reveals.flatMap(({ messageId, contact }): LeadContact[] => {
      const [own, ...others] = known.get(messageId) ?? [];
      const keys = new Set([own, ...others].flatMap((identity) => identity ?? []).map(identityKeyOf));
      const news = contact.filter(
        (identity) => !keys.has(identityKeyOf({ ...identity, matchKey: matchKeyOf(identity) })),
      );
      if (own === undefined || news.length === 0) return [];
      return [{ identities: [{ kind: own.kind, value: own.value }, ...news], keepsName: true }];
    });
    // The lead of a message is there: no source is needed.
    await this.leads.findOrCreate(tx, contacts, usualSource);
  }

  private async prepare(tx: Transaction, items: LocatedMessage[], source: string): Promise<NewMessage[]> {
    const contacts = items.map(({ message: { contact: identities, name, referral } }): LeadContact => {
      return { identities, name, usualSource: sourceOfReferral(referral) };
    });
    const found = await this.leads.findOrCreate(tx, contacts, source);
    const hidden = items.flatMap(({ instanceId, message: { contact } }, index): HiddenLead[] => {
      const { lead, created } = found[index] ?? {};
      const hiddenId = contact.find(({ kind }) => kind === 'LID')?.value;
      const isHidden = created === true && lead?.chat === null && hiddenId !== undefined;
      return isHidden ? [{ leadId: lead.id, instanceId, hiddenId }] : [];
    });
    if (hidden.length > 0) await this.onHiddenLeads(tx, hidden);
    return items.map((item, index) => ({ ...item, leadId: found[index]?.lead.id ?? '' }));
  }

  private async insert(tx: Transaction, rows: readonly NewMessage[]): Promise<StoredMessage[]> {
    if (rows.length === 0) return [];
    const values = [tx.tenantId, ...newMessageColumns.valuesOf(rows)];
    const written = await tx.query<WrittenMessage>(insertReportedMessages, values);
    const byId = new Map(written.map((message) => [message.id, message]));
    // In the batch's order, whatever order they were written in.
    const news = rows.filter(({ id }) => byId.has(id));
    // Before what was parked is applied: a deletion that came first takes the file as well.
    const withFiles = news.filter(({ message }) => message.media !== undefined);
    if (withFiles.length > 0) await this.onFiles(tx, withFiles);
    await this.announce(tx, news, (id) => byId.get(id)?.sentAt ?? null);
    return written;
  }

  private async announce(
    tx: Transaction,
    rows: readonly NewMessage[],
    sentAtOf: (id: string) => string | null,
  ): Promise<void> {
    const news = rows.map(({ leadId, id, message, recoveredFrom }) => ({
      leadId,
      messageId: id,
      unread: message.direction === 'INBOUND',
      isLive: message.direction === 'INBOUND' && recoveredFrom === undefined,
    }));
    const moved = await this.leads.recordMessages(tx, news);
    // Who waits, and since when, by when these were written.
    const recovered = rows.filter(({ recoveredFrom }) => recoveredFrom !== undefined);
    await this.leads.restoreAnswers(
      tx,
      recovered.map(({ id, leadId }) => ({ leadId: moved.get(id) ?? leadId })),
    );
    await this.touch(tx, rows, moved);
    for (const { leadId: recordedId, id, message, instanceId } of rows) {
      const leadId = moved.get(id) ?? recordedId;
      if (message.direction === 'INBOUND') tx.emit({ type: 'MESSAGE_RECEIVED', messageId: id, leadId, instanceId });
      else {
        const { externalId } = message;
        emitCreated(tx, { ...unsent, id, leadId, instanceId, status: 'SENT', externalId, sentAt: sentAtOf(id) });
      }
    }
    // The statuses of what was written on the phone may have come first, and so may a reaction to a message, its edit and its deletion.
    await this.statuses.applyParked(tx, rows.map(toStored));
  }

  // After the leads are locked: a touch belongs to the lead that has the message.
  private async touch(tx: Transaction, rows: readonly NewMessage[], moved: ReadonlyMap<string, string>): Promise<void> {
    const touches = rows.flatMap(({ id: messageId, leadId, message: { referral }, recoveredFrom: cameAt }) => {
      const source = sourceOfReferral(referral) ?? usualSource;
      return referral === undefined
        ? []
        : [{ messageId, leadId: moved.get(messageId) ?? leadId, source, referral, cameAt }];
    });
    await this.leads.recordReferrals(tx, touches);
  }

  // The echo of a send whose answer has not come (or was lost) proves that it left: it is that message, and no new one.
  private async adoptEchoes(tx: Transaction, rows: readonly NewMessage[]): Promise<Map<string, StoredMessage>> {
    const echoes = rows.filter(({ message }) => message.direction === 'OUTBOUND');
    if (echoes.length === 0) return new Map();
    await this.statuses.lockExternalIds(tx, echoes.map(toStored));
    const values = [tx.tenantId, ...echoColumns.valuesOf(echoes)];
    const adopted = await tx.query<{ position: number; id: string }>(adoptEchoes, values);
    const sends = adopted.flatMap(({ position, id }) => {
      const echo = echoes[position];
      return echo === undefined ? [] : [{ ...toStored(echo), id }];
    });
    const answeredAtMs = performance.now();
    await this.statuses.setSent(
      tx,
      sends.map((send) => ({ ...send, attempt: 0, answeredAtMs })),
    );
    return new Map(sends.map((send) => [storedKeyOf(send), send]));
  }

  private async selectStored(tx: Transaction, items: readonly LocatedMessage[]): Promise<StoredMessage[]> {
    if (items.length === 0) return [];
    const keys = items.map(({ instanceId, message: { externalId } }) => ({ instanceId, externalId }));
    return tx.query<StoredMessage>(selectMessagesByExternalId, [tx.tenantId, ...externalKeyColumns.valuesOf(keys)]);
  }
}

function toStored({ id, leadId, instanceId, message: { externalId } }: NewMessage): StoredMessage {
  return { id, leadId, instanceId, externalId };
}

function storedKeyOf({ instanceId, externalId }: StoredMessage): string {
  return `${instanceId}:${externalId}`;
}

function keyOf({ instanceId, message }: Omit<LocatedMessage, 'id'>): string {
  return `${instanceId}:${message.externalId}`;
}

function distinct(items: readonly LocatedMessage[]): LocatedMessage[] {
  const seen = new Map<string, LocatedMessage>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
