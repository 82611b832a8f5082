// Posts over https to addresses that tenants and their browsers have entered, within a time and a size. Only addresses that may be called
// are called, also behind redirects and whatever DNS says by then. Callers decide what is posted, and what follows from an answer.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { hasCode } from '../platform/observability/fault.js';
import { AgentPair, readLimited, requestHead, retryAfterOf } from './http-exchange.js';
import { AddressRefusedError, type OutboundAddressPolicy } from './outbound-address-policy.js';

export interface WebhookSenderOptions {
  addresses: OutboundAddressPolicy;
  /** The time limit of a call, from its start to the answer's end and with redirects, in milliseconds. */
  timeoutMs: number;
}

export interface WebhookCallOut {
  url: string;
  /** In small letters. Without `content-type` the body is JSON. */
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/**
 * - `delivered`: answered with 2xx.
 * - `gone`: answered with 410.
 * - `failed`: anything else; `detail` is a sentence that quotes nobody.
 * - `stopped`: the caller's signal ended it.
 */
export type WebhookAnswer =
  | { outcome: 'delivered'; status: number }
  | { outcome: 'gone'; status: number; detail: string }
  | { outcome: 'failed'; status: number | null; detail: string; retryAfterSeconds?: number | undefined }
  | { outcome: 'stopped' };

const maxRedirects = 3;
/** Nothing of an answer's body is kept. So many bytes are read for the connection to be used again. */
const maxAnswerBytes = 4 * 1024;

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;
const keepsMethod = (status: number) => status === 307 || status === 308;

export class WebhookSender {
  private readonly agents: AgentPair;

  constructor(private readonly options: WebhookSenderOptions) {
    this.agents = new AgentPair(options.addresses.lookup);
  }

  /** @returns what is wrong with posting to this URL, as far as the URL itself shows; undefined where nothing is */
  checkUrl(url: string): string | undefined {
    const { addresses } = this.options;
    const problem = addresses.checkUrl(url);
    if (problem !== undefined) return problem;
    const parsed = new URL(url);
    if (parsed.username !== '' || parsed.password !== '') return 'has to come without credentials in it';
    if (parsed.protocol === 'https:' || addresses.isSpeciallyAllowed(parsed)) return undefined;
    return 'has to be an https URL';
  }

  /** Never throws. @param signal ends the call */
  async post(call: WebhookCallOut, signal: AbortSignal): Promise<WebhookAnswer> {
    const limit = AbortSignal.timeout(this.options.timeoutMs);
    try {
      return await this.follow(call, AbortSignal.any([limit, signal]));
    } catch (error) {
      if (limit.aborted) return failed(`There was no answer within ${this.options.timeoutMs / 1_000} s.`);
      if (signal.aborted) return { outcome: 'stopped' };
      return failed(sentenceOf(error));
    }
  }

  private async follow(call: WebhookCallOut, signal: AbortSignal): Promise<WebhookAnswer> {
    let { url } = call;
    for (let redirects = 0; ; redirects += 1) {
      const problem = this.checkUrl(url);
      if (problem !== undefined) return failed(`The address ${redirects === 0 ? '' : 'of a redirect '}${problem}.`);
      const answer = await this.exchange(new URL(url), call, signal);
      const { statusCode: status = 0, headers } = answer;
      await readRest(answer);
      if (!isRedirect(status)) return answerOf(status, headers['retry-after']);
      const next = nextUrl(status, headers.location, url);
      if (next === undefined || redirects === maxRedirects) return redirectFailure(status, next);
      url = next;
    }
  }

  private async exchange(url: URL, call: WebhookCallOut, signal: AbortSignal): Promise<IncomingMessage> {
    const body = Buffer.isBuffer(call.body) ? call.body : Buffer.from(call.body);
    const headers = { 'content-type': 'application/json', ...call.headers, 'content-length': body.byteLength };
    const options = { method: 'POST', headers, signal };
    let isReused = false;
    const watch = (request: ClientRequest) => request.once('socket', () => (isReused = request.reusedSocket));
    try {
      return await requestHead(url, { ...options, agent: this.agents.for(url) }, body, watch);
    } catch (error) {
      // A connection that was kept may be closed by the other side at this very moment: that is no failure of the endpoint's.
      const isStale = isReused && (hasCode(error, 'ECONNRESET') || hasCode(error, 'EPIPE'));
      if (!isStale) throw error;
      return requestHead(url, { ...options, agent: false, lookup: this.options.addresses.lookup }, body, watch);
    }
  }
}

// Waits for the answer's end, so that an endpoint that answers drop by drop takes no more than its own turns.
async function readRest(answer: IncomingMessage): Promise<void> {
  try {
    await readLimited(answer, maxAnswerBytes);
  } catch {
    answer.destroy();
  }
}

function answerOf(status: number, retryAfter: string | undefined): WebhookAnswer {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  if (status === 410) return { outcome: 'gone', status, detail: 'The endpoint answered 410: it is gone for good.' };
  const detail = `The endpoint answered ${status}.`;
  return { outcome: 'failed', status, detail, retryAfterSeconds: retryAfterOf(retryAfter) };
}

/** @returns undefined where it leads nowhere that this call could go on to */
function nextUrl(status: number, location: string | undefined, from: string): string | undefined {
  if (!keepsMethod(status) || location === undefined || !URL.canParse(location, from)) return undefined;
  return new URL(location, from).href;
}

function redirectFailure(status: number, next: string | undefined): WebhookAnswer {
  if (next !== undefined) return { ...failed(`There were more than ${maxRedirects} redirects.`), status };
  const reason = keepsMethod(status) ? 'without a usable Location' : 'which is not followed: only 307 and 308 are';
  return { ...failed(`The endpoint answered with the redirect ${status}, ${reason}.`), status };
}

function failed(detail: string): Extract<WebhookAnswer, { outcome: 'failed' }> {
  return { outcome: 'failed', status: null, detail };
}

const sentences = new Map([
  ['ENOTFOUND', 'DNS does not know the host.'],
  ['EAI_AGAIN', 'DNS did not answer.'],
  ['ECONNREFUSED', 'The host refused the connection.'],
  ['ECONNRESET', 'The host closed the connection without an answer.'],
  ['EHOSTUNREACH', 'There is no way to the host.'],
  ['ENETUNREACH', 'There is no way to the host.'],
  ['ETIMEDOUT', 'The host did not take the connection.'],
  ['CERT_HAS_EXPIRED', "The host's certificate has expired."],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "The host's certificate is for another name."],
]);

// The error's own sentence is never used: it may quote what our DNS knows.
function sentenceOf(error: unknown): string {
  if (error instanceof AddressRefusedError) return 'The host leads to an address that is not public.';
  const { code } = Object(error) as { code?: unknown };
  if (typeof code !== 'string') return 'The connection was closed without an answer.';
  return sentences.get(code) ?? `The connection failed (${code}).`;
}
