// The default provider `gateway`: the protocol of contract section 4.

import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ChatGateway, GatewayEndpoint, OutgoingMessage, SendResult } from './chat-gateway.js';
import { externalId, storableText } from '../platform/input.js';
import { AddressRefusedError } from './gateway-address.js';
import type { GatewayAddressGuard } from './gateway-address.js';
import { readLimited } from './limited-body.js';

const acceptedSchema = z.object({ messageId: externalId });
const errorSchema = z.object({
  error: z.object({ code: z.union([z.string(), z.number()]).transform(String), message: z.string() }),
});

const temporaryStatuses = new Set([408, 425, 429]);
const maxAnswerBytes = 64 * 1024;

const addressRefused: SendResult = {
  outcome: 'permanent',
  code: 'GATEWAY_ADDRESS_REFUSED',
  detail: "The chat instance's baseUrl leads to an address that this service does not call",
};

// An idle connection is kept this long, as by Node's own agents.
const idleTimeoutMs = 5_000;

export interface NeutralGatewayOptions {
  /** How long an answer may take, in milliseconds. */
  timeoutMs: number;
  /** Which addresses may be called; every one where there is no guard. */
  addresses?: GatewayAddressGuard | undefined;
  /** The URL that the service's operator configured: called wherever it leads. */
  trustedUrl?: string | undefined;
}

export class NeutralGateway implements ChatGateway {
  // Connections of their own: one that was opened without the guard's look-up is never taken for a guarded call.
  private readonly guardedAgents: { 'http:': HttpAgent; 'https:': HttpsAgent };

  constructor(private readonly options: NeutralGatewayOptions) {
    const lookup = options.addresses?.lookup;
    const agentOptions = { keepAlive: true, timeout: idleTimeoutMs, ...(lookup === undefined ? {} : { lookup }) };
    this.guardedAgents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) };
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const guard = endpoint.baseUrl === this.options.trustedUrl ? undefined : this.options.addresses;
    // A host that is an address is never looked up.
    if (guard !== undefined && guard.checkUrl(endpoint.baseUrl) !== undefined) return addressRefused;
    try {
      const url = new URL('messages', withSlash(endpoint.baseUrl));
      const isSecure = url.protocol === 'https:';
      const answer = await post(url, JSON.stringify(toBody(endpoint, message)), {
        headers: headersOf(endpoint, message),
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.options.timeoutMs)]),
        ...(guard === undefined ? {} : { agent: this.guardedAgents[isSecure ? 'https:' : 'http:'] }),
      });
      const text = await readLimited(new Response(Readable.toWeb(answer) as ReadableStream), maxAnswerBytes);
      return toResult(answer, withoutToken(text, endpoint.token));
    } catch (error) {
      if (error instanceof AddressRefusedError) return addressRefused;
      return {
        outcome: 'temporary',
        code: 'GATEWAY_UNREACHABLE',
        detail: `The gateway did not answer: ${reasonOf(error)}`,
      };
    }
  }
}

function headersOf({ token }: GatewayEndpoint, { idempotencyKey }: OutgoingMessage): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

/** Resolves with the answer's head. Not fetch, which takes no look-up; a redirect, which would carry the token on, is an answer. */
function post(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { ...options, method: 'POST' });
    request.on('response', resolve);
    request.on('error', reject);
    // An answer that asks for another protocol ends with neither.
    request.on('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });
}

function toBody(endpoint: GatewayEndpoint, message: OutgoingMessage): object {
  return {
    instance: endpoint.instanceName,
    to: message.to,
    type: message.type,
    ...(message.text === null ? {} : { text: message.text }),
    ...(message.media === null ? {} : { media: message.media }),
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
  };
}

function toResult({ statusCode: status = 0, headers }: IncomingMessage, body: string): SendResult {
  const json = parseJson(body);
  if (status >= 200 && status < 300) {
    const accepted = acceptedSchema.safeParse(json);
    if (accepted.success) return { outcome: 'accepted', externalId: accepted.data.messageId };
    // Accepted, but without the id it is known by: asking again under the same key gives the same answer with the id.
    return {
      outcome: 'temporary',
      code: 'GATEWAY_ANSWER_INVALID',
      detail: 'The gateway accepted without naming a messageId',
    };
  }
  const reported = errorSchema.safeParse(json).data?.error;
  const code = storableText(reported?.code ?? `HTTP_${status}`, 64);
  const message = storableText(reported?.message ?? `The gateway answered ${status}`, 1_000);
  if (temporaryStatuses.has(status) || status >= 500) {
    return { outcome: 'temporary', code, detail: message, retryAfterSeconds: retryAfterOf(headers['retry-after']) };
  }
  return { outcome: 'permanent', code, detail: message };
}

function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

// A gateway may quote what it refuses, and what it says is shown to operators.
function withoutToken(text: string, token: string | null): string {
  return token === null || token === '' ? text : text.replaceAll(token, '(token)');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

// Never the error's own sentence: it may quote the address.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  // What ended the call: the time allowed, or the shutdown.
  if (error.cause instanceof DOMException) return error.cause.name;
  return 'code' in error ? String(error.code) : error.name;
}
