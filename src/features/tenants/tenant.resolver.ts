// GraphQL of tenants. Creating one also makes its first ADMIN, and so belongs to users.

import {
  Arg,
  Args,
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
} from 'type-graphql';
import { recordedExtension } from '../../platform/graphql/field-cost.js';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { ApiKeyService } from './api-key.service.js';
import type { TenantRecord, TenantService } from './tenant.service.js';
import { Tenant, TenantConnection, UpdateTenantInput } from './tenant.type.js';

@Resolver(() => Tenant)
export class TenantResolver {
  constructor(
    private readonly service: TenantService,
    private readonly apiKeys: ApiKeyService,
  ) {}

  @Authorized('ADMIN')
  @Query(() => Tenant, {
    nullable: true,
    description: 'ADMIN: the own tenant, and from the platform tenant any; null where there is none of this id.',
  })
  tenant(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The tenant's id." }) id: string,
  ): Promise<TenantRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Query(() => TenantConnection, { description: 'ADMINs of the platform tenant: all tenants, the newest first.' })
  async tenants(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
  ): Promise<ConnectionValue<TenantRecord>> {
    return toConnection(await this.service.list(context.principal, args));
  }

  @Authorized('ADMIN')
  @Mutation(() => Tenant, {
    description: 'ADMIN: changes the own tenant, and from the platform tenant any. A new rate limit counts at once.',
  })
  updateTenant(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The tenant's id." }) id: string,
    @Arg('input', () => UpdateTenantInput, { description: 'What to change.' }) input: UpdateTenantInput,
  ): Promise<TenantRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => Tenant, { description: 'ADMIN: gives the tenant a new API key; the platform any tenant.' })
  async rotateTenantApiKey(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The tenant's id." }) id: string,
    @Arg('graceSeconds', () => Int, {
      nullable: true,
      defaultValue: 0,
      description: 'How long the key before stays valid, at most 604,800 (a week). 0, or null: it ends now.',
    })
    graceSeconds: number | null,
  ): Promise<TenantRecord> {
    await this.apiKeys.rotate(context.principal, id, graceSeconds ?? 0);
    return this.service.get(context.principal, id);
  }

  @Authorized('ADMIN')
  @Extensions({ [recordedExtension]: true })
  @FieldResolver(() => String, { description: 'ADMIN: the value of `x-tenant-key`. Every reading is audited.' })
  async apiKey(@Root() tenant: TenantRecord, @Ctx() context: GraphqlContext): Promise<string> {
    const read = (ids: readonly string[]) => this.apiKeys.readCurrent(callerOf(context), ids);
    const key = await context.loaders.one('tenant-api-key', read, ({ tenantId }) => tenantId).load(tenant.id);
    if (key === null) throw new Error('the tenant has no current API key');
    return key.apiKey;
  }
}
