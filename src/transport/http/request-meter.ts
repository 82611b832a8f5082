// Counts and times requests by the route they are for: a pattern, never a path that a caller made up.

import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Request, Response, Router } from 'express';
import type { ErrorCode } from '../../platform/errors.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { RequestScope } from '../../platform/observability/request-scope.js';
import { runInTrace } from '../../platform/observability/trace-scope.js';
import { parentOf, type Tracing } from '../../platform/observability/tracing.js';

/** The label of paths that belong to no route. */
const otherRoute = 'other';

/** Notes the code that a request is refused with, for the meter. */
export function noteRefusal(res: Response, code: ErrorCode): void {
  res.locals['refusal'] = code;
}

export class RequestMeter {
  private readonly exact = new Map<string, string>();
  private readonly patterns: [RegExp, string][] = [];

  constructor(
    private readonly metrics: Metrics,
    routers: readonly Router[],
    /** The label of a path that no router has. */
    private readonly furtherRouteOf: (path: string) => string | undefined,
  ) {
    this.add('/graphql');
    for (const { stack } of routers) for (const { route } of stack) if (route !== undefined) this.add(route.path);
  }

  /** Call it when the answer has left, or never will. @param path as it came, without its query */
  count(path: string, res: Response, durationMs: number): void {
    const route = this.routeOf(path);
    const status = res.writableFinished ? String(res.statusCode) : 'aborted';
    const code = (res.locals['refusal'] as ErrorCode | undefined) ?? '';
    this.metrics.httpRequests.inc({ route, status, code });
    this.metrics.httpDuration.observe({ route }, durationMs / 1_000);
  }

  private add(path: string): void {
    this.exact.set(path, path);
    this.patterns.push([routePattern(path), path]);
  }

  /** Returns the pattern of the route that a path is for. @param path without its query */
  routeOf(path: string): string {
    const pattern = this.exact.get(path) ?? this.patterns.find(([form]) => form.test(path))?.[1];
    return pattern ?? this.furtherRouteOf(path) ?? otherRoute;
  }
}

/** Matches the paths of a route as Express does: in any letter case, and with a slash at the end. */
export function routePattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}/?$`, 'i');
}

/** Returns the path that a request came with: within a router that is mounted somewhere, Express shows a part of it. */
export function pathOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const query = originalUrl.indexOf('?');
  return query === -1 ? originalUrl : originalUrl.slice(0, query);
}

export interface TracedRequest {
  req: Request;
  res: Response;
  /** The route's pattern. */
  route: string;
  /** The caller, once it is known. */
  scope: Readonly<RequestScope> | undefined;
}

/** Runs `work` as part of the request's span, which goes on with the caller's trace where it names one in `traceparent`. */
export function traceRequest(tracing: Tracing, { req, res, route, scope }: TracedRequest, work: () => void): void {
  const attributes = { 'http.request.method': req.method, 'http.route': route };
  const options = { kind: SpanKind.SERVER, attributes };
  const span = tracing.startSpan(`${req.method} ${route}`, options, parentOf(req.get('traceparent')));
  res.on('close', () => {
    span.setAttribute('http.response.status_code', res.statusCode);
    if (scope?.tenantId !== undefined) span.setAttribute('leadwire.tenant.id', scope.tenantId);
    const failure = res.writableFinished ? serverFault(res.statusCode) : 'aborted';
    if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  runInTrace({ source: tracing, span }, work);
}

// A caller's mistake is no error of the server's span.
function serverFault(status: number): string | undefined {
  return status >= 500 ? String(status) : undefined;
}
