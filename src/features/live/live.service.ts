// The subscriptions' sources: views of the tenant's live feed, carrying the changed record as it was at the change.

import { notFound } from '../../platform/errors.js';
import type { EventType, LoggedEvent } from '../../platform/event-log.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import type { MessageSnapshot } from '../messages/message.sql.js';
import { filterEvents } from './filtered-events.js';
import type { LiveFeed } from './live-feed.js';

export interface LiveOptions {
  feed: LiveFeed;
  chatInstances: ChatInstanceService;
  leads: LeadService;
  messages: MessageService;
}

export class LiveService {
  // Every subscriber gets the same event object, so that its record is read once for all of them.
  private readonly records = new WeakMap<LoggedEvent, Promise<MessageRow | undefined>>();

  constructor(private readonly options: LiveOptions) {
    options.feed.onBatch = (tenantId, events) => this.prepare(tenantId, events);
  }

  /**
   * Messages of the tenant, or of one lead, as events of this type happen.
   * @throws AppError NOT_FOUND for a lead that the tenant does not have
   */
  async watchMessages(
    principal: Principal | undefined,
    type: EventType,
    leadId?: string | null,
  ): Promise<AsyncIterableIterator<MessageRow>> {
    const user = requireUser(principal);
    const wanted = leadId == null ? undefined : await this.findLeadId(user, leadId);
    const events = await this.options.feed.watch(user.tenantId);
    return filterEvents(events, async (event) => {
      if (event.type !== type || (wanted !== undefined && event.leadId !== wanted)) return undefined;
      return this.findMessage(user, event);
    });
  }

  /** The tenant's chat instances as their lines change; one that flaps is told of at most every 10 s. */
  async watchChatInstances(principal: Principal | undefined): Promise<AsyncIterableIterator<PublicChatInstance>> {
    const user = requireUser(principal);
    const events = await this.options.feed.watch(user.tenantId);
    return filterEvents(events, async ({ type, instanceId }) => {
      if (type !== 'CHAT_INSTANCE_STATUS_CHANGED' || instanceId === null) return undefined;
      const [instance] = await this.options.chatInstances.listByIds(user, [instanceId]);
      return instance;
    });
  }

  /** Reads what a batch of events tells of, in one statement. A read that fails is tried again by each reader. */
  private prepare(tenantId: string, events: readonly LoggedEvent[]): void {
    const ids = new Set(events.flatMap((event) => event.messageId ?? []));
    const principal = { kind: 'system', tenantId } as const;
    const read = this.options.messages.listByIds(principal, [...ids]).then(byId);
    // Whoever wants one of them hears of a failure; where nobody does, it is nobody's.
    read.catch(() => undefined);
    for (const event of events)
      this.records.set(
        event,
        read.then((messages) => messageOf(event, messages)),
      );
    for (const event of events) this.records.get(event)?.catch(() => this.records.delete(event));
  }

  // A lead that was merged goes on as another.
  private async findLeadId(user: UserPrincipal, leadId: string): Promise<string> {
    const lead = await this.options.leads.find(user, leadId);
    if (lead === null) throw notFound('lead');
    return lead.id;
  }

  private async findMessage(user: UserPrincipal, event: LoggedEvent): Promise<MessageRow | undefined> {
    const prepared = await this.records.get(event)?.catch(() => undefined);
    if (prepared !== undefined || event.messageId === null) return prepared;
    return messageOf(event, byId(await this.options.messages.listByIds(user, [event.messageId])));
  }
}

function byId(messages: MessageRow[]): Map<string, MessageRow> {
  return new Map(messages.map((message) => [message.id, message]));
}

function messageOf(event: LoggedEvent, messages: ReadonlyMap<string, MessageRow>): MessageRow | undefined {
  const message = messages.get(event.messageId ?? '');
  if (message === undefined || event.data === null) return message;
  return { ...message, ...fromSnapshot(event.data as MessageSnapshot) };
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
