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
import type { Metrics } from '../platform/metrics.js';
import { Operation, inOperation } from '../platform/operation.js';
import { currentRequest, withRequestId } from '../platform/request-scope.js';
import type { Tracing } from '../platform/tracing.js';
import { authenticateNetwork, refuseFailed } from './authenticate-network.js';
import { authenticate, ignoreCredentials } from './authenticate.js';
import type { TrustProxy } from './client-address.js';
import { errorToHttp } from './error-to-http.js';
import type { FailedAuthentications } from './failed-authentication.js';
import type { OpenAnswers } from './open-answers.js';
import { RequestMeter, pathOf } from './request-meter.js';
import { traceRequest } from './request-trace.js';
import { secureAnswer } from './security-headers.js';
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
  metrics: Metrics;
  answers: OpenAnswers;
  /** Undefined: nothing is traced. */
  tracing: Tracing | undefined;
  log: Logger;
}

export function createHttpApp(options: HttpOptions): Express {
  const { auth, networkLines, throttles, failures, health, routes, graphql, trustProxy, corsOrigins } = options;
  const { answers, tracing, log } = options;
  const meter = new RequestMeter(options.metrics, [health, ...routes]);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', trustProxy);
  app.use(identify({ log, meter, answers, tracing }));
  app.use(health);
  if (corsOrigins.length > 0)
    app.use(cors({ origin: [...corsOrigins], maxAge: 600, exposedHeaders: ['Retry-After', 'x-request-id'] }));
  app.post(['/auth/token', '/auth/dev/token'], ignoreCredentials);
  const network = { networkLines, failures, throttles };
  const readNetworkBody = readBody(maxNetworkBodyBytes);
  app.post('/webhooks/chat/cloud/:instanceId', refuseFailed(network), readNetworkBody, authenticateNetwork(network));
  for (const handler of [authenticate(auth, failures), throttles.global]) app.use(unlessNetwork(handler));
  app.use(asOperation);
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

// The statements of a user's request wait in its tenant's share. Whoever hangs up a read does not wait for it; a change goes on.
const asOperation: RequestHandler = (req, res, next) => {
  if (req.user === undefined) return next();
  const operation = new Operation({ tenantId: req.user.tenantId });
  if (req.method === 'GET') res.once('close', () => operation.end());
  inOperation(operation, () => next());
};

interface Identification {
  log: Logger;
  meter: RequestMeter;
  answers: OpenAnswers;
  tracing: Tracing | undefined;
}

/** Gives the request its id (the caller's `x-request-id` where it is well-formed) and logs and counts how it ended. */
function identify({ log, meter, answers, tracing }: Identification): RequestHandler {
  return (req, res, next) => {
    answers.follow(res);
    const wanted = req.get('x-request-id');
    req.id = wanted !== undefined && requestIdPattern.test(wanted) ? wanted : randomUUID();
    res.setHeader('x-request-id', req.id);
    secureAnswer(res, req.secure);
    const startedAtMs = performance.now();
    const path = pathOf(req);
    withRequestId(req.id, () => {
      const scope = currentRequest();
      // Also where the caller hangs up before the answer, which happens outside of the request.
      res.on('close', () => {
        const durationMs = performance.now() - startedAtMs;
        meter.count(path, res, durationMs);
        const outcome = { status: res.statusCode, answered: res.writableFinished };
        log.debug(
          { ...scope, method: req.method, path, ...outcome, durationMs: Math.round(durationMs * 10) / 10 },
          'request',
        );
      });
      if (tracing === undefined) next();
      else traceRequest(tracing, { req, res, route: meter.routeOf(path), scope }, () => next());
    });
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
