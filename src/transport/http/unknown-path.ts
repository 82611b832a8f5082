// Answers requests that no route took: 405 where the path takes other methods, elsewhere 404 or, for browsers, a page that says so.

import type { RequestHandler, Router } from 'express';
import { AppError } from '../../platform/errors.js';
import { routePattern } from './request-meter.js';

/**
 * Express middleware, behind all routes.
 * @param routers the routers, whose routes are known by then
 * @param showPage answers callers who asked for a page, and passes on others
 */
export function refuseUnknownPath(routers: readonly Router[], showPage: RequestHandler | undefined): RequestHandler {
  const routes = routers.flatMap(({ stack }) =>
    stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : [{ pattern: routePattern(route.path), methods: route.stack.map(({ method }) => method.toUpperCase()) }],
    ),
  );
  return (req, res, next) => {
    const { path, method } = req;
    const found = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    const allow = [...new Set(found.flatMap((allowed) => (allowed === 'GET' ? ['GET', 'HEAD'] : [allowed])))];
    // A route that takes the method and passes the call on knows no such path.
    const isUnknown = allow.length === 0 || allow.includes(method);
    if (isUnknown && showPage !== undefined) return showPage(req, res, () => next(noSuchPath()));
    if (isUnknown) throw noSuchPath();
    throw new AppError('BAD_REQUEST', `This path does not take ${method}: it takes ${allow.join(', ')}`, { allow });
  };
}

const noSuchPath = () => new AppError('NOT_FOUND', 'There is no such path');
