// GraphQL API of the outbox: sending, reacting, and what a waiting message's place in the queue is.

import { Arg, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root, registerEnumType } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { MessageRow } from '../messages/message.service.js';
import { Message, SendMessageInput } from '../messages/message.type.js';
import { sendUnconfirmed, type CancelRetryService } from './cancel-retry.service.js';
import {
  WaitingReason,
  maxCountedPlace,
  type QueuePosition,
  type QueuePositionService,
} from './queue-position.service.js';
import type { GatewayReturnService } from './gateway-return.service.js';
import type { ReactionService } from './reaction.service.js';
import type { MessageSendService } from './send.service.js';

registerEnumType(WaitingReason, {
  name: 'WaitingReason',
  description: 'Why a message has not left yet.',
  valuesConfig: {
    SCHEDULED: { description: 'It was asked to leave later.' },
    IN_QUEUE: { description: 'Other messages stand before it.' },
    RATE_LIMIT: { description: 'The tenant’s limit on sends is used up for now.' },
    EARLIER_MESSAGE: { description: 'An earlier message to the same lead has to leave first.' },
    RETRY: { description: 'An attempt failed for a passing reason, and the next one is due later.' },
    GATEWAY_UNREACHABLE: { description: 'The gateway did not answer an attempt, and the next one is due later.' },
    INSTANCE_PAUSED: { description: 'Its chat instance is out. Its messages stay queued until it is back.' },
    UNCONFIRMED: {
      description:
        'It was handed to the gateway and the answer was lost. It is looked up, or it waits for an operator’s decision.',
    },
    TENANT_INACTIVE: { description: 'The tenant is deactivated.' },
  },
});

export interface OutboxResolverServices {
  messageSend: MessageSendService;
  messageReactions: ReactionService;
  cancelRetry: CancelRetryService;
  gatewayReturns: GatewayReturnService;
  queuePositions: QueuePositionService;
}

@Resolver(() => Message)
export class OutboxResolver {
  constructor(private readonly services: OutboxResolverServices) {}

  @Authorized()
  @Mutation(() => Message, { description: "Queues a message to a lead. It leaves at the tenant's permitted rate." })
  sendMessage(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => SendMessageInput, { description: 'What to send, and to whom.' }) input: SendMessageInput,
  ): Promise<MessageRow> {
    return this.services.messageSend.send(context.principal, input);
  }

  @Authorized()
  @Mutation(() => Message, {
    description:
      'Cancels a message that still waits for its turn, its time or its next attempt. CONFLICT once it may have been sent. Safe to repeat.',
  })
  cancelMessage(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The message's id." }) id: string,
  ): Promise<MessageRow> {
    return this.services.cancelRetry.cancel(context.principal, id);
  }

  @Authorized()
  @Mutation(() => Message, {
    description:
      'Queues a message again that FAILED, or whose answer was lost for good (SENDING with the error `SEND_UNCONFIRMED`): look at the chat first. It keeps its id and its idempotency key, so one that a gateway which honours keys had accepted is CONFLICT: send a new message. CONFLICT for any other message. Safe to repeat.',
  })
  retryMessage(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The message's id." }) id: string,
  ): Promise<MessageRow> {
    return this.services.cancelRetry.retry(context.principal, id);
  }

  @Authorized()
  @Mutation(() => Boolean, {
    description:
      'Has one message tried now that waits because the gateway of a chat instance did not answer. Once the gateway takes it, the others leave at once, at the permitted rate. False if no message waits for it. Safe to repeat.',
  })
  tryChatInstanceNow(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The instance's id." }) id: string,
  ): Promise<boolean> {
    return this.services.gatewayReturns.tryNow(context.principal, id);
  }

  @Authorized()
  @Mutation(() => Message, {
    description:
      'Sets our reaction to a message, in place of the one before. Answered when the gateway has taken it; it counts against the limit on sends. NOT_OFFERED where the gateway has no reactions. CONFLICT for a message that is not at the network. Safe to repeat.',
  })
  reactToMessage(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The message's id." }) id: string,
    @Arg('emoji', () => String, { nullable: true, description: 'One emoji; null takes the reaction back.' })
    emoji?: string | null,
  ): Promise<MessageRow> {
    return this.services.messageReactions.react(context.principal, id, emoji);
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: `When it leaves at the earliest: its time, or what the tenant's limit says of its place in the queue (of place ${maxCountedPlace} from there on). Null once a worker has it, and where nobody can tell.`,
  })
  estimatedSendAt(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<Date | null> | null {
    return this.readPlace(message, context, ({ estimatedSendAt }) => estimatedSendAt);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: `How many of the tenant's messages stand before it: 0 is next, ${maxCountedPlace} says as many or more. Those of paused instances count only for a message of theirs. Null unless it waits in the queue.`,
  })
  queuePosition(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<number | null> | null {
    return this.readPlace(message, context, ({ queuePosition }) => queuePosition);
  }

  @FieldResolver(() => WaitingReason, { nullable: true, description: 'Why it has not left; null unless it waits.' })
  waitingReason(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<WaitingReason | null> | null {
    return this.readPlace(message, context, ({ reason }) => reason);
  }

  @FieldResolver(() => String, { nullable: true, description: 'The reason as a sentence.' })
  waitingDetail(@Root() message: MessageRow, @Ctx() context: GraphqlContext): Promise<string | null> | null {
    return this.readPlace(message, context, ({ detail }) => detail);
  }

  // Messages that no longer wait get null at once: a promise for each field of a list is slow.
  private readPlace<Value>(
    message: MessageRow,
    context: GraphqlContext,
    read: (place: Omit<QueuePosition, 'messageId'>) => Value | null,
  ): Promise<Value | null> | null {
    const { id, status, errorCode, errorMessage } = message;
    if (status !== 'QUEUED' && status !== 'SENDING') return null;
    if (errorCode === sendUnconfirmed) {
      const detail = errorMessage ?? errorCode;
      return Promise.resolve(read({ reason: 'UNCONFIRMED', detail, queuePosition: null, estimatedSendAt: null }));
    }
    const list = (ids: readonly string[]) => this.services.queuePositions.list(callerOf(context), ids);
    const loaded = context.loaders.one('waiting-place', list, (place) => place.messageId).load(id);
    return loaded.then((place) => (place === null ? null : read(place)));
  }
}
