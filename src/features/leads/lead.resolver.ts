// GraphQL of leads.

import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { selectedOfNodes, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { partExtension } from '../../platform/database/shown-records.js';
import { toConnection, TwoWayPageArgs, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import type { InboxOrder } from './lead.schema.js';
import type { LeadErasureService } from './lead-erasure.service.js';
import type { LeadRecordService } from './lead-record.service.js';
import type { LeadListService, ListedLead } from './lead-list.service.js';
import type { LeadRow, LeadService } from './lead.service.js';
import {
  CreateLeadInput,
  CreateLeadPayload,
  InboxFilter,
  InboxOrderEnum,
  Lead,
  LeadConnection,
  LeadFilter,
  LeadOrder,
  UpdateLeadInput,
} from './lead.type.js';

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
  ): Promise<ConnectionValue<ListedLead>> {
    return toConnection(await this.lists.list(context.principal, args, filter, orderBy, selectedOfNodes(info)));
  }

  @Authorized()
  @Query(() => LeadConnection, {
    description:
      'Leads with messages, the one with the newest message first unless another order is given. Bulk messages do not count: their leads stay where they are.',
  })
  async inbox(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
    @Arg('filter', () => InboxFilter, { nullable: true, description: 'Which of them; all where none is given.' })
    filter?: InboxFilter | null,
    @Arg('orderBy', () => InboxOrderEnum, {
      nullable: true,
      description: 'How to sort them, NEWEST_MESSAGE where left out; cursors hold for one order.',
    })
    orderBy?: InboxOrder | null,
  ): Promise<ConnectionValue<ListedLead>> {
    return toConnection(await this.lists.listInbox(context.principal, args, filter, orderBy, selectedOfNodes(info)));
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

  @Extensions({ [partExtension]: true })
  @FieldResolver(() => User, { nullable: true, description: 'Who looks after this lead.' })
  assignee(@Root() lead: LeadRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> | null {
    return loadById(context, 'user', this.users, lead.assigneeId);
  }
}

// GraphQL of changes to leads.

@Resolver(() => Lead)
export class LeadRecordResolver {
  constructor(
    private readonly service: LeadRecordService,
    private readonly erasure: LeadErasureService,
  ) {}

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
  @Mutation(() => Lead, {
    description: 'Assigns a lead to a user of the tenant, or takes the assignee away. Safe to repeat.',
  })
  assignLead(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The lead's id." }) id: string,
    @Arg('userId', () => ID, { nullable: true, description: 'The new assignee. Null or left out: none.' })
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
    return this.erasure.erase(context.principal, id);
  }
}
