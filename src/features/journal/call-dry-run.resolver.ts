// GraphQL of dry runs: how a webhook call would be judged.

import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Authorized, Ctx, Extensions, Query, Resolver } from 'type-graphql';
import { callCost, costExtension } from '../../platform/graphql/field-cost.js';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { CallDryRun } from '../intake/call-dry-run.js';
import type { CallDryRunService } from '../intake/call-dry-run.service.js';
import { maxFetchedLeads } from '../lead-sources/source-call-dry-run.service.js';
import { CallDryRunType } from './call-dry-run.type.js';

@Resolver(() => CallDryRunType)
export class CallDryRunResolver {
  constructor(private readonly service: CallDryRunService) {}

  @Authorized('ADMIN')
  @Extensions({ [costExtension]: callCost })
  @Query(() => CallDryRunType, {
    description: `ADMIN: what a webhook call of this tenant would be answered now: key, signature, limits, dialect, fields and chat instance are checked as for a real one. Nothing is kept, no limit counts it. Of a call of Meta’s Lead Ads, the first ${maxFetchedLeads} leads are fetched. It takes the time of a call, so it counts ${callCost} of an operation’s cost.`,
  })
  tryWebhook(
    @Ctx() context: GraphqlContext,
    @Arg('route', () => String, {
      description:
        'The path that would be called, or its whole address: `/public/leads`, `/webhooks/chat/gateway/inbound`, the `path` of a lead source, …',
    })
    route: string,
    @Arg('body', () => String, { description: 'The body, exactly as it would be sent.' }) body: string,
    @Arg('headers', () => GraphQLJSONObject, {
      nullable: true,
      description:
        'Headers by name, at most 50. Without `x-tenant-key` and `authorization` the call counts as sent with the tenant’s own key, without `content-type` as JSON.',
    })
    headers?: Record<string, unknown> | null,
  ): Promise<CallDryRun> {
    return this.service.run(context.principal, { route, headers, body });
  }
}
