// GraphQL resolvers of chat instances. Only ADMINs read the gateway's address. The gateway's token is never returned.

import type DataLoader from 'dataloader';
import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { findProvider } from '../../providers/registry.js';
import type {
  ChatInstanceService,
  InstanceGateway,
  InstancePause,
  PublicChatInstance,
} from './chat-instance.service.js';
import {
  ChatInstance,
  ChatInstanceConnection,
  CreateChatInstanceInput,
  ShownInstanceStatus,
  UpdateChatInstanceInput,
} from './chat-instance.type.js';
import type { InstanceConnection, InstanceLifecycleService } from './instance-lifecycle.service.js';
import type { MetaWebhookService } from './meta-webhook.service.js';

@Resolver(() => ChatInstance)
export class ChatInstanceResolver {
  constructor(
    private readonly service: ChatInstanceService,
    private readonly metaWebhooks: MetaWebhookService,
    private readonly instanceLifecycle: InstanceLifecycleService,
  ) {}

  @Authorized()
  @Query(() => [ChatInstance], { description: "The tenant's chat instances, oldest first, without deleted ones." })
  chatInstances(
    @Ctx() context: GraphqlContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'Only those of this account.' })
    accountId?: string | null,
  ): Promise<PublicChatInstance[]> {
    return this.service.list(context.principal, accountId);
  }

  @Authorized()
  @Query(() => ChatInstance, {
    nullable: true,
    description: 'One chat instance. Null if the tenant has none with this id, or it was deleted.',
  })
  chatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<PublicChatInstance | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstance, {
    description:
      'ADMIN: creates a chat instance in the state CONNECTING. The first instance of an account becomes its default.',
  })
  createChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateChatInstanceInput, { description: 'The instance, and where its gateway is.' })
    input: CreateChatInstanceInput,
  ): Promise<PublicChatInstance> {
    return this.service.create(context.principal, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstance, {
    description: 'ADMIN: changes a chat instance. Queued messages leave with the new settings.',
  })
  updateChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
    @Arg('input', () => UpdateChatInstanceInput, { description: 'What to change.' }) input: UpdateChatInstanceInput,
  ): Promise<PublicChatInstance> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstanceConnection, {
    description:
      'ADMIN: connects a chat instance at its gateway. While it is CONNECTING, call again to get the current code, until it is CONNECTED. UNAVAILABLE: the gateway cannot answer now. CONFLICT: the gateway refuses; the message says what to do.',
  })
  connectChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<InstanceConnection> {
    return this.instanceLifecycle.connect(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstance, {
    description:
      'ADMIN: ends the session of a chat instance at its gateway. Messages stay queued until it is connected again, which needs a new code. Errors as for connectChatInstance.',
  })
  disconnectChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<PublicChatInstance> {
    return this.instanceLifecycle.disconnect(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => ID, {
    description:
      'ADMIN: deletes a chat instance. Its messages stay. Queued messages become FAILED with the code INSTANCE_DELETED. The gateway is not notified: disconnect the instance first.',
  })
  deleteChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @FieldResolver(() => ShownInstanceStatus, { description: 'Whether it is connected, and works.' })
  status(@Root() { status, degradedAt }: PublicChatInstance): ShownInstanceStatus {
    return status === 'CONNECTED' && degradedAt !== null ? 'DEGRADED' : status;
  }

  @Authorized()
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'Nothing is sent through the instance until then, because its gateway reported that it is out. Null if it is not paused.',
  })
  async pausedUntil(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<Date | null> {
    const pause = await this.pauses(context).load(id);
    return pause?.pausedUntil ?? null;
  }

  @Authorized()
  @FieldResolver(() => String, { nullable: true, description: 'Why the instance is paused. Null if it is not.' })
  async pauseReason(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<string | null> {
    const pause = await this.pauses(context).load(id);
    return pause?.pauseReason ?? null;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => String, {
    nullable: true,
    description: "ADMIN: the gateway's address. Null if the instance uses the configured gateway.",
  })
  async baseUrl(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<string | null> {
    const gateway = await this.gateways(context).load(id);
    return gateway?.baseUrl ?? null;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'ADMIN: whether the instance has a token of its own. The token is never shown.',
  })
  async hasToken(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<boolean> {
    const gateway = await this.gateways(context).load(id);
    return gateway?.hasToken ?? false;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'ADMIN: the verify token to enter at Meta, together with the address `/webhooks/chat/cloud/<id>`. Null without a webhook secret, and for WAHA.',
  })
  async webhookVerifyToken(
    @Root() { id, provider }: PublicChatInstance,
    @Ctx() context: GraphqlContext,
  ): Promise<string | null> {
    const gateway = await this.gateways(context).load(id);
    // A provider with a signature of its own sends a tenant key, and has no handshake.
    const hasHandshake =
      gateway?.hasWebhookSecret === true && findProvider(provider)?.webhooks?.signature === undefined;
    return hasHandshake ? this.metaWebhooks.verifyTokenOf(id) : null;
  }

  private pauses(context: GraphqlContext): DataLoader<string, InstancePause | null> {
    const read = (ids: readonly string[]) => this.service.listPauses(callerOf(context), ids);
    return context.loaders.one('chat-instance-pause', read, (pause) => pause.id);
  }

  private gateways(context: GraphqlContext): DataLoader<string, InstanceGateway | null> {
    const read = (ids: readonly string[]) => this.service.listGateways(callerOf(context), ids);
    return context.loaders.one('chat-instance-gateway', read, (gateway) => gateway.id);
  }
}
