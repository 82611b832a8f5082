// GraphQL of the results of look-ups of leads' numbers.

import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { LeadRow } from '../../leads/lead.service.js';
import { Lead } from '../../leads/lead.type.js';
import type { ChannelNumberService } from './channel-number.service.js';
import type { ChannelNumberRow } from './channel-number.sql.js';

@ObjectType({ description: "What a gateway said of a lead's number before the first message." })
export class ChannelNumber implements Omit<ChannelNumberRow, 'leadId'> {
  @Field(() => Boolean, { description: 'Whether the number is on the channel.' })
  isOnChannel!: boolean;

  @Field(() => String, { description: 'The number as the network writes it: messages go to it.' })
  number!: string;

  @Field(() => Date, { description: 'When the gateway was asked.' })
  checkedAt!: Date;
}

@Resolver(() => Lead)
export class LeadChannelNumberResolver {
  constructor(private readonly service: ChannelNumberService) {}

  @FieldResolver(() => ChannelNumber, {
    nullable: true,
    description:
      'What a gateway said of the number before the first message, where the tenant has it asked (`checksNumbers`). Null: nobody asked.',
  })
  channelNumber(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<ChannelNumberRow | null> {
    const read = (ids: readonly string[]) => this.service.listByLeads(callerOf(context), ids);
    return context.loaders.one('lead-channel-number', read, ({ leadId }) => leadId).load(lead.id);
  }
}
