// GraphQL type of who is at a lead.

import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { PresenceIntent } from '../../../platform/prisma/enums.js';
import type { LeadPresenceRecord } from './lead-presence.service.js';

registerEnumType(PresenceIntent, {
  name: 'PresenceIntent',
  description: 'What somebody is at a lead for.',
  valuesConfig: {
    VIEWING: { description: 'Looks at the conversation.' },
    ANSWERING: { description: 'Is writing an answer.' },
  },
});

@ObjectType({ description: 'Somebody who is at a lead right now.' })
export class LeadPresence implements Omit<LeadPresenceRecord, 'leadId'> {
  @Field(() => PresenceIntent, { description: 'What for.' })
  intent!: PresenceIntent;

  @Field(() => Date, { description: 'Since when, with this intent.' })
  since!: Date;

  @Field(() => Date, { description: 'When it ends unless it is renewed.' })
  expiresAt!: Date;

  userId!: string;
}
