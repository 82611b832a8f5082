// The span of an HTTP request, from its head to the end of its answer. It names the route, never the path, which may hold a number.

import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import type { RequestScope } from '../../platform/request-scope.js';
import { runInTrace } from '../../platform/trace-scope.js';
import { parentOf } from '../../platform/tracing.js';
import type { Tracing } from '../../platform/tracing.js';

export interface TracedRequest {
  req: Request;
  res: Response;
  /** A pattern. */
  route: string;
  /** Who asks, once that is known. */
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

// What a caller did wrong is no error of the server's span.
function serverFault(status: number): string | undefined {
  return status >= 500 ? String(status) : undefined;
}
