// GraphQL of the field that scheduled answers add to Lead.

import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import type { LeadRow } from '../leads/lead.service.js';
import { Lead } from '../leads/lead.type.js';
import type { ScheduledReplyService } from './scheduled-reply.service.js';

@Resolver(() => Lead)
export class ScheduledReplyResolver {
  constructor(private readonly service: ScheduledReplyService) {}

  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'When the earliest scheduled answer leaves; null where none is scheduled. The lead waits until it was sent. Bulk messages do not count.',
  })
  async scheduledReplyAt(@Root() { id }: LeadRow, @Ctx() context: GraphqlContext): Promise<Date | null> {
    const read = (ids: readonly string[]) => this.service.listByLeads(callerOf(context), ids);
    const found = await context.loaders.one('scheduled-reply', read, ({ leadId }) => leadId).load(id);
    return found?.leavesAt ?? null;
  }
}
