// The records that a page of events tells of, as they were at each change where the event kept that. Each kind is read in one
// statement for the whole page, when the first event is asked for it.

import type { LoggedEvent } from '../../platform/event-log.js';
import type { BulkSendProgressRecord, BulkSendRow, BulkSendService } from '../bulk-sends/bulk-send.service.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import type { MessageSnapshot } from '../messages/message.sql.js';

export interface RecordServices {
  bulkSends: Pick<BulkSendService, 'listByIds'>;
  chatInstances: Pick<ChatInstanceService, 'listByIds'>;
  leads: Pick<LeadService, 'listByIds'>;
  messages: Pick<MessageService, 'listByIds'>;
}

/** What says which records an event tells of. */
type Told = Pick<LoggedEvent, 'leadId' | 'messageId' | 'instanceId' | 'data'> & { type: string };

/** What BULK_SEND_PROGRESS keeps. */
export interface BulkSendSnapshot {
  bulkSendId: string;
  progress: BulkSendProgressRecord;
}

/** With its progress at the change. */
export type BulkSendAtChange = BulkSendRow & { progress: BulkSendProgressRecord };

/** A record that is gone is null. A read that fails is tried again by whoever asks next. */
export class EventRecords {
  private readonly findMessage: Find<MessageRow>;
  private readonly findLead: Find<LeadRow>;
  private readonly findInstance: Find<PublicChatInstance>;
  private readonly findBulkSend: Find<BulkSendRow>;

  constructor(services: RecordServices, tenantId: string, events: readonly LoggedEvent[]) {
    const system = { kind: 'system', tenantId } as const;
    const idsOf = (read: (event: LoggedEvent) => string | null) => [...new Set(events.flatMap((e) => read(e) ?? []))];
    this.findMessage = readOnce(() =>
      services.messages.listByIds(
        system,
        idsOf(({ messageId }) => messageId),
      ),
    );
    this.findLead = readOnce(() =>
      services.leads.listByIds(
        system,
        idsOf(({ leadId }) => leadId),
      ),
    );
    this.findInstance = readOnce(() =>
      services.chatInstances.listByIds(
        system,
        idsOf(({ instanceId }) => instanceId),
      ),
    );
    this.findBulkSend = readOnce(() => services.bulkSends.listByIds(system, idsOf(bulkSendIdOf)));
  }

  async message({ messageId, type, data }: Told): Promise<MessageRow | null> {
    const message = await this.findMessage(messageId);
    if (message === null || type !== 'MESSAGE_STATUS_CHANGED' || data === null) return message;
    return { ...message, ...fromSnapshot(data as MessageSnapshot) };
  }

  lead({ leadId }: Told): Promise<LeadRow | null> {
    return this.findLead(leadId);
  }

  chatInstance({ instanceId }: Told): Promise<PublicChatInstance | null> {
    return this.findInstance(instanceId);
  }

  async bulkSend(event: Told): Promise<BulkSendAtChange | null> {
    const bulkSend = await this.findBulkSend(bulkSendIdOf(event));
    return bulkSend === null ? null : { ...bulkSend, progress: (event.data as BulkSendSnapshot).progress };
  }
}

type Find<Row> = (id: string | null) => Promise<Row | null>;

function readOnce<Row extends { id: string }>(read: () => Promise<Row[]>): Find<Row> {
  let reading: Promise<Map<string, Row>> | undefined;
  return async (id) => {
    if (id === null) return null;
    reading ??= read().then((rows) => new Map(rows.map((row) => [row.id, row])));
    try {
      return (await reading).get(id) ?? null;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
}

function bulkSendIdOf({ type, data }: Told): string | null {
  return type === 'BULK_SEND_PROGRESS' ? (data as BulkSendSnapshot).bulkSendId : null;
}

// By the time an event is delivered the message may have changed again: each event shows the change that it tells of.
function fromSnapshot(snapshot: MessageSnapshot): Partial<MessageRow> {
  const { status, externalId, errorCode, errorMessage } = snapshot;
  return {
    status: status as MessageRow['status'],
    externalId,
    errorCode,
    errorMessage,
    sentAt: toDate(snapshot.sentAt),
    deliveredAt: toDate(snapshot.deliveredAt),
    readAt: toDate(snapshot.readAt),
    failedAt: toDate(snapshot.failedAt),
  };
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}
