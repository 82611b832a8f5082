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
import { contentColumns, fillPlaceholders } from './placeholder.sql.js';
import type { Filled } from './placeholder.sql.js';
import { isPlaceholder } from './reported.js';
import type { LocatedMessage, NewMessage, RepeatedMessage, ReportedMessage, StoredMessage } from './reported.js';
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

/** A new message, and its row. */
interface Written {
  message: NewMessage;
  row: WrittenMessage;
}

/** The content that filled a message, under the id and the lead that it has. */
type FilledContent = NewMessage & { row: Filled };
/** The message that an id stands for by now. */
type Repeatable = StoredMessage & Partial<RepeatedMessage>;

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
   * new one of a lead, MESSAGE_CREATED and MESSAGE_STATUS_CHANGED for each one that was written on the phone. A message that came without
   * its content gets that of the first item which has some, and is no duplicate then: MESSAGE_UPDATED says so. Safe to repeat.
   * @param source the source of leads that are created, where the tenant has no label of its own
   */
  async receive(tx: Transaction, items: readonly LocatedMessage[], source: string): Promise<ReceivedMessage[]> {
    if (items.length === 0) return [];
    const unique = distinct(items);
    // First, so that a redelivery changes nothing, not even who its sender is.
    const stored = new Map<string, Repeatable>();
    const note = (messages: readonly Repeatable[]) => {
      for (const message of messages) stored.set(storedKeyOf(message), message);
    };
    const mayFill = (item: LocatedMessage) => fills(item, stored.get(keyOf(item)));
    note(await this.selectStored(tx, unique));
    const news = unique.filter((item) => !stored.has(keyOf(item)) || mayFill(item));
    const prepared = await this.prepare(tx, news, source);
    const fresh = prepared.filter((message) => !stored.has(keyOf(message)));
    note([...(await this.adoptEchoes(tx, fresh)).values()]);
    const written = await this.insert(
      tx,
      fresh.filter((message) => !stored.has(keyOf(message))),
    );
    note(written.map(({ message, row }) => ({ ...toStored(message), ...row })));
    // What was written by another process at this very moment.
    note(
      await this.selectStored(
        tx,
        fresh.filter((message) => !stored.has(keyOf(message))),
      ),
    );
    const filled = await this.fill(
      tx,
      prepared.filter(mayFill).map((message) => ({ ...message, id: stored.get(keyOf(message))?.id ?? '' })),
    );
    note(filled.map(toStored));
    await this.announce(tx, written, filled);
    const taken = new Set([...written.map(({ message }) => keyOf(message)), ...filled.map(keyOf)]);
    const originals = new Set(unique);
    return items.map((item) => {
      const message = stored.get(keyOf(item));
      if (message === undefined) throw new Error('a message that was just written cannot be read');
      // Every further item of a message in this batch is a duplicate.
      const duplicate = !originals.has(item) || !taken.has(keyOf(item));
      return { messageId: message.id, leadId: message.leadId, duplicate };
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
    const contacts = items.map(({ message }) => toContact(message));
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

  private async insert(tx: Transaction, rows: readonly NewMessage[]): Promise<Written[]> {
    if (rows.length === 0) return [];
    const values = [tx.tenantId, ...newMessageColumns.valuesOf(rows)];
    const inserted = await tx.query<WrittenMessage>(insertReportedMessages, values);
    const byId = new Map(inserted.map((message) => [message.id, message]));
    // In the batch's order, whatever order they were written in.
    const written = rows.flatMap((message): Written[] => {
      const row = byId.get(message.id);
      return row === undefined ? [] : [{ message, row }];
    });
    // Before what was parked is applied: a deletion that came first takes the file as well.
    const withFiles = written.map(({ message }) => message).filter(({ message }) => message.media !== undefined);
    if (withFiles.length > 0) await this.onFiles(tx, withFiles);
    return written;
  }

  /** Gives messages their content, which came without it. @param contents under the ids of these @returns those that had none */
  private async fill(tx: Transaction, contents: readonly NewMessage[]): Promise<FilledContent[]> {
    if (contents.length === 0) return [];
    const rows = await tx.query<Filled>(fillPlaceholders, [tx.tenantId, ...contentColumns.valuesOf(contents)]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const filled = contents.flatMap((content): FilledContent[] => {
      const row = byId.get(content.id);
      return row === undefined ? [] : [{ ...content, leadId: row.leadId, row }];
    });
    const withFiles = filled.filter(({ message, row }) => message.media !== undefined && !row.isDeleted);
    if (withFiles.length > 0) await this.onFiles(tx, withFiles);
    return filled;
  }

  private async announce(
    tx: Transaction,
    written: readonly Written[],
    filled: readonly FilledContent[],
  ): Promise<void> {
    // The leads of both at once and in order: the statements after it would lock them out of order.
    if (filled.length > 0) {
      const held = [...written.map(({ message }) => message), ...filled];
      await this.leads.hold(
        tx,
        held.map(({ leadId }) => leadId),
      );
    }
    await this.announceNew(tx, written);
    const seen = filled.filter(({ row: { direction, isDeleted } }) => direction === 'INBOUND' && !isDeleted);
    await this.leads.recordFilled(
      tx,
      seen.map(({ id, leadId }) => ({ messageId: id, leadId })),
    );
    await this.touch(tx, filled);
    for (const { id, leadId, instanceId } of filled)
      tx.emit({ type: 'MESSAGE_UPDATED', messageId: id, leadId, instanceId });
  }

  private async announceNew(tx: Transaction, written: readonly Written[]): Promise<void> {
    if (written.length === 0) return;
    const rows = written.map(({ message }) => message);
    const moved = await this.leads.recordMessages(tx, rows.map(toRecorded));
    // Who waits, and since when, by when these were written.
    const recovered = rows.filter(({ recoveredFrom }) => recoveredFrom !== undefined);
    await this.leads.restoreAnswers(
      tx,
      recovered.map(({ id, leadId }) => ({ leadId: moved.get(id) ?? leadId })),
    );
    await this.touch(tx, rows, moved);
    for (const { message: row, row: inserted } of written) {
      const { leadId: recordedId, id, message, instanceId } = row;
      const leadId = moved.get(id) ?? recordedId;
      if (message.direction === 'INBOUND') tx.emit({ type: 'MESSAGE_RECEIVED', messageId: id, leadId, instanceId });
      else {
        const { externalId } = message;
        const { sentAt } = inserted;
        emitCreated(tx, { ...unsent, id, leadId, instanceId, status: 'SENT', externalId, sentAt });
      }
    }
    // The statuses of what was written on the phone may have come first, and so may a reaction to a message, its edit and its deletion.
    await this.statuses.applyParked(tx, rows.map(toStored));
  }

  // After the leads are locked: a touch belongs to the lead that has the message.
  private async touch(
    tx: Transaction,
    rows: readonly NewMessage[],
    moved: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
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

  private async selectStored(tx: Transaction, items: readonly LocatedMessage[]): Promise<RepeatedMessage[]> {
    if (items.length === 0) return [];
    const keys = items.map(({ instanceId, message: { externalId } }) => ({ instanceId, externalId }));
    return tx.query<RepeatedMessage>(selectMessagesByExternalId, [tx.tenantId, ...externalKeyColumns.valuesOf(keys)]);
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

/** A notice of a changed number names both, old and new: leads with either of them are one person. */
function toContact({ contact, name, notice, referral }: ReportedMessage): LeadContact {
  const newContact = notice?.newContact;
  const broughtBy = sourceOfReferral(referral);
  if (newContact === undefined) return { identities: contact, name, usualSource: broughtBy };
  const isNumber = newContact.kind === 'PHONE';
  return {
    identities: [...contact, newContact],
    name,
    usualSource: broughtBy,
    ...(isNumber && { movesTo: newContact.value }),
  };
}

/** The first item of each message; the first with content where the others have none. */
function distinct(items: readonly LocatedMessage[]): LocatedMessage[] {
  const chosen = new Map<string, LocatedMessage>();
  for (const item of items) {
    const before = chosen.get(keyOf(item));
    if (before === undefined || (isPlaceholder(before.message) && !isPlaceholder(item.message)))
      chosen.set(keyOf(item), item);
  }
  return [...chosen.values()];
}

/** Whether an item is what a stored message waits for. A notice is no content of a message. */
function fills({ message }: LocatedMessage, stored: Repeatable | undefined): boolean {
  if (stored?.waitsForContent !== true || stored.direction !== message.direction) return false;
  return !isPlaceholder(message) && message.isNotice !== true;
}

function toRecorded({ leadId, id, message, recoveredFrom }: NewMessage) {
  const isNotice = message.isNotice === true;
  const isSaid = message.direction === 'INBOUND' && !isNotice;
  return { leadId, messageId: id, unread: isSaid, isNotice, isLive: isSaid && recoveredFrom === undefined };
}
