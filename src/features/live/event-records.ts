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

/** How each kind is found. */
interface Finders {
  message: Find<MessageRow>;
  lead: Find<LeadRow>;
  instance: Find<PublicChatInstance>;
  bulkSend: Find<BulkSendRow>;
}

/** A record that is gone is null. A read that fails is tried again by whoever asks next. */
export class EventRecords {
  private find: Finders;

  constructor(
    private readonly services: RecordServices,
    private readonly tenantId: string,
    private readonly events: readonly LoggedEvent[],
  ) {
    this.find = this.createFinders();
  }

  /** What was read is read again when it is asked for: some of it was erased meanwhile. */
  forget(): void {
    this.find = this.createFinders();
  }

  private createFinders(): Finders {
    const { messages, leads, chatInstances, bulkSends } = this.services;
    const system = { kind: 'system', tenantId: this.tenantId } as const;
    const idsOf = (read: (event: LoggedEvent) => string | null) => [
      ...new Set(this.events.flatMap((event) => read(event) ?? [])),
    ];
    return {
      message: readOnce(() =>
        messages.listByIds(
          system,
          idsOf(({ messageId }) => messageId),
        ),
      ),
      lead: readOnce(() =>
        leads.listByIds(
          system,
          idsOf(({ leadId }) => leadId),
        ),
      ),
      instance: readOnce(() =>
        chatInstances.listByIds(
          system,
          idsOf(({ instanceId }) => instanceId),
        ),
      ),
      bulkSend: readOnce(() => bulkSends.listByIds(system, idsOf(bulkSendIdOf))),
    };
  }

  async message({ messageId, type, data }: Told): Promise<MessageRow | null> {
    const message = await this.find.message(messageId);
    if (message === null || type !== 'MESSAGE_STATUS_CHANGED' || data === null) return message;
    return { ...message, ...fromSnapshot(data as MessageSnapshot) };
  }

  lead({ leadId }: Told): Promise<LeadRow | null> {
    return this.find.lead(leadId);
  }

  chatInstance({ instanceId }: Told): Promise<PublicChatInstance | null> {
    return this.find.instance(instanceId);
  }

  async bulkSend(event: Told): Promise<BulkSendAtChange | null> {
    const bulkSend = await this.find.bulkSend(bulkSendIdOf(event));
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
