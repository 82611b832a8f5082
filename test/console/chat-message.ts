// A message as the API gives it, with positions in order of time.

import type { ChatMessage } from '../../src/console/live/conversation-store.js';

const firstTime = Date.UTC(2026, 10, 23, 12);

/** @param place minutes after noon */
export function idAt(place: number): string {
  const time = (firstTime + place * 60_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** @param place minutes after noon */
function positionOf(place: number): string {
  return String(BigInt(firstTime + place * 60_000) * 1_024_000n);
}

export function messageAt(place: number, changes: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id: idAt(place),
    position: positionOf(place),
    type: 'text',
    direction: 'INBOUND',
    origin: 'LEAD',
    body: `message ${place}`,
    createdAt: new Date(firstTime + place * 60_000).toISOString(),
    providerTimestamp: null,
    status: null,
    scheduledFor: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    editedAt: null,
    deletedAt: null,
    author: null,
    instance: { id: 'instance', instanceName: 'demo', status: 'CONNECTED' },
    error: null,
    media: null,
    reactions: [],
    replyTo: null,
    choice: null,
    isForwarded: false,
    isNotice: false,
    mayWantToStop: false,
    referral: null,
    ...changes,
  };
}
