// GraphQL of presence: who looks at a lead or answers it, and the field that it adds to Lead.

import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { PresenceIntent } from '../../../platform/prisma/enums.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import type { LeadRow } from '../lead.service.js';
import { Lead } from '../lead.type.js';
import { leaseSeconds, type LeadPresenceRecord, type LeadPresenceService } from './lead-presence.service.js';

@Resolver(() => Lead)
export class LeadPresencesResolver {
  constructor(private readonly service: LeadPresenceService) {}

  @Authorized()
  @Mutation(() => Lead, {
    description: `Shows colleagues for ${leaseSeconds} s that you look at a lead or answer it. Call it again to go on. It locks no one out. Safe to repeat.`,
  })
  claimLead(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'Which lead.' }) leadId: string,
    @Arg('intent', () => PresenceIntent, { description: 'What for.' }) intent: PresenceIntent,
  ): Promise<LeadRow> {
    return this.service.claim(context.principal, leadId, intent);
  }

  @Authorized()
  @Mutation(() => Lead, { description: 'Shows colleagues that you have left a lead. Safe to repeat.' })
  releaseLead(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'Which lead.' }) leadId: string,
  ): Promise<LeadRow> {
    return this.service.release(context.principal, leadId);
  }

  @FieldResolver(() => [LeadPresence], {
    description: 'Who looks at the lead or answers it now, in the order in which they came.',
  })
  presence(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<LeadPresenceRecord[]> {
    const read = (ids: readonly string[]) => this.service.listByLeads(callerOf(context), ids);
    return context.loaders.many('lead-presence', read, ({ leadId }) => leadId).load(lead.id);
  }
}

@Resolver(() => LeadPresence)
export class LeadPresenceResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => User, { description: 'Who.' })
  async user(@Root() { userId }: LeadPresenceRecord, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, userId);
  }
}

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
