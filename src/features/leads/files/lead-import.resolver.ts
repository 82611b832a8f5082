// GraphQL of imports: their progress. The files come by REST.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { loadById, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { toConnection, TwoWayPageArgs, type ConnectionValue } from '../../../platform/graphql/relay.type.js';
import type { UserService } from '../../users/user.service.js';
import type { UserRecord } from '../../users/user.sql.js';
import { User } from '../../users/user.type.js';
import type { LeadImportRecord, LeadImportService } from './lead-import.service.js';
import { LeadImport, LeadImportConnection } from './lead-import.type.js';

@Resolver(() => LeadImport)
export class LeadImportResolver {
  constructor(
    private readonly service: LeadImportService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Query(() => LeadImport, { nullable: true, description: 'One import; null where the tenant has none of this id.' })
  leadImport(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The import's id." }) id: string,
  ): Promise<LeadImportRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized()
  @Query(() => LeadImportConnection, { description: "The tenant's imports, the newest first." })
  async leadImports(
    @Ctx() context: GraphqlContext,
    @Args(() => TwoWayPageArgs) args: TwoWayPageArgs,
  ): Promise<ConnectionValue<LeadImportRecord>> {
    return toConnection(await this.service.list(context.principal, args));
  }

  @FieldResolver(() => User, { description: 'Who sent the file.' })
  async user(@Root() { userId }: LeadImportRecord, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, userId);
  }
}
