// GraphQL of the views of the inbox that users keep.

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
import type { InboxViewService } from './inbox-view.service.js';
import type { InboxViewRecord } from './inbox-view.sql.js';
import { CreateInboxViewInput, InboxView, UpdateInboxViewInput } from './inbox-view.type.js';
import { countCost, maxViewCount, maxViews } from './kept-view.schema.js';

@Resolver(() => InboxView)
export class InboxViewResolver {
  constructor(private readonly service: InboxViewService) {}

  @Authorized()
  @Query(() => [InboxView], { description: "Lists the caller's views of the inbox, the oldest first." })
  inboxViews(@Ctx() context: GraphqlContext): Promise<InboxViewRecord[]> {
    return this.service.list(context.principal);
  }

  @Authorized()
  @Mutation(() => InboxView, {
    description: `Keeps a view of the inbox for the caller. CONFLICT for a name that is taken, and beyond ${maxViews} views.`,
  })
  createInboxView(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateInboxViewInput, { description: 'The view.' }) input: CreateInboxViewInput,
  ): Promise<InboxViewRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized()
  @Mutation(() => InboxView, {
    description: "Changes one of the caller's views. CONFLICT for a name that is taken. Safe to repeat.",
  })
  updateInboxView(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The view's id." }) id: string,
    @Arg('input', () => UpdateInboxViewInput, { description: 'What to change.' }) input: UpdateInboxViewInput,
  ): Promise<InboxViewRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized()
  @Mutation(() => ID, { description: "Deletes one of the caller's views. No conversation changes." })
  deleteInboxView(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The view's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @Extensions({ [costExtension]: countCost })
  @FieldResolver(() => Int, { description: `How many conversations it shows now, at most ${maxViewCount}.` })
  count(@Root() view: InboxViewRecord, @Ctx() context: GraphqlContext): Promise<number> {
    return this.service.count(context.principal, view);
  }
}
