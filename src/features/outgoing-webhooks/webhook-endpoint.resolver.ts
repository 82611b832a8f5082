// GraphQL API of webhook endpoints.

import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { defaultGraceSeconds, maxEndpoints } from './webhook-endpoint.schema.js';
import type { EndpointSecretRecord, WebhookEndpointService } from './webhook-endpoint.service.js';
import type { WebhookEndpointRecord } from './webhook-endpoint.sql.js';
import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
  WebhookEndpointSecret,
} from './webhook-endpoint.type.js';

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointResolver {
  constructor(private readonly service: WebhookEndpointService) {}

  @Authorized('ADMIN')
  @Query(() => [WebhookEndpoint], {
    description: `ADMIN: where the tenant's events are posted, the oldest first; ${maxEndpoints} at most.`,
  })
  webhookEndpoints(@Ctx() context: GraphqlContext): Promise<WebhookEndpointRecord[]> {
    return this.service.list(context.principal);
  }

  @Authorized('ADMIN')
  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: 'ADMIN: one webhook endpoint; null where the tenant has none of this id, or no longer.',
  })
  webhookEndpoint(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
  ): Promise<WebhookEndpointRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => WebhookEndpointSecret, {
    description:
      `ADMIN: has the tenant's events posted to an address, from now on, and shows the secret that they are signed with. CONFLICT where ` +
      `there are ${maxEndpoints} already. Audited.`,
  })
  createWebhookEndpoint(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint.' }) input: CreateWebhookEndpointInput,
  ): Promise<EndpointSecretRecord> {
    return this.service.create(context.principal, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => WebhookEndpoint, { description: 'ADMIN: changes a webhook endpoint. Audited.' })
  updateWebhookEndpoint(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'What to change.' })
    input: UpdateWebhookEndpointInput,
  ): Promise<WebhookEndpointRecord> {
    return this.service.update(context.principal, id, input);
  }

  @Authorized('ADMIN')
  @Mutation(() => WebhookEndpointSecret, {
    description:
      'ADMIN: gives a webhook endpoint another secret, and shows it. The one before signs beside it for `graceSeconds`; one before that ' +
      'ends. Audited.',
  })
  rotateWebhookEndpointSecret(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
    @Arg('graceSeconds', () => Int, {
      defaultValue: defaultGraceSeconds,
      description: 'How long the secret before goes on signing: 604,800 s (a week) at most, 0 for not at all.',
    })
    graceSeconds: number,
  ): Promise<EndpointSecretRecord> {
    return this.service.rotateSecret(context.principal, id, graceSeconds);
  }

  @Authorized('ADMIN')
  @Mutation(() => ID, {
    description:
      'ADMIN: deletes a webhook endpoint with its secrets, and gives its id. What waits for it has FAILED. Audited.',
  })
  deleteWebhookEndpoint(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }
}
