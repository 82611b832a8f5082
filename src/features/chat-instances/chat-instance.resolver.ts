// GraphQL door of chat instances. The gateway's address is for ADMINs; its token comes in and never goes out.

import type DataLoader from 'dataloader';
import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf } from '../../platform/graphql-context.js';
import type { GraphqlContext } from '../../platform/graphql-context.js';
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
    description: 'One chat instance; null where the tenant has none of this id, or no longer.',
  })
  chatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<PublicChatInstance | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstance, {
    description: "ADMIN: creates a chat instance, CONNECTING. An account's first becomes its default.",
  })
  createChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateChatInstanceInput, { description: 'Which line, and where its gateway is.' })
    input: CreateChatInstanceInput,
  ): Promise<PublicChatInstance> {
    return this.service.create(context.principal, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => ChatInstance, {
    description: 'ADMIN: changes a chat instance. Messages that still wait are sent as it is then.',
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
      'ADMIN: connects a chat instance at its gateway. While it is CONNECTING, ask again for the code that counts by now, or for CONNECTED. UNAVAILABLE: the gateway cannot answer now; CONFLICT: it refuses, and the message says what to do.',
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
      'ADMIN: ends the session of a chat instance at its gateway: connecting again needs a new code. What is to be sent waits until then. Errors as for connecting.',
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
      'ADMIN: takes a chat instance out of use; its messages stay. Those that wait to be sent through it become FAILED with the code INSTANCE_DELETED. The gateway is not told: disconnect it first.',
  })
  deleteChatInstance(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @Authorized()
  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'Until when nothing is sent through it, because its gateway said that the line itself is out; null while it is not paused.',
  })
  async pausedUntil(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<Date | null> {
    const pause = await this.pauses(context).load(id);
    return pause?.pausedUntil ?? null;
  }

  @Authorized()
  @FieldResolver(() => String, { nullable: true, description: 'Why it is paused; null while it is not.' })
  async pauseReason(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<string | null> {
    const pause = await this.pauses(context).load(id);
    return pause?.pauseReason ?? null;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => String, {
    nullable: true,
    description: "ADMIN: the gateway's address; null: the one that the service is configured with.",
  })
  async baseUrl(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<string | null> {
    const gateway = await this.gateways(context).load(id);
    return gateway?.baseUrl ?? null;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Boolean, {
    description: 'ADMIN: whether a token of its own is stored. The token is never shown.',
  })
  async hasToken(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<boolean> {
    const gateway = await this.gateways(context).load(id);
    return gateway?.hasToken ?? false;
  }

  @Authorized('ADMIN')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'ADMIN: what to enter as verify token where the network asks for one, beside `/webhooks/chat/cloud/<id>`; null without a webhook secret.',
  })
  async webhookVerifyToken(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<string | null> {
    const gateway = await this.gateways(context).load(id);
    return gateway?.hasWebhookSecret === true ? this.metaWebhooks.verifyTokenOf(id) : null;
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
