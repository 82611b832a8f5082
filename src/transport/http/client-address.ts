// The address a call came from, under TRUST_PROXY. Requests of Express and WebSocket upgrades, which never reach Express, are read alike,
// so that a caller counts in the same bucket. The rate limits belong to rate-limit.ts.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import proxyAddress from 'proxy-addr';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import { Tally } from '../../platform/jobs/tally.js';

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

/** The most TCP connections of an address. A proxy that is trusted holds as many as it likes. */
export const maxConnectionsPerAddress = 1_000;
/** The most WebSockets of an address before their `connection_init`. */
export const maxSocketsPerAddress = 200;

const retryAfterSeconds = 3;

export class Strangers<Connection extends object> {
  private readonly countByAddress = new Tally();
  private readonly addresses = new WeakMap<Connection, string>();

  /** @param onRefusal called for each connection that is one too many */
  constructor(
    private readonly maxPerAddress: number,
    private readonly onRefusal: () => void,
  ) {}

  /**
   * Counts a connection until it leaves. @param address as `subjectKey` writes it
   * @returns the reason why it may not stay; it is not counted then
   */
  enter(connection: Connection, address: string): AppError | undefined {
    const count = this.countByAddress.of(address);
    if (count >= this.maxPerAddress) {
      this.onRefusal();
      const detail = `This address has ${count} connections open that have not signed in: close some, or sign in`;
      return new AppError('RATE_LIMITED', detail, { retryAfterSeconds });
    }
    this.countByAddress.add(address, 1);
    this.addresses.set(connection, address);
    return undefined;
  }

  /** Ends the count of a connection that has closed, or shown a valid credential. Safe to repeat. */
  leave(connection: Connection): void {
    const address = this.addresses.get(connection);
    if (address === undefined) return;
    this.addresses.delete(connection);
    this.countByAddress.add(address, -1);
  }
}
