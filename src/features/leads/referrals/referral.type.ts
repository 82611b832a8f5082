// GraphQL of referrals. Leads, touches and messages have them.

import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enum.type.js';
import { referralKinds, type Referral as ReferralShape, type ReferralKind } from '../../../providers/referral.js';

const ReferralKindEnum = enumOf('ReferralKind', 'What brought a lead.', referralKinds);

@ObjectType({ description: 'The ad, post or product through which a lead came to write. What is not known is null.' })
export class Referral implements ReferralShape {
  @Field(() => ReferralKindEnum, { description: 'What brought the lead.' })
  kind!: ReferralKind;

  @Field(() => String, {
    nullable: true,
    description: "The network's id of the ad or post; the retailer's id of a product.",
  })
  sourceId?: string;

  @Field(() => String, { nullable: true, description: 'Where the ad or post stands: an http or https address.' })
  sourceUrl?: string;

  @Field(() => String, { nullable: true, description: 'Its headline.' })
  headline?: string;

  @Field(() => String, { nullable: true, description: 'Its text.' })
  body?: string;

  @Field(() => String, {
    nullable: true,
    description: "The network's id of this one click, for reports of conversions. Never the id of the ad.",
  })
  clickId?: string;
}
