// GraphQL resolvers of channel templates.

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
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { defaultPageSize, maxPageSize } from '../../platform/database/page.js';
import {
  ForwardPageArgs,
  listSizeExtension,
  toConnection,
  type ConnectionValue,
} from '../../platform/graphql/relay.type.js';
import { readForm, variablesOf } from '../../providers/meta/template-form.js';
import type { ChannelTemplateSyncService } from './channel-template-sync.service.js';
import type { ChannelTemplateRow, ChannelTemplateService } from './channel-template.service.js';
import { ChannelTemplate, ChannelTemplateConnection, ChannelTemplateFilter } from './channel-template.type.js';

@Resolver(() => ChannelTemplate)
export class ChannelTemplateResolver {
  constructor(
    private readonly service: ChannelTemplateService,
    private readonly syncing: ChannelTemplateSyncService,
  ) {}

  @Authorized()
  @Query(() => ChannelTemplateConnection, {
    description:
      'The templates that the network keeps for a chat instance, as they were last read or reported, newest first. None before the first syncChannelTemplates.',
  })
  async channelTemplates(
    @Ctx() context: GraphqlContext,
    @Arg('instanceId', () => ID, { description: 'The chat instance.' }) instanceId: string,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => ChannelTemplateFilter, { nullable: true, description: 'Which of them; all by default.' })
    filter?: ChannelTemplateFilter | null,
  ): Promise<ConnectionValue<ChannelTemplateRow>> {
    return toConnection(await this.service.list(context.principal, instanceId, args, filter));
  }

  @Authorized()
  // The value of `first` is the cost of the operation. Without `first`, the default page size is the cost.
  @Extensions({ [listSizeExtension]: defaultPageSize })
  @Mutation(() => [ChannelTemplate], {
    description:
      'Reads the templates of a chat instance from its network, at most 2,000, and keeps them in place of the former ones. Returns the newest of them; `channelTemplates` lists all. NOT_OFFERED where the network has no templates, CONFLICT where it refuses, UNAVAILABLE where it cannot answer now. Safe to repeat.',
  })
  syncChannelTemplates(
    @Ctx() context: GraphqlContext,
    @Arg('instanceId', () => ID, { description: 'The chat instance.' }) instanceId: string,
    @Arg('first', () => Int, {
      nullable: true,
      description: `How many to return, the newest first: ${defaultPageSize} by default, ${maxPageSize} at most.`,
    })
    first?: number | null,
  ): Promise<ChannelTemplateRow[]> {
    return this.syncing.sync(context.principal, instanceId, first);
  }

  @FieldResolver(() => [String], {
    description:
      'The variables that a message has to give, as paths: `body.1`, `header.1`, `header.link`, `buttons.0`. In this order.',
  })
  variables(@Root() { components }: ChannelTemplateRow): string[] {
    return variablesOf(readForm(Array.isArray(components) ? components : []));
  }
}
