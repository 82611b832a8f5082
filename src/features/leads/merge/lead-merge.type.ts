// GraphQL types of the identities of leads, and of their merges.

import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { IdentityKind } from '../../../platform/prisma/enums.js';
import type { LeadIdentity as LeadIdentityShape } from '../../../providers/reported.js';

registerEnumType(IdentityKind, {
  name: 'IdentityKind',
  description: 'What kind of number or id an identity is.',
  valuesConfig: {
    PHONE: { description: 'A chat number.' },
    LID: { description: "The network's own id for somebody whose number it hides." },
    BSUID: { description: 'The id under which a business account knows somebody, with or without a number.' },
  },
});

@ObjectType({ description: 'One number or id under which a lead is known.' })
export class LeadIdentity implements LeadIdentityShape {
  @Field(() => IdentityKind, { description: 'What kind it is.' })
  kind!: IdentityKind;

  @Field(() => String, { description: 'PHONE: digits with country code; else as the network writes it.' })
  value!: string;
}

/** The stored reasons why two leads were merged. */
export const LeadMergeReason = { IDENTITY: 'identity', USER: 'user' } as const;

registerEnumType(LeadMergeReason, {
  name: 'LeadMergeReason',
  description: 'Why two leads were merged.',
  valuesConfig: {
    IDENTITY: { description: 'The network named identities of both as one person.' },
    USER: { description: 'A user said so.' },
  },
});

@ObjectType({ description: 'A lead that was merged into another, as it was then.' })
export class MergedLead {
  @Field(() => ID, { description: 'Its id, which leads to the other lead while the merge is in effect.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Its chat number; null where the network hid it.' })
  chat!: string | null;
}

@ObjectType({ description: 'Another lead that turned out to be this one.' })
export class LeadMerge {
  @Field(() => ID, { description: 'UUID v7; takes the merge back with undoLeadMerge.' })
  id!: string;

  @Field(() => LeadMergeReason, { description: 'Why.' })
  reason!: string;

  @Field(() => Date, { description: 'When.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was undone; null while it is in effect.' })
  undoneAt!: Date | null;
}
