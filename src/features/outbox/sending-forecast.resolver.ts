// GraphQL of the forecast of sending: the pace at which messages leave.

import { Arg, Authorized, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { maxCountedPlace } from './queue-position.service.js';
import {
  maxForecast,
  type SendingPace as SendingPaceShape,
  type SendingForecastService,
} from './sending-forecast.service.js';

@ObjectType({ description: "How fast the tenant's messages leave, and when they have left." })
export class SendingPace implements SendingPaceShape {
  @Field(() => Int, {
    nullable: true,
    description: 'The most messages that leave in `durationMs`; null without a limit.',
  })
  max!: number | null;

  @Field(() => Int, { nullable: true, description: 'The time of the limit in milliseconds; null without a limit.' })
  durationMs!: number | null;

  @Field(() => Int, {
    description: `The number of messages that wait to leave now, ${maxCountedPlace} at most. Scheduled ones and those of a paused instance do not count.`,
  })
  waiting!: number;

  @Field(() => Boolean, {
    description: 'False if more messages wait than were counted: `doneAt` is too early then.',
  })
  isComplete!: boolean;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the messages that wait and the further ones have left, at the earliest. Null without a limit, or where there is none.',
  })
  doneAt!: Date | null;
}

@Resolver(() => SendingPace)
export class SendingForecastResolver {
  constructor(private readonly service: SendingForecastService) {}

  @Authorized()
  @Query(() => SendingPace, {
    description:
      'How fast messages leave, and when so many further ones would have left: for the preview of a bulk send.',
  })
  sendingPace(
    @Ctx() context: GraphqlContext,
    @Arg('count', () => Int, {
      defaultValue: 0,
      description: `The number of further messages, ${maxForecast} at most.`,
    })
    count: number,
  ): Promise<SendingPaceShape> {
    return this.service.read(context.principal, count);
  }
}
