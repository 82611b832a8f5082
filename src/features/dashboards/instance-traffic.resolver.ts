// GraphQL of the traffic of chat instances.

import { Authorized, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../platform/graphql/relay.type.js';
import type { PublicChatInstance } from '../chat-instances/chat-instance.service.js';
import { ChatInstance } from '../chat-instances/chat-instance.type.js';
import {
  trafficHours,
  type InstanceHour as InstanceHourShape,
  type InstanceTraffic,
  type InstanceTrafficService,
} from './instance-traffic.service.js';

@ObjectType('ChatInstanceHour', { description: 'The messages of a chat instance that were stored in an hour.' })
export class InstanceHour implements InstanceHourShape {
  @Field(() => Date, { description: 'When the hour begins.' })
  start!: Date;

  @Field(() => Int, { description: 'The number of messages from leads.' })
  received!: number;

  @Field(() => Int, { description: 'The number of messages to leads that are SENT, DELIVERED or READ now.' })
  sent!: number;

  @Field(() => Int, { description: 'The number of messages to leads that are FAILED now.' })
  failed!: number;
}

@ObjectType('ChatInstanceTraffic', {
  description: `The messages of a chat instance in the last ${trafficHours} hours. The last hour ends with the current quarter of an hour.`,
})
export class ChatInstanceTraffic implements Omit<InstanceTraffic, 'instanceId'> {
  @Field(() => Date, { nullable: true, description: 'When the newest message of a lead was stored; null without one.' })
  lastInAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the last message to a lead left, among those that were stored in the quarter of an hour of the newest; null without one.',
  })
  lastOutAt!: Date | null;

  @Field(() => Int, {
    description: 'The number of messages that wait to leave through it now. Scheduled ones wait from their time on.',
  })
  waiting!: number;

  @Field(() => Int, { description: 'The number of messages from leads.' })
  received!: number;

  @Field(() => Int, { description: 'The number of messages to leads that are SENT, DELIVERED or READ now.' })
  sent!: number;

  @Field(() => Int, { description: 'The number of messages to leads that are FAILED now.' })
  failed!: number;

  @Extensions({ [listSizeExtension]: trafficHours })
  @Field(() => [InstanceHour], { description: `The ${trafficHours} hours, the earliest first.` })
  hours!: InstanceHourShape[];
}

@Resolver(() => ChatInstance)
export class InstanceTrafficResolver {
  constructor(private readonly service: InstanceTrafficService) {}

  @Authorized()
  @FieldResolver(() => ChatInstanceTraffic, {
    description: `What came and left in the last ${trafficHours} hours, and what waits. Two statements read it for all instances of a list.`,
  })
  async traffic(@Root() { id }: PublicChatInstance, @Ctx() context: GraphqlContext): Promise<InstanceTraffic> {
    const read = (ids: readonly string[]) => this.service.listByInstances(callerOf(context), ids);
    const traffic = await context.loaders.one('instance-traffic', read, ({ instanceId }) => instanceId).load(id);
    if (traffic === null) throw new Error('an instance was left out');
    return traffic;
  }
}
