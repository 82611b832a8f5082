// The sources of subscriptions, with the events that each one shows, and the cursors of events.

import { invalidField, notFound } from '../../platform/errors.js';
import type { EventLog, EventType, LogPosition } from '../../platform/events/event-log.js';
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
   * Returns all of the tenant's events: those after the cursor, or new ones only. They begin with `RESYNC_REQUIRED` where the log does not
   * go on from the cursor: its events were removed, or the database lost them.
   * @throws AppError VALIDATION_FAILED for a cursor of another tenant
   */
  watchEvents(principal: Principal | undefined, after?: string | null): LiveSource {
    const { tenantId } = requireUser(principal);
    const view = { tenantId, name: 'events', positionArgument: 'after' };
    if (after == null) return new LiveSource({ ...view, rootOf: (event) => event });
    return new LiveSource({ ...view, after: decodeEventCursor(tenantId, after), rootOf: (event) => event });
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
      // A page of events may be shown again after one of them has moved the lead. Those from before the merge are still the lead's.
      return event.type === type && concernsLead ? event.records.message(event) : undefined;
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
// The time of the event comes last. Cursors of former versions have none, nor has one whose event was removed.
const pattern = /^([0-9a-f]{12}):(0|[1-9]\d{0,15})(?::(0|[1-9]\d{0,15}))?$/;

export function encodeEventCursor(tenantId: string, { seq, occurredAtMs }: LogPosition): string {
  const parts = [tenantId.slice(-tenantMarkLength), seq, ...(occurredAtMs === undefined ? [] : [occurredAtMs])];
  return Buffer.from(parts.join(':')).toString('base64url');
}

/** @throws AppError VALIDATION_FAILED on `after` if it is not a cursor of this tenant's events */
function decodeEventCursor(tenantId: string, cursor: string): LogPosition {
  const [, mark, seq, occurredAtMs] = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const position = { seq: Number(seq), occurredAtMs: occurredAtMs === undefined ? undefined : Number(occurredAtMs) };
  // base64 decoding is lenient, so the cursor has to be exactly the one that encoding gives.
  if (mark !== tenantId.slice(-tenantMarkLength) || encodeEventCursor(tenantId, position) !== cursor)
    throw invalidField('after', 'is not a cursor of these events');
  return position;
}
