// Owns what the routes of Evolution API and WAHA share: the key that every call carries, bodies with files in them, and errors in the words
// of the dress.

import express, { Router } from 'express';
import type { BehaviourBook } from './behaviour-book.js';
import { GatewayError, renderGatewayError } from './gateway-error.js';
import type { RenderError } from './gateway-error.js';
import type { InstanceRegistry } from './instance-registry.js';
import type { MediaFetch } from './media-fetch.js';
import type { MessageHistory } from './message-history.js';
import type { MessageIntake } from './message-intake.js';
import type { SeededRandom } from './seeded-random.js';
import type { Timers } from './simulator-clock.js';
import type { WebhookReporter } from './webhook-reporter.js';

export interface DressedRoutesOptions {
  readonly timers: Timers;
  /** Draws the ids that callers reserve. */
  readonly random: SeededRandom;
  readonly behaviours: BehaviourBook;
  readonly instances: InstanceRegistry;
  readonly intake: MessageIntake;
  readonly reporter: WebhookReporter;
  readonly history: MessageHistory;
  readonly media: MediaFetch;
  /** Where the simulator is; empty until it listens. */
  readonly serverUrl: () => string;
  /** @throws GatewayError 401 */
  readonly checkToken: (given: string | undefined) => void;
  readonly onInternalError: (error: unknown) => void;
}

interface Words {
  /** The header with the key. */
  readonly keyHeader: string;
  readonly render: RenderError;
}

/** Files may be inside. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024;
/** The network does not know the number. */
export const UNKNOWN_NUMBER = '131026';

/** Routes that answer all that comes to them, also what they do not know. Bodies are read after the key. */
export function dressedRouter(
  { checkToken, onInternalError }: DressedRoutesOptions,
  { keyHeader, render }: Words,
  routes: readonly Router[],
): Router {
  const router = Router();
  router.use((request, _response, next) => {
    checkToken(request.get(keyHeader));
    next();
  });
  router.use(express.json({ limit: MAX_BODY_BYTES }), ...routes);
  router.use((request) => {
    throw new GatewayError(404, 'not_found', `Cannot ${request.method} ${request.originalUrl}`);
  });
  router.use(renderGatewayError(onInternalError, render));
  return router;
}

/** Whether the number is a special one that the network does not know. */
export function isUnknownNumber(behaviours: BehaviourBook, instance: string, to: string): boolean {
  const { failRate, failCode } = behaviours.getForMessage({ instance, to });
  return failRate === 1 && failCode === UNKNOWN_NUMBER;
}
