// GraphQL door of changing leads.

import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import type { LeadRecordService } from './lead-record.service.js';
import { CreateLeadInput, CreateLeadPayload, UpdateLeadInput } from './lead-record.type.js';
import type { LeadRow } from './lead.service.js';
import { Lead } from './lead.type.js';

@Resolver(() => Lead)
export class LeadRecordResolver {
  constructor(private readonly service: LeadRecordService) {}

  @Authorized()
  @Mutation(() => CreateLeadPayload, {
    description:
      'Finds or creates the lead of a number, as posting it does. One that is there already comes back unchanged; the touch is recorded.',
  })
  createLead(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateLeadInput, { description: 'The person.' }) input: CreateLeadInput,
  ): Promise<CreateLeadPayload> {
    return this.service.create(context.principal, input);
  }

  @Authorized()
  @Mutation(() => Lead, { description: 'Changes a lead. Safe to repeat.' })
  updateLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('input', () => UpdateLeadInput, { description: 'What to change.' }) input: UpdateLeadInput,
  ): Promise<LeadRow> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized()
  @Mutation(() => Lead, { description: 'Gives a lead to a user of the tenant, or to nobody. Safe to repeat.' })
  assignLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: 'Who is to look after it; nobody where null or left out.' })
    userId?: string | null,
  ): Promise<LeadRow> {
    return this.service.assign(context.principal, id, userId ?? null);
  }

  @Authorized()
  @Mutation(() => Lead, { description: "Marks a lead's messages as read. Safe to repeat." })
  markLeadRead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('upToMessageId', () => ID, {
      nullable: true,
      description: 'The newest message that was seen: what came after it stays unread. All where left out.',
    })
    upToMessageId?: string | null,
  ): Promise<LeadRow> {
    return this.service.markRead(context.principal, id, upToMessageId);
  }

  @Authorized()
  @Mutation(() => ID, {
    description:
      'Erases a person for good: the lead, what was merged into it, its identities, touches, notes and messages. The number is a new person afterwards. CONFLICT while one of its messages is being sent. Audited.',
  })
  deleteLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }
}
