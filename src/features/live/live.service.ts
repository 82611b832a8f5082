// The subscriptions' sources: views of the tenant's live feed, carrying the changed record as it was at the change.

import { notFound } from '../../platform/errors.js';
import type { EventType, LoggedEvent } from '../../platform/event-log.js';
import { requireUser } from '../../platform/principal.js';
import type { Principal, UserPrincipal } from '../../platform/principal.js';
import type { LeadService } from '../leads/lead.service.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import type { MessageSnapshot } from '../messages/message.sql.js';
import { filterEvents } from './filtered-events.js';
import type { LiveFeed } from './live-feed.js';

export interface LiveOptions {
  feed: LiveFeed;
  leads: LeadService;
  messages: MessageService;
}

export class LiveService {
  // Every subscriber gets the same event object, so that its record is read once for all of them.
  private readonly records = new WeakMap<LoggedEvent, Promise<MessageRow | undefined>>();

  constructor(private readonly options: LiveOptions) {}

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
    const wanted = leadId?.toLowerCase();
    if (wanted !== undefined && (await this.options.leads.find(user, wanted)) === null) throw notFound('lead');
    const events = await this.options.feed.watch(user.tenantId);
    return filterEvents(events, async (event) => {
      if (event.type !== type || (wanted !== undefined && event.leadId !== wanted)) return undefined;
      return this.messageOf(user, event);
    });
  }

  private messageOf(user: UserPrincipal, event: LoggedEvent): Promise<MessageRow | undefined> {
    const known = this.records.get(event) ?? this.readMessage(user, event);
    this.records.set(event, known);
    return known;
  }

  private async readMessage(user: UserPrincipal, event: LoggedEvent): Promise<MessageRow | undefined> {
    const message = event.messageId === null ? null : await this.options.messages.find(user, event.messageId);
    if (message === null) return undefined;
    return event.data === null ? message : { ...message, ...fromSnapshot(event.data as MessageSnapshot) };
  }
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
