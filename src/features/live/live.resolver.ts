// GraphQL door of live changes.

import { Arg, Authorized, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import type { PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { MessageRow } from '../messages/message.service.js';
import { Message } from '../messages/message.type.js';
import type { LiveService } from './live.service.js';

interface LeadFilter {
  leadId?: string | null;
}

interface Subscribing {
  context: GraphqlContext;
  args: LeadFilter;
}

/** The resolver's instance is not at hand where type-graphql asks for a subscription's source. */
export function liveResolver(live: LiveService) {
  @Resolver()
  class LiveResolver {
    @Authorized()
    @Subscription(() => Message, {
      description: 'Inbound messages as they are recorded.',
      subscribe: ({ context, args }: Subscribing) =>
        live.watchMessages(context.principal, 'MESSAGE_RECEIVED', args.leadId),
    })
    messageReceived(
      @Root() message: MessageRow,
      @Arg('leadId', () => ID, { nullable: true, description: 'Only those of this lead.' }) _leadId?: string | null,
    ): MessageRow {
      return message;
    }

    @Authorized()
    @Subscription(() => Message, {
      description: 'Outbound messages at each change of their status, from QUEUED to READ, as they were at the change.',
      subscribe: ({ context, args }: Subscribing) =>
        live.watchMessages(context.principal, 'MESSAGE_STATUS_CHANGED', args.leadId),
    })
    messageStatusChanged(
      @Root() message: MessageRow,
      @Arg('leadId', () => ID, { nullable: true, description: 'Only those of this lead.' }) _leadId?: string | null,
    ): MessageRow {
      return message;
    }

    @Authorized()
    @Subscription(() => ChatInstance, {
      description: 'Chat instances whose line has changed; one that flaps is told of at most every 10 s.',
      subscribe: ({ context }: Subscribing) => live.watchChatInstances(context.principal),
    })
    chatInstanceStatusChanged(@Root() instance: PublicChatInstance): PublicChatInstance {
      return instance;
    }
  }
  return LiveResolver;
}
