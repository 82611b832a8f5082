// What a webhook endpoint can be told: each kind with its name on the wire. A kind is the event's in the tenant's log, or one of ours.

import type { EventType } from '../../platform/event-log.js';

/** What an endpoint may be asked to be told of. Who looks at a lead is over before a post arrives: it is left out. */
export const endpointEvents = {
  LEAD_CREATED: { wire: 'lead.created', meaning: '`lead.created`: a lead came in for the first time.' },
  LEAD_UPDATED: {
    wire: 'lead.updated',
    meaning: '`lead.updated`: a lead was changed, merged into another, or is itself again.',
  },
  LEAD_ASSIGNED: { wire: 'lead.assigned', meaning: '`lead.assigned`: somebody else, or nobody, looks after the lead.' },
  LEAD_READ: { wire: 'lead.read', meaning: '`lead.read`: what a lead wrote was read.' },
  LEAD_DELETED: { wire: 'lead.deleted', meaning: '`lead.deleted`: a lead was erased; nothing but its id is told.' },
  MESSAGE_RECEIVED: { wire: 'message.received', meaning: '`message.received`: a lead wrote.' },
  MESSAGE_STATUS_CHANGED: {
    wire: 'message.status_changed',
    meaning: '`message.status_changed`: a message of ours was queued, or has come further.',
  },
  CHAT_INSTANCE_STATUS_CHANGED: {
    wire: 'chat_instance.status_changed',
    meaning: '`chat_instance.status_changed`: the line of a chat instance has changed.',
  },
  BULK_SEND_PROGRESS: {
    wire: 'bulk_send.progress',
    meaning: '`bulk_send.progress`: messages of a bulk send have come further.',
  },
} as const satisfies Partial<Record<EventType, { wire: string; meaning: string }>>;

export type EndpointEventType = keyof typeof endpointEvents;

/** What a delivery may be: an event, or what every endpoint gets without asking. */
export const deliveryKinds = {
  ...endpointEvents,
  PING: { wire: 'endpoint.ping', meaning: '`endpoint.ping`: a test delivery that an ADMIN asked for.' },
  RESYNC_REQUIRED: {
    wire: 'endpoint.resync_required',
    meaning:
      '`endpoint.resync_required`: the event log does not reach back to where the endpoint had stopped. Read anew what you keep; what follows is whole again.',
  },
} as const;

export type DeliveryKind = keyof typeof deliveryKinds;

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

export const endpointEventTypes = keysOf<EndpointEventType>(endpointEvents);
export const deliveryKindNames = keysOf<DeliveryKind>(deliveryKinds);

/** Its name in what is posted. */
export function wireNameOf(kind: DeliveryKind): string {
  return deliveryKinds[kind].wire;
}
