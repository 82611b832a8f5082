// GraphQL resolvers of templates.

import type { GraphQLResolveInfo } from 'graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { callerOf, selectedOfNodes, loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { Shown } from '../../platform/database/shown-records.js';
import type { UserService } from '../users/user.service.js';
import type { UserRecord } from '../users/user.sql.js';
import { User } from '../users/user.type.js';
import type { TemplateVariable as TemplateVariableShape } from './template-text.js';
import { defaultVersionsShown, maxVersionsShown } from './template.schema.js';
import {
  variablesOf,
  type RenderedTemplateRecord,
  type TemplateRow,
  type TemplateService,
  type TemplateVersionRow,
} from './template.service.js';
import {
  CreateTemplateInput,
  RenderedTemplate,
  Template,
  TemplateConnection,
  TemplateFilter,
  TemplateVariable,
  TemplateVersion,
  UpdateTemplateInput,
} from './template.type.js';

@Resolver(() => Template)
export class TemplateResolver {
  constructor(
    private readonly service: TemplateService,
    private readonly users: UserService,
  ) {}

  @Authorized()
  @Query(() => TemplateConnection, {
    description: "The tenant's SHARED templates and the user's own PERSONAL ones, newest first.",
  })
  async templates(
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => TemplateFilter, { nullable: true, description: 'Which templates; all by default.' })
    filter?: TemplateFilter | null,
  ): Promise<ConnectionValue<Shown<TemplateRow>>> {
    return toConnection(await this.service.list(context.principal, args, filter, selectedOfNodes(info)));
  }

  @Authorized()
  @Query(() => Template, {
    nullable: true,
    description:
      "Returns a template. Null if the tenant has none with this id, if it was deleted, or if it is another user's PERSONAL one; an ADMIN sees that too.",
  })
  template(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The template's id." }) id: string,
  ): Promise<TemplateRow | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized()
  @Query(() => RenderedTemplate, { description: 'Renders a template as a preview. Nothing is sent.' })
  renderTemplate(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The template's id." }) id: string,
    @Arg('leadId', () => ID, {
      nullable: true,
      description: 'The recipient. Without one, fields of the lead need a value or a default.',
    })
    leadId?: string | null,
    @Arg('variables', () => GraphQLJSONObject, {
      nullable: true,
      description:
        'Values by name, at most 100: text of at most 1,000 characters, numbers and booleans. Null counts as no value. Names that the template does not use are ignored.',
    })
    variables?: Record<string, unknown> | null,
  ): Promise<RenderedTemplateRecord> {
    return this.service.render(context.principal, id, { leadId, variables });
  }

  @Authorized()
  @Mutation(() => Template, {
    description: 'Creates a template. CONFLICT if the name or the shortcut is taken. Audited.',
  })
  createTemplate(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateTemplateInput, { description: 'The template.' }) input: CreateTemplateInput,
  ): Promise<TemplateRow> {
    return this.service.create(context.principal, input);
  }

  @Authorized()
  @Mutation(() => Template, { description: 'Changes a template. A changed body is a new version. Audited.' })
  updateTemplate(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The template's id." }) id: string,
    @Arg('input', () => UpdateTemplateInput, { description: 'What to change.' }) input: UpdateTemplateInput,
  ): Promise<TemplateRow> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized()
  @Mutation(() => ID, {
    description:
      'Deletes a template and returns its id. Messages that were sent with it still show it. Its name and its shortcut become free. Audited.',
  })
  deleteTemplate(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The template's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @FieldResolver(() => [TemplateVariable], {
    description: 'The variables of the body, each once, in the order of the body.',
  })
  variables(@Root() template: TemplateRow): readonly TemplateVariableShape[] {
    return variablesOf(template);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user who created it, if known.' })
  async author(@Root() { authorId }: TemplateRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, authorId);
  }

  @FieldResolver(() => [TemplateVersion], { description: 'All versions of the body, newest first.' })
  versions(
    @Root() { id }: TemplateRow,
    @Ctx() context: GraphqlContext,
    @Arg('first', () => Int, {
      nullable: true,
      description: `The number of versions, ${defaultVersionsShown} by default, ${maxVersionsShown} at most.`,
    })
    first?: number | null,
    @Arg('before', () => Int, { nullable: true, description: 'Only versions below this one.' })
    before?: number | null,
  ): Promise<TemplateVersionRow[]> {
    const read = (ids: readonly string[]) => this.service.listVersions(callerOf(context), ids, { first, before });
    return context.loaders.many(`template-version ${first} ${before}`, read, (version) => version.templateId).load(id);
  }
}

@Resolver(() => TemplateVersion)
export class TemplateVersionResolver {
  constructor(private readonly users: UserService) {}

  @FieldResolver(() => User, { nullable: true, description: 'The user who wrote it, if known.' })
  async author(@Root() { authorId }: TemplateVersionRow, @Ctx() context: GraphqlContext): Promise<UserRecord | null> {
    return loadById(context, 'user', this.users, authorId);
  }
}
