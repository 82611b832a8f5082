// GraphQL of the journal.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import { isUuid } from '../../platform/input/input.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import type { ChatInstanceService, PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { networkInstanceOf } from '../intake/read-call.js';
import { sourceIdOf } from '../lead-sources/calls/read-source-call.js';
import type { LeadSourceRecord } from '../lead-sources/lead-source.sql.js';
import type { LeadSourceService } from '../lead-sources/lead-source.service.js';
import { LeadSource } from '../lead-sources/lead-source.type.js';
import type { LeadRow, LeadService } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { MessageRow, MessageService } from '../messages/message.service.js';
import { Message } from '../messages/message.type.js';
import { subjectOf } from './call-subject.js';
import { maxReplaysShown, type WebhookCallService } from './webhook-call.service.js';
import { maxSearchedCalls, type WebhookCallCounts, type WebhookCallRecord } from './webhook-call.sql.js';
import { CallCounts, WebhookCall, WebhookCallConnection, WebhookCallFilter } from './webhook-call.type.js';

/** The services that read what calls name. */
export interface CallRecords {
  leads: Pick<LeadService, 'listByIds'>;
  messages: Pick<MessageService, 'listByIds'>;
  chatInstances: Pick<ChatInstanceService, 'listByIds'>;
  leadSources: Pick<LeadSourceService, 'list'>;
}

@Resolver(() => WebhookCall)
export class WebhookCallResolver {
  constructor(
    private readonly service: WebhookCallService,
    private readonly records: CallRecords,
  ) {}

  @Authorized('ADMIN')
  @Query(() => WebhookCallConnection, {
    description: 'ADMIN: the journal of webhook calls, the newest first. Calls are kept for `WEBHOOK_RETENTION_DAYS`.',
  })
  async webhookDeliveries(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => WebhookCallFilter, {
      nullable: true,
      description: 'Which calls; all where none is given.',
    })
    filter?: WebhookCallFilter | null,
  ): Promise<ConnectionValue<WebhookCallRecord>> {
    return toConnection(await this.service.list(context.principal, args, filter));
  }

  @Authorized('ADMIN')
  @Query(() => CallCounts, {
    description: `ADMIN: how many webhook calls there are, by what became of them and by kind. It counts the newest ${maxSearchedCalls} of the filter at most.`,
  })
  webhookDeliveryCounts(
    @Ctx() context: GraphqlContext,
    @Arg('filter', () => WebhookCallFilter, { nullable: true, description: 'As for `webhookDeliveries`.' })
    filter?: WebhookCallFilter | null,
  ): Promise<WebhookCallCounts> {
    return this.service.count(context.principal, filter);
  }

  @Authorized('ADMIN')
  @Query(() => WebhookCall, {
    nullable: true,
    description: 'ADMIN: one call of the journal. Null if the tenant has none with this id, or it was removed.',
  })
  webhookDelivery(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The call's id." }) id: string,
  ): Promise<WebhookCallRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => WebhookCall, {
    description:
      'ADMIN: runs a call of the journal again, as if it had just arrived: what it brought before is a duplicate, a ' +
      'connection state that it reports is applied. Its signature is not checked again, so that a wrong one can be overruled. Gives the ' +
      'new entry, also where it is refused. CONFLICT where not all of the body was kept, ERASED where it was of an erased person. Audited.',
  })
  replayWebhookDelivery(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: 'The call to run again.' }) id: string,
  ): Promise<WebhookCallRecord> {
    return this.service.replay(context.principal, id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The body as UTF-8, with U+FFFD for what is not, without keys of the Evolution API, and without what it said of people who were erased since; null where the call was removed meanwhile.',
  })
  async body(@Root() { id }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await this.loadBody(id, context))?.toString('utf8') ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: "The body's bytes in Base64." })
  async bodyBase64(@Root() { id }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await this.loadBody(id, context))?.toString('base64') ?? null;
  }

  @FieldResolver(() => WebhookCall, {
    nullable: true,
    description: 'The call that this one ran again; null where it is none, or that call was removed since.',
  })
  replayOf(@Root() call: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<WebhookCallRecord | null> | null {
    return loadById(context, 'webhook-delivery', this.service, call.replayOfId);
  }

  @FieldResolver(() => [WebhookCall], {
    description: `What ran this call again, the newest first, ${maxReplaysShown} at most; the filter \`replayOfId\` has all.`,
  })
  replays(@Root() { id }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<WebhookCallRecord[]> {
    const read = (ids: readonly string[]) => this.service.listReplays(callerOf(context), ids);
    return context.loaders.many('webhook-replays', read, (replay) => replay.replayOfId ?? '').load(id);
  }

  @FieldResolver(() => Int, { description: 'How many items it had; 0 where the answer is not kept.' })
  itemCount(@Root() { result }: WebhookCallRecord): number {
    return subjectOf(result).itemCount;
  }

  @FieldResolver(() => Message, {
    nullable: true,
    description: 'The message that its first item brought or is about; null where there is none, or no longer.',
  })
  message(@Root() { result }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<MessageRow | null> | null {
    const { messageId } = subjectOf(result);
    return loadById(context, 'message', this.records.messages, messageId);
  }

  @FieldResolver(() => Lead, {
    nullable: true,
    description:
      'The person of its first item, also after a merge; null where none is known, or the lead was erased since.',
  })
  async lead(@Root() { result }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<LeadRow | null> {
    const { leadId, messageId } = subjectOf(result);
    const message = await loadById(context, 'message', this.records.messages, messageId);
    // A message follows its lead into a merge, and the answer does not.
    const lead = await loadById(context, 'lead', this.records.leads, message?.leadId ?? leadId);
    return lead?.mergedIntoId == null ? lead : loadById(context, 'lead', this.records.leads, lead.mergedIntoId);
  }

  @FieldResolver(() => ChatInstance, {
    nullable: true,
    description: 'The chat instance that it came through; null where it names none, or no known one.',
  })
  instance(
    @Root() { instanceId, route }: WebhookCallRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<PublicChatInstance | null> | null {
    const id = instanceId ?? networkInstanceOf(route) ?? '';
    if (!isUuid(id)) return null;
    return loadById(context, 'chat-instance', this.records.chatInstances, id);
  }

  @FieldResolver(() => LeadSource, {
    nullable: true,
    description: 'The lead source whose address was called; null for other calls, or where it was deleted.',
  })
  leadSource(
    @Root() { route }: WebhookCallRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<LeadSourceRecord | null> | null {
    const id = sourceIdOf(route)?.toLowerCase();
    if (id === undefined) return null;
    const read = () => this.records.leadSources.list(callerOf(context));
    return context.loaders.one('lead-source', read, (source) => source.id).load(id);
  }

  private async loadBody(id: string, context: GraphqlContext): Promise<Buffer | undefined> {
    const read = (ids: readonly string[]) => this.service.listBodies(callerOf(context), ids);
    return (await context.loaders.one('webhook-delivery-body', read, (row) => row.id).load(id))?.body;
  }
}
