// GraphQL over WebSocket: graphql-transport-ws on /graphql, with the same authentication and errors as HTTP. Sign-in and sessions belong
// to socket-sign-in.ts.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getOperationAST, GraphQLError, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { makeServer, type Server as GraphqlServer, type SubscribePayload } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { WebSocketServer, type WebSocket } from 'ws';
import type { LiveFeed } from '../../features/live/live-feed.js';
import { AppError, errorTable, retryAfterOf, type ErrorCode } from '../../platform/errors.js';
import { maxBodyBytes } from '../../platform/http/json-body.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { noteCaller } from '../../platform/observability/request-scope.js';
import type { DocumentStore } from '../graphql/document-store.js';
import type { OperationCosts } from '../graphql/operation-cost.js';
import { errorsToBody } from '../graphql/error-to-graphql.js';
import type { OperationMeter, OperationTime, SocketContext } from '../graphql/operation-time.js';
import { ConnectionLimit, maxSocketsPerAddress } from '../http/connection-limit.js';
import { problemOf, problemType } from '../http/error-to-http.js';
import type { AllowedOrigins } from '../http/allowed-origins.js';
import type { OwnNames } from '../http/own-names.js';
import { subjectKey } from '../http/rate-limit.js';
import { keepAlive, serveConnections } from './connection.js';
import { FanOut, type SocketOperation } from './fan-out.js';
import { signIn, userOf, type ConnectionParams, type SignInOptions, type SocketState } from './socket-sign-in.js';
import { findCostlySubscription } from './subscription-cost.js';
import { UnsentBytes } from './unsent-bytes.js';

/** graphql-ws clients take this close for final. */
const tooManySubscriptions = { code: 4429, reason: 'TOO_MANY_SUBSCRIPTIONS' } as const;
/** The close that graphql-ws gives where the id of an operation is given to another. */
const idInUse = { code: 4409, reason: 'An operation of this id is still starting' } as const;

export interface SocketOptions extends SignInOptions {
  server: Server;
  schema: GraphQLSchema;
  documents: DocumentStore;
  costs: OperationCosts;
  time: OperationTime;
  meter: OperationMeter;
  metrics: Metrics;
  feed: LiveFeed;
  /** The pages that may connect. */
  origins: AllowedOrigins;
  /** Undefined where any name may lead to the service: outside development. */
  names: OwnNames | undefined;
  introspection: boolean;
  /** Called for each connection whose user is known. */
  onSignIn: (connection: Socket) => void;
  /** The most operations that a socket may have under way. */
  maxSubscriptions: number;
  /** The time limit of `OutletOptions.stallMs`. */
  stallMs?: number | undefined;
}

const path = '/graphql';
const noSuchPath = `WebSockets are opened on ${path}`;
const initTimeoutMs = 3_000;
const pingIntervalMs = 30_000;
// A client that leaves a close unanswered for this long is cut off.
const closeTimeoutMs = 2_000;

/**
 * Returns whether a request opens a WebSocket. Clients of HTTP/2 offer `h2c` with an ordinary call, and an offer that the server does not
 * take up is ignored (RFC 9110, 7.8).
 */
export function opensWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** @returns a function that closes every socket with 1001, spread over up to 4 s */
export function attachSockets(options: SocketOptions): () => Promise<void> {
  const { server, origins, metrics, log } = options;
  const sockets = createWebSocketServer();
  const strangers = new ConnectionLimit<IncomingMessage>(maxSocketsPerAddress, () =>
    metrics.rateLimited.inc({ limit: 'sockets', kind: 'address' }),
  );
  const onSignIn = (request: IncomingMessage) => {
    strangers.leave(request);
    options.onSignIn(request.socket);
  };
  metrics.sockets.readFrom(() => sockets.clients.size);
  const onClosed = (code: string) => metrics.socketsClosed.inc({ code });
  const unsent = new UnsentBytes({ onEnded: () => metrics.slowClients.inc() });
  serveConnections(sockets, createProtocol(options, unsent, onSignIn), { log, unsent, onClosed });
  const stopLooking = keepAlive(sockets, pingIntervalMs);
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?', 1)[0] !== path) return refuse(socket, new AppError('NOT_FOUND', noSuchPath));
    const foreign = options.names?.findRefusal(request.headers.host) ?? origins.findRefusal(request.headers);
    if (foreign !== undefined) return refuse(socket, foreign);
    const tooMany = strangers.enter(request, subjectKey({ kind: 'address' }, options.addressOf(request)));
    if (tooMany !== undefined) return refuse(socket, tooMany);
    socket.on('close', () => strangers.leave(request));
    sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
  };
  server.on('upgrade', upgrade);
  return async () => {
    server.off('upgrade', upgrade);
    stopLooking();
    await drainSockets(sockets);
  };
}

function createProtocol(
  options: SocketOptions,
  unsent: UnsentBytes,
  onSignIn: (request: IncomingMessage) => void,
): GraphqlServer<Extra> {
  const { log, feed, time, meter, metrics, stallMs } = options;
  const outlet = { unsent, stallMs, onTooSlow: () => metrics.slowClients.inc() };
  const fanOut = new FanOut({ feed, time, log, outlet });
  const starting = new StartingOperations();
  // The result of `prepareOperation` comes back to `execute` and `subscribe`.
  return makeServer<ConnectionParams, Extra & SocketState>({
    connectionInitWaitTimeout: initTimeoutMs,
    onConnect: async (context) => {
      const isSignedIn = await signIn(context, options);
      const user = userOf(context.extra);
      if (isSignedIn && user !== undefined) {
        onSignIn(context.extra.request);
        unsent.hold(context.extra.socket, user);
      }
      return isSignedIn;
    },
    onSubscribe: ({ extra, subscriptions }, id, payload) => {
      const operation = { socket: extra.socket, operationId: id };
      if (starting.has(operation)) return closeFor(extra, idInUse);
      if (Object.keys(subscriptions).length > options.maxSubscriptions) return closeFor(extra, tooManySubscriptions);
      return starting.during(operation, () => prepareOperation(options, { extra, id, payload }));
    },
    execute: (args) => starting.during(args as SocketOperation, () => time.execute(args)),
    subscribe: (args) => starting.during(args as SocketOperation, () => fanOut.subscribe(args as SocketOperation)),
    // An answer is counted where it is given: the answers of a subscription from here on belong to the fan-out.
    onOperation: (_context, _id, _payload, args, result) => {
      if (Symbol.asyncIterator in result) meter.answered(args.document, args.operationName, undefined);
    },
    onError: (_context, _id, _payload, errors) => {
      const shown = errorsToBody(log, errors);
      meter.answered(undefined, undefined, shown);
      return shown;
    },
    onNext: (_context, _id, _payload, args, result) => {
      const errors = result.errors && errorsToBody(log, result.errors);
      const type = getOperationAST(args.document, args.operationName)?.operation;
      if (type !== undefined) meter.ran(type, errors, performance.now() - (args as SocketOperation).startedAtMs);
      return errors === undefined ? result : { ...result, errors };
    },
  });
}

function createWebSocketServer(): WebSocketServer {
  // The package's types do not know `closeTimeout` yet.
  const closing = { closeTimeout: closeTimeoutMs };
  return new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, handleProtocols: acceptProtocol, ...closing });
}

interface WantedOperation {
  extra: Extra & SocketState;
  id: string;
  payload: SubscribePayload;
}

/** Makes the checks of HTTP before the execution, for one operation of a socket. @returns why it may not run, or the operation to run */
async function prepareOperation(
  { schema, documents, costs, rateLimits, introspection }: SocketOptions,
  { extra, id, payload: { query, operationName, variables } }: WantedOperation,
): Promise<readonly GraphQLError[] | SocketOperation> {
  const user = userOf(extra);
  if (user === undefined) return [refusal('UNAUTHENTICATED', 'A Bearer token is required')];
  noteCaller(user.tenantId, `user ${user.userId}`);
  const { allowed, resetSeconds } = await rateLimits.consume(subjectKey({ kind: 'user', id: user.userId }, undefined));
  if (!allowed) return [refusal('RATE_LIMITED', `Too many requests: try again in ${resetSeconds} s`)];
  // The session may have ended while the count was taken.
  if (userOf(extra) === undefined) return [refusal('UNAUTHENTICATED', 'The session has ended')];
  const { document, refusals } = documents.prepare(query);
  if (refusals !== undefined) return refusals;
  const cost = { event: costs.costOf(document, operationName, variables), staying: 0 };
  const isSubscription = getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
  if (isSubscription) cost.staying = costs.costOfStaying(document, operationName, variables);
  const tooCostly = costs.findExcessive(document, operationName, variables) ?? findCostlySubscription(cost.staying);
  if (tooCostly !== undefined) return [tooCostly];
  const contextValue: SocketContext = { principal: user };
  const operation = { operationName: operationName ?? null, variableValues: variables ?? null };
  const execution = { schema, document, contextValue, ...operation, hideSuggestions: !introspection };
  const { socket, request } = extra;
  const startedAtMs = performance.now();
  return { ...execution, socket, connection: request.socket, operationId: id, user, startedAtMs, cost };
}

/** @returns the error of the operation, which is not run */
function closeFor({ socket }: Extra, { code, reason }: { code: number; reason: string }): readonly GraphQLError[] {
  socket.close(code, reason);
  return [refusal('RATE_LIMITED', reason)];
}

function refusal(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function acceptProtocol(protocols: Set<string>): string | false {
  return protocols.has('graphql-transport-ws') ? 'graphql-transport-ws' : false;
}

function refuse(socket: Duplex, error: AppError): void {
  const body = JSON.stringify(problemOf(error, randomUUID()));
  const { status, title } = errorTable[error.code];
  const retryAfterSeconds = retryAfterOf(error);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Connection: close',
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
  ];
  // A caller that keeps its half of the connection open would hold it for good: the limits of HTTP are over by now.
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const goingAway = 1001;
const socketsPerStep = 25;
const stepMs = 20;
/** The longest time of the spread, however many sockets there are. */
const maxSpreadMs = 4_000;
/** The factor of the wait that clients are asked for: twenty times the time that this process takes to close all sockets. */
const reconnectFactor = 20;

/** Closes with 1001, and a reason that says how long to wait: `Going away: connect again in 1250 ms`. */
async function drainSockets(sockets: WebSocketServer): Promise<void> {
  const clients = [...sockets.clients];
  const steps = Math.min(Math.ceil(clients.length / socketsPerStep), Math.floor(maxSpreadMs / stepMs));
  const perStep = Math.ceil(clients.length / Math.max(1, steps));
  for (let start = 0; start < clients.length; start += perStep) {
    if (start > 0) await delay(stepMs);
    for (const client of clients.slice(start, start + perStep)) {
      const waitMs = Math.floor(Math.random() * steps * stepMs * reconnectFactor);
      client.close(goingAway, `Going away: connect again in ${waitMs} ms`);
    }
  }
  await new Promise<void>((resolve) => sockets.close(() => resolve()));
}

/** An operation by its socket, and by its client's id. */
export interface OperationId {
  readonly socket: WebSocket;
  readonly operationId: string;
}

export class StartingOperations {
  private readonly ids = new WeakMap<WebSocket, Set<string>>();

  has({ socket, operationId }: OperationId): boolean {
    return this.ids.get(socket)?.has(operationId) === true;
  }

  /** Counts the operation as starting until `work` is done. */
  async during<Result>({ socket, operationId }: OperationId, work: () => Promise<Result>): Promise<Result> {
    const ids = this.ids.get(socket) ?? new Set();
    this.ids.set(socket, ids.add(operationId));
    try {
      return await work();
    } finally {
      ids.delete(operationId);
    }
  }
}
