// The bodies of deliveries: the event's records as they are when posted, and a message's or conversation's status as it was at the change.
// A record that is gone is null, so that nothing of an erased person is posted.

import type { LoggedEvent } from '../../platform/events/event-log.js';
import { EventRecords, type BulkSendAtChange, type RecordServices } from '../events/event-records.js';
import type { PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import type { OptOutRow } from '../consent/consent.sql.js';
import { snoozeKindOf } from '../leads/conversation/conversation-state.js';
import { deliveredFields, pickFields } from '../leads/lead-fields.js';
import type { LeadRow } from '../leads/lead.service.js';
import type { MessageFile } from '../media/media.service.js';
import { readStoredChoice } from '../messages/choice.js';
import { originOf, type MessageRow, type Reaction } from '../messages/message.service.js';
import type { MessageSnapshot } from '../messages/message.sql.js';
import { wireNameOf, type DeliveryKind } from './endpoint-event.js';
import type { Referral } from '../../providers/referral.js';

/** The fields that a delivery keeps of its event. */
export interface EventDelivery {
  id: string;
  endpointId: string;
  type: DeliveryKind;
  seq: string | null;
  leadId: string | null;
  messageId: string | null;
  instanceId: string | null;
  data: unknown;
  occurredAt: Date;
}

export class EndpointPayloads {
  constructor(private readonly services: RecordServices) {}

  /** The bodies of a tenant's deliveries, in their order: one statement for each kind of record, however many there are. */
  async make(tenantId: string, deliveries: readonly EventDelivery[]): Promise<string[]> {
    const events = deliveries.map((delivery) => toEvent(tenantId, delivery));
    const records = new EventRecords(this.services, tenantId, events);
    return Promise.all(deliveries.map((delivery, index) => bodyOf(delivery, records, events[index])));
  }
}

type DeliveredEvent = ReturnType<typeof toEvent>;

// A test delivery has no record, whatever its type is called.
function toEvent(tenantId: string, { seq, type, ...ids }: EventDelivery) {
  return { ...ids, tenantId, seq: Number(seq ?? 0), type: type as LoggedEvent['type'] };
}

async function bodyOf(
  delivery: EventDelivery,
  records: EventRecords,
  event: DeliveredEvent | undefined,
): Promise<string> {
  const { type, occurredAt } = delivery;
  const data = event === undefined ? {} : await recordsOf(delivery, records, event);
  return JSON.stringify({ type: wireNameOf(type), timestamp: occurredAt.toISOString(), data });
}

async function recordsOf({ type, seq, endpointId }: EventDelivery, records: EventRecords, event: DeliveredEvent) {
  if (seq === null) return { endpointId };
  const sequence = Number(seq);
  const { leadId, messageId } = event;
  const lead = async () =>
    leadOf(await records.lead(event), await records.optOut(event), await records.firstReferral(event));
  if (messageId !== null) {
    const row = await records.message({ ...event, data: null });
    const reactions = row === null ? [] : await records.reactions(event);
    const file = row === null ? null : await records.file(row);
    const message = messageOf(row, event.data as Snapshot | null, reactions, file);
    return { sequence, messageId, leadId, message, lead: await lead() };
  }
  if (type === 'CHAT_INSTANCE_STATUS_CHANGED')
    return { sequence, chatInstance: instanceOf(await records.chatInstance(event)) };
  if (type === 'BULK_SEND_PROGRESS') return { sequence, bulkSend: bulkSendOf(await records.bulkSend(event)) };
  return type === 'RESYNC_REQUIRED' ? { sequence } : { sequence, leadId, lead: await lead() };
}

/** A message's snapshot as it stands in a delivery. */
type Snapshot = Omit<MessageSnapshot, 'errorMessage'>;

function messageOf(
  row: MessageRow | null,
  snapshot: Snapshot | null,
  reactions: readonly Reaction[],
  media: MessageFile | null,
) {
  if (row === null) return null;
  const { id, leadId, instanceId, direction, type, body, templateId, templateVersion, bulkSendId } = row;
  const { isForwarded, isNotice, mayWantToStop } = row;
  const { authorId, replyToExternalId, createdAt, scheduledFor, receivedAt, providerTimestamp, editedAt, deletedAt } =
    row;
  const { status, externalId, errorCode, sentAt, deliveredAt, readAt, failedAt } = snapshot ?? row;
  // The stored words belong to the code that the message has now.
  const error =
    errorCode === null ? null : { code: errorCode, message: errorCode === row.errorCode ? row.errorMessage : null };
  return {
    id,
    leadId,
    instanceId,
    direction,
    status,
    type,
    body,
    media,
    choice: readStoredChoice(row.choice),
    isForwarded,
    isNotice,
    mayWantToStop,
    externalId,
    templateId,
    templateVersion,
    bulkSendId,
    origin: originOf(row),
    authorId,
    replyToExternalId,
    reactions: reactions.map(({ emoji, fromLead, userId, reactedAt }) => ({ emoji, fromLead, userId, reactedAt })),
    referral: referralOf(row.referral as unknown as Referral | null),
    editedAt,
    deletedAt,
    error,
    createdAt,
    scheduledFor,
    receivedAt,
    providerTimestamp,
    sentAt,
    deliveredAt,
    readAt,
    failedAt,
  };
}

function leadOf(row: LeadRow | null, optOut: OptOutRow | null, firstReferral: Referral | null) {
  if (row === null) return null;
  return {
    ...pickFields(row, deliveredFields),
    snoozeKind: snoozeKindOf(row),
    optOut: optOut === null ? null : optOutOf(optOut),
    firstReferral: referralOf(firstReferral),
  };
}

// Every field is there, so that a receiver need not tell what is missing from what is null.
function referralOf(referral: Referral | null) {
  if (referral === null) return null;
  const { kind, sourceId = null, sourceUrl = null, headline = null, body = null, clickId = null } = referral;
  return { kind, sourceId, sourceUrl, headline, body, clickId };
}

function optOutOf({ at, source, keyword, messageId }: OptOutRow) {
  return { at, source, keyword, messageId };
}

function instanceOf(instance: PublicChatInstance | null) {
  if (instance === null) return null;
  const { id, provider, instanceName, isDefault, status, lastError, createdAt, updatedAt, deletedAt } = instance;
  const { number, healthCode, healthReason, degradedAt } = instance;
  const health = { healthCode, healthReason, degradedAt };
  return {
    id,
    provider,
    instanceName,
    isDefault,
    number,
    status,
    lastError,
    ...health,
    createdAt,
    updatedAt,
    deletedAt,
  };
}

function bulkSendOf(bulkSend: BulkSendAtChange | null) {
  if (bulkSend === null) return null;
  const { id, templateId, total, progress, createdAt, canceledAt } = bulkSend;
  return { id, templateId, total, progress, createdAt, canceledAt };
}
