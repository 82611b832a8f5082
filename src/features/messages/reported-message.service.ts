// Records each message that a gateway reports once, even if the gateway repeats it, and fills those that came without their content.
// Webhook calls and their dialects belong to intake; status.service.ts applies statuses.

import type { NamedStatement } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { identityKeyOf, type WantedIdentity } from '../leads/identity/lead-contact.js';
import type { HiddenLead } from '../leads/hidden-numbers/hidden-number.sql.js';
import { matchKeyOf } from '../leads/identity/lead-identity.js';
import type { LeadIdentity, ReportedMessage } from '../../providers/reported.js';
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
import { contentColumns, fillPlaceholders, type Filled } from './placeholder.sql.js';
import {
  isPlaceholder,
  type MessageReport,
  type NewMessage,
  type RepeatedMessage,
  type StoredMessage,
} from './reported.js';
import { emitCreated, type MessageStatusService } from './status.service.js';

export interface ReceivedMessage {
  messageId: string;
  leadId: string;
  /** True if the message was stored already, or stands twice in this batch. */
  duplicate: boolean;
}

/** The recipient's identities that a status reveals. */
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
  position: string;
  sentAt: string | null;
}

/** A new message, and its row. */
interface Written {
  message: NewMessage;
  row: WrittenMessage;
}

/** The content that filled a message, with the message's id and lead. */
type FilledContent = NewMessage & { row: Filled };
/** The message that an id stands for by now. */
type Repeatable = StoredMessage & Partial<RepeatedMessage>;

/** The source of a new lead if nothing else names one. */
const usualSource = 'webhook';

export class ReportedMessageService {
  private readonly adoption: NamedStatement;

  /** @param mayHaveLeft the outbox's condition: a message `m` may have left by an attempt before a time */
  constructor(
    private readonly leads: LeadService,
    private readonly statuses: MessageStatusService,
    private readonly onFiles: OnFiles,
    private readonly onHiddenLeads: OnHiddenLeads,
    mayHaveLeft: (time: string) => string,
  ) {
    this.adoption = adoptEchoes(mayHaveLeft);
  }

  /**
   * Records each message once and finds or creates its lead; results in the items' order. Emits MESSAGE_RECEIVED for each new message of a
   * lead, and MESSAGE_CREATED and MESSAGE_STATUS_CHANGED for each one that was written on the phone. A stored message without content gets
   * the content of the first item that has some. That item is no duplicate, and emits MESSAGE_UPDATED. Safe to repeat.
   * @param source the source of leads that are created, if the tenant has no label of its own
   */
  async receive(tx: Transaction, items: readonly MessageReport[], source: string): Promise<ReceivedMessage[]> {
    if (items.length === 0) return [];
    const unique = distinct(items);
    // Stored messages are read first, so that a redelivery changes nothing, not even its sender's lead.
    const stored = new Map<string, Repeatable>();
    const note = (messages: readonly Repeatable[]) => {
      for (const message of messages) stored.set(storedKeyOf(message), message);
    };
    const mayFill = (item: MessageReport) => fills(item, stored.get(keyOf(item)));
    note(await this.selectStored(tx, unique));
    const news = unique.filter((item) => !stored.has(keyOf(item)) || mayFill(item));
    const prepared = await this.prepare(tx, news, source);
    const fresh = prepared.filter((message) => !stored.has(keyOf(message)));
    note([...(await this.adoptEchoes(tx, fresh)).values()]);
    // The leads of new messages and of filled ones are locked at once and in order: the statements after it would lock them out of order.
    if (prepared.some(mayFill))
      await this.leads.hold(
        tx,
        prepared.map(({ leadId }) => leadId),
      );
    const written = await this.insert(
      tx,
      fresh.filter((message) => !stored.has(keyOf(message))),
    );
    note(written.map(({ message, row }) => ({ ...toStored(message), ...row })));
    // Another process may have written some of the messages at this very moment.
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
   * Adds the identities of recipients that statuses reveal to their leads. An identity that is not known yet is added to the lead. If
   * another lead has it, the two leads become one. Safe to repeat.
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
    // The lead of a message exists, so its source does not matter.
    await this.leads.findOrCreate(tx, contacts, usualSource);
  }

  private async prepare(tx: Transaction, items: MessageReport[], source: string): Promise<NewMessage[]> {
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
    // The messages keep the batch's order, in whatever order PostgreSQL wrote them.
    const written = rows.flatMap((message): Written[] => {
      const row = byId.get(message.id);
      return row === undefined ? [] : [{ message, row }];
    });
    // Files come before parked changes are applied, so that a deletion that came first takes the file as well.
    const withFiles = written.map(({ message }) => message).filter(({ message }) => message.media !== undefined);
    if (withFiles.length > 0) await this.onFiles(tx, withFiles);
    return written;
  }

  /** Gives content to messages that came without it. @param contents with the ids of these messages @returns those that had no content */
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
    // Locks the leads of both lists at once and in order: the statements after it would lock them out of order.
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
    const moved = await this.leads.recordMessages(tx, written.map(toRecorded));
    // Recovered messages change which leads wait, and since when. The times at which they were written decide.
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
    // Parked reports may have come first: statuses of messages that were written on the phone, and reactions, edits and deletions of all.
    await this.statuses.applyParked(tx, rows.map(toStored));
  }

  // Runs after the leads are locked, because a touch belongs to the lead that has the message.
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

  // The echo of a send whose answer has not come, or was lost, proves that the send left. The echo is that message, and no new one. A send
  // that has certainly not left still leaves: what looks like it was written on the phone.
  private async adoptEchoes(tx: Transaction, rows: readonly NewMessage[]): Promise<Map<string, StoredMessage>> {
    const echoes = rows.filter(({ message }) => message.direction === 'OUTBOUND' && mayBeEcho(message));
    if (echoes.length === 0) return new Map();
    await this.statuses.lockExternalIds(tx, echoes.map(toStored));
    const values = [tx.tenantId, ...echoColumns.valuesOf(echoes)];
    const adopted = await tx.query<{ position: number; id: string }>(this.adoption, values);
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

  private async selectStored(tx: Transaction, items: readonly MessageReport[]): Promise<RepeatedMessage[]> {
    if (items.length === 0) return [];
    const keys = items.map(({ instanceId, message: { externalId } }) => ({ instanceId, externalId }));
    return tx.query<RepeatedMessage>(selectMessagesByExternalId, [tx.tenantId, ...externalKeyColumns.valuesOf(keys)]);
  }
}

function mayBeEcho(message: ReportedMessage): boolean {
  return message.isFromPhone === undefined && !isPlaceholder(message);
}

function toStored({ id, leadId, instanceId, message: { externalId } }: NewMessage): StoredMessage {
  return { id, leadId, instanceId, externalId };
}

function storedKeyOf({ instanceId, externalId }: StoredMessage): string {
  return `${instanceId}:${externalId}`;
}

function keyOf({ instanceId, message }: Omit<MessageReport, 'id'>): string {
  return `${instanceId}:${message.externalId}`;
}

/** Returns the contact of a message. A notice of a changed number names the old and the new: leads with either are one person. */
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

/** Returns the first item of each message, or the first with content if the earlier ones have none. */
function distinct(items: readonly MessageReport[]): MessageReport[] {
  const chosen = new Map<string, MessageReport>();
  for (const item of items) {
    const before = chosen.get(keyOf(item));
    if (before === undefined || (isPlaceholder(before.message) && !isPlaceholder(item.message)))
      chosen.set(keyOf(item), item);
  }
  return [...chosen.values()];
}

/** True if an item has the content that a stored message waits for. A notice is no content of a message. */
function fills({ message }: MessageReport, stored: Repeatable | undefined): boolean {
  if (stored?.waitsForContent !== true || stored.direction !== message.direction) return false;
  return !isPlaceholder(message) && message.isNotice !== true;
}

function toRecorded({ message: { leadId, id, message, recoveredFrom }, row: { position } }: Written) {
  const isNotice = message.isNotice === true;
  const isSaid = message.direction === 'INBOUND' && !isNotice;
  return { leadId, messageId: id, position, unread: isSaid, isNotice, isPast: recoveredFrom !== undefined };
}
