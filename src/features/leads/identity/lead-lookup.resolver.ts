// GraphQL of the look-up of leads by their numbers.

import { Arg, Authorized, Ctx, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../../platform/graphql/relay.type.js';
import type { LeadRow } from '../lead.sql.js';
import { Lead } from '../lead.type.js';
import { maxLookedUp, type LeadLookupService, type LookedUpLead as LookedUpLeadShape } from './lead-lookup.service.js';

@ObjectType({ description: 'What a look-up by number found.' })
export class LookedUpLead implements LookedUpLeadShape {
  @Field(() => String, { description: 'The number as it was given.' })
  chat!: string;

  @Field(() => Lead, { nullable: true, description: 'The lead; null where nobody has this number.' })
  lead!: LeadRow | null;

  @Field(() => String, { nullable: true, description: 'Why this is not a number. Null where it is one.' })
  problem!: string | null;
}

@Resolver(() => LookedUpLead)
export class LeadLookupResolver {
  constructor(private readonly service: LeadLookupService) {}

  @Authorized()
  @Extensions({ [listSizeExtension]: maxLookedUp })
  @Query(() => [LookedUpLead], {
    description: 'The leads of many numbers: one result for each number, in their order. Creates nothing.',
  })
  leadsByChats(
    @Ctx() context: GraphqlContext,
    @Arg('chats', () => [String], {
      description: `1 to ${maxLookedUp} numbers, in any common writing. National writings need a country.`,
    })
    chats: string[],
    @Arg('country', () => String, {
      nullable: true,
      description: "For national writings: ISO 3166-1 in two letters; the tenant's default where left out.",
    })
    country?: string | null,
  ): Promise<LookedUpLeadShape[]> {
    return this.service.listByChats(context.principal, { chats, country });
  }
}
