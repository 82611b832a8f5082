// GraphQL API of messages, and the fields that messages add to Lead.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Authorized, Ctx, Extensions, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import { callerOf, selectedOfNodes, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { partExtension } from '../../platform/database/shown-records.js';
import { TwoWayPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import { newestMessageOf } from '../leads/lead.sql.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { TemplateRow, TemplateService } from '../templates/template.service.js';
import { Template } from '../templates/template.type.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import { readStoredChoice, type ShownChoice } from './choice.js';
import {
  Message,
  MessageChoice,
  MessageConnection,
  MessageError,
  MessageFilter,
  MessageStatusTransition,
} from './message.type.js';
import { loadLead, withoutErased } from './message-lead.loader.js';
import type { MessageRow, MessageService, ShownMessage, TransitionRow } from './message.service.js';
import type { ExternalKey } from './reported.js';

export interface MessageResolverServices {
  messages: MessageService;
  templates: TemplateService;
  users: UserService;
  leads: LeadService;
  chatInstances: ChatInstanceService;
}

@Resolver(() => Message)
export class MessageResolver {
  constructor(private readonly services: MessageResolverServices) {}

  @Authorized()
  @Query(() => MessageConnection, { description: "A lead's messages, the oldest first; `last` gives the newest page." })
  async messages(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('leadId', () => ID, { description: 'Whose conversation.' }) leadId: string,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => MessageFilter, { nullable: true, description: 'Which of them; all where none is given.' })
    filter?: MessageFilter | null,
    @Arg('around', () => ID, {
      nullable: true,
      description:
        'A message of the lead: the page around it, `first` in all, half of them before it. Not together with after, last or before.',
    })
    around?: string | null,
  ): Promise<ConnectionValue<ShownMessage>> {
    const { first, after, last, before } = args;
    const { messages, leads } = this.services;
    const fields = selectedOfNodes(info);
    const asked = { first, after, last, before, around };
    const page = await messages.listOfLead(context.principal, leadId, asked, filter, fields);
    return withoutErased(context, leads, toConnection(page), fields);
  }

  @Authorized()
  @Query(() => MessageConnection, {
    description:
      'The messages of all leads, the newest first. Looking for a text goes through the messages of the span that is given: name one where there are many.',
  })
  async allMessages(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => MessageFilter, { nullable: true, description: 'Which messages; all where none is given.' })
    filter?: MessageFilter | null,
  ): Promise<ConnectionValue<ShownMessage>> {
    const { messages, leads } = this.services;
    const fields = selectedOfNodes(info);
    const page = await messages.listAll(context.principal, args, filter, fields);
    return withoutErased(context, leads, toConnection(page), fields);
  }

  @Authorized()
  @Query(() => Message, { nullable: true, description: 'One message; null where the tenant has none of this id.' })
  message(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The message's id." }) id: string,
  ): Promise<MessageRow | null> {
    return this.services.messages.find(context.principal, id);
  }

  @FieldResolver(() => Lead, { description: 'The other side of the conversation.' })
  lead(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<LeadRow> {
    return loadLead(context, this.services.leads, message);
  }

  @FieldResolver(() => ChatInstance, { description: 'The chat instance that it came or goes through.' })
  async instance(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<PublicChatInstance | null> {
    return loadById(context, 'chat-instance', this.services.chatInstances, message.instanceId);
  }

  @FieldResolver(() => Template, { nullable: true, description: 'The template that its text was made of.' })
  template(@Root() { templateId }: MessageRow, @Ctx() context: GraphqlContext): Promise<TemplateRow | null> | null {
    return loadById(context, 'template', this.services.templates, templateId);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description:
      'Who wrote it here; null on INBOUND, on what was written on the phone, and on what the service wrote by itself.',
  })
  author(@Root() { authorId }: MessageRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> | null {
    return loadById(context, 'user', this.services.users, authorId);
  }

  @FieldResolver(() => Message, {
    nullable: true,
    description: 'The message that it quotes; null where it quotes none, or one that we do not have (any more).',
  })
  replyTo(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    const { instanceId, replyToExternalId: externalId } = message;
    if (externalId === null) return null;
    const read = (keys: readonly string[]) =>
      this.services.messages.listByExternalIds(callerOf(context), keys.map(readExternalKey));
    const quoted = context.loaders.one('quoted-message', read, externalKeyOf);
    return quoted.load(externalKeyOf({ instanceId, externalId }));
  }

  @FieldResolver(() => MessageChoice, {
    nullable: true,
    description:
      'What the lead picked of what was offered. `body` is what a person reads of it. Null once it was deleted.',
  })
  choice(@Root() { choice }: MessageRow): ShownChoice | null {
    return readStoredChoice(choice);
  }

  @FieldResolver(() => MessageError, {
    nullable: true,
    description:
      'Why it failed. Also on a message that is SENDING and whose answer was lost for good (`SEND_UNCONFIRMED`), and on one that is SENT and was never reported on (`NOT_ACKNOWLEDGED`).',
  })
  error(@Root() { errorCode, errorMessage }: MessageRow): MessageError | null {
    return errorCode === null ? null : { code: errorCode, message: errorMessage ?? errorCode };
  }

  @FieldResolver(() => [MessageStatusTransition], { description: 'Every change of its status, the oldest first.' })
  timeline(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<TransitionRow[]> {
    const read = (ids: readonly string[]) => this.services.messages.listTransitions(callerOf(context), ids);
    return context.loaders.many('timeline', read, (transition) => transition.messageId).load(message.id);
  }
}

// The key ends its first part with a blank: a provider's id may hold anything, but an instance's id has no blanks.
function externalKeyOf({ instanceId, externalId }: { instanceId: string; externalId: string | null }): string {
  return `${instanceId} ${externalId ?? ''}`;
}

function readExternalKey(key: string): ExternalKey {
  const end = key.indexOf(' ');
  return { instanceId: key.slice(0, end), externalId: key.slice(end + 1) };
}

@Resolver(() => Lead)
export class LeadMessagesResolver {
  constructor(
    private readonly service: MessageService,
    private readonly chatInstances: ChatInstanceService,
    private readonly leads: LeadService,
  ) {}

  @FieldResolver(() => MessageConnection, {
    description: "The lead's messages, the oldest first; `last` gives the newest page.",
  })
  async messages(
    @Root() lead: LeadRow,
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => MessageFilter, { nullable: true, description: 'Which of them; all where none is given.' })
    filter?: MessageFilter | null,
  ): Promise<ConnectionValue<ShownMessage>> {
    const fields = selectedOfNodes(info);
    const read = (ids: readonly string[]) => this.service.listOfLeads(callerOf(context), ids, args, filter, fields);
    // Another selection of fields makes another list, so the fields are part of the loader's key.
    const asked = [filter, ...fields.keys()];
    const page = await context.loaders.page('lead-messages', args, lead.id, read, asked);
    return withoutErased(context, this.leads, toConnection(page), fields);
  }

  @Extensions({ [partExtension]: true })
  @FieldResolver(() => Message, { nullable: true, description: 'The newest message, of either side, bulk included.' })
  lastMessage(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    const newest = newestMessageOf(lead);
    if (newest === null) return null;
    return loadById(context, 'message', this.service, newest.id);
  }

  @FieldResolver(() => ChatInstance, {
    nullable: true,
    description:
      "The chat instance that a reply leaves through: that of the newest message of either side that is still in use, else the tenant's default. A bulk message counts once it has left. Null where the tenant has none.",
  })
  async replyInstance(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<PublicChatInstance | null> {
    const caller = callerOf(context);
    const choose = (ids: readonly string[]) => this.service.listReplyInstances(caller, ids);
    const chosen = await context.loaders.one('reply-instance', choose, ({ leadId }) => leadId).load(lead.id);
    if (chosen === null || chosen.instanceId === null) return null;
    return loadById(context, 'chat-instance', this.chatInstances, chosen.instanceId);
  }
}
