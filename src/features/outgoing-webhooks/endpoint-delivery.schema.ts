// What is told of a delivery, and bounds of its filter and of replays.

import { z } from 'zod';
import { time, uuid } from '../../platform/input.js';
import { deliveryKindNames } from './endpoint-event.js';

/** Every state with its meaning. */
export const deliveryStates = {
  PENDING: 'It waits for its first attempt or for the next one, or is being attempted.',
  DELIVERED: 'The endpoint answered with 2xx.',
  FAILED: 'It was given up: `lastError` says why. It can be replayed.',
} as const;

export type DeliveryState = keyof typeof deliveryStates;

const stateNames = Object.keys(deliveryStates) as [DeliveryState, ...DeliveryState[]];

/** All given conditions have to hold. */
export const endpointDeliveryFilterSchema = z.strictObject({
  endpointId: uuid.nullish(),
  states: z.array(z.enum(stateNames)).min(1, 'must not be empty').max(stateNames.length).nullish(),
  types: z.array(z.enum(deliveryKindNames)).min(1, 'must not be empty').max(deliveryKindNames.length).nullish(),
});

export type EndpointDeliveryFilterInput = z.input<typeof endpointDeliveryFilterSchema>;
export type EndpointDeliveryConditions = z.output<typeof endpointDeliveryFilterSchema>;

export const replaySinceSchema = time;

/** Deliveries that one replay of failed ones takes, the oldest first. */
export const maxReplayed = 1_000;
/** Test deliveries of an endpoint that may wait. */
export const maxPings = 10;
