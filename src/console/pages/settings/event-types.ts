// The types of webhook events, and their names in deliveries.

import type { EndpointDeliveryType, WebhookEventType } from './operations.js';

const names: Record<EndpointDeliveryType, string> = {
  LEAD_CREATED: 'lead.created',
  LEAD_UPDATED: 'lead.updated',
  LEAD_ASSIGNED: 'lead.assigned',
  LEAD_READ: 'lead.read',
  LEAD_NOTE_CHANGED: 'lead.note_changed',
  LEAD_DELETED: 'lead.deleted',
  CONVERSATION_STATUS_CHANGED: 'conversation.status_changed',
  MESSAGE_RECEIVED: 'message.received',
  MESSAGE_CREATED: 'message.created',
  MESSAGE_STATUS_CHANGED: 'message.status_changed',
  MESSAGE_UPDATED: 'message.updated',
  BULK_SEND_PROGRESS: 'bulk_send.progress',
  CHAT_INSTANCE_STATUS_CHANGED: 'chat_instance.status_changed',
  PING: 'endpoint.ping',
  RESYNC_REQUIRED: 'endpoint.resync_required',
};

/** The types that an endpoint can choose. */
export const eventTypes = Object.keys(names).filter(
  (name): name is WebhookEventType => name !== 'PING' && name !== 'RESYNC_REQUIRED',
);

export const nameOfEvent = (type: EndpointDeliveryType): string => names[type];
