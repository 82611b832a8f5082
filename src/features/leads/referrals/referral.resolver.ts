// GraphQL of the field that referrals add to Lead.

import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { LeadRow, LeadService } from '../lead.service.js';
import { Lead } from '../lead.type.js';
import { Referral } from './referral.type.js';
import type { Referral as ReferralShape } from '../../../providers/referral.js';

@Resolver(() => Lead)
export class LeadReferralResolver {
  constructor(private readonly service: Pick<LeadService, 'listFirstReferrals'>) {}

  @FieldResolver(() => Referral, {
    nullable: true,
    description:
      'The first ad, post or product that brought the lead; null where none did. After a merge: the first one of either lead.',
  })
  async firstReferral(@Root() { id }: LeadRow, @Ctx() context: GraphqlContext): Promise<ReferralShape | null> {
    const read = (ids: readonly string[]) => this.service.listFirstReferrals(callerOf(context), ids);
    const found = await context.loaders.one('first-referral', read, ({ leadId }) => leadId).load(id);
    return found?.referral ?? null;
  }
}
