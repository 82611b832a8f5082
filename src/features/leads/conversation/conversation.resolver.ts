// GraphQL of changes to conversations.

import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { SnoozeKind } from '../lead.schema.js';
import type { LeadRow } from '../lead.service.js';
import { Lead, SnoozeKindEnum } from '../lead.type.js';
import { snoozeKindOf } from './conversation-state.js';
import type { ConversationService } from './conversation.service.js';

const leadIdArgument = { description: "The lead's id." } as const;

@Resolver(() => Lead)
export class ConversationResolver {
  constructor(private readonly service: ConversationService) {}

  @Authorized()
  @Mutation(() => Lead, {
    description: 'Closes the conversation with a lead. The next inbound message opens it again. Safe to repeat.',
  })
  closeConversation(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, leadIdArgument) leadId: string,
  ): Promise<LeadRow> {
    return this.service.close(context.principal, leadId);
  }

  @Authorized()
  @Mutation(() => Lead, { description: 'Opens a conversation that is closed or snoozed. Safe to repeat.' })
  reopenConversation(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, leadIdArgument) leadId: string,
  ): Promise<LeadRow> {
    return this.service.reopen(context.principal, leadId);
  }

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Puts a conversation aside until a time. Then, or with the next inbound message, it is open again. Another time replaces the first. Safe to repeat.',
  })
  snoozeConversation(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, leadIdArgument) leadId: string,
    @Arg('until', () => Date, { description: 'A time to come, in any zone, at most a year ahead.' }) until: Date,
  ): Promise<LeadRow> {
    return this.service.snooze(context.principal, leadId, until);
  }

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Puts a conversation aside to come back at a time only if the lead has not written until then. A message of the lead opens it and ends the reminder; with an unread reply to our newest answer it stays as it is. It replaces a snooze, and a snooze replaces it. Safe to repeat.',
  })
  remindIfNoReply(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, leadIdArgument) leadId: string,
    @Arg('at', () => Date, { description: 'A time to come, in any zone, at most a year ahead.' }) at: Date,
    @Arg('expectedLastMessageId', () => ID, {
      nullable: true,
      description: 'CONFLICT if the lead has written after this message, the newest that the caller has seen.',
    })
    expectedLastMessageId?: string | null,
  ): Promise<LeadRow> {
    return this.service.remindIfNoReply(context.principal, leadId, at, expectedLastMessageId);
  }

  @FieldResolver(() => SnoozeKindEnum, {
    nullable: true,
    description: 'Whether the snooze is a reminder; null unless the conversation is SNOOZED.',
  })
  snoozeKind(@Root() lead: LeadRow): SnoozeKind | null {
    return snoozeKindOf(lead);
  }

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Marks the newest inbound message of a lead as unread, where none is. A lead that never wrote stays as it is. Safe to repeat.',
  })
  markLeadUnread(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, leadIdArgument) leadId: string,
  ): Promise<LeadRow> {
    return this.service.markUnread(context.principal, leadId);
  }
}
