// The Express application: what every request passes through, in order, and where the APIs are mounted.

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Router,
} from 'express';
import type { AuthService } from '../../features/auth/auth.service.js';
import type { MetaWebhookService } from '../../features/chat-instances/meta-webhook.service.js';
import { isIntakeCall } from '../../features/intake/webhook.routes.js';
import { leadSourcePaths } from '../../features/lead-sources/lead-source-kind.js';
import type { LeadSourceCallers } from '../../features/lead-sources/calls/lead-source-callers.js';
import '../../platform/http/express-request.js';
import { sendJson } from '../../platform/http/json-answer.js';
import { maxAnonymousBodyBytes, maxBodyBytes } from '../../platform/http/json-body.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { Operation, inOperation } from '../../platform/database/operation.js';
import { currentRequest, withRequestId } from '../../platform/observability/request-scope.js';
import type { Tracing } from '../../platform/observability/tracing.js';
import { allowOrigins, refuseForeignPages, type AllowedOrigins } from './allowed-origins.js';
import { authenticate, ignoreCredentials, networkWebhooks, sourceWebhooks } from './authenticate.js';
import { leaveUnread, readBody, UnverifiedBodies } from './body-reader.js';
import { LargeCalls } from './large-calls.js';
import { noticeForwarding, type TrustProxy } from './client-address.js';
import { consoleRouteOf, type Console } from './console-files.js';
import { errorToHttp } from './error-to-http.js';
import type { FailedAuthentications } from './failed-authentication.js';
import { allowLongUpload } from './long-uploads.js';
import { refuseOtherNames, type OwnNames } from './own-names.js';
import { pathOf, RequestMeter, traceRequest } from './request-meter.js';
import { secureAnswer } from './security-headers.js';
import { authenticateSigned } from './signed-webhooks.js';
import type { RateLimits } from './rate-limit.js';
import { refuseUnknownPath } from './unknown-path.js';
import type { OpenAnswers } from './open-answers.js';
import { UnreadAnswers, defaultUnreadLimits } from './unread-answers.js';

export interface HttpOptions {
  auth: AuthService;
  metaWebhooks: MetaWebhookService;
  leadSourceCallers: LeadSourceCallers;
  rateLimits: RateLimits;
  failures: FailedAuthentications;
  health: Router;
  /** Undefined where the console is left out. */
  console: Console | undefined;
  routes: readonly Router[];
  graphql: { handlers: readonly RequestHandler[]; faults: ErrorRequestHandler };
  trustProxy: TrustProxy;
  origins: AllowedOrigins;
  /** Undefined where any name may lead to the service: outside development. */
  names: OwnNames | undefined;
  metrics: Metrics;
  answers: OpenAnswers;
  /** Undefined: nothing is traced. */
  tracing: Tracing | undefined;
  /** Called for each connection whose caller is known. */
  onKnown: (connection: Socket) => void;
  log: Logger;
}

// A Meta webhook call may have 3 MiB before its signature can be checked. Other callers send little before they are known.
const maxUnverifiedBytes = 64 * 1024 * 1024;
const maxUnverifiedBytesPerAddress = 8 * 1024 * 1024;
const maxProbeBytes = 1_024;

export function createHttpApp(options: HttpOptions): Express {
  const { auth, metaWebhooks, leadSourceCallers, rateLimits, failures, health, routes, graphql, trustProxy } = options;
  const { answers, tracing, log } = options;
  const { metrics } = options;
  const meter = new RequestMeter(metrics, [health, ...routes], consoleRouteOf);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', trustProxy);
  new UnreadAnswers(defaultUnreadLimits, () => metrics.rateLimited.inc({ limit: 'unread', kind: 'caller' })).guard(app);
  app.use(identify({ log, meter, answers, tracing }));
  if (trustProxy === false) app.use(noticeForwarding(log));
  app.use(health);
  if (options.names !== undefined) app.use(refuseOtherNames(options.names));
  if (options.console !== undefined) app.use(options.console.files);
  app.use(allowOrigins(options.origins));
  app.use('/mcp', refuseForeignPages(options.origins));
  const signInPaths = ['/auth/token', '/auth/dev/token', ...(auth.takesSignInLinks ? ['/auth/link'] : [])];
  const bodies = new UnverifiedBodies({
    maxBytes: maxUnverifiedBytes,
    maxBytesPerAddress: maxUnverifiedBytesPerAddress,
  });
  const reading = { failures, bodies, largeCalls: new LargeCalls() };
  const callers = express.Router();
  callers.get('/auth/config', ignoreCredentials);
  callers.post(signInPaths, ignoreCredentials);
  callers.post(
    '/webhooks/chat/cloud/:instanceId',
    authenticateSigned(reading, networkWebhooks(metaWebhooks), (req) => String(req.params['instanceId'])),
  );
  callers.post(
    leadSourcePaths,
    authenticateSigned(reading, sourceWebhooks(leadSourceCallers), (req) => String(req.params['sourceId'])),
  );
  app.use(unlessCommon(unlessOptions(callers)));
  for (const handler of [authenticate(auth, failures), rateLimits.global]) app.use(unlessNamed(handler));
  app.use(asOperation);
  const ownBodies = express.Router();
  ownBodies.post('/auth/token', rateLimits.authToken);
  // A process without such a path must not show that the path exists elsewhere.
  if (auth.takesSignInLinks) ownBodies.post('/auth/link', rateLimits.signInLink);
  if (auth.issuesDevTokens) ownBodies.post('/auth/dev/token', rateLimits.devToken);
  ownBodies.post(['/leads/import', '/leads/import/columns'], leaveBody);
  ownBodies.post('/media', leaveBody, allowLongUpload);
  ownBodies.post(signInPaths, bodies.read(maxAnonymousBodyBytes));
  app.use(unlessCommon(unlessOptions(ownBodies)));
  app.use('/mcp', postOnly);
  app.use('/graphql', readProbe(bodies));
  app.use(readKnownBody(options.onKnown));
  const graphqlHandlers = express.Router();
  graphqlHandlers.use('/graphql', limitLargeOperations(), ...graphql.handlers, graphql.faults);
  app.use(unlessIntake(graphqlHandlers));
  for (const router of routes) app.use(router);
  app.use(refuseUnknownPath([health, ...routes], options.console?.unknownPath));
  app.use('/graphql', graphql.faults);
  app.use(errorToHttp(log));
  return app;
}

// Larger variables take up to 40 ms to parse and check.
const largeOperationBytes = 64 * 1024;

function limitLargeOperations(): RequestHandler {
  const largeOperations = new LargeCalls();
  return async (req, res, next) => {
    const { user, rawBody } = req;
    if (user !== undefined && (rawBody?.length ?? 0) > largeOperationBytes)
      await largeOperations.take(user.tenantId, res);
    next();
  };
}

const requestIdPattern = /^[\w.-]{1,64}$/;

// Calls whose path names the caller have been authenticated by then, and count by their items.
function unlessNamed(handler: RequestHandler): RequestHandler {
  return (req, res, next) =>
    req.metaWebhook === undefined && req.leadSource === undefined ? handler(req, res, next) : next();
}

// Most calls are for the paths of intake, and these parts are for others: each would compare all of its own paths with them.
function unlessIntake(part: RequestHandler): RequestHandler {
  return (req, res, next) => (isIntakeCall(req) ? next() : part(req, res, next));
}

// Queries are common too, and only their own part is for them.
function unlessCommon(part: RequestHandler): RequestHandler {
  const isCommon = ({ method, url }: Request) => method === 'POST' && url === '/graphql';
  return unlessIntake((req, res, next) => (isCommon(req) ? next() : part(req, res, next)));
}

// A router answers OPTIONS for its paths, and these are the paths of later routes.
function unlessOptions(part: RequestHandler): RequestHandler {
  return (req, res, next) => (req.method === 'OPTIONS' ? next() : part(req, res, next));
}

// The statements of a user's request wait in its tenant's share. A caller who hangs up a read does not wait for it; a change goes on.
const asOperation: RequestHandler = (req, res, next) => {
  if (req.user === undefined) return next();
  const operation = new Operation({ tenantId: req.user.tenantId, isReading: req.method === 'GET' });
  if (req.method === 'GET') res.once('close', () => operation.end());
  inOperation(operation, () => next());
};

interface Identification {
  log: Logger;
  meter: RequestMeter;
  answers: OpenAnswers;
  tracing: Tracing | undefined;
}

/** Gives the request its id (the caller's `x-request-id` where it is well-formed), and logs and counts its end. */
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
      // The event also comes where the caller hangs up before the answer, which happens outside of the request.
      res.on('close', () => {
        const durationMs = performance.now() - startedAtMs;
        meter.count(path, res, durationMs);
        if (!log.isLevelEnabled('debug')) return;
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

// Clients of the protocol ask by GET whether the service would stream to them: 405 says that it does not.
const postOnly: RequestHandler = (req, res, next) => {
  if (req.method === 'POST') return next();
  const error = { code: -32_000, message: 'There is no stream here: send messages by POST' };
  sendJson(res.status(405).set('Allow', 'POST'), { jsonrpc: '2.0', error, id: null });
};

// A file may be larger than memory should hold: the route measures it.
const leaveBody: RequestHandler = (req, _res, next) => {
  req.isStreamed = true;
  next();
};

const isKnown = ({ user, tenantKey, metaWebhook, leadSource }: Request) =>
  (user ?? tenantKey ?? metaWebhook) !== undefined || leadSource?.isSigned === true;

// The probe that anybody may send to GraphQL is short; longer bodies are refused without having been looked at.
function readProbe(bodies: UnverifiedBodies): RequestHandler {
  const read = bodies.read(maxProbeBytes);
  return (req, res, next) => {
    const length = Number(req.headers['content-length'] ?? Number.NaN);
    const isShort = length <= maxProbeBytes && req.headers['content-encoding'] === undefined;
    return isShort && !isKnown(req) ? read(req, res, next) : next();
  };
}

// Every other route with a body asks for a credential, and refuses without having looked at the body.
function readKnownBody(onKnown: HttpOptions['onKnown']): RequestHandler {
  const read = readBody(maxBodyBytes);
  return (req, res, next) => {
    if (isKnown(req)) onKnown(req.socket);
    else leaveUnread(req, res);
    if (!isKnown(req) || req.rawBody !== undefined || req.isStreamed === true) return next();
    return read(req, res, next);
  };
}
