// The records of a page of events. If an event stored a snapshot, its record shows the state at that change. The first request for a kind
// of record reads that kind in one statement for the whole page.

import type { LoggedEvent } from '../../platform/events/event-log.js';
import type { BulkSendProgressRecord, BulkSendRow, BulkSendService } from '../bulk-sends/bulk-send.service.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import type { ConsentService } from '../consent/consent.service.js';
import type { OptOutRow } from '../consent/consent.sql.js';
import type { ConversationSnapshot } from '../leads/conversation/conversation.sql.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import type { FirstReferralRow } from '../leads/referrals/referral.sql.js';
import type { MediaFileRow, MediaService, MessageFile } from '../media/media.service.js';
import type { MessageRow, MessageService, Reaction } from '../messages/message.service.js';
import type { MessageSnapshot } from '../messages/message.sql.js';
import type { Referral } from '../../providers/referral.js';

export interface RecordServices {
  bulkSends: Pick<BulkSendService, 'listByIds'>;
  chatInstances: Pick<ChatInstanceService, 'listByIds'>;
  leads: Pick<LeadService, 'listByIds' | 'listFirstReferrals'>;
  messages: Pick<MessageService, 'listByIds' | 'listReactions'>;
  media: Pick<MediaService, 'listOfMessages' | 'toFile'>;
  consent: Pick<ConsentService, 'listOptOuts'>;
}

/** The fields of an event that name its records. */
type RecordNames = Pick<LoggedEvent, 'leadId' | 'messageId' | 'instanceId' | 'data'> & { type: string };

/** The data of BULK_SEND_PROGRESS. */
export interface BulkSendSnapshot {
  bulkSendId: string;
  progress: BulkSendProgressRecord;
}

/** A bulk send with its progress at the event. */
export type BulkSendAtChange = BulkSendRow & { progress: BulkSendProgressRecord };

/** A reader for each kind of record. */
interface Finders {
  message: Find<MessageRow>;
  /** Finds a file by its message. */
  file: Find<MediaFileRow>;
  lead: Find<LeadRow>;
  instance: Find<PublicChatInstance>;
  bulkSend: Find<BulkSendRow>;
  /** Finds an opt-out by its lead. */
  optOut: Find<OptOutRow>;
  /** Finds the first referral by its lead. */
  firstReferral: Find<FirstReferralRow>;
}

/** Reads the records of a page. A record that is gone is null. After a failed read, the next request reads again. */
export class EventRecords {
  private find: Finders;
  private reactionsRead: Promise<Map<string, Reaction[]>> | undefined;

  constructor(
    private readonly services: RecordServices,
    private readonly tenantId: string,
    private readonly events: readonly LoggedEvent[],
  ) {
    this.find = this.createFinders();
  }

  /** Makes the next request for each record read it again, because some records were erased in the meantime. */
  forget(): void {
    this.find = this.createFinders();
    this.reactionsRead = undefined;
  }

  private createFinders(): Finders {
    const { messages, media, leads, chatInstances, bulkSends, consent } = this.services;
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
      file: readOnce(() =>
        media.listOfMessages(
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
      optOut: readOnce(async () => {
        const optOuts = await consent.listOptOuts(
          system,
          idsOf(({ leadId }) => leadId),
        );
        return optOuts.map((optOut) => ({ ...optOut, id: optOut.leadId }));
      }),
      firstReferral: readOnce(async () => {
        const rows = await leads.listFirstReferrals(
          system,
          idsOf(({ leadId }) => leadId),
        );
        return rows.map((row) => ({ ...row, id: row.leadId }));
      }),
    };
  }

  async message({ messageId, type, data }: RecordNames): Promise<MessageRow | null> {
    const message = await this.find.message(messageId);
    const isKept = type === 'MESSAGE_STATUS_CHANGED' || type === 'MESSAGE_CREATED';
    if (message === null || !isKept || data === null) return message;
    return { ...message, ...fromSnapshot(data as MessageSnapshot) };
  }

  /** Returns the current file of an event's message; null if the message has none. */
  async file(message: MessageRow): Promise<MessageFile | null> {
    if (message.media === null) return null;
    return this.services.media.toFile(message, await this.find.file(message.id));
  }

  /** Returns the current reactions to an event's message. The first request reads the reactions of the whole page. */
  async reactions({ messageId }: Pick<RecordNames, 'messageId'>): Promise<Reaction[]> {
    if (messageId === null) return [];
    this.reactionsRead ??= this.readReactions();
    try {
      return (await this.reactionsRead).get(messageId) ?? [];
    } catch (error) {
      this.reactionsRead = undefined;
      throw error;
    }
  }

  private async readReactions(): Promise<Map<string, Reaction[]>> {
    const ids = [...new Set(this.events.flatMap(({ messageId }) => messageId ?? []))];
    const system = { kind: 'system', tenantId: this.tenantId } as const;
    return Map.groupBy(await this.services.messages.listReactions(system, ids), ({ messageId }) => messageId);
  }

  async lead({ leadId, type, data }: RecordNames): Promise<LeadRow | null> {
    const lead = await this.find.lead(leadId);
    if (lead === null || type !== 'CONVERSATION_STATUS_CHANGED' || data === null) return lead;
    const { conversationStatus, snoozedUntil, isReminder = false } = data as ConversationSnapshot;
    return { ...lead, conversationStatus, snoozedUntil: toDate(snoozedUntil), isReminder };
  }

  /** Returns null if the lead has not opted out. */
  optOut({ leadId }: RecordNames): Promise<OptOutRow | null> {
    return this.find.optOut(leadId);
  }

  /** Returns the current first ad, post or product that brought the lead; null if none did. */
  async firstReferral({ leadId }: RecordNames): Promise<Referral | null> {
    return (await this.find.firstReferral(leadId))?.referral ?? null;
  }

  chatInstance({ instanceId }: RecordNames): Promise<PublicChatInstance | null> {
    return this.find.instance(instanceId);
  }

  async bulkSend(event: RecordNames): Promise<BulkSendAtChange | null> {
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

function bulkSendIdOf({ type, data }: RecordNames): string | null {
  return type === 'BULK_SEND_PROGRESS' ? (data as BulkSendSnapshot).bulkSendId : null;
}

// A message may have changed again before its event is delivered. Each event shows its own change.
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
