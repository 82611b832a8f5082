// Fetches files from the addresses that gateways give: any host that the outbound address policy permits, also behind redirects.
// It carries no credentials but those that a driver gives it for one address.

import type { IncomingMessage } from 'node:http';
import { AgentPair, requestHead, retryAfterOf } from '../clients/http-exchange.js';
import type { FetchedMedia } from './media-source.js';
import { AddressRefusedError, type OutboundAddressPolicy } from '../clients/outbound-address-policy.js';

export interface UrlMediaSourceOptions {
  addresses: OutboundAddressPolicy;
  /** The longest silence of a server, before its answer and within it, in milliseconds. */
  silenceLimitMs: number;
}

const maxRedirects = 3;
// A signed address that has expired answers with one of these.
const goneStatuses: ReadonlySet<number> = new Set([401, 403, 404, 410]);
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class UrlMediaSource {
  private readonly agents: AgentPair;

  constructor(private readonly options: UrlMediaSourceOptions) {
    this.agents = new AgentPair(options.addresses.lookup);
  }

  /**
   * Fetches a file at a plain address, as `MediaSource.open` does.
   * @param credentials headers for the origin of this address; a redirect to another origin does not get them
   */
  async open(url: string, signal: AbortSignal, credentials?: Record<string, string>): Promise<FetchedMedia> {
    try {
      return await this.follow(url, signal, credentials);
    } catch (error) {
      if (error instanceof AddressRefusedError) return refused;
      const { code } = Object(error) as { code?: unknown };
      const why = typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code) ? ` (${code})` : '';
      return { outcome: 'temporary', detail: `The server of the file could not be reached${why}.` };
    }
  }

  private async follow(
    first: string,
    signal: AbortSignal,
    credentials: Record<string, string> = {},
  ): Promise<FetchedMedia> {
    let url = first;
    for (let count = 0; ; count += 1) {
      if (this.options.addresses.checkUrl(url) !== undefined) return refused;
      const isOwn = new URL(url).origin === new URL(first).origin;
      const answer = await this.request(new URL(url), signal, isOwn ? credentials : {});
      const { statusCode: status = 0, headers } = answer;
      if (!redirects.has(status)) return this.readAnswer(answer, status);
      answer.destroy();
      const { location = '' } = headers;
      if (count === maxRedirects || !URL.canParse(location, url))
        return { outcome: 'failed', detail: 'The address of the file leads from redirect to redirect.' };
      url = new URL(location, url).href;
    }
  }

  private async request(url: URL, signal: AbortSignal, credentials: Record<string, string>): Promise<IncomingMessage> {
    // The file is asked for uncompressed: a compressed one has another size and another hash.
    const headers = { accept: '*/*', 'accept-encoding': 'identity', ...credentials };
    const { silenceLimitMs: timeout } = this.options;
    const answer = await requestHead(
      url,
      { method: 'GET', headers, signal, agent: this.agents.for(url), timeout },
      undefined,
      (request) => request.on('timeout', () => request.destroy(new Error('the server was silent for too long'))),
    );
    answer.setTimeout(timeout, () => answer.destroy(new Error('the server was silent for too long')));
    return answer;
  }

  private readAnswer(answer: IncomingMessage, status: number): FetchedMedia {
    const { headers } = answer;
    const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
    if (status === 200 && isPlain) {
      const length = Number(headers['content-length'] ?? Number.NaN);
      const sizeBytes = Number.isSafeInteger(length) ? length : undefined;
      return { outcome: 'fetched', body: answer, sizeBytes, mimeType: headers['content-type'] };
    }
    answer.destroy();
    if (status === 200) return { outcome: 'failed', detail: 'The server of the file sends it compressed.' };
    if (goneStatuses.has(status))
      return { outcome: 'expired', detail: `The address of the file leads nowhere any more (${status}).`, status };
    const detail = `The server of the file answered ${status}.`;
    if (passingStatuses.has(status) || status >= 500)
      return { outcome: 'temporary', detail, retryAfterSeconds: retryAfterOf(headers['retry-after']) };
    return { outcome: 'failed', detail };
  }
}

const refused: FetchedMedia = {
  outcome: 'failed',
  detail: 'The address of the file is not public. The administrator can permit its host with GATEWAY_ALLOWED_HOSTS.',
};
