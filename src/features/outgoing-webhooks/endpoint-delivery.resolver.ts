// GraphQL API of deliveries to webhook endpoints.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loadById, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import { maxPings, maxReplayed } from './webhook-endpoint.schema.js';
import type { EndpointDeliveryService } from './endpoint-delivery.service.js';
import type { EndpointDeliveryRecord } from './endpoint-delivery.sql.js';
import { EndpointDelivery, EndpointDeliveryConnection, EndpointDeliveryFilter } from './endpoint-delivery.type.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { WebhookEndpointRecord } from './webhook-endpoint.sql.js';
import { WebhookEndpoint } from './webhook-endpoint.type.js';

@Resolver(() => EndpointDelivery)
export class EndpointDeliveryResolver {
  constructor(
    private readonly service: EndpointDeliveryService,
    private readonly endpoints: WebhookEndpointService,
  ) {}

  @Authorized('ADMIN')
  @Query(() => EndpointDeliveryConnection, {
    description:
      'ADMIN: what was posted to webhook endpoints, or waits for it, the newest first. What is over is kept for ' +
      '`WEBHOOK_ENDPOINT_RETENTION_DAYS`.',
  })
  async endpointDeliveries(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
    @Arg('filter', () => EndpointDeliveryFilter, {
      nullable: true,
      description: 'Which deliveries; all where none is given.',
    })
    filter?: EndpointDeliveryFilter | null,
  ): Promise<ConnectionValue<EndpointDeliveryRecord>> {
    return toConnection(await this.service.list(context.principal, args, filter));
  }

  @Authorized('ADMIN')
  @Query(() => EndpointDelivery, {
    nullable: true,
    description: 'ADMIN: one delivery; null where the tenant has none of this id, or no longer.',
  })
  endpointDelivery(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The delivery's id." }) id: string,
  ): Promise<EndpointDeliveryRecord | null> {
    return this.service.find(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => EndpointDelivery, {
    description:
      'ADMIN: has a test delivery of the type `endpoint.ping` posted, attempted as any other. CONFLICT where the endpoint is disabled, or ' +
      `${maxPings} of it wait already.`,
  })
  pingWebhookEndpoint(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The endpoint's id." }) id: string,
  ): Promise<EndpointDeliveryRecord> {
    return this.service.ping(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => EndpointDelivery, {
    description:
      'ADMIN: has a delivery posted again now, under the same `webhook-id` and with the records as they are now, whatever has become of ' +
      'it. CONFLICT where its endpoint is disabled or deleted. Audited.',
  })
  replayEndpointDelivery(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The delivery's id." }) id: string,
  ): Promise<EndpointDeliveryRecord> {
    return this.service.replay(context.principal, id);
  }

  @Authorized('ADMIN')
  @Mutation(() => Int, {
    description:
      `ADMIN: has what FAILED of an endpoint posted again, the oldest first, ${maxReplayed} at most, and gives how many: call it again ` +
      'while it gives as many. CONFLICT where the endpoint is disabled. Audited.',
  })
  replayFailedEndpointDeliveries(
    @Ctx() context: GraphqlContext,
    @Arg('endpointId', () => ID, { description: "The endpoint's id." }) endpointId: string,
    @Arg('since', () => Date, { description: 'What was made of events before then stays as it is.' }) since: Date,
  ): Promise<number> {
    return this.service.replayFailed(context.principal, endpointId, since);
  }

  @FieldResolver(() => WebhookEndpoint, { nullable: true, description: 'The endpoint; null where it is deleted.' })
  endpoint(
    @Root() { endpointId }: EndpointDeliveryRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WebhookEndpointRecord | null> {
    return loadById(context, 'webhook-endpoint', this.endpoints, endpointId);
  }
}
