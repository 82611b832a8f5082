// The kinds of deliveries, each with its name on the wire: events of the tenant's log, and those that every endpoint gets.

import type { EventType } from '../../platform/events/event-log.js';

/**
 * Events that an endpoint may ask for. Left out are LEAD_PRESENCE_CHANGED, as presence is over before a post arrives, and TEMPLATE_CHANGED,
 * which is for clients that show templates.
 */
export const endpointEvents = {
  LEAD_CREATED: { wire: 'lead.created', meaning: '`lead.created`: a lead came in for the first time.' },
  LEAD_UPDATED: {
    wire: 'lead.updated',
    meaning: '`lead.updated`: a lead was changed, merged into another, or its merge was undone.',
  },
  LEAD_ASSIGNED: { wire: 'lead.assigned', meaning: '`lead.assigned`: the assignee of the lead has changed.' },
  LEAD_READ: { wire: 'lead.read', meaning: '`lead.read`: what a lead wrote was read.' },
  LEAD_DELETED: { wire: 'lead.deleted', meaning: '`lead.deleted`: a lead was erased. The delivery holds its id only.' },
  LEAD_NOTE_CHANGED: {
    wire: 'lead.note_changed',
    meaning: '`lead.note_changed`: a note about a lead was added, changed or removed.',
  },
  CONVERSATION_STATUS_CHANGED: {
    wire: 'conversation.status_changed',
    meaning:
      '`conversation.status_changed`: the conversation with a lead was closed, reopened or snoozed, or its snooze has ended.',
  },
  MESSAGE_RECEIVED: { wire: 'message.received', meaning: '`message.received`: a lead wrote.' },
  MESSAGE_CREATED: {
    wire: 'message.created',
    meaning: '`message.created`: a message of ours was queued here, or was written on the phone.',
  },
  MESSAGE_UPDATED: {
    wire: 'message.updated',
    meaning: '`message.updated`: a message was edited or deleted, has another reaction, or its file was stored.',
  },
  MESSAGE_STATUS_CHANGED: {
    wire: 'message.status_changed',
    meaning: '`message.status_changed`: a message of ours was queued, or its status has changed.',
  },
  CHAT_INSTANCE_STATUS_CHANGED: {
    wire: 'chat_instance.status_changed',
    meaning: '`chat_instance.status_changed`: the state of a chat instance has changed.',
  },
  BULK_SEND_PROGRESS: {
    wire: 'bulk_send.progress',
    meaning: '`bulk_send.progress`: statuses of messages of a bulk send have changed.',
  },
} as const satisfies Partial<Record<EventType, { wire: string; meaning: string }>>;

export type EndpointEventType = keyof typeof endpointEvents;

/** The kinds of deliveries: events, and those that every endpoint gets without asking. */
export const deliveryKinds = {
  ...endpointEvents,
  PING: { wire: 'endpoint.ping', meaning: '`endpoint.ping`: a test delivery that an ADMIN asked for.' },
  RESYNC_REQUIRED: {
    wire: 'endpoint.resync_required',
    meaning:
      '`endpoint.resync_required`: the event log no longer holds the events after the position of the endpoint, or the database has lost events that the endpoint got. Read again what you keep; what follows is complete.',
  },
} as const;

export type DeliveryKind = keyof typeof deliveryKinds;

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

export const endpointEventTypes = keysOf<EndpointEventType>(endpointEvents);
export const deliveryKindNames = keysOf<DeliveryKind>(deliveryKinds);

/** The kind's name in the posted body. */
export function wireNameOf(kind: DeliveryKind): string {
  return deliveryKinds[kind].wire;
}
