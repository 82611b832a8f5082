// Inbound messages: recorded once each, whatever the gateway repeats. The journal and the dialects belong to webhooks.

import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../platform/transaction.js';
import type { LeadService } from '../leads/lead.service.js';
import type { InboundMessage } from './message.schema.js';
import { insertInboundMessages, selectMessagesByExternalId } from './message.sql.js';

/** An inbound message whose instance is known. */
export type InboundItem = InboundMessage & { instanceId: string };

export interface ReceivedMessage {
  messageId: string;
  leadId: string;
  /** The message was there already, or stands twice in this call. */
  duplicate: boolean;
}

interface StoredMessage {
  id: string;
  leadId: string;
  instanceId: string;
  externalId: string;
}

export class MessageIntakeService {
  constructor(private readonly leads: LeadService) {}

  /**
   * Records each message once and finds or creates its lead; results in the items' order. Emits MESSAGE_RECEIVED for
   * each new one. Safe to repeat.
   * @param source the source of leads that are created, where the tenant has no label of its own
   */
  async receive(tx: Transaction, items: readonly InboundItem[], source: string): Promise<ReceivedMessage[]> {
    const stored = await this.selectStored(tx, items);
    const fresh = distinct(items).filter((item) => !stored.has(keyOf(item)));
    const inserted = new Set<string>();
    for (const message of await this.insert(tx, fresh, source)) {
      stored.set(storedKeyOf(message), message);
      inserted.add(message.id);
    }
    // What another call wrote at this very moment is there now.
    const late = fresh.filter((item) => !stored.has(keyOf(item)));
    for (const [key, message] of await this.selectStored(tx, late)) stored.set(key, message);
    return items.map((item) => {
      const message = stored.get(keyOf(item));
      if (message === undefined) throw new Error('a message that was just written cannot be read');
      // The first item of a new message is the original; `delete` makes every further one in this call a duplicate.
      return { messageId: message.id, leadId: message.leadId, duplicate: !inserted.delete(message.id) };
    });
  }

  private async insert(tx: Transaction, items: readonly InboundItem[], source: string): Promise<StoredMessage[]> {
    if (items.length === 0) return [];
    const people = items.map((item) => ({ kind: 'PHONE' as const, value: item.from, name: item.name }));
    const leads = await this.leads.findOrCreate(tx, people, source);
    const rows = items.map((item, index) => ({ ...item, id: uuidv7(), leadId: leads[index]?.lead.id ?? '' }));
    const written = await tx.query<StoredMessage>(insertInboundMessages, [
      tx.tenantId,
      rows.map((row) => row.id),
      rows.map((row) => row.leadId),
      rows.map((row) => row.instanceId),
      rows.map((row) => row.type),
      rows.map((row) => row.text ?? row.media?.caption ?? null),
      rows.map((row) => (row.media == null ? null : JSON.stringify(row.media))),
      rows.map((row) => row.messageId),
      rows.map((row) => row.replyTo ?? null),
      rows.map((row) => row.timestamp ?? null),
    ]);
    const inserted = new Set(written.map((message) => message.id));
    // In the call's order, whatever order they were written in.
    const news = rows
      .filter((row) => inserted.has(row.id))
      .map(({ leadId, id }) => ({ leadId, messageId: id, unread: true }));
    await this.leads.recordMessages(tx, news);
    for (const { leadId, messageId } of news) tx.emit({ type: 'MESSAGE_RECEIVED', messageId, leadId });
    return written;
  }

  private async selectStored(tx: Transaction, items: readonly InboundItem[]): Promise<Map<string, StoredMessage>> {
    if (items.length === 0) return new Map();
    const rows = await tx.query<StoredMessage>(selectMessagesByExternalId, [
      tx.tenantId,
      items.map((item) => item.instanceId),
      items.map((item) => item.messageId),
    ]);
    return new Map(rows.map((row) => [storedKeyOf(row), row]));
  }
}

function storedKeyOf({ instanceId, externalId }: StoredMessage): string {
  return `${instanceId}:${externalId}`;
}

function keyOf(item: InboundItem): string {
  return `${item.instanceId}:${item.messageId}`;
}

function distinct(items: readonly InboundItem[]): InboundItem[] {
  const seen = new Map<string, InboundItem>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
