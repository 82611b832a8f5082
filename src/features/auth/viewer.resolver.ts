// GraphQL of the signed-in user.

import { Authorized, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql-context.js';
import { Role } from '../../platform/prisma/enums.js';
import type { OwnTenant as OwnTenantShape, TenantService } from '../tenants/tenant.service.js';
import { OwnTenant } from '../tenants/tenant.type.js';
import type { UserService } from '../users/user.service.js';
import { toViewer, type TokenResponse } from './auth.service.js';

@ObjectType({ description: 'The signed-in user.' })
export class Viewer implements Pick<TokenResponse['user'], keyof TokenResponse['user']> {
  @Field(() => ID, { description: 'The user, a UUID v7.' })
  id!: string;

  @Field(() => ID, { description: 'The tenant that every record of this session belongs to.' })
  tenantId!: string;

  @Field(() => ID, { description: "The user's account." })
  accountId!: string;

  @Field(() => Role, { description: 'What this user may do.' })
  role!: Role;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;
}

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly tenants: TenantService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Query(() => Viewer, { description: 'Who is signed in.' })
  me(@Ctx() context: GraphqlContext): Viewer {
    return toViewer(callerOf(context));
  }

  @FieldResolver(() => String, { nullable: true, description: 'How the user is called; null where no name was given.' })
  async name(@Ctx() context: GraphqlContext): Promise<string | null> {
    const caller = callerOf(context);
    const read = (ids: readonly string[]) => this.users.listByIds(caller, ids);
    const user = await context.loaders.one('user', read, ({ id }) => id).load(caller.userId);
    return user?.name ?? null;
  }

  @FieldResolver(() => OwnTenant, { description: 'The tenant, as far as every role may see it.' })
  async tenant(@Ctx() context: GraphqlContext): Promise<OwnTenantShape> {
    const caller = callerOf(context);
    const read = async () => [await this.tenants.getOwn(caller)];
    const tenant = await context.loaders.one('own-tenant', read, ({ id }) => id).load(caller.tenantId);
    if (tenant === null) throw new Error('a signed-in user has no tenant');
    return tenant;
  }
}
