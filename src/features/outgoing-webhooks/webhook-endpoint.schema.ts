// Bounds and formats of webhook endpoint input. The schemas are made for each assembled service, which alone knows the addresses that may
// be called.

import { z } from 'zod';
import { httpUrl, time, uuid } from '../../platform/input/input.js';
import { shownName } from '../../platform/input/shown-name.js';
import { deliveryKindNames, endpointEventTypes } from './endpoint-event.js';

const maxUrlLength = 2_048;
const maxDescriptionLength = 200;
/** The longest grace of a replaced secret, in seconds, as of a tenant's API key. */
const maxGraceSeconds = 604_800;

/** The most endpoints of a tenant; deleted ones do not count. */
export const maxEndpoints = 10;

const eventTypes = z
  .array(z.enum(endpointEventTypes))
  .min(1, 'must not be empty')
  .max(endpointEventTypes.length)
  .transform((types) => [...new Set(types)]);

/** The schemas of `create` and `update`. @param checkUrl what is wrong with posting to a URL; undefined where nothing is */
export function webhookEndpointSchemas(checkUrl: (url: string) => string | undefined) {
  const url = httpUrl(maxUrlLength).superRefine((value, context) => {
    const problem = URL.canParse(value) ? checkUrl(value) : undefined;
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
  const description = shownName(maxDescriptionLength).nullish();
  return {
    create: z.strictObject({ url, description, eventTypes, isEnabled: z.boolean().nullish() }),
    update: z.strictObject({
      url: url.optional(),
      description,
      eventTypes: eventTypes.optional(),
      isEnabled: z.boolean().optional(),
      expectedVersion: z.number().int().min(1).nullish(),
    }),
  };
}

type Schemas = ReturnType<typeof webhookEndpointSchemas>;

export type CreateWebhookEndpointInput = z.input<Schemas['create']>;
export type UpdateWebhookEndpointInput = z.input<Schemas['update']>;

/** The time for which the previous secret goes on signing, in seconds. */
export const endpointGraceSchema = z.number().int().min(0).max(maxGraceSeconds);

export const defaultGraceSeconds = 86_400;

/** The reasons why an endpoint is disabled, each with its meaning. */
export const disabledReasons = {
  ADMIN: 'An ADMIN did it.',
  GONE: 'The endpoint answered 410.',
  FAILING: 'Nothing had reached it for 3 days, and attempts failed.',
} as const;

export type DisabledReason = keyof typeof disabledReasons;

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

/** The most deliveries that one replay of failed ones takes, the oldest first. */
export const maxReplayed = 1_000;
/** The most test deliveries of an endpoint that may wait. */
export const maxPings = 10;
