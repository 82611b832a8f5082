// GraphQL over HTTP: Apollo runs the documents that document-store.ts accepts, within the time of operation-time.ts.

import {
  ApolloServer,
  HeaderMap,
  type ApolloServerPlugin,
  type HTTPGraphQLRequest,
  type HTTPGraphQLResponse,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { errorTable, tokenRequired, type ErrorCode } from '../../platform/errors.js';
import { toAppError } from '../../platform/observability/fault.js';
import type { GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { parseJsonBody } from '../../platform/http/json-body.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Operation } from '../../platform/database/operation.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { challenge, explainRefusal, fromHttpLibrary, logFault, setRetryAfter } from '../http/error-to-http.js';
import { noteRefusal } from '../http/request-meter.js';
import { CompiledQueries } from './compiled-query.js';
import { limitError } from './document-limit.js';
import { boundErrors, errorsToBody, errorToGraphql, toExtensions, withoutSuggestion } from './error-to-graphql.js';
import { isProbe, operationOf, refusesWithStatus200, responseTypeOf, searchOf } from './graphql-request.js';
import { landingPage } from './landing-page.js';
import type { OperationCosts } from './operation-cost.js';
import { coercionLimit, type OperationMeter, type OperationTime, type RunOptions } from './operation-time.js';
import { PlannedAnswers, type Plannable, type PlannedAnswer } from './planned-answer.js';
import { hashIn, PersistedOperations, type DocumentStore } from './document-store.js';

export interface GraphqlOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  /** True if browsers get a page that explains the API. */
  landingPage: boolean;
  documents: DocumentStore;
  costs: OperationCosts;
  time: OperationTime;
  meter: OperationMeter;
  log: Logger;
}

/** The server of `/graphql`. `apollo` has to be started before it serves, and stopped after. */
export interface GraphqlServer {
  apollo: ApolloServer<GraphqlContext>;
  handlers: RequestHandler[];
  /** Takes the operations of this service's own clients: they stay for good, and may be sent by hash alone. */
  trust: (texts: readonly string[]) => void;
  /**
   * Reads those operations, so that no first call waits for it. @returns the number of operations that the schema or a limit does not allow
   */
  readTrusted: () => number;
  /**
   * Executes an operation of this service itself, without a request, in the name of a user. No metric counts it. Errors are part of the
   * answer.
   */
  execute: (user: UserPrincipal, body: OperationBody) => Promise<unknown>;
}

/** An operation as the body of a request holds it. */
export interface OperationBody {
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

export function createGraphqlServer(options: GraphqlOptions): GraphqlServer {
  const persisted = new PersistedOperations();
  const uncounted = new WeakSet<UserPrincipal>();
  const compiled = new CompiledQueries(options.schema);
  const apollo = createApollo(options, persisted, { compiled, uncounted });
  const planned = new PlannedAnswers(options, compiled);
  const page = options.landingPage ? [landingPage(options.schema)] : [];
  const trust = (texts: readonly string[]) => persisted.trust(options.documents.trust(texts));
  const handlers = [...page, requireSignIn(options.meter), parseBody, answer(options, { apollo, persisted, planned })];
  const readTrusted = () => options.documents.readTrusted();
  return { apollo, handlers, trust, readTrusted, execute: executeWithoutRequest(options, apollo, uncounted) };
}

// The check comes before the body is read: a caller without a credential costs one comparison. Foreign pages end here too, as no browser
// sends `authorization` for them without a preflight.
function requireSignIn(meter: OperationMeter): RequestHandler {
  return (req, _res, next) => {
    if (req.user !== undefined || isProbe(req)) return next();
    meter.answered(undefined, undefined, [{ extensions: { code: 'UNAUTHENTICATED' } }]);
    next(tokenRequired());
  };
}

function createApollo(
  options: GraphqlOptions,
  persisted: PersistedOperations,
  checking: Checking,
): ApolloServer<GraphqlContext> {
  const { schema, introspection, log } = options;
  return new ApolloServer<GraphqlContext>({
    schema,
    introspection,
    executionOptions: coercionLimit,
    // Foreign pages cannot sign in: no cookies are used, and `authorization` asks for a preflight.
    csrfPrevention: false,
    persistedQueries: { cache: persisted },
    documentStore: asApolloStore(options.documents),
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => {
      const shown = errorToGraphql(log, formatted, error);
      return introspection ? shown : withoutSuggestion(shown);
    },
    // The cache-control plugin wraps every field, and nothing here may be cached by others.
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      checks(options, checking),
    ],
    logger: {
      debug: (message) => log.debug(message),
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  });
}

// Every text has been prepared by the time Apollo asks, so that it neither parses nor validates.
function asApolloStore(documents: DocumentStore) {
  return {
    get: (key: string): Promise<DocumentNode | undefined> => Promise.resolve(documents.find(hashIn(key))),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(false),
  };
}

type Answer = Pick<FormattedExecutionResult, 'data' | 'errors'>;

interface Checking {
  compiled: CompiledQueries;
  /** The users in whose name this service itself executes operations. */
  uncounted: WeakSet<UserPrincipal>;
}

function checks(
  { costs, meter }: GraphqlOptions,
  { compiled, uncounted }: Checking,
): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: () => {
      const startedAtMs = performance.now();
      return Promise.resolve({
        didResolveOperation: ({ document, operation, request }) => {
          // Over HTTP a subscription's source would be executed as if it were a value.
          if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw noSubscriptions();
          const refusal = costs.findExcessive(document, request.operationName, request.variables);
          if (refusal !== undefined) throw withStatus(refusal, 400);
          return Promise.resolve();
        },
        responseForOperation: async ({ document, request, contextValue, response }) => {
          const data = await compiled.execute(document, request.operationName, request.variables, contextValue);
          return data === undefined ? null : { http: response.http, body: { kind: 'single', singleResult: { data } } };
        },
        willSendResponse: ({ source, request, response, document, operation, contextValue }) => {
          const result = response.body.kind === 'single' ? response.body.singleResult : undefined;
          if (result?.errors !== undefined) result.errors = boundErrors(result.errors);
          const errors = result?.errors;
          if (contextValue.principal !== undefined && uncounted.has(contextValue.principal)) return Promise.resolve();
          if (operation == null) meter.answered(document, request.operationName, errors);
          else meter.ran(operation.operation, errors, performance.now() - startedAtMs);
          const wellFormed = source !== undefined && response.http.status === 400;
          if (wellFormed && refusesWithStatus200(request.http?.headers.get('accept'))) response.http.status = 200;
          const waitSeconds = result && secondsToRepeatAfter(result);
          if (waitSeconds !== undefined) {
            response.http.status = errorTable.UNAVAILABLE.status;
            response.http.headers.set('retry-after', String(waitSeconds));
          }
          return Promise.resolve();
        },
      });
    },
  };
}

/**
 * Returns when to send an operation again that gave nothing, because something that it needs was away: proxies and clients repeat by the
 * HTTP status. A part of the data is worth more than the repetition.
 */
function secondsToRepeatAfter({ data, errors = [] }: Answer): number | undefined {
  if (Object.values(data ?? {}).some((value) => value !== null)) return undefined;
  const waits = errors.map(({ extensions }) => (extensions?.['code'] === 'UNAVAILABLE' ? extensions : undefined));
  const seconds = waits
    .map((extensions) => extensions?.['retryAfterSeconds'])
    .filter((wait) => typeof wait === 'number');
  return seconds.length === 0 ? undefined : Math.max(...seconds);
}

function noSubscriptions(): GraphQLError {
  const message = 'Subscriptions run over a WebSocket: graphql-transport-ws on this path';
  return withStatus(new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } }), 400);
}

function withStatus({ message, extensions }: GraphQLError, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { ...extensions, http: { status } } });
}

const parseBody: RequestHandler = (req, _res, next) => {
  req.body = req.method === 'POST' ? parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']) : {};
  next();
};

type Answered = HTTPGraphQLResponse | PlannedAnswer | GraphQLError;

interface Answering {
  apollo: ApolloServer<GraphqlContext>;
  persisted: PersistedOperations;
  planned: PlannedAnswers;
}

/** Hands the operation to Apollo, unless something is wrong with the request or its document. */
function answer({ documents, time, meter, log }: GraphqlOptions, { apollo, persisted, planned }: Answering) {
  const refuse = (req: Request, res: Response, errors: readonly GraphQLError[], status: number) => {
    const body = { errors: errorsToBody(log, errors) };
    noteRefusal(res, body.errors[0]?.extensions?.['code'] as ErrorCode);
    res
      .status(status)
      .type(responseTypeOf(req) ?? 'application/json')
      .send(`${JSON.stringify(body)}\n`);
    return body.errors;
  };
  const turnAway = (...refused: Parameters<typeof refuse>) => meter.answered(undefined, undefined, refuse(...refused));
  const execute = (req: Request, plannable: Plannable | undefined, running: RunOptions) =>
    time.run<Answered>(
      req.user,
      async (context) => {
        const text = plannable && (await planned.answer(plannable, context));
        if (text !== undefined) return text;
        const given = { httpGraphQLRequest: toApollo(req), context: () => Promise.resolve(context) };
        const answered = await apollo.executeHTTPGraphQLRequest(given);
        planned.learn(req, answered);
        return answered;
      },
      (error) => error,
      running,
    );
  const handler: RequestHandler = async (req, res) => {
    const malformed = findBatch(req.body);
    if (malformed !== undefined) return turnAway(req, res, [malformed], 400);
    const asked = operationOf(req);
    const { query, persistedHash, operationName } = asked;
    const text = query ?? (persistedHash === undefined ? undefined : persisted.find(persistedHash));
    const { refusals, document } = text === undefined || text === '' ? {} : documents.prepare(text);
    if (refusals !== undefined)
      return turnAway(req, res, refusals, refusesWithStatus200(req.headers.accept) ? 200 : 400);
    const isReading = isQuery(document, operationName);
    // A caller who hangs up a query does not wait for its answer; a mutation goes on.
    const onBegin = isReading ? (operation: Operation) => void res.once('close', () => operation.end()) : undefined;
    const plannable = document !== undefined && isReading ? planned.find(req, asked, document) : undefined;
    const answered = await execute(req, plannable, { isReading, onBegin });
    if (!(answered instanceof GraphQLError)) return send(res, answered);
    res.set('Retry-After', '1');
    // The operation is counted when it ends.
    refuse(req, res, [answered], errorTable.UNAVAILABLE.status);
  };
  return handler;
}

function executeWithoutRequest(
  { documents, time }: GraphqlOptions,
  apollo: ApolloServer<GraphqlContext>,
  uncounted: WeakSet<UserPrincipal>,
): GraphqlServer['execute'] {
  return (user, body) => {
    uncounted.add(user);
    const headers = new HeaderMap([['content-type', 'application/json']]);
    const isReading = isQuery(documents.prepare(body.query).document, undefined);
    return time.run<unknown>(
      user,
      (context) => {
        const httpGraphQLRequest = { method: 'POST', headers, search: '', body };
        return apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
      },
      (error) => error,
      { isReading },
    );
  };
}

function isQuery(document: DocumentNode | undefined, operationName: string | undefined): boolean {
  return document !== undefined && getOperationAST(document, operationName)?.operation === OperationTypeNode.QUERY;
}

// Each request is one operation: the rate limit counts requests.
function findBatch(body: unknown): GraphQLError | undefined {
  if (!Array.isArray(body)) return undefined;
  const { extensions } = limitError('batch', body.length, 1);
  const message = 'A list of operations is refused: send each operation as a request of its own';
  return new GraphQLError(message, { extensions: { ...extensions, code: 'BAD_REQUEST' } });
}

function toApollo(req: Request): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(req.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return { method: req.method, headers, search: searchOf(req), body: req.body };
}

function send(res: Response, answered: HTTPGraphQLResponse | PlannedAnswer): void {
  if ('text' in answered) return void res.setHeader('content-type', answered.type).send(answered.text);
  const { status, headers, body } = answered;
  // Only @defer and @stream are answered in pieces, and the schema has neither.
  if (body.kind !== 'complete') throw new Error('an answer in pieces');
  if (status === errorTable.UNAVAILABLE.status) noteRefusal(res, 'UNAVAILABLE');
  for (const [name, value] of headers) res.setHeader(name, value);
  res.status(status ?? 200).send(body.string);
}

/** Errors before Apollo (body, rate limit) in GraphQL's shape, with the HTTP status of their code. */
export function graphqlFaults(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const appError = explainRefusal(fromHttpLibrary(error) ?? toAppError(error));
    logFault(log, appError);
    noteRefusal(res, appError.code);
    if (appError.scheme !== undefined) res.set('WWW-Authenticate', challenge());
    setRetryAfter(res, appError);
    const errors = [{ message: appError.message, extensions: toExtensions(appError) }];
    res.status(errorTable[appError.code].status).json({ errors });
  };
}
