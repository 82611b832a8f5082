// GraphQL of the leads that are likely the same person.

import { Arg, Authorized, Ctx, Extensions, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enum.type.js';
import type { GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../../platform/graphql/relay.type.js';
import type { LeadRow } from '../lead.sql.js';
import { Lead } from '../lead.type.js';
import {
  likelyDuplicateReasons,
  maxLikelyDuplicates,
  type LikelyDuplicate as LikelyDuplicateShape,
  type LikelyDuplicateReason,
  type LikelyDuplicateService,
} from './likely-duplicate.service.js';

const ReasonEnum = enumOf(
  'LikelyDuplicateReason',
  'Why two leads are likely one person, the strongest reason first.',
  likelyDuplicateReasons,
);

@ObjectType({ description: 'Another lead that is likely the same person.' })
export class LikelyDuplicate implements LikelyDuplicateShape {
  @Field(() => Lead, { description: 'The other lead.' })
  lead!: LeadRow;

  @Field(() => ReasonEnum, { description: 'The strongest reason for it.' })
  reason!: LikelyDuplicateReason;
}

@Resolver(() => LikelyDuplicate)
export class LikelyDuplicateResolver {
  constructor(private readonly service: LikelyDuplicateService) {}

  @Authorized()
  @Extensions({ [listSizeExtension]: maxLikelyDuplicates })
  @Query(() => [LikelyDuplicate], {
    description: `Up to ${maxLikelyDuplicates} other leads that are likely the same person, the strongest reason first. They are never merged by themselves: \`mergeLeads\` does that. A pair whose merge was undone is left out.`,
  })
  likelyDuplicates(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: "The lead's id." }) leadId: string,
  ): Promise<LikelyDuplicateShape[]> {
    return this.service.list(context.principal, leadId);
  }
}
