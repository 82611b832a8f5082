// GraphQL of merges, and the fields that they add to Lead.

import { Arg, Authorized, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import type { LeadMergeRecord, LeadMergeService } from './lead-merge.service.js';
import { LeadIdentity, LeadMerge, MergedLead } from './lead-merge.type.js';
import type { LeadIdentityRow, LeadRow, LeadService } from '../lead.service.js';
import { Lead } from '../lead.type.js';

@Resolver(() => Lead)
export class LeadMergingResolver {
  constructor(
    private readonly service: LeadMergeService,
    private readonly leads: LeadService,
  ) {}

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Makes two leads one: the second stays and gets the messages, identities and everything else of the first, whose id leads there from then on. Safe to repeat.',
  })
  mergeLeads(
    @Ctx() context: GraphqlContext,
    @Arg('leadId', () => ID, { description: 'The lead that goes.' }) leadId: string,
    @Arg('intoId', () => ID, { description: 'The lead that stays.' }) intoId: string,
  ): Promise<LeadRow> {
    return this.service.merge(context.principal, leadId, intoId);
  }

  @Authorized()
  @Mutation(() => Lead, {
    description:
      'Undoes a merge and returns the lead that is separate again, with what had come with it. What came after the merge stays; an opt-out counts for both. Merges of one lead are undone the latest first. Otherwise, and for one that was undone already: CONFLICT.',
  })
  undoLeadMerge(
    @Ctx() context: GraphqlContext,
    @Arg('mergeId', () => ID, { description: "The merge's id." }) mergeId: string,
  ): Promise<LeadRow> {
    return this.service.undo(context.principal, mergeId);
  }

  @FieldResolver(() => [LeadIdentity], {
    description: 'The numbers and ids under which the lead is known, the oldest first.',
  })
  identities(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<LeadIdentityRow[]> {
    const read = (ids: readonly string[]) => this.leads.listIdentities(callerOf(context), ids);
    return context.loaders.many('lead-identity', read, (identity) => identity.leadId).load(lead.id);
  }

  @FieldResolver(() => Lead, {
    nullable: true,
    description:
      'The lead that this one was merged into. Only events show a lead that was merged; all else shows the one that stays.',
  })
  mergedInto(@Root() { mergedIntoId }: LeadRow, @Ctx() context: GraphqlContext): Promise<LeadRow | null> | null {
    return loadById(context, 'lead', this.leads, mergedIntoId);
  }

  @FieldResolver(() => [LeadMerge], {
    description: 'Other leads that turned out to be this one, the latest merge first; also those that were undone.',
  })
  merges(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<LeadMergeRecord[]> {
    const read = (ids: readonly string[]) => this.service.listBySurvivors(callerOf(context), ids);
    return context.loaders.many('lead-merge', read, (merge) => merge.survivorId).load(lead.id);
  }
}

@Resolver(() => LeadMerge)
export class LeadMergeResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => MergedLead, { description: 'The other lead, as it was before.' })
  mergedLead(@Root() { mergedId: id, before }: LeadMergeRecord): MergedLead {
    return { id, name: before.merged.name, chat: before.merged.chat };
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: 'Who merged them; null where a webhook call showed that they are one person.',
  })
  async user(@Root() { userId }: LeadMergeRecord, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, userId);
  }
}
