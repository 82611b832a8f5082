// GraphQL types of deliveries to webhook endpoints.

import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/relay.type.js';
import { deliveryStates, type DeliveryState, type EndpointDeliveryFilterInput } from './webhook-endpoint.schema.js';
import type { EndpointDeliveryRecord } from './endpoint-delivery.sql.js';
import { deliveryKinds, type DeliveryKind } from './endpoint-event.js';

const namesOf = <Key extends string>(table: Record<Key, unknown>) =>
  Object.fromEntries(Object.keys(table).map((name) => [name, name]));

const EndpointDeliveryTypeEnum = namesOf(deliveryKinds);
registerEnumType(EndpointDeliveryTypeEnum, {
  name: 'EndpointDeliveryType',
  description: 'What a delivery reports.',
  valuesConfig: Object.fromEntries(
    Object.entries(deliveryKinds).map(([name, { meaning }]) => [name, { description: meaning }]),
  ),
});

const EndpointDeliveryStateEnum = namesOf(deliveryStates);
registerEnumType(EndpointDeliveryStateEnum, {
  name: 'EndpointDeliveryState',
  description: 'The state of a delivery.',
  valuesConfig: Object.fromEntries(
    Object.entries(deliveryStates).map(([name, meaning]) => [name, { description: meaning }]),
  ),
});

@ObjectType({ description: 'An event on its way to a webhook endpoint. It keeps no more of a person than ids.' })
export class EndpointDelivery implements EndpointDeliveryRecord {
  @Field(() => ID, { description: 'The `webhook-id`: the same in all its attempts and replays. UUID v7.' })
  id!: string;

  @Field(() => ID, { description: 'The endpoint, also after that is deleted.' })
  endpointId!: string;

  @Field(() => EndpointDeliveryTypeEnum, { description: 'What it reports.' })
  type!: DeliveryKind;

  @Field(() => EndpointDeliveryStateEnum, { description: 'Its state.' })
  state!: DeliveryState;

  @Field(() => ID, { nullable: true, description: 'The lead that it is about, also after that is gone.' })
  leadId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The message that it is about, also after that is gone.' })
  messageId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The chat instance that it is about.' })
  instanceId!: string | null;

  @Field(() => Date, { description: 'When that happened.' })
  occurredAt!: Date;

  @Field(() => Int, { description: 'How often it was attempted, replays included.' })
  attemptCount!: number;

  @Field(() => Date, { nullable: true, description: 'When it was last attempted.' })
  lastAttemptAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the last attempt; null where none came.' })
  lastStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the last attempt failed, in a sentence.' })
  lastError!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is attempted next, once its endpoint is enabled; null when it is over.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When the endpoint accepted it.' })
  deliveredAt!: Date | null;

  @Field(() => Date, { description: 'When it was created from the event.' })
  createdAt!: Date;
}

export const EndpointDeliveryConnection = connectionType(EndpointDelivery, 'EndpointDelivery');

@InputType({ description: 'Which deliveries to list: all given conditions have to hold.' })
export class EndpointDeliveryFilter implements EndpointDeliveryFilterInput {
  @Field(() => ID, { nullable: true, description: 'To this endpoint.' })
  endpointId?: string | null;

  @Field(() => [EndpointDeliveryStateEnum], { nullable: true, description: 'In one of these states.' })
  states?: DeliveryState[] | null;

  @Field(() => [EndpointDeliveryTypeEnum], { nullable: true, description: 'Of one of these types.' })
  types?: DeliveryKind[] | null;
}
