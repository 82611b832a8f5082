// GraphQL door of chat instances.

import { Arg, Authorized, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import type { ChatInstanceService, PublicChatInstance } from './chat-instance.service.js';
import { ChatInstance } from './chat-instance.type.js';

@Resolver(() => ChatInstance)
export class ChatInstanceResolver {
  constructor(private readonly service: ChatInstanceService) {}

  @Authorized()
  @Query(() => [ChatInstance], { description: "The tenant's chat instances, oldest first, without deleted ones." })
  chatInstances(
    @Ctx() context: GraphqlContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'Only those of this account.' })
    accountId?: string | null,
  ): Promise<PublicChatInstance[]> {
    return this.service.list(context.principal, accountId);
  }
}
