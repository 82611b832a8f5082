// GraphQL types of events.

import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { eventTypes, type EventType } from '../../platform/events/event-log.js';

/** The logged types, and two more for events that are missing or unknown. */
export type LiveEventType = EventType | 'RESYNC_REQUIRED' | 'OTHER';

const LiveEventType = Object.fromEntries(
  [...eventTypes, 'RESYNC_REQUIRED', 'OTHER'].map((type) => [type, type]),
) as Record<LiveEventType, LiveEventType>;

registerEnumType(LiveEventType, {
  name: 'EventType',
  description: 'The type of an event.',
  valuesConfig: {
    LEAD_CREATED: { description: 'A lead came in for the first time.' },
    LEAD_UPDATED: { description: 'A lead was changed, merged into another, or separated again.' },
    LEAD_ASSIGNED: { description: 'The assignee of a lead has changed.' },
    LEAD_READ: { description: 'Messages of a lead were marked as read.' },
    LEAD_DELETED: { description: 'A lead was deleted. `leadId` is its id.' },
    LEAD_PRESENCE_CHANGED: { description: 'The presence of operators at a lead has changed.' },
    LEAD_NOTE_CHANGED: { description: 'A note about a lead was added, changed or removed.' },
    CONVERSATION_STATUS_CHANGED: {
      description: 'The conversation with a lead was closed, reopened or snoozed, or its snooze has ended.',
    },
    MESSAGE_RECEIVED: { description: 'A lead sent a message.' },
    MESSAGE_CREATED: { description: 'An outbound message was queued here, or was written on the phone.' },
    MESSAGE_UPDATED: {
      description: 'A message was edited or deleted by its writer, has another reaction, or its file was stored.',
    },
    MESSAGE_STATUS_CHANGED: { description: 'An outbound message was queued, or its status has changed.' },
    CHAT_INSTANCE_STATUS_CHANGED: { description: 'The status of a chat instance has changed.' },
    TEMPLATE_CHANGED: { description: 'A template was created, changed or deleted. `templateId` is its id.' },
    BULK_SEND_PROGRESS: {
      description: 'The progress of a bulk send has changed. At most one event a second for each.',
    },
    BULK_ACTION_PROGRESS: {
      description:
        'A bulk action has come further, or is being undone. At most one event a second for each, and one at its end.',
    },
    RESYNC_REQUIRED: {
      description:
        'The log does not go on from the cursor: it was pruned, or the database lost its newest events. Read again what you show. The next events follow without a gap.',
    },
    OTHER: { description: 'A change that this version of the service does not know.' },
  },
});

@ObjectType({
  description:
    'A change in the tenant, with its record. All users of the tenant see the same events in the same order.',
})
export class Event {
  @Field(() => String, { description: 'The position of the event. `events(after)` continues after it.' })
  cursor!: string;

  @Field(() => LiveEventType, { description: 'The type of an event.' })
  type!: LiveEventType;

  @Field(() => Date, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The id of the lead, even if the lead was deleted.' })
  leadId!: string | null;
}
