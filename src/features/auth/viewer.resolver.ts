// GraphQL of the signed-in user.

import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { callerOf, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { Role } from '../../platform/prisma/enums.js';
import type { OwnTenant as OwnTenantShape, TenantService } from '../tenants/tenant.service.js';
import { OwnTenant } from '../tenants/tenant.type.js';
import type { MessageSignatureService } from '../users/message-signature.service.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { UpdateProfileInput } from '../users/user.type.js';
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
    private readonly signatures: MessageSignatureService,
  ) {}

  @Authorized()
  @Query(() => Viewer, { description: 'Who is signed in.' })
  me(@Ctx() context: GraphqlContext): Viewer {
    return toViewer(callerOf(context));
  }

  @Authorized()
  @Mutation(() => Viewer, { description: 'Changes the own user. Audited.' })
  async updateProfile(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => UpdateProfileInput, { description: 'What to change.' }) input: UpdateProfileInput,
  ): Promise<Viewer> {
    await this.users.updateOwn(context.principal, input);
    return toViewer(callerOf(context));
  }

  @FieldResolver(() => String, { nullable: true, description: 'How the user is called; null where no name was given.' })
  async name(@Ctx() context: GraphqlContext): Promise<string | null> {
    return (await this.load(context))?.name ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The user’s name in the signature of messages; null: the name.',
  })
  async displayName(@Ctx() context: GraphqlContext): Promise<string | null> {
    return (await this.load(context))?.displayName ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The line that is put before texts and captions of the user; null where none is.',
  })
  signature(@Ctx() context: GraphqlContext): Promise<string | null> {
    return this.signatures.find(callerOf(context));
  }

  @FieldResolver(() => OwnTenant, { description: 'The tenant, as far as every role may see it.' })
  async tenant(@Ctx() context: GraphqlContext): Promise<OwnTenantShape> {
    const caller = callerOf(context);
    const read = async () => [await this.tenants.getOwn(caller)];
    const tenant = await context.loaders.one('own-tenant', read, ({ id }) => id).load(caller.tenantId);
    if (tenant === null) throw new Error('a signed-in user has no tenant');
    return tenant;
  }

  private load(context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, callerOf(context).userId);
  }
}
