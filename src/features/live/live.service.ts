// The sources of subscriptions, with the events that each one shows, and the cursors of events.

import { invalidField, notFound } from '../../platform/errors.js';
import type { EventLog, EventType } from '../../platform/events/event-log.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { LeadService } from '../leads/lead.service.js';
import { LiveSource } from './event-pages.js';

export interface LiveOptions {
  eventLog: EventLog;
  leads: Pick<LeadService, 'find'>;
}

export class LiveService {
  constructor(private readonly options: LiveOptions) {}

  /** Returns the cursor of the tenant's newest event. `watchEvents` continues after it. */
  async readCursor(principal: Principal | undefined): Promise<string> {
    const { tenantId } = requireUser(principal);
    return encodeEventCursor(tenantId, await this.options.eventLog.headOf(tenantId));
  }

  /**
   * Returns all of the tenant's events: those after the cursor, or new ones only.
   * @throws AppError VALIDATION_FAILED for a cursor of another tenant, or one ahead of the log
   */
  async watchEvents(principal: Principal | undefined, after?: string | null): Promise<LiveSource> {
    const { tenantId } = requireUser(principal);
    const view = { tenantId, name: 'events', positionArgument: 'after' };
    if (after == null) return new LiveSource({ ...view, rootOf: (event) => event });
    const afterSeq = decodeEventCursor(tenantId, after);
    if (afterSeq > (await this.options.eventLog.headOf(tenantId)))
      throw invalidField('after', 'is ahead of the newest event');
    return new LiveSource({ ...view, afterSeq, rootOf: (event) => event });
  }

  /**
   * Returns the messages of events of this type, for the tenant or for one lead. If the lead is merged, the source follows the lead that it
   * became, until the merge is undone.
   * @throws AppError NOT_FOUND for a lead that the tenant does not have
   */
  async watchMessages(principal: Principal | undefined, type: EventType, leadId?: string | null): Promise<LiveSource> {
    const user = requireUser(principal);
    const { tenantId } = user;
    if (leadId == null) {
      const rootOf: LiveSource['rootOf'] = (event) => (event.type === type ? event.records.message(event) : undefined);
      return new LiveSource({ tenantId, name: type, rootOf });
    }
    const wanted = leadId.toLowerCase();
    let currentId = await this.findLeadId(user, wanted);
    if (currentId === undefined) throw notFound('lead');
    const rootOf: LiveSource['rootOf'] = async (event) => {
      const concernsLead = event.leadId === wanted || event.leadId === currentId;
      if (concernsLead && event.type === 'LEAD_UPDATED') currentId = (await this.findLeadId(user, wanted)) ?? wanted;
      return event.type === type && event.leadId === currentId ? event.records.message(event) : undefined;
    };
    return new LiveSource({ tenantId, name: `${type} ${wanted}`, rootOf });
  }

  /** Returns the tenant's chat instances when their status changes, each at most every 10 s. */
  async watchChatInstances(principal: Principal | undefined): Promise<LiveSource> {
    const { tenantId } = requireUser(principal);
    const type = 'CHAT_INSTANCE_STATUS_CHANGED';
    const rootOf: LiveSource['rootOf'] = (event) =>
      event.type === type ? event.records.chatInstance(event) : undefined;
    return new LiveSource({ tenantId, name: type, rootOf });
  }

  private async findLeadId(user: UserPrincipal, leadId: string): Promise<string | undefined> {
    return (await this.options.leads.find(user, leadId))?.id;
  }
}

// The length of the part of the tenant's id in a cursor. It is enough to recognise another tenant's cursor.
const tenantMarkLength = 12;
const pattern = /^([0-9a-f]{12}):(0|[1-9]\d{0,15})$/;

export function encodeEventCursor(tenantId: string, seq: number): string {
  return Buffer.from(`${tenantId.slice(-tenantMarkLength)}:${seq}`).toString('base64url');
}

/** @throws AppError VALIDATION_FAILED on `after` if it is not a cursor of this tenant's events */
function decodeEventCursor(tenantId: string, cursor: string): number {
  const [, mark, digits] = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const seq = Number(digits);
  // base64 decoding is lenient, so the cursor has to be exactly the one that encoding gives.
  if (mark !== tenantId.slice(-tenantMarkLength) || encodeEventCursor(tenantId, seq) !== cursor)
    throw invalidField('after', 'is not a cursor of these events');
  return seq;
}
