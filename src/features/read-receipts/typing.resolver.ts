// GraphQL of typing.

import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { typingIntervalSeconds, type TypingService } from './typing.service.js';

@Resolver()
export class TypingResolver {
  constructor(private readonly service: TypingService) {}

  @Authorized()
  @Mutation(() => Boolean, {
    description: `Shows a lead that you are typing, for a few seconds. Call it again while you type: more often than every ${typingIntervalSeconds} s changes nothing. Does not wait for the gateway. False where the lead cannot see it: the tenant has not chosen it (\`showsTyping\`), the gateway cannot show it, or the lead has not written through the instance. Safe to repeat.`,
  })
  showTyping(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'Which lead.' }) leadId: string,
    @Arg('instanceId', () => ID, {
      nullable: true,
      description: 'Through which chat instance; that of a reply where left out.',
    })
    instanceId: string | null | undefined,
    @Arg('isTyping', () => Boolean, { defaultValue: true, description: 'False: you have stopped typing.' })
    isTyping: boolean,
  ): Promise<boolean> {
    return this.service.show(context.principal, { leadId, instanceId, isTyping });
  }
}
