// The GraphQL door over HTTP.

import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { GraphQLError, OperationTypeNode } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { errorTable } from '../platform/errors.js';
import { toAppError } from '../platform/fault.js';
import { LoaderCache } from '../platform/graphql-context.js';
import type { GraphqlContext } from '../platform/graphql-context.js';
import { parseJsonBody } from '../platform/json-body.js';
import type { Logger } from '../platform/logger.js';
import { selectionLimitRule } from './document-rules.js';
import { errorToGraphql, toExtensions } from './error-to-graphql.js';
import { maxDocumentTokens } from './graphql-schema.js';
import { fromHttpLibrary, logFault } from './error-to-http.js';

export interface GraphqlOptions {
  schema: GraphQLSchema;
  introspection: boolean;
  log: Logger;
}

// Over HTTP a subscription's source would be executed as if it were a value.
const noSubscriptions: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ operation }) => {
        if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return Promise.resolve();
        throw new GraphQLError('Subscriptions run over a WebSocket: graphql-transport-ws on this path', {
          extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
        });
      },
    }),
};

export function createApollo({ schema, introspection, log }: GraphqlOptions): ApolloServer<GraphqlContext> {
  return new ApolloServer<GraphqlContext>({
    schema,
    introspection,
    csrfPrevention: true,
    persistedQueries: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    validationRules: [selectionLimitRule],
    parseOptions: { maxTokens: maxDocumentTokens },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => errorToGraphql(log, formatted, error),
    // The cache-control plugin wraps every field, and nothing here may be cached by others.
    plugins: [ApolloServerPluginCacheControlDisabled(), ApolloServerPluginLandingPageDisabled(), noSubscriptions],
    logger: {
      debug: (message) => log.debug(message),
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  });
}

/** Parses the body and hands the operation to Apollo. */
export function graphqlHandlers(apollo: ApolloServer<GraphqlContext>): RequestHandler[] {
  const parse: RequestHandler = (req, _res, next) => {
    req.body = req.method === 'POST' ? parseJsonBody(req.rawBody ?? Buffer.alloc(0), req.headers['content-type']) : {};
    next();
  };
  const context = ({ req }: { req: Express.Request }): Promise<GraphqlContext> =>
    Promise.resolve({ principal: req.user, loaders: new LoaderCache() });
  return [parse, expressMiddleware(apollo, { context })];
}

/** Errors before Apollo (body, rate limit) in GraphQL's shape, with the HTTP status of their code. */
export function graphqlFaults(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const appError = fromHttpLibrary(error) ?? toAppError(error);
    logFault(log, appError);
    if (appError.retryAfterSeconds !== undefined) res.set('Retry-After', String(appError.retryAfterSeconds));
    const errors = [{ message: appError.message, extensions: toExtensions(appError) }];
    res.status(errorTable[appError.code].status).json({ errors });
  };
}
