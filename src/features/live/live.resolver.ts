// GraphQL subscriptions, and the fields of events.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Authorized, Ctx, FieldResolver, ID, Query, Resolver, Root, Subscription } from 'type-graphql';
import { eventTypes } from '../../platform/events/event-log.js';
import { resolverIn, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { actionAtChange, type BulkActionRecord, type BulkActionSnapshot } from '../bulk-actions/bulk-action.service.js';
import { BulkAction } from '../bulk-actions/bulk-action.type.js';
import { BulkSend } from '../bulk-sends/bulk-send.type.js';
import type { PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { LeadRow } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { MessageRow } from '../messages/message.service.js';
import { Message } from '../messages/message.type.js';
import type { TemplateChange } from '../templates/template.service.js';
import { encodeEventCursor, type LiveService } from './live.service.js';
import type { FeedEvent } from './event-pages.js';
import type { BulkSendAtChange } from '../events/event-records.js';
import { Event, type LiveEventType } from './live.type.js';

interface Subscribing<Args = object> {
  context: GraphqlContext;
  args: Args;
  info: GraphQLResolveInfo;
}

interface LeadFilter {
  leadId?: string | null;
}

const ofLead = {
  nullable: true,
  description: 'Only messages of this lead, or of the lead that it is merged into.',
} as const;

const knownTypes: ReadonlySet<string> = new Set([...eventTypes, 'RESYNC_REQUIRED']);

@Resolver()
export class LiveResolver {
  constructor(readonly live: LiveService) {}

  @Authorized()
  @Subscription(() => Event, {
    description:
      'Every change in the tenant, each once and in order: first the changes after the cursor, then new ones. Without a cursor, only new ones.',
    subscribe: ({ context, args, info }: Subscribing<{ after?: string | null }>) =>
      liveIn(info).watchEvents(context.principal, args.after),
  })
  events(
    @Root() event: FeedEvent,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The cursor of the last event that you saw, or `eventCursor`.',
    })
    _after?: string | null,
  ): FeedEvent {
    return event;
  }

  @Authorized()
  @Subscription(() => Message, {
    description: 'Inbound messages when they are stored.',
    subscribe: ({ context, args, info }: Subscribing<LeadFilter>) =>
      liveIn(info).watchMessages(context.principal, 'MESSAGE_RECEIVED', args.leadId),
  })
  messageReceived(@Root() message: MessageRow, @Arg('leadId', () => ID, ofLead) _leadId?: string | null): MessageRow {
    return message;
  }

  @Authorized()
  @Subscription(() => Message, {
    description: 'Outbound messages at each change of their status, in the state of that change.',
    subscribe: ({ context, args, info }: Subscribing<LeadFilter>) =>
      liveIn(info).watchMessages(context.principal, 'MESSAGE_STATUS_CHANGED', args.leadId),
  })
  messageStatusChanged(
    @Root() message: MessageRow,
    @Arg('leadId', () => ID, ofLead) _leadId?: string | null,
  ): MessageRow {
    return message;
  }

  @Authorized()
  @Subscription(() => ChatInstance, {
    description: 'Chat instances when their status changes; each instance at most every 10 s.',
    subscribe: ({ context, info }: Subscribing) => liveIn(info).watchChatInstances(context.principal),
  })
  chatInstanceStatusChanged(@Root() instance: PublicChatInstance): PublicChatInstance {
    return instance;
  }
}

// Type-graphql calls for a subscription's source without an instance of the resolver, so the instance comes from the schema.
function liveIn({ schema }: GraphQLResolveInfo): LiveService {
  return resolverIn(schema, LiveResolver).live;
}

@Resolver(() => Event)
export class EventResolver {
  constructor(private readonly service: LiveService) {}

  @Authorized()
  @Query(() => String, {
    description:
      'The cursor of the newest event. Read it before you read what you show: `events(after)` then has every later change.',
  })
  eventCursor(@Ctx() context: GraphqlContext): Promise<string> {
    return this.service.readCursor(context.principal);
  }

  @FieldResolver(() => String)
  cursor(@Root() { tenantId, position }: FeedEvent): string {
    return encodeEventCursor(tenantId, position);
  }

  // A newer version may have logged types that this one does not know.
  @FieldResolver()
  type(@Root() { type }: FeedEvent): LiveEventType {
    return knownTypes.has(type) ? type : 'OTHER';
  }

  @FieldResolver(() => Message, {
    nullable: true,
    description: 'The message of the event: its status as of the event, all else as it is now.',
  })
  message(@Root() event: FeedEvent): Promise<MessageRow | null> {
    return event.records.message(event);
  }

  @FieldResolver(() => Lead, {
    nullable: true,
    description: 'The lead of the event, as it is now; of CONVERSATION_STATUS_CHANGED with the status of that change.',
  })
  lead(@Root() event: FeedEvent): Promise<LeadRow | null> {
    return event.records.lead(event);
  }

  @FieldResolver(() => ChatInstance, {
    nullable: true,
    description: 'The chat instance of the event, as it is now.',
  })
  chatInstance(@Root() event: FeedEvent): Promise<PublicChatInstance | null> {
    return event.records.chatInstance(event);
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The id of the template of TEMPLATE_CHANGED, even if the template was deleted.',
  })
  templateId(@Root() { type, data }: FeedEvent): string | null {
    return type === 'TEMPLATE_CHANGED' ? (data as TemplateChange).templateId : null;
  }

  @FieldResolver(() => BulkSend, {
    nullable: true,
    description: 'The bulk send of the event, with its progress at the time of the event.',
  })
  bulkSend(@Root() event: FeedEvent): Promise<BulkSendAtChange | null> {
    return event.records.bulkSend(event);
  }

  @FieldResolver(() => BulkAction, {
    nullable: true,
    description: 'The bulk action of the event, as it was at the time of the event.',
  })
  bulkAction(@Root() { type, data }: FeedEvent): BulkActionRecord | null {
    return type === 'BULK_ACTION_PROGRESS' ? actionAtChange(data as BulkActionSnapshot) : null;
  }
}
