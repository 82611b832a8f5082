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
   * @param source the source label of leads that are created
   */
  async receive(tx: Transaction, items: readonly InboundItem[], source: string): Promise<ReceivedMessage[]> {
    const known = await this.selectStored(tx, items);
    const fresh = distinct(items).filter((item) => !known.has(keyOf(item)));
    const inserted = await this.insert(tx, fresh, source);
    const stored = new Map([...known, ...(await this.selectStored(tx, fresh))]);
    return items.map((item) => {
      const message = stored.get(keyOf(item));
      if (message === undefined) throw new Error('a message that was just written cannot be read');
      // The first item of a new message is the original; `delete` makes every further one in this call a duplicate.
      return { messageId: message.id, leadId: message.leadId, duplicate: !inserted.delete(message.id) };
    });
  }

  private async insert(tx: Transaction, items: readonly InboundItem[], source: string): Promise<Set<string>> {
    if (items.length === 0) return new Set();
    const leads = await this.leads.findOrCreate(
      tx,
      items.map((item) => ({ kind: 'PHONE', value: item.from, name: item.name, source })),
    );
    const rows = items.map((item, index) => ({ ...item, id: uuidv7(), leadId: leads[index]?.lead.id ?? '' }));
    const written = await tx.query<{ id: string }>(insertInboundMessages, [
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
    const inserted = new Set(written.map((row) => row.id));
    const news = rows.filter((row) => inserted.has(row.id));
    await this.leads.recordMessages(
      tx,
      news.map(({ leadId, id }) => ({ leadId, messageId: id, unread: true })),
    );
    for (const { id, leadId } of news) tx.emit({ type: 'MESSAGE_RECEIVED', messageId: id, leadId });
    return inserted;
  }

  private async selectStored(tx: Transaction, items: readonly InboundItem[]): Promise<Map<string, StoredMessage>> {
    if (items.length === 0) return new Map();
    const rows = await tx.query<StoredMessage>(selectMessagesByExternalId, [
      tx.tenantId,
      items.map((item) => item.instanceId),
      items.map((item) => item.messageId),
    ]);
    return new Map(rows.map((row) => [`${row.instanceId}:${row.externalId}`, row]));
  }
}

function keyOf(item: InboundItem): string {
  return `${item.instanceId}:${item.messageId}`;
}

function distinct(items: readonly InboundItem[]): InboundItem[] {
  const seen = new Map<string, InboundItem>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
