// GraphQL types of webhook endpoints. Their secrets are shown once, by what makes them.

import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { endpointEvents, type EndpointEventType } from './endpoint-event.js';
import {
  disabledReasons,
  maxEndpoints,
  type CreateWebhookEndpointInput as CreateWebhookEndpointShape,
  type DisabledReason,
  type UpdateWebhookEndpointInput as UpdateWebhookEndpointShape,
} from './webhook-endpoint.schema.js';
import type { EndpointSecretRecord } from './webhook-endpoint.service.js';
import type { WebhookEndpointRecord } from './webhook-endpoint.sql.js';
import { Dated } from '../../platform/graphql/dated.type.js';

const namesOf = <Key extends string>(table: Record<Key, unknown>) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, name]));

const WebhookEventTypeEnum = namesOf(endpointEvents);
registerEnumType(WebhookEventTypeEnum, {
  name: 'WebhookEventType',
  description: 'The events that a webhook endpoint may receive.',
  valuesConfig: Object.fromEntries(
    Object.entries(endpointEvents).map(([name, { meaning }]) => [name, { description: meaning }]),
  ),
});

const WebhookEndpointDisabledReasonEnum = namesOf(disabledReasons);
registerEnumType(WebhookEndpointDisabledReasonEnum, {
  name: 'WebhookEndpointDisabledReason',
  description: 'Why a webhook endpoint is disabled.',
  valuesConfig: Object.fromEntries(
    Object.entries(disabledReasons).map(([name, meaning]) => [name, { description: meaning }]),
  ),
});

@ObjectType({ description: "Where the tenant's events are posted, signed by the Standard Webhooks specification." })
export class WebhookEndpoint extends Dated implements WebhookEndpointRecord {
  @Field(() => String, { description: 'Where events are posted.' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'What it is for, in words.' })
  description!: string | null;

  @Field(() => [WebhookEventTypeEnum], { description: 'The events that it receives.' })
  eventTypes!: EndpointEventType[];

  @Field(() => Boolean, { description: 'Whether anything is posted to it.' })
  isEnabled!: boolean;

  @Field(() => WebhookEndpointDisabledReasonEnum, {
    nullable: true,
    description: 'Why it is disabled; null while it is enabled.',
  })
  disabledReason!: DisabledReason | null;

  @Field(() => Date, { nullable: true, description: 'Since when it is disabled; null while it is enabled.' })
  disabledAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Since when attempts have failed and none has succeeded; null where it is reached.',
  })
  failingSince!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Until when the secret before signs beside the present one; null where it does not.',
  })
  previousSecretUntil!: Date | null;

  @Field(() => Int, { description: 'Rises with each change.' })
  version!: number;
}

@ObjectType({ description: 'An endpoint with the secret that was just made for it. It is not shown again.' })
export class WebhookEndpointSecret implements EndpointSecretRecord {
  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint!: WebhookEndpoint;

  @Field(() => String, {
    description: 'What its deliveries are signed with: `whsec_` and 32 bytes in Base64. Kept encrypted.',
  })
  secret!: string;
}

const urlDescription =
  'An https URL of at most 2,048 characters without credentials, to a public host. Others need the leave of the ' +
  "service's operator.";

@InputType({ description: `A new webhook endpoint; a tenant has ${maxEndpoints} at most.` })
export class CreateWebhookEndpointInput implements CreateWebhookEndpointShape {
  @Field(() => String, { description: urlDescription })
  url!: string;

  @Field(() => String, { nullable: true, description: 'What it is for, in at most 200 characters.' })
  description?: string | null;

  @Field(() => [WebhookEventTypeEnum], { description: 'The events that it is to receive: one at least.' })
  eventTypes!: EndpointEventType[];

  @Field(() => Boolean, { nullable: true, description: 'Whether anything is posted to it yet; true where left out.' })
  isEnabled?: boolean | null;
}

@InputType({ description: 'What to change; fields that are left out stay as they are.' })
export class UpdateWebhookEndpointInput implements UpdateWebhookEndpointShape {
  @Field(() => String, { nullable: true, description: `${urlDescription} What waits goes there too.` })
  url?: string;

  @Field(() => String, { nullable: true, description: 'What it is for, in at most 200 characters; null: nothing.' })
  description?: string | null;

  @Field(() => [WebhookEventTypeEnum], {
    nullable: true,
    description: 'The events that it is to receive: one at least.',
  })
  eventTypes?: EndpointEventType[];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: queued deliveries are posted, and the endpoint receives the events since it was disabled, at most `EVENT_RETENTION_DAYS` back.',
  })
  isEnabled?: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change was made for: CONFLICT where the endpoint has been changed since.',
  })
  expectedVersion?: number | null;
}
