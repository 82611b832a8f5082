// GraphQL API of submissions that wait for a number.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { callerOf, type GraphqlContext } from '../../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../../platform/graphql/relay.type.js';
import type { LeadRow } from '../../leads/lead.service.js';
import { Lead } from '../../leads/lead.type.js';
import type { LeadSourceRecord } from '../lead-source.sql.js';
import { HeldSubmission, HeldSubmissionConnection, LeadSource } from '../lead-source.type.js';
import type { HeldSubmissionService } from './held-submission.service.js';
import { heldDays, maxHeld, type HeldRecord } from './held-submission.sql.js';

const heldId = { description: 'The id of the held submission.' };

@Resolver(() => HeldSubmission)
export class HeldSubmissionResolver {
  constructor(private readonly service: HeldSubmissionService) {}

  @Authorized('ADMIN')
  @Query(() => HeldSubmissionConnection, {
    description:
      'ADMIN: submissions of a lead source that have an e-mail address and no usable number, the newest first. They are kept for ' +
      `${heldDays} days, the newest ${maxHeld} of a tenant.`,
  })
  async heldSubmissions(
    @Ctx() context: GraphqlContext,
    @Arg('sourceId', () => ID, { description: 'The lead source.' }) sourceId: string,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
  ): Promise<ConnectionValue<HeldRecord>> {
    return toConnection(await this.service.list(context.principal, sourceId, args));
  }

  @Authorized('ADMIN')
  @Mutation(() => Lead, {
    description:
      'ADMIN: makes a lead of a held submission, as if the form had given this number. NOT_FOUND when it is completed already. Audited.',
  })
  completeHeldSubmission(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, heldId) id: string,
    @Arg('chat', () => String, { description: 'The number, in any common writing.' }) chat: string,
  ): Promise<LeadRow> {
    return this.service.complete(context.principal, id, chat);
  }

  @Authorized('ADMIN')
  @Mutation(() => ID, {
    description:
      'ADMIN: removes a held submission with everything that it says, and gives its id. Its source does not bring it back, where it has ' +
      'ids of its own. Audited.',
  })
  dismissHeldSubmission(@Ctx() context: GraphqlContext, @Arg('id', () => ID, heldId) id: string): Promise<string> {
    return this.service.dismiss(context.principal, id);
  }

  @FieldResolver(() => String, { nullable: true, description: 'The name that it gives.' })
  name(@Root() { lead }: HeldRecord): string | null {
    return lead.name ?? null;
  }

  @FieldResolver(() => GraphQLJSONObject, { nullable: true, description: 'Everything that became no field.' })
  metadata(@Root() { lead }: HeldRecord): Record<string, unknown> | null {
    return lead.metadata ?? null;
  }
}

@Resolver(() => LeadSource)
export class HeldCountResolver {
  constructor(private readonly service: HeldSubmissionService) {}

  @FieldResolver(() => Int, { description: 'Submissions that wait for a number.' })
  async heldCount(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<number> {
    const read = (ids: readonly string[]) => this.service.listCounts(callerOf(context), ids);
    const found = await context.loaders.one('held-submission-counts', read, (count) => count.id).load(id);
    return found?.count ?? 0;
  }
}
