// GraphQL of the time of the next scheduled answer, a field of Lead.

import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { LeadRow } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { NextScheduledReplyService } from './next-scheduled-reply.service.js';

@Resolver(() => Lead)
export class NextScheduledReplyResolver {
  constructor(private readonly service: NextScheduledReplyService) {}

  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'When the earliest scheduled answer leaves; null where none is scheduled. The lead waits until it was sent. Bulk messages do not count.',
  })
  async scheduledReplyAt(@Root() { id }: LeadRow, @Ctx() context: GraphqlContext): Promise<Date | null> {
    const read = (ids: readonly string[]) => this.service.listByLeads(callerOf(context), ids);
    const found = await context.loaders.one('next-scheduled-reply', read, ({ leadId }) => leadId).load(id);
    return found?.leavesAt ?? null;
  }
}
