// The one way in which drivers call a gateway: JSON over HTTP, to addresses that may be called, within a time and a size. Distinguishes
// what was certainly not sent from what may have been sent. answer.ts and the drivers interpret answers.

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { storableText } from '../platform/input/input.js';
import { inSpan, traceHeaders } from '../platform/observability/trace-scope.js';
import { gatewayNameOf, permanent, type GatewayEndpoint, type PermanentRefusal } from './chat-gateway.js';
import {
  AgentPair,
  AnswerTooLargeError,
  endInTime,
  parseLimited,
  readLimited,
  requestHead,
  retryAfterOf,
} from '../clients/http-exchange.js';
import { AddressRefusedError, type OutboundAddressPolicy } from '../clients/outbound-address-policy.js';

export interface GatewayHttpOptions {
  /** The time limit of a call, from its start to the answer's end, in milliseconds. */
  timeoutMs: number;
  /** Judges which addresses may be called; without it, every address may. */
  addresses?: OutboundAddressPolicy | undefined;
  /** The URL that the administrator configured: called wherever it leads. */
  trustedUrl?: string | undefined;
}

export interface GatewayCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The names of the path below the base URL, one for each level. Each is encoded. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** Sent as it is, in place of `body`. */
  stream?: { type: string; size: number; chunks: AsyncIterable<Uint8Array> };
  /** The time limit of this call in place of the usual one, in milliseconds. */
  timeoutMs?: number;
  /** An answer larger than this is not read to its end. Default: 64 KiB. */
  maxAnswerBytes?: number;
  /**
   * True if repeating the call does no harm. A call that is not repeatable gets a connection of its own. The other side may close a kept
   * one at this very moment, and then it is unknown whether the call arrived.
   */
  isRepeatable: boolean;
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

export interface GatewayAnswer {
  outcome: 'answered';
  /** The subject of a sentence about the gateway. */
  gateway: string;
  status: number;
  /** Undefined where the answer is no JSON. Holds whatever the gateway wrote: texts are shown through `quote` only. */
  json: unknown;
  /** From `Retry-After`, in either form: whole seconds from now, above 0. */
  retryAfterSeconds: number | undefined;
  /** The gateway's words as they can be stored and shown: cut, and without the token, which it may repeat. */
  quote: (text: string, maxLength?: number) => string;
}

/**
 * - `answered`: a whole answer, whatever its status. Redirects are answers.
 * - `permanent`: the address or the instance's name cannot be called; nothing was sent.
 * - `notSent`: no connection came about; nothing was sent.
 * - `unknown`: the request went out, and no whole answer came back, or one that is too large to be read
 *   (`GATEWAY_ANSWER_TOO_LARGE`).
 */
export type GatewayCallResult =
  GatewayAnswer | PermanentRefusal | { outcome: 'notSent' | 'unknown'; code: string; detail: string };

/** An answer whose success is known, and whose body is yet to be read. */
export interface OpenedAnswer {
  outcome: 'opened';
  body: IncomingMessage;
}

const maxAnswerBytes = 64 * 1024;
/** The longest quote, in characters: as long as a message's error may be. */
const maxQuoteLength = 1_000;

const unreachable = 'GATEWAY_UNREACHABLE';
/** The code of an answer with more bytes or values than are read. */
export const answerTooLarge = 'GATEWAY_ANSWER_TOO_LARGE';

export class GatewayHttp {
  private readonly guardedAgents: AgentPair;

  constructor(private readonly options: GatewayHttpOptions) {
    this.guardedAgents = new AgentPair(options.addresses?.lookup);
  }

  /** Never throws. Results name no more of the endpoint's address than its host, and nothing of its token. */
  call(endpoint: GatewayEndpoint, call: GatewayCall): Promise<GatewayCallResult> {
    const { timeoutMs = this.options.timeoutMs } = call;
    return this.exchange(endpoint, call, timeoutMs, (answer) => readAnswer(answer, call, endpoint));
  }

  /**
   * Calls like `call`, for an answer of any size, which is read as it comes. A reader that stops early destroys it.
   * @param timeoutMs the longest that the other side may take until its answer begins, and be silent within it
   */
  open(endpoint: GatewayEndpoint, call: GatewayCall, timeoutMs: number): Promise<OpenedAnswer | GatewayCallResult> {
    return this.exchange<OpenedAnswer | GatewayAnswer>(
      endpoint,
      call,
      undefined,
      async (answer) => {
        answer.setTimeout(timeoutMs, () => answer.destroy(new Error('the gateway was silent for too long')));
        const { statusCode: status = 0 } = answer;
        return status >= 200 && status < 300 ? { outcome: 'opened', body: answer } : readAnswer(answer, call, endpoint);
      },
      timeoutMs,
    );
  }

  private async exchange<Result>(
    endpoint: GatewayEndpoint,
    call: GatewayCall,
    limitMs: number | undefined,
    read: (answer: IncomingMessage) => Promise<Result>,
    silenceLimitMs?: number,
  ): Promise<Result | Exclude<GatewayCallResult, GatewayAnswer>> {
    const guard = endpoint.baseUrl === this.options.trustedUrl ? undefined : this.options.addresses;
    // A host that is an address is never looked up.
    if (guard !== undefined && guard.checkUrl(endpoint.baseUrl) !== undefined) return addressRefused(endpoint);
    if (!call.path.every(isPathName)) return nameRefused(endpoint);
    const exchange: Exchange = { isHandedOver: false, isLate: false };
    try {
      const url = urlOf(endpoint.baseUrl, call.path);
      for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
      return await traced(call, async (note) => {
        const silence = silenceLimitMs === undefined ? {} : { timeout: silenceLimitMs };
        const options = { ...this.requestOptions(url, call, guard), ...silence };
        const answer = await exchangeHeads(url, call, options, limitMs, exchange);
        note(answer.statusCode);
        return read(answer);
      });
    } catch (error) {
      const isLate = exchange.isLate || error instanceof SilentError;
      const waitedMs = limitMs ?? silenceLimitMs ?? 0;
      return failureOf(endpoint, error, isLate ? ` within ${waitedMs / 1_000} s` : `: ${reasonOf(error)}`, exchange);
    }
  }

  private requestOptions(url: URL, call: GatewayCall, guard: OutboundAddressPolicy | undefined): RequestOptions {
    const guarded = guard === undefined ? {} : { agent: this.guardedAgents.for(url) };
    return {
      method: call.method,
      headers: {
        Accept: 'application/json',
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(call.stream === undefined
          ? {}
          : { 'Content-Type': call.stream.type, 'Content-Length': String(call.stream.size) }),
        ...call.headers,
        ...traceHeaders(),
      },
      ...(call.isRepeatable ? guarded : { agent: false, ...lookupOf(guard) }),
    };
  }
}

function failureOf(
  endpoint: GatewayEndpoint,
  error: unknown,
  reason: string,
  { isHandedOver }: Exchange,
): Exclude<GatewayCallResult, GatewayAnswer> {
  if (error instanceof AddressRefusedError) return addressRefused(endpoint);
  const gateway = gatewayNameOf(endpoint);
  if (error instanceof AnswerTooLargeError)
    return { outcome: 'unknown', code: answerTooLarge, detail: `${gateway} answered more than is read` };
  return isHandedOver
    ? { outcome: 'unknown', code: unreachable, detail: `${gateway} did not answer${reason}` }
    : { outcome: 'notSent', code: unreachable, detail: `${gateway} could not be reached${reason}` };
}

// Neither the address, which is a tenant's secret for some, nor the path, which may name a number, is in the span.
function traced<Result>(
  { method }: GatewayCall,
  work: (note: (status: number | undefined) => void) => Promise<Result>,
): Promise<Result> {
  const options = { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method } };
  return inSpan(`${method} gateway`, options, (span) =>
    work((status = 0) => {
      span?.setAttribute('http.response.status_code', status);
      if (status >= 400) span?.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
    }),
  );
}

/** The state of a call that has not been answered. */
interface Exchange {
  /** The other side may have read the request. */
  isHandedOver: boolean;
  /** The call's time was over. */
  isLate: boolean;
}

/** @param exchange is kept up to date */
function exchangeHeads(
  url: URL,
  { body, stream, signal }: GatewayCall,
  options: RequestOptions,
  limitMs: number | undefined,
  exchange: Exchange,
): Promise<IncomingMessage> {
  const sent = body === undefined ? stream?.chunks : JSON.stringify(body);
  return requestHead(url, options, sent, (request) => {
    endInTime(request, { limitMs, onLate: () => (exchange.isLate = true), signal });
    onceConnected(request, url.protocol === 'https:', () => (exchange.isHandedOver = true));
    // Kept connections have a time-out of their own, which says nothing about a call.
    if (options.timeout !== undefined) request.on('timeout', () => request.destroy(new SilentError()));
  });
}

/** Nothing came within the time that the other side may be silent. */
class SilentError extends Error {
  override readonly name = 'SilentError';
}

async function readAnswer(
  answer: IncomingMessage,
  { maxAnswerBytes: maxBytes = maxAnswerBytes }: GatewayCall,
  endpoint: GatewayEndpoint,
): Promise<GatewayAnswer> {
  return toAnswer(answer, await readLimited(answer, maxBytes), endpoint);
}

// Before its connection stands, with TLS before both sides have agreed, no byte of a request has left.
function onceConnected(request: ClientRequest, isSecure: boolean, connected: () => void): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) connected();
    else socket.once(isSecure ? 'secureConnect' : 'connect', connected);
  });
}

function toAnswer(
  { statusCode: status = 0, headers }: IncomingMessage,
  body: string,
  endpoint: GatewayEndpoint,
): GatewayAnswer {
  return {
    outcome: 'answered',
    gateway: gatewayNameOf(endpoint),
    status,
    json: parseLimited(body),
    retryAfterSeconds: retryAfterOf(headers['retry-after']),
    // The token is removed before the text is cut: a cut would leave half of it.
    quote: (text, maxLength = maxQuoteLength) => storableText(withoutToken(text, endpoint.token), maxLength),
  };
}

function addressRefused(endpoint: GatewayEndpoint): PermanentRefusal {
  const advice = "Enter a public address as its baseUrl, or ask the service's administrator to allow this one.";
  const detail = `${gatewayNameOf(endpoint)} has an address that this service does not call. ${advice}`;
  return permanent('GATEWAY_ADDRESS_REFUSED', detail);
}

function nameRefused({ instanceName }: GatewayEndpoint): PermanentRefusal {
  const detail = `The instance name "${instanceName}" cannot be part of an address. Give it a name other than "." and "..".`;
  return permanent('INSTANCE_NAME_INVALID', detail);
}

function lookupOf(addresses: OutboundAddressPolicy | undefined) {
  return addresses === undefined ? {} : { lookup: addresses.lookup };
}

// A URL resolves a level of dots however it is encoded, and drops the level before it.
function isPathName(name: string): boolean {
  return !/^\.{0,2}$/.test(name);
}

function urlOf(baseUrl: string, path: readonly string[]): URL {
  const names = path.map((name) => encodeURIComponent(name.toWellFormed()));
  return new URL(names.join('/'), baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
}

function withoutToken(text: string, token: string | null): string {
  if (token === null || token === '') return text;
  return text.replaceAll(token, '(token)').replaceAll(encodeURIComponent(token), '(token)');
}

// The error's own sentence is never used: it may quote the address.
function reasonOf(error: unknown): string {
  const { code, name, cause } = Object(error) as { code?: unknown; name?: unknown; cause?: { name?: unknown } };
  // The cause of an aborted call is its time limit, or the shutdown.
  const candidates = [code === 'ABORT_ERR' ? cause?.name : undefined, code, name];
  return candidates.find((candidate) => typeof candidate === 'string') ?? 'unknown reason';
}
