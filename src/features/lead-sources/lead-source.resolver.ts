// GraphQL API of lead sources.

import type DataLoader from 'dataloader';
import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
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
import { callCost, costExtension } from '../../platform/graphql/field-cost.js';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { listSizeExtension } from '../../platform/graphql/relay.type.js';
import type { LeadSourceCallers } from './calls/lead-source-callers.js';
import { pathOfSource } from './lead-source-kind.js';
import { defaultToleranceSeconds, maxForms, maxLeadSources } from './lead-source.schema.js';
import type { LeadSourceService } from './lead-source.service.js';
import { maxCounted, type LeadSourceRecord, type SourceActivity, type SourceFormRecord } from './lead-source.sql.js';
import {
  CreateLeadSourceInput,
  LeadSource,
  LeadSourceForm,
  LeadSourceHmac,
  LeadDryRunType,
  UpdateLeadSourceInput,
} from './lead-source.type.js';
import type { LeadDryRun, LeadDryRunService } from './lead-dry-run.service.js';

const sourceId = { description: "The source's id." };
const testDescription =
  'ADMIN: shows the lead that a source would make of a payload, and changes no row. For META: a call that names a lead, whose answers ' +
  'are then fetched, or the lead as the Graph API gives it. ' +
  `It takes the time of a call, so it counts ${callCost} of an operation’s cost.`;
const payload = {
  nullable: true,
  description: 'What the source sends, as JSON. The key or signature is not asked for.',
};
const body = {
  nullable: true,
  description: 'FORM: instead of `payload`, the body as it is sent; a list is several submissions.',
};
const contentType = { nullable: true, description: 'Of `body`: `application/json` where it is left out.' };

@Resolver(() => LeadSource)
export class LeadSourceResolver {
  constructor(
    private readonly service: LeadSourceService,
    private readonly dryRuns: LeadDryRunService,
    private readonly callers: LeadSourceCallers,
  ) {}

  @Authorized('ADMIN')
  @Extensions({ [listSizeExtension]: maxLeadSources })
  @Query(() => [LeadSource], {
    description: `ADMIN: forms elsewhere that post leads here, the oldest first; ${maxLeadSources} at most.`,
  })
  leadSources(@Ctx() context: GraphqlContext): Promise<LeadSourceRecord[]> {
    return this.service.list(context.principal);
  }

  @Authorized('ADMIN')
  @Query(() => LeadSource, {
    nullable: true,
    description: 'ADMIN: one lead source; null where the tenant has none of this id, or no longer.',
  })
  leadSource(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, sourceId) id: string,
  ): Promise<LeadSourceRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Extensions({ [costExtension]: callCost })
  @Query(() => LeadDryRunType, { description: testDescription })
  @Mutation(() => LeadDryRunType, {
    description: `${testDescription} The same as the query, for clients that keep what queries answer.`,
  })
  testLeadSource(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, sourceId) id: string,
    @Arg('payload', () => GraphQLJSONObject, payload) given?: Record<string, unknown> | null,
    @Arg('body', () => String, body) sent?: string | null,
    @Arg('contentType', () => String, contentType) type?: string | null,
  ): Promise<LeadDryRun> {
    return this.dryRuns.run(context.principal, id, { payload: given, body: sent, contentType: type });
  }

  @Authorized('ADMIN')
  @Mutation(() => LeadSource, {
    description:
      `ADMIN: creates a lead source, whose address is its \`path\`. META needs \`appSecret\` and \`accessToken\`, GOOGLE \`key\`. ` +
      `CONFLICT where there are ${maxLeadSources} already. Audited.`,
  })
  createLeadSource(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateLeadSourceInput, { description: 'The source.' }) input: CreateLeadSourceInput,
  ): Promise<LeadSourceRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => LeadSource, {
    description:
      'ADMIN: changes a lead source. A secret that is given replaces the one before. What could not be taken in is tried once more. Audited.',
  })
  updateLeadSource(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, sourceId) id: string,
    @Arg('input', () => UpdateLeadSourceInput, { description: 'What to change.' }) input: UpdateLeadSourceInput,
  ): Promise<LeadSourceRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => ID, {
    description:
      'ADMIN: deletes a lead source with its secrets and its held submissions, and gives its id. Its leads stay. Audited.',
  })
  deleteLeadSource(@Ctx() context: GraphqlContext, @Arg('id', () => ID, sourceId) id: string): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @FieldResolver(() => String, { description: 'Where it posts to, behind the address of this service.' })
  path(@Root() source: LeadSourceRecord): string {
    return pathOfSource(source);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'META: the verify token to enter at Meta, together with the address.',
  })
  webhookVerifyToken(@Root() { id, kind }: LeadSourceRecord): string | null {
    return kind === 'META' ? this.callers.verifyTokenOf(id) : null;
  }

  @FieldResolver(() => LeadSourceHmac, {
    nullable: true,
    description: 'FORM: how its calls are signed; null: they are taken without a signature.',
  })
  hmac(@Root() source: LeadSourceRecord): LeadSourceHmac | null {
    const { hmacHeader, hmacAlgorithm, hmacEncoding, hmacScheme, hmacTimestampHeader, hmacToleranceSeconds } = source;
    if (hmacHeader === null || hmacAlgorithm === null || hmacEncoding === null) return null;
    const scheme = hmacScheme ?? 'BODY';
    return {
      header: hmacHeader,
      algorithm: hmacAlgorithm,
      encoding: hmacEncoding,
      scheme,
      timestampHeader: hmacTimestampHeader,
      toleranceSeconds: scheme === 'BODY' ? null : (hmacToleranceSeconds ?? defaultToleranceSeconds),
    };
  }

  @FieldResolver(() => [LeadSourceForm], {
    description: `META: the forms that are read for missed leads, ${maxForms} at most.`,
  })
  forms(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<SourceFormRecord[]> {
    const read = (ids: readonly string[]) => this.service.listForms(callerOf(context), ids);
    return context.loaders.many('lead-source-forms', read, (form) => form.sourceId).load(id);
  }

  @FieldResolver(() => Date, { nullable: true, description: 'When its newest lead came, or was named.' })
  async lastLeadAt(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<Date | null> {
    return (await this.activities(context).load(id))?.lastLeadAt ?? null;
  }

  @FieldResolver(() => Int, {
    description: `META: leads whose answers are still to be fetched, ${maxCounted} at most.`,
  })
  async pendingLeads(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<number> {
    return (await this.activities(context).load(id))?.pendingLeads ?? 0;
  }

  @FieldResolver(() => Int, { description: `META: leads that could not be taken in, ${maxCounted} at most.` })
  async failedLeads(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<number> {
    return (await this.activities(context).load(id))?.failedLeads ?? 0;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'META: why the newest of the leads that wait or have failed could not be taken in; null: there is none.',
  })
  async lastError(@Root() { id }: LeadSourceRecord, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await this.activities(context).load(id))?.lastError ?? null;
  }

  private activities(context: GraphqlContext): DataLoader<string, SourceActivity | null> {
    const read = (ids: readonly string[]) => this.service.listActivities(callerOf(context), ids);
    return context.loaders.one('lead-source-activity', read, (activity) => activity.id);
  }
}
