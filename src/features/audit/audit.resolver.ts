// GraphQL of the audit log.

import { Arg, Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { AuditRow, AuditService } from './audit.service.js';
import { AuditEntry, AuditEntryConnection, AuditFilter } from './audit.type.js';

@Resolver(() => AuditEntry)
export class AuditResolver {
  constructor(private readonly service: AuditService) {}

  @Authorized('ADMIN')
  @Query(() => AuditEntryConnection, {
    description: 'ADMIN: administrative changes and readings of keys in this tenant, the newest first.',
  })
  async auditLog(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => AuditFilter, { nullable: true, description: 'Which entries; all where none is given.' })
    filter?: AuditFilter | null,
  ): Promise<ConnectionValue<AuditRow>> {
    return toConnection(await this.service.list(context.principal, args, filter));
  }
}
