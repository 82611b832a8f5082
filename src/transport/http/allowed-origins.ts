// The pages that may call from browsers: those of CORS_ORIGINS, our own, and outside production those of this machine. HTTP (CORS) and
// WebSocket upgrades, which CORS does not protect, ask here.

import type { IncomingHttpHeaders } from 'node:http';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { isLoopback } from '../../config/value-formats.js';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import { sendProblem } from './error-to-http.js';

export interface AllowedOriginsOptions {
  /** The origins in the form that browsers send. */
  origins: readonly string[];
  /** True if pages that this machine serves may call, whatever their port. */
  allowLoopback: boolean;
  log: Pick<Logger, 'warn'>;
}

/** The latest refused origins, which are not logged again. */
const maxRemembered = 100;
const maxShownLength = 200;
const exposedHeaders = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'x-request-id', 'WWW-Authenticate'];

export class AllowedOrigins {
  private readonly logged = new LRUCache<string, true>({ max: maxRemembered });

  constructor(private readonly options: AllowedOriginsOptions) {}

  /** Returns the refusal of a page that may not call; undefined where it may, and where the request names none. */
  findRefusal({ origin, host }: Pick<IncomingHttpHeaders, 'origin' | 'host'>): AppError | undefined {
    if (origin === undefined || this.allows(origin) || isOwnOrigin(origin, host)) return undefined;
    const shown = origin.slice(0, maxShownLength);
    if (!this.logged.has(shown)) {
      this.logged.set(shown, true);
      this.options.log.warn({ origin: shown }, 'a page of this origin was refused: CORS_ORIGINS does not name it');
    }
    return new AppError(
      'FORBIDDEN',
      `Pages of the origin ${shown} may not call this service: add it to CORS_ORIGINS, separated by a comma`,
    );
  }

  /** Returns whether an origin may call without being ours. */
  allows(origin: string): boolean {
    const { origins, allowLoopback } = this.options;
    return origins.includes(origin) || (allowLoopback && isLoopbackOrigin(origin));
  }
}

/** Express middleware: CORS for the origins that are allowed. The preflight of any other is answered with the refusal. */
export function allowOrigins(origins: AllowedOrigins): RequestHandler {
  const allow = cors({ origin: true, maxAge: 600, exposedHeaders });
  return (req, res, next) => {
    const { origin } = req.headers;
    if (origin === undefined) return next();
    if (origins.allows(origin)) return allow(req, res, next);
    const refusal = origins.findRefusal(req.headers);
    const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (refusal !== undefined && isPreflight) return sendProblem(res, refusal);
    next();
  };
}

/** Express middleware: refuses requests of pages whose origin is not allowed, before anything is done for them. */
export function refuseForeignPages(origins: AllowedOrigins): RequestHandler {
  return (req, _res, next) => next(origins.findRefusal(req.headers));
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: written } = new URL(origin);
  return written === origin && (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname);
}

/** Returns whether an origin is the service's own, as the request's `Host` names it. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
