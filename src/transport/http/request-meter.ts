// Counts and times requests by the route they are for: a pattern, never a path that a caller made up.

import type { Request, Response, Router } from 'express';
import type { ErrorCode } from '../../platform/errors.js';
import type { Metrics } from '../../platform/metrics.js';

/** What no route is for. */
const otherRoute = 'other';

/** Notes the code that a request is refused with, for who counts it. */
export function noteRefusal(res: Response, code: ErrorCode): void {
  res.locals['refusal'] = code;
}

export class RequestMeter {
  private readonly exact = new Map<string, string>();
  private readonly patterns: [RegExp, string][] = [];

  constructor(
    private readonly metrics: Metrics,
    routers: readonly Router[],
  ) {
    this.add('/graphql');
    for (const { stack } of routers) for (const { route } of stack) if (route !== undefined) this.add(route.path);
  }

  /** Call when the answer has left, or never will. @param path as it came, without its query */
  count(path: string, res: Response, durationMs: number): void {
    const route = this.routeOf(path);
    const status = res.writableFinished ? String(res.statusCode) : 'aborted';
    const code = (res.locals['refusal'] as ErrorCode | undefined) ?? '';
    this.metrics.httpRequests.inc({ route, status, code });
    this.metrics.httpDuration.observe({ route }, durationMs / 1_000);
  }

  private add(path: string): void {
    this.exact.set(path, path);
    // As Express reads it: in any letter case, and with a slash at its end.
    this.patterns.push([new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replaceAll('.', '\\.')}/?$`, 'i'), path]);
  }

  /** The pattern of the route that a path is for. @param path without its query */
  routeOf(path: string): string {
    return this.exact.get(path) ?? this.patterns.find(([pattern]) => pattern.test(path))?.[1] ?? otherRoute;
  }
}

/** The path that a request came with: within a router that is mounted somewhere, Express shows a part of it. */
export function pathOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const query = originalUrl.indexOf('?');
  return query === -1 ? originalUrl : originalUrl.slice(0, query);
}
