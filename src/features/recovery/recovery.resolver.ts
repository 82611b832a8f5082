// GraphQL of recovery.

import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import {
  ForwardPageArgs,
  listSizeExtension,
  toConnection,
  type ConnectionValue,
} from '../../platform/graphql/relay.type.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import { maxReasons } from './history-reader.js';
import type { RecoveryService } from './recovery.service.js';
import type { InstanceAuditRow } from './recovery.sql.js';
import { InstanceAudit, InstanceAuditConnection, UnexplainedRecords } from './recovery.type.js';

@Resolver(() => InstanceAudit)
export class RecoveryResolver {
  constructor(
    private readonly service: RecoveryService,
    private readonly users: UserService,
  ) {}

  @Authorized('ADMIN')
  @Mutation(() => InstanceAudit, {
    description:
      "ADMIN: reads the history of a chat instance's gateway and takes in what is missing, at the place where it was written. Ends after 20 s: `isComplete` is false then, and `to` is how far it came. Goes back as far as webhook calls are kept. NOT_OFFERED where the gateway keeps no history, CONFLICT while it is being read or where the gateway refuses, UNAVAILABLE where it cannot answer now. Safe to repeat. Audited.",
  })
  recoverMessages(
    @Ctx() context: GraphqlContext,
    @Arg('instanceId', () => ID, { description: 'The chat instance.' }) instanceId: string,
    @Arg('since', () => Date, { description: 'Written at this time or later.' }) since: Date,
    @Arg('until', () => Date, { description: 'Written up to this time; a time to come is now.' }) until: Date,
  ): Promise<InstanceAuditRow> {
    return this.service.recover(context.principal, instanceId, { since, until });
  }

  @Authorized()
  @Query(() => InstanceAuditConnection, {
    description: "What the readings of a chat instance's history have found, the newest first.",
  })
  async instanceAudits(
    @Ctx() context: GraphqlContext,
    @Arg('instanceId', () => ID, { description: 'The chat instance.' }) instanceId: string,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
  ): Promise<ConnectionValue<InstanceAuditRow>> {
    return toConnection(await this.service.listAudits(context.principal, instanceId, args));
  }

  @FieldResolver(() => Date, { description: 'The beginning of the span that was read.' })
  from(@Root() { readFrom }: InstanceAuditRow): Date {
    return readFrom;
  }

  @FieldResolver(() => Date, { description: 'The end of the span that was read.' })
  to(@Root() { readTo }: InstanceAuditRow): Date {
    return readTo;
  }

  @Extensions({ [listSizeExtension]: maxReasons })
  @FieldResolver(() => [UnexplainedRecords], {
    description: `Why records were not taken in, the most frequent first; at most ${maxReasons} reasons.`,
  })
  reasons(@Root() { reasons }: InstanceAuditRow): UnexplainedRecords[] {
    return Object.entries(reasons)
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Who asked for it; null where it came by itself.' })
  requestedBy(@Root() { userId }: InstanceAuditRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> | null {
    return loadById(context, 'user', this.users, userId);
  }
}
