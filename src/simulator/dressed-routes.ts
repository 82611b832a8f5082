// Owns what the routes of Evolution API and WAHA share: the key that every call carries, bodies with files in them, and errors in the
// provider's words.

import express, { Router } from 'express';
import type { BehaviourBook } from './behaviour-book.js';
import { GatewayError, renderGatewayError, type RenderError } from './gateway-error.js';
import type { MessageIntake, MessageIntakeOptions } from './message-intake.js';

export interface DressedRoutesOptions extends Omit<MessageIntakeOptions, 'customers' | 'filesUrl'> {
  readonly intake: MessageIntake;
  /** The simulator's address; empty until it listens. */
  readonly serverUrl: () => string;
  /** @throws GatewayError 401 for a wrong token */
  readonly checkToken: (given: string | undefined) => void;
  readonly onInternalError: (error: unknown) => void;
}

interface Words {
  /** The header with the key. */
  readonly keyHeader: string;
  readonly render: RenderError;
}

/** The limit of a body, which may hold a file. */
const MAX_BODY_BYTES = 16 * 1_024 * 1_024;
/** The error code for a number that the network does not know. */
export const UNKNOWN_NUMBER = '131026';

/** Routes that answer every call, also one with an unknown path. A body is read only after the key was checked. */
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

/** True when the number is a special one that the network does not know. */
export function isUnknownNumber(behaviours: BehaviourBook, instance: string, to: string): boolean {
  const { failRate, failCode } = behaviours.getForMessage({ instance, to });
  return failRate === 1 && failCode === UNKNOWN_NUMBER;
}
