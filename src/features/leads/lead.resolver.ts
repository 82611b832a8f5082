// GraphQL door of leads.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import { callerOf } from '../../platform/graphql-context.js';
import type { GraphqlContext } from '../../platform/graphql-context.js';
import { TwoWayPageArgs, toConnection } from '../../platform/relay.type.js';
import type { ConnectionValue } from '../../platform/relay.type.js';
import { selectedAt } from '../../platform/selection.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import type { LeadListService } from './lead-list.service.js';
import { InboxFilter, LeadFilter, LeadOrder } from './lead-list.type.js';
import type { LeadRow, LeadService } from './lead.service.js';
import { Lead, LeadConnection } from './lead.type.js';

@Resolver(() => Lead)
export class LeadResolver {
  constructor(
    private readonly service: LeadService,
    private readonly lists: LeadListService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Query(() => LeadConnection, { description: "The tenant's leads, the newest first unless another order is given." })
  async leads(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => LeadFilter, { nullable: true, description: 'Which leads; all where none is given.' })
    filter?: LeadFilter | null,
    @Arg('orderBy', () => LeadOrder, { nullable: true, description: 'How to sort them; cursors hold for one order.' })
    orderBy?: LeadOrder | null,
  ): Promise<ConnectionValue<LeadRow>> {
    return toConnection(
      await this.lists.list(context.principal, args, filter, orderBy, selectedAt(info, ['edges', 'node'])),
    );
  }

  @Authorized()
  @Query(() => LeadConnection, {
    description:
      'Leads with messages, the one with the newest message first. Bulk messages do not count: their leads stay where they are.',
  })
  async inbox(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => InboxFilter, { nullable: true, description: 'Which of them; all where none is given.' })
    filter?: InboxFilter | null,
  ): Promise<ConnectionValue<LeadRow>> {
    return toConnection(
      await this.lists.listInbox(context.principal, args, filter, selectedAt(info, ['edges', 'node'])),
    );
  }

  @Authorized()
  @Query(() => Lead, {
    nullable: true,
    description:
      'One lead; null where the tenant has none of this id. The id of a lead that was merged gives the one it was merged into.',
  })
  lead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
  ): Promise<LeadRow | null> {
    return this.service.find(context.principal, id);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Who looks after this lead.' })
  assignee(
    @Root() lead: LeadRow & { assignee?: UserRecord | null },
    @Ctx() context: GraphqlContext,
  ): Promise<UserRecord | null> | UserRecord | null {
    if (lead.assignee !== undefined || lead.assigneeId === null) return lead.assignee ?? null;
    const read = (ids: readonly string[]) => this.users.listByIds(callerOf(context), ids);
    return context.loaders.one('user', read, (user) => user.id).load(lead.assigneeId);
  }
}
