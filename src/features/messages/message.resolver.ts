// GraphQL door of messages, and what messages add to Lead.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf } from '../../platform/graphql-context.js';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import { TwoWayPageArgs, toConnection } from '../../platform/relay.type.js';
import type { ConnectionValue } from '../../platform/relay.type.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { MessageSendService } from './message-send.service.js';
import type { MessageRow, MessageService, TransitionRow } from './message.service.js';
import { Message, MessageConnection, MessageError, MessageStatusTransition, SendMessageInput } from './message.type.js';

@Resolver(() => Message)
export class MessageResolver {
  constructor(
    private readonly service: MessageService,
    private readonly sender: MessageSendService,
    private readonly leads: LeadService,
    private readonly chatInstances: ChatInstanceService,
  ) {}

  @Authorized()
  @Query(() => MessageConnection, { description: "A lead's messages, the oldest first; `last` gives the newest page." })
  async messages(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'Whose conversation.' }) leadId: string,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<MessageRow>> {
    return toConnection(await this.service.listOfLead(context.principal, leadId, args));
  }

  @Authorized()
  @Query(() => Message, { nullable: true, description: 'One message; null where the tenant has none of this id.' })
  message(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The message's id." }) id: string,
  ): Promise<MessageRow | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized()
  @Mutation(() => Message, { description: "Queues a message to a lead. It leaves at the tenant's permitted rate." })
  sendMessage(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => SendMessageInput, { description: 'What to send, and to whom.' }) input: SendMessageInput,
  ): Promise<MessageRow> {
    return this.sender.send(context.principal, input);
  }

  @FieldResolver(() => Lead, { description: 'The other side of the conversation.' })
  async lead(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<LeadRow | null> {
    const read = (ids: readonly string[]) => this.leads.listByIds(callerOf(context), ids);
    return context.loaders.one('lead', read, (lead) => lead.id).load(message.leadId);
  }

  @FieldResolver(() => ChatInstance, { description: 'The line it came or goes through.' })
  async instance(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<PublicChatInstance | null> {
    const read = (ids: readonly string[]) => this.chatInstances.listByIds(callerOf(context), ids);
    return context.loaders.one('chat-instance', read, (instance) => instance.id).load(message.instanceId);
  }

  @FieldResolver(() => MessageError, { nullable: true, description: 'Why it failed; null unless it did.' })
  error(@Root() { errorCode, errorMessage }: MessageRow): MessageError | null {
    return errorCode === null ? null : { code: errorCode, message: errorMessage ?? errorCode };
  }

  @FieldResolver(() => Date, { nullable: true, description: 'When it leaves at the earliest; null once it has left.' })
  async estimatedSendAt(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<Date | null> {
    if (message.status !== 'QUEUED' && message.status !== 'SENDING') return null;
    const read = (ids: readonly string[]) => this.service.listDueTimes(callerOf(context), ids);
    const due = await context.loaders.one('due-time', read, (entry) => entry.messageId).load(message.id);
    return due?.dueAt ?? null;
  }

  @FieldResolver(() => [MessageStatusTransition], { description: 'Every change of its status, the oldest first.' })
  timeline(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<TransitionRow[]> {
    const read = (ids: readonly string[]) => this.service.listTransitions(callerOf(context), ids);
    return context.loaders.many('timeline', read, (transition) => transition.messageId).load(message.id);
  }
}

@Resolver(() => Lead)
export class LeadMessagesResolver {
  constructor(private readonly service: MessageService) {}

  @FieldResolver(() => MessageConnection, {
    description: "The lead's messages, the oldest first; `last` gives the newest page.",
  })
  async messages(
    @Root() lead: LeadRow,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<MessageRow>> {
    return toConnection(await this.service.listOfKnownLead(lead, args));
  }

  @FieldResolver(() => Message, { nullable: true, description: 'The newest message, of either side.' })
  lastMessage(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    if (lead.lastMessageId === null) return null;
    const read = (ids: readonly string[]) => this.service.listByIds(callerOf(context), ids);
    return context.loaders.one('message', read, (message) => message.id).load(lead.lastMessageId);
  }
}
