// GraphQL of the views of the table of leads that users keep.

import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { costExtension } from '../../../platform/graphql/field-cost.js';
import type { GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import type { LeadViewService } from './lead-view.service.js';
import type { LeadViewRecord } from './lead-view.sql.js';
import { CreateLeadViewInput, LeadView, UpdateLeadViewInput } from './lead-view.type.js';
import { countCost, maxViewCount, maxViews } from './kept-view.schema.js';

@Resolver(() => LeadView)
export class LeadViewResolver {
  constructor(private readonly service: LeadViewService) {}

  @Authorized()
  @Query(() => [LeadView], { description: "Lists the caller's views of the table of leads, the oldest first." })
  leadViews(@Ctx() context: GraphqlContext): Promise<LeadViewRecord[]> {
    return this.service.list(context.principal);
  }

  @Authorized()
  @Mutation(() => LeadView, {
    description: `Keeps a view of the table of leads for the caller. CONFLICT for a name that is taken, and beyond ${maxViews} views.`,
  })
  createLeadView(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateLeadViewInput, { description: 'The view.' }) input: CreateLeadViewInput,
  ): Promise<LeadViewRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized()
  @Mutation(() => LeadView, {
    description: "Changes one of the caller's views. CONFLICT for a name that is taken. Safe to repeat.",
  })
  updateLeadView(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The view's id." }) id: string,
    @Arg('input', () => UpdateLeadViewInput, { description: 'What to change.' }) input: UpdateLeadViewInput,
  ): Promise<LeadViewRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized()
  @Mutation(() => ID, { description: "Deletes one of the caller's views. No lead changes." })
  deleteLeadView(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The view's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @Extensions({ [costExtension]: countCost })
  @FieldResolver(() => Int, { description: `How many leads it shows now, at most ${maxViewCount}.` })
  count(@Root() view: LeadViewRecord, @Ctx() context: GraphqlContext): Promise<number> {
    return this.service.count(context.principal, view);
  }
}
