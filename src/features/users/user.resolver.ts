// GraphQL of users, and what users add to tenants and to the audit log.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { selectedOfNodes, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { Shown } from '../../platform/database/shown-records.js';
import type { AuditRow } from '../audit/audit.service.js';
import { AuditEntry } from '../audit/audit.type.js';
import type { TenantRecord, TenantService } from '../tenants/tenant.service.js';
import { Tenant } from '../tenants/tenant.type.js';
import {
  Account,
  CreateTenantInput,
  CreateUserInput,
  UpdateUserInput,
  User,
  UserConnection,
  UserFilter,
} from './user.type.js';
import type { TenantCreationService, UserService } from './user.service.js';
import type { UserRecord } from './user.sql.js';

@Resolver(() => User)
export class UserResolver {
  constructor(
    private readonly service: UserService,
    private readonly tenants: TenantService,
  ) {}

  @Authorized()
  @Query(() => UserConnection, {
    description: "The tenant's users, the newest first; for an OPERATOR those who are active.",
  })
  async users(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => UserFilter, { nullable: true, description: 'Which users; all where none is given.' })
    filter?: UserFilter | null,
  ): Promise<ConnectionValue<Shown<UserRecord>>> {
    return toConnection(await this.service.list(context.principal, args, filter, selectedOfNodes(info)));
  }

  @Authorized()
  @Query(() => User, { nullable: true, description: 'One user; null where the tenant has none of this id.' })
  user(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The user's id." }) id: string,
  ): Promise<UserRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => User, { description: 'ADMIN: creates a user with an account.' })
  createUser(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateUserInput, { description: 'Who.' }) input: CreateUserInput,
  ): Promise<UserRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => User, {
    description:
      'ADMIN: changes a user. A changed role and a deactivation take effect within 5 s, on open sockets too.',
  })
  updateUser(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The user's id." }) id: string,
    @Arg('input', () => UpdateUserInput, { description: 'What to change.' }) input: UpdateUserInput,
  ): Promise<UserRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Account, { description: "ADMIN: the user's account." })
  account(@Root() { accountId: id, accountName: name }: UserRecord): Account {
    return { id, name };
  }

  @Authorized('ADMIN')
  @FieldResolver(() => Tenant, { description: "ADMIN: the user's tenant." })
  tenant(@Root() { tenantId }: UserRecord, @Ctx() context: GraphqlContext): Promise<TenantRecord | null> {
    return loadById(context, 'tenant', this.tenants, tenantId);
  }
}

@Resolver(() => Tenant)
export class TenantCreationResolver {
  constructor(private readonly service: TenantCreationService) {}

  @Authorized('ADMIN')
  @Mutation(() => Tenant, {
    description: 'ADMINs of the platform tenant: creates a tenant, with its first ADMIN where adminEmail is given.',
  })
  createTenant(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateTenantInput, { description: 'The tenant.' }) input: CreateTenantInput,
  ): Promise<TenantRecord> {
    return this.service.create(context.principal, input);
  }
}

@Resolver(() => AuditEntry)
export class AuditActorResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => User, { nullable: true, description: 'The user of this tenant who acted, where one did.' })
  async actor(@Root() { actorId }: AuditRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, actorId);
  }
}
