// The GraphQL door over WebSocket: graphql-transport-ws on /graphql, with the same authentication and errors.

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, ExecutionArgs, GraphQLSchema } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import type { Extra } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { AuthService } from '../features/auth/auth.service.js';
import type { ErrorCode } from '../platform/errors.js';
import { LoaderCache } from '../platform/graphql-context.js';
import type { GraphqlContext } from '../platform/graphql-context.js';
import { maxBodyBytes } from '../platform/json-body.js';
import type { Logger } from '../platform/logger.js';
import type { UserPrincipal } from '../platform/principal.js';
import { bearerToken } from './authenticate.js';
import { socketErrorToGraphql } from './error-to-graphql.js';
import { maxDocumentTokens } from './graphql-schema.js';
import { subjectKey } from './throttle.js';
import type { Throttles } from './throttle.js';

export interface SocketOptions {
  server: Server;
  schema: GraphQLSchema;
  auth: AuthService;
  /** Origins that browsers may connect from, besides the server's own. */
  corsOrigins: readonly string[];
  /** Operations on sockets count against the same limit as requests. */
  throttles: Throttles;
  introspection: boolean;
  log: Logger;
}

type Signed = Extra & { user?: UserPrincipal };

type SocketContext = Context<Record<string, unknown> | undefined, Signed>;

const path = '/graphql';
const initTimeoutMs = 3_000;
const pingIntervalMs = 30_000;
const unauthenticatedCloseCode = 4401;
// "Try again later" of the WebSocket registry.
const unavailableCloseCode = 1013;

/** @returns a function that closes every socket with 1001 */
export function attachSockets(options: SocketOptions): () => Promise<void> {
  const { server, auth, corsOrigins, log } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes, handleProtocols: acceptProtocol });
  const closing = useServer<Record<string, unknown> | undefined, { user?: UserPrincipal }>(
    {
      connectionInitWaitTimeout: initTimeoutMs,
      onConnect: (context) => admit(context, auth, log),
      onSubscribe: (context, _id, payload) => prepareOperation(options, context.extra.user, payload),
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

async function admit(context: SocketContext, auth: AuthService, log: Logger): Promise<boolean> {
  const { authorization } = context.connectionParams ?? {};
  const token = bearerToken(typeof authorization === 'string' ? authorization : undefined);
  try {
    const session = token === undefined ? undefined : await auth.findSession(token);
    if (session !== undefined) context.extra.user = session.user;
    else context.extra.socket.close(unauthenticatedCloseCode, 'UNAUTHENTICATED');
    return session !== undefined;
  } catch (error) {
    log.warn({ err: error }, 'a socket could not be authenticated');
    context.extra.socket.close(unavailableCloseCode, 'UNAVAILABLE');
    return false;
  }
}

/** What HTTP checks before it executes, for one operation of a socket. @returns why it may not run, or what to run */
async function prepareOperation(
  { schema, throttles, introspection }: SocketOptions,
  user: UserPrincipal | undefined,
  { query, operationName, variables }: SubscribePayload,
): Promise<readonly GraphQLError[] | ExecutionArgs> {
  if (user === undefined) return [refusal('UNAUTHENTICATED', 'A Bearer token is required')];
  const { allowed, resetSeconds } = await throttles.consume(subjectKey({ kind: 'user', id: user.userId }, undefined));
  if (!allowed) return [refusal('RATE_LIMITED', `Too many requests: try again in ${resetSeconds} s`)];
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: maxDocumentTokens });
  } catch (error) {
    return [refusal('BAD_REQUEST', error instanceof Error ? error.message : 'The document could not be parsed')];
  }
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const errors = validate(schema, document, rules);
  if (errors.length > 0) return errors;
  const contextValue: GraphqlContext = { principal: user, loaders: new LoaderCache({ remember: false }) };
  return { schema, document, contextValue, operationName: operationName ?? null, variableValues: variables ?? null };
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
