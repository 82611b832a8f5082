// GraphQL of assignments in the past, and the field that they add to Lead.

import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import {
  countedConnectionType,
  toConnection,
  TwoWayPageArgs,
  type ConnectionValue,
} from '../../../platform/graphql/relay.type.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import type { LeadRow } from '../lead.service.js';
import { Lead } from '../lead.type.js';
import type { LeadAssignmentRow, LeadAssignmentService } from './lead-assignment.service.js';

@Resolver(() => Lead)
export class LeadAssignmentsResolver {
  constructor(private readonly service: LeadAssignmentService) {}

  @FieldResolver(() => LeadAssignmentConnection, {
    description:
      'Each time that a user gave the lead to somebody or took it from one, also by making or merging it; the newest first.',
  })
  async assignments(
    @Root() lead: LeadRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<LeadAssignmentRow>> {
    const read = (ids: readonly string[]) => this.service.listOfLeads(callerOf(context), ids, args);
    return toConnection(await context.loaders.page('lead-assignments', args, lead.id, read));
  }
}

@Resolver(() => LeadAssignment)
export class LeadAssignmentResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => User, { nullable: true, description: 'The new assignee. Null: the former one was taken away.' })
  async assignee(
    @Root() { assigneeId }: LeadAssignmentRow,
    @Ctx() context: GraphqlContext,
  ): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, assigneeId);
  }

  @FieldResolver(() => User, { description: 'The user who did it.' })
  async user(@Root() { userId }: LeadAssignmentRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, userId);
  }
}

@ObjectType({ description: 'One time that a lead was given to a user, or taken from one.' })
export class LeadAssignment implements Omit<LeadAssignmentRow, 'leadId' | 'assigneeId' | 'userId'> {
  @Field(() => ID, { description: 'UUID v7.' })
  id!: string;

  @Field(() => Date, { description: 'When.' })
  createdAt!: Date;

  leadId!: string;
  assigneeId!: string | null;
  userId!: string;
}

const LeadAssignmentConnection = countedConnectionType(LeadAssignment, 'LeadAssignment');
