// GraphQL of the views that users keep, of the inbox and of the table of leads.

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
  type ClassType,
} from 'type-graphql';
import { costExtension } from '../../../platform/graphql/field-cost.js';
import type { GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { countCost, maxViewCount, maxViews } from './kept-view.schema.js';
import type { KeptViewService } from './kept-view.service.js';
import {
  CreateInboxViewInput,
  CreateLeadViewInput,
  InboxView,
  LeadView,
  UpdateInboxViewInput,
  UpdateLeadViewInput,
} from './kept-view.type.js';

interface ViewTypes<View, NewView, Change> {
  view: ClassType<View & object>;
  create: ClassType<NewView & object>;
  update: ClassType<Change & object>;
  /** The names of its operations: `inboxViews`, `createInboxView` … */
  name: 'InboxView' | 'LeadView';
  list: string;
  record: string;
}

/** Makes the resolver of one list's views. */
function keptViewResolver<View extends object, NewView, Change>({
  view,
  create,
  update,
  name,
  list,
  record,
}: ViewTypes<View, NewView, Change>) {
  @Resolver(() => view)
  class KeptViewResolver {
    constructor(private readonly service: KeptViewService<View, NewView, Change>) {}

    @Authorized()
    @Query(() => [view], {
      name: `${name.charAt(0).toLowerCase()}${name.slice(1)}s`,
      description: `Lists the caller's views of ${list}, the oldest first.`,
    })
    list(@Ctx() context: GraphqlContext): Promise<View[]> {
      return this.service.list(context.principal);
    }

    @Authorized()
    @Mutation(() => view, {
      name: `create${name}`,
      description: `Keeps a view of ${list} for the caller. CONFLICT for a name that is taken, and beyond ${maxViews} views.`,
    })
    create(
      @Ctx() context: GraphqlContext,
      @Arg('input', () => create, { description: 'The view.' }) input: NewView,
    ): Promise<View> {
      return this.service.create(context.principal, input);
    }

    @Authorized()
    @Mutation(() => view, {
      name: `update${name}`,
      description: "Changes one of the caller's views. CONFLICT for a name that is taken. Safe to repeat.",
    })
    update(
      @Ctx() context: GraphqlContext,
      @Arg('id', () => ID, { description: "The view's id." }) id: string,
      @Arg('input', () => update, { description: 'What to change.' }) input: Change,
    ): Promise<View> {
      return this.service.update(context.principal, id, input);
    }

    @Authorized()
    @Mutation(() => ID, {
      name: `delete${name}`,
      description: `Deletes one of the caller's views. No ${record} changes.`,
    })
    delete(
      @Ctx() context: GraphqlContext,
      @Arg('id', () => ID, { description: "The view's id." }) id: string,
    ): Promise<string> {
      return this.service.delete(context.principal, id);
    }

    @Extensions({ [costExtension]: countCost })
    @FieldResolver(() => Int, { description: `How many ${record}s it shows now, at most ${maxViewCount}.` })
    count(@Root() kept: View, @Ctx() context: GraphqlContext): Promise<number> {
      return this.service.count(context.principal, kept);
    }
  }
  return KeptViewResolver;
}

export const InboxViewResolver = keptViewResolver({
  view: InboxView,
  create: CreateInboxViewInput,
  update: UpdateInboxViewInput,
  name: 'InboxView',
  list: 'the inbox',
  record: 'conversation',
});

export const LeadViewResolver = keptViewResolver({
  view: LeadView,
  create: CreateLeadViewInput,
  update: UpdateLeadViewInput,
  name: 'LeadView',
  list: 'the table of leads',
  record: 'lead',
});
