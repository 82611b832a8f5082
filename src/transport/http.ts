// The Express application: what every request passes through, in order, and where the doors hang.

import { randomUUID } from 'node:crypto';
import cors from 'cors';
import express from 'express';
import type { ErrorRequestHandler, Express, RequestHandler, Router } from 'express';
import type { AuthService } from '../features/auth/auth.service.js';
import type { NetworkLineService } from '../features/chat-instances/network-line.service.js';
import { AppError } from '../platform/errors.js';
import '../platform/express-request.js';
import { maxBodyBytes, maxNetworkBodyBytes } from '../platform/json-body.js';
import type { Logger } from '../platform/logger.js';
import { withRequestId } from '../platform/request-scope.js';
import { authenticateNetwork, refuseFailed } from './authenticate-network.js';
import { authenticate, ignoreCredentials } from './authenticate.js';
import type { TrustProxy } from './client-address.js';
import { errorToHttp } from './error-to-http.js';
import type { FailedAuthentications } from './failed-authentication.js';
import type { Throttles } from './throttle.js';

export interface HttpOptions {
  auth: AuthService;
  networkLines: NetworkLineService;
  throttles: Throttles;
  failures: FailedAuthentications;
  health: Router;
  routes: readonly Router[];
  graphql: { handlers: readonly RequestHandler[]; faults: ErrorRequestHandler };
  trustProxy: TrustProxy;
  corsOrigins: readonly string[];
  log: Logger;
}

export function createHttpApp(options: HttpOptions): Express {
  const { auth, networkLines, throttles, failures, health, routes, graphql, trustProxy, corsOrigins, log } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', trustProxy);
  app.use(identify(log));
  app.use(health);
  if (corsOrigins.length > 0)
    app.use(cors({ origin: [...corsOrigins], maxAge: 600, exposedHeaders: ['Retry-After', 'x-request-id'] }));
  app.post(['/auth/token', '/auth/dev/token'], ignoreCredentials);
  const network = { networkLines, failures, throttles };
  const readNetworkBody = readBody(maxNetworkBodyBytes);
  app.post('/webhooks/chat/cloud/:instanceId', refuseFailed(network), readNetworkBody, authenticateNetwork(network));
  for (const handler of [authenticate(auth, failures), throttles.global]) app.use(unlessNetwork(handler));
  app.post('/auth/token', throttles.authToken);
  // Where it does not exist, nothing may tell that it does elsewhere.
  if (auth.issuesDevTokens) app.post('/auth/dev/token', throttles.devToken);
  app.post('/leads/import', leaveBody);
  app.use(readBody(maxBodyBytes));
  app.use('/graphql', ...graphql.handlers, graphql.faults);
  for (const router of routes) app.use(router);
  app.use(() => {
    throw new AppError('NOT_FOUND', 'There is no such path');
  });
  app.use('/graphql', graphql.faults);
  app.use(errorToHttp(log));
  return app;
}

const requestIdPattern = /^[\w.-]{1,64}$/;

// The network's calls have been authenticated and counted by then.
function unlessNetwork(handler: RequestHandler): RequestHandler {
  return (req, res, next) => (req.networkLine === undefined ? handler(req, res, next) : next());
}

/** Gives the request its id (the caller's `x-request-id` where it is well-formed) and logs how it ended. */
function identify(log: Logger): RequestHandler {
  return (req, res, next) => {
    const wanted = req.get('x-request-id');
    req.id = wanted !== undefined && requestIdPattern.test(wanted) ? wanted : randomUUID();
    res.set({ 'x-request-id': req.id, 'x-content-type-options': 'nosniff' });
    const startedAtMs = performance.now();
    res.on('finish', () => {
      const tenantId = (req.tenantKey ?? req.user ?? req.networkLine)?.tenantId;
      const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
      log.debug({ method: req.method, path: req.path, status: res.statusCode, durationMs, tenantId }, 'request');
    });
    withRequestId(req.id, next);
  };
}

// A file may be larger than memory should hold: the route measures it.
const leaveBody: RequestHandler = (req, _res, next) => {
  req.isStreamed = true;
  next();
};

// The bytes, not JSON: signatures and the journal need them as they came.
function readBody(limit: number): RequestHandler {
  const read = express.raw({ type: () => true, limit });
  return (req, res, next) => {
    if (req.rawBody !== undefined || req.isStreamed === true) return next();
    read(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      if (Buffer.isBuffer(req.body)) req.rawBody = req.body;
      next();
    });
  };
}
