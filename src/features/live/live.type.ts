// GraphQL types of live changes.

import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { eventTypes } from '../../platform/event-log.js';
import type { EventType } from '../../platform/event-log.js';

/** What a client may be told: what is logged, and what stands in the place of what is not. */
export type ToldEventType = EventType | 'RESYNC_REQUIRED' | 'OTHER';

const ToldEventType = Object.fromEntries(
  [...eventTypes, 'RESYNC_REQUIRED', 'OTHER'].map((type) => [type, type]),
) as Record<ToldEventType, ToldEventType>;

registerEnumType(ToldEventType, {
  name: 'EventType',
  description: 'What has happened.',
  valuesConfig: {
    LEAD_CREATED: { description: 'A lead came in for the first time.' },
    LEAD_UPDATED: { description: 'A lead was changed, merged into another, or is itself again.' },
    LEAD_ASSIGNED: { description: 'Somebody else, or nobody, looks after the lead.' },
    LEAD_READ: { description: 'What a lead wrote was read.' },
    LEAD_DELETED: { description: 'A lead was deleted: `leadId` says which.' },
    LEAD_PRESENCE_CHANGED: { description: 'Who looks at a lead, or answers it, has changed.' },
    MESSAGE_RECEIVED: { description: 'A lead wrote.' },
    MESSAGE_STATUS_CHANGED: { description: 'A message of ours was queued, or has come further.' },
    CHAT_INSTANCE_STATUS_CHANGED: { description: 'The line of a chat instance has changed.' },
    BULK_SEND_PROGRESS: { description: 'Messages of a bulk send have come further; at most once a second for each.' },
    RESYNC_REQUIRED: {
      description:
        'The log does not reach back to the cursor: read anew what you show. What comes next follows this event.',
    },
    OTHER: { description: 'A change that this version of the service does not know.' },
  },
});

@ObjectType({
  description: "A change in the tenant, with its record. Its place is the same for all of the tenant's users.",
})
export class Event {
  @Field(() => String, { description: 'Where this event stands: `events(after)` goes on behind it.' })
  cursor!: string;

  @Field(() => ToldEventType, { description: 'What has happened.' })
  type!: ToldEventType;

  @Field(() => Date, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The lead that it concerns, also where that is gone.' })
  leadId!: string | null;
}
