// Requests to addresses that the outbound address policy judges, which needs a look-up of its own: `fetch` takes none.

import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

// As Node's own agents: an idle connection is kept this long.
const idleTimeoutMs = 5_000;

/** Keeps connections of its own: one that was opened without this look-up is never used. */
export class AgentPair {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  /** @param lookup the system's where none is given */
  constructor(lookup: LookupFunction | undefined) {
    const options = { keepAlive: true, timeout: idleTimeoutMs, ...(lookup === undefined ? {} : { lookup }) };
    this.http = new HttpAgent(options);
    this.https = new HttpsAgent(options);
  }

  for({ protocol }: URL): HttpAgent {
    return protocol === 'https:' ? this.https : this.http;
  }
}

/**
 * Resolves with the answer's head. A redirect, which would carry tokens on, is an answer.
 * @param watch gets the request before it is sent
 */
export function requestHead(
  url: URL,
  options: RequestOptions,
  body: string | Buffer | undefined,
  watch: (request: ClientRequest) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    watch(request);
    request.on('response', resolve);
    request.on('error', reject);
    // An answer that asks for another protocol ends with neither.
    request.on('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });
}
