// The address a call came from, under TRUST_PROXY. Requests of Express and WebSocket upgrades, which never reach Express, are read alike,
// so that a caller counts in the same bucket. The rate limits belong to rate-limit.ts, that of connections to connection-limit.ts.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import proxyAddress from 'proxy-addr';
import type { Logger } from '../../platform/observability/logger.js';

/** False: `X-Forwarded-For` is never believed; a number of proxies in front; or their addresses, comma-separated. */
export type TrustProxy = false | number | string;

/** The caller of a request under its application's own `trust proxy`. Undefined once the connection is gone. */
export function requestAddress(req: Request): string | undefined {
  return believable(req.ip, req);
}

/**
 * Reads the caller of any request as Express does under the same setting; undefined once the connection is gone.
 * @throws TypeError when `trustProxy` names something that is no address
 */
export function addressReader(trustProxy: TrustProxy): (request: IncomingMessage) => string | undefined {
  const trust = compileTrust(trustProxy);
  return (request) => believable(proxyAddress(request, trust), request);
}

/** Express middleware for a service that trusts no proxy: logs once that there seems to be one. */
export function noticeForwarding(log: Pick<Logger, 'warn'>): RequestHandler {
  let isNoticed = false;
  return (req, _res, next) => {
    if (!isNoticed && req.headers['x-forwarded-for'] !== undefined) {
      isNoticed = true;
      log.warn(
        'X-Forwarded-For was sent, and TRUST_PROXY is false: if a proxy stands in front, all callers are taken for one address. Set TRUST_PROXY to the number of proxies; otherwise a caller made it up',
      );
    }
    next();
  };
}

/** Recognises proxies that are trusted. @throws TypeError like `addressReader` */
export function proxyRecogniser(trustProxy: TrustProxy): (remoteAddress: string | undefined) => boolean {
  const trust = compileTrust(trustProxy);
  return (remoteAddress) => trust(remoteAddress, 0);
}

function compileTrust(trustProxy: TrustProxy): (address: string | undefined, hop: number) => boolean {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return proxyAddress.compile(trustProxy.split(',').map((part) => part.trim()));
}

// A trusted proxy may have written anything; free text there must not open a bucket of its own.
function believable(address: string | undefined, request: IncomingMessage): string | undefined {
  return address !== undefined && isIP(address) !== 0 ? address : request.socket.remoteAddress;
}
