// The names under which a service in development may be called. A page anywhere can have its own name lead to this machine, and would then
// be of the service's own origin. It could ask for the token of an ADMIN, which development gives without a question.

import type { RequestHandler } from 'express';
import { isLoopback } from '../../config/value-formats.js';
import { AppError } from '../../platform/errors.js';

const maxShownLength = 200;

export class OwnNames {
  private readonly publicHost: string | undefined;

  /** @param publicUrl PUBLIC_URL, whose host is a name too */
  constructor(publicUrl: string | undefined) {
    this.publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  }

  /** Returns the refusal of a request under this `Host`; undefined where it is accepted, whatever the port. */
  findRefusal(host: string | undefined): AppError | undefined {
    if (host === undefined) return undefined;
    const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
    if (isLoopback(hostname) || hostname === this.publicHost) return undefined;
    return new AppError(
      'MISDIRECTED',
      `In development the service is called as localhost, by a loopback address, or under the name in PUBLIC_URL. ` +
        `This request came for ${host.slice(0, maxShownLength)}: set PUBLIC_URL to its address, for example http://${host.slice(0, maxShownLength)}`,
    );
  }
}

/** Express middleware: refuses a request that came under another name. */
export function refuseOtherNames(names: OwnNames): RequestHandler {
  return (req, _res, next) => next(names.findRefusal(req.headers.host));
}
