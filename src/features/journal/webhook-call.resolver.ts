// GraphQL of the journal.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import { maxReplaysShown, type WebhookCallService } from './webhook-call.service.js';
import type { WebhookCallRecord } from './webhook-call.sql.js';
import { WebhookCall, WebhookCallConnection, WebhookCallFilter } from './webhook-call.type.js';

@Resolver(() => WebhookCall)
export class WebhookCallResolver {
  constructor(private readonly service: WebhookCallService) {}

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
    if (call.replayOfId === null) return null;
    const read = (ids: readonly string[]) => this.service.listByIds(callerOf(context), ids);
    return context.loaders.one('webhook-delivery', read, ({ id }) => id).load(call.replayOfId);
  }

  @FieldResolver(() => [WebhookCall], {
    description: `What ran this call again, the newest first, ${maxReplaysShown} at most; the filter \`replayOfId\` has all.`,
  })
  replays(@Root() { id }: WebhookCallRecord, @Ctx() context: GraphqlContext): Promise<WebhookCallRecord[]> {
    const read = (ids: readonly string[]) => this.service.listReplays(callerOf(context), ids);
    return context.loaders.many('webhook-replays', read, (replay) => replay.replayOfId ?? '').load(id);
  }

  private async loadBody(id: string, context: GraphqlContext): Promise<Buffer | undefined> {
    const read = (ids: readonly string[]) => this.service.listBodies(callerOf(context), ids);
    return (await context.loaders.one('webhook-delivery-body', read, (row) => row.id).load(id))?.body;
  }
}
