// The GraphQL door over WebSocket: graphql-transport-ws on /graphql, with the same authentication and errors. Whose a socket
// is belongs to socket-session.ts.

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, ExecutionArgs, GraphQLSchema } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { ErrorCode } from '../platform/errors.js';
import { LoaderCache } from '../platform/graphql-context.js';
import type { GraphqlContext } from '../platform/graphql-context.js';
import { maxBodyBytes } from '../platform/json-body.js';
import { selectionLimitRule } from './document-rules.js';
import { socketErrorToGraphql } from './error-to-graphql.js';
import { maxDocumentTokens } from './graphql-schema.js';
import { signIn, userOf } from './socket-session.js';
import type { ConnectionParams, SignInOptions, SocketState } from './socket-session.js';
import { subjectKey } from './throttle.js';

export interface SocketOptions extends SignInOptions {
  server: Server;
  schema: GraphQLSchema;
  /** Origins that browsers may connect from, besides the server's own. */
  corsOrigins: readonly string[];
  introspection: boolean;
}

const path = '/graphql';
const initTimeoutMs = 3_000;
const pingIntervalMs = 30_000;
// A client that leaves a close unanswered for this long is cut off.
const closeTimeoutMs = 2_000;

/** @returns a function that closes every socket with 1001 */
export function attachSockets(options: SocketOptions): () => Promise<void> {
  const { server, corsOrigins, log } = options;
  const sockets = createWebSocketServer();
  const closing = useServer<ConnectionParams, SocketState>(
    {
      connectionInitWaitTimeout: initTimeoutMs,
      onConnect: (context) => signIn(context, options),
      onSubscribe: (context, _id, payload) => prepareOperation(options, context.extra, payload),
      onError: (_context, _id, _payload, errors) => errors.map((error) => socketErrorToGraphql(log, error)),
      onNext: (_context, _id, _payload, _args, result) => {
        if (result.errors === undefined) return result;
        return { ...result, errors: result.errors.map((error) => socketErrorToGraphql(log, error)) };
      },
    },
    sockets,
    pingIntervalMs,
  );
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?', 1)[0] !== path) return refuse(socket, '404 Not Found');
    if (!isOriginAllowed(request, corsOrigins)) return refuse(socket, '403 Forbidden');
    sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
  };
  server.on('upgrade', upgrade);
  return async () => {
    server.off('upgrade', upgrade);
    await closing.dispose();
  };
}

function createWebSocketServer(): WebSocketServer {
  // The package's types do not know `closeTimeout` yet.
  const closing = { closeTimeout: closeTimeoutMs };
  return new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, handleProtocols: acceptProtocol, ...closing });
}

/** What HTTP checks before it executes, for one operation of a socket. @returns why it may not run, or what to run */
async function prepareOperation(
  { schema, throttles, introspection }: SocketOptions,
  socket: SocketState,
  { query, operationName, variables }: SubscribePayload,
): Promise<readonly GraphQLError[] | ExecutionArgs> {
  const user = userOf(socket);
  if (user === undefined) return [refusal('UNAUTHENTICATED', 'A Bearer token is required')];
  const { allowed, resetSeconds } = await throttles.consume(subjectKey({ kind: 'user', id: user.userId }, undefined));
  if (!allowed) return [refusal('RATE_LIMITED', `Too many requests: try again in ${resetSeconds} s`)];
  // It may have ended while the count was taken.
  if (userOf(socket) === undefined) return [refusal('UNAUTHENTICATED', 'The session has ended')];
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: maxDocumentTokens });
  } catch (error) {
    return [refusal('BAD_REQUEST', error instanceof Error ? error.message : 'The document could not be parsed')];
  }
  const rules = [...specifiedRules, selectionLimitRule, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  const errors = validate(schema, document, rules);
  if (errors.length > 0) return introspection ? errors : errors.map(withoutSuggestions);
  const contextValue: GraphqlContext = { principal: user, loaders: new LoaderCache() };
  return { schema, document, contextValue, operationName: operationName ?? null, variableValues: variables ?? null };
}

// Who may not ask for the schema is not told its names either.
function withoutSuggestions(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ ?Did you mean .*$/s, '');
  return new GraphQLError(message, { nodes: error.nodes ?? null });
}

function refusal(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

function acceptProtocol(protocols: Set<string>): string | false {
  return protocols.has('graphql-transport-ws') ? 'graphql-transport-ws' : false;
}

// Browsers name the page's origin, and no CORS check protects a socket; other clients send none.
function isOriginAllowed(request: IncomingMessage, corsOrigins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || corsOrigins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
