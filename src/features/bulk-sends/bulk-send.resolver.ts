// GraphQL resolvers of bulk sends.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { TemplateRow, TemplateService } from '../templates/template.service.js';
import { Template } from '../templates/template.type.js';
import type { BulkSendProgressRecord, BulkSendRow, BulkSendService } from './bulk-send.service.js';
import { BulkSend, BulkSendConnection, BulkSendProgress, SendMessagesInput } from './bulk-send.type.js';

@Resolver(() => BulkSend)
export class BulkSendResolver {
  constructor(
    private readonly service: BulkSendService,
    private readonly templates: TemplateService,
    private readonly chatInstances: ChatInstanceService,
  ) {}

  @Authorized()
  @Query(() => BulkSendConnection, { description: "The tenant's bulk sends, newest first." })
  async bulkSends(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
  ): Promise<ConnectionValue<BulkSendRow>> {
    return toConnection(await this.service.list(context.principal, args));
  }

  @Authorized()
  @Query(() => BulkSend, { nullable: true, description: 'One bulk send. Null if the tenant has none with this id.' })
  bulkSend(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The bulk send's id." }) id: string,
  ): Promise<BulkSendRow | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized()
  @Mutation(() => BulkSend, {
    description:
      "Queues a template for many leads: all of them, or none if there is an error, which names the recipient's index. The messages leave at the tenant's permitted rate, after messages of operators.",
  })
  sendMessages(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => SendMessagesInput, { description: 'The template and the recipients.' })
    input: SendMessagesInput,
  ): Promise<BulkSendRow> {
    return this.service.send(context.principal, input);
  }

  @Authorized()
  @Mutation(() => BulkSend, {
    description:
      'Cancels the messages of a bulk send that are still queued, scheduled or waiting for their next attempt. Messages that are being sent, or may have been sent, continue. Safe to repeat.',
  })
  cancelBulkSend(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The bulk send's id." }) id: string,
  ): Promise<BulkSendRow> {
    return this.service.cancel(context.principal, id);
  }

  @FieldResolver(() => Template, {
    nullable: true,
    description: 'The template, as it is now. It may have been changed or deleted since. Null for a channel template.',
  })
  async template(@Root() bulkSend: BulkSendRow, @Ctx() context: GraphqlContext): Promise<TemplateRow | null> {
    return loadById(context, 'template', this.templates, bulkSend.templateId);
  }

  @FieldResolver(() => ChatInstance, { description: 'The chat instance that it is sent through.' })
  async instance(@Root() bulkSend: BulkSendRow, @Ctx() context: GraphqlContext): Promise<PublicChatInstance | null> {
    return loadById(context, 'chat-instance', this.chatInstances, bulkSend.instanceId);
  }

  @FieldResolver(() => BulkSendProgress, {
    description: 'The number of its messages by status. In an event, at the time of the event.',
  })
  async progress(
    @Root() { id, progress }: BulkSendRow & { progress?: BulkSendProgressRecord },
    @Ctx() context: GraphqlContext,
  ): Promise<BulkSendProgressRecord | null> {
    if (progress !== undefined) return progress;
    const read = (ids: readonly string[]) => this.service.listProgress(callerOf(context), ids);
    const counted = await context.loaders.one('bulk-send-progress', read, (row) => row.id).load(id);
    return counted?.progress ?? null;
  }
}
