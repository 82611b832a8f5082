// GraphQL resolvers of bulk actions.

import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { BulkActionRecord, BulkActionService } from './bulk-action.service.js';
import { BulkAction, CreateBulkActionInput } from './bulk-action.type.js';

@Resolver(() => BulkAction)
export class BulkActionResolver {
  constructor(private readonly service: BulkActionService) {}

  @Authorized()
  @Query(() => BulkAction, {
    nullable: true,
    description:
      'Returns a bulk action. Null if the tenant has none with this id. It is kept for 30 days after its end.',
  })
  bulkAction(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The bulk action's id." }) id: string,
  ): Promise<BulkActionRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized()
  @Mutation(() => BulkAction, {
    description:
      'Begins one change of many leads, which a worker makes. CONFLICT while 5 of the tenant run. BULK_ACTION_PROGRESS shows how far it has come.',
  })
  createBulkAction(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateBulkActionInput, { description: 'The leads and the change.' })
    input: CreateBulkActionInput,
  ): Promise<BulkActionRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized()
  @Mutation(() => BulkAction, {
    description:
      'Changes the leads of a bulk action back, within 10 minutes of its end; one that still runs stops first. Leads that were changed since stay, and count as skipped. CONFLICT once it is being undone.',
  })
  undoBulkAction(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The bulk action's id." }) id: string,
  ): Promise<BulkActionRecord> {
    return this.service.undo(context.principal, id);
  }
}
