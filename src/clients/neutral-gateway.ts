// The default provider `gateway`: the protocol of contract section 4.

import { z } from 'zod';
import type { ChatGateway, GatewayEndpoint, OutgoingMessage, SendResult } from './chat-gateway.js';
import { externalId, storableText } from '../platform/input.js';
import { readLimited } from './limited-body.js';

const acceptedSchema = z.object({ messageId: externalId });
const errorSchema = z.object({
  error: z.object({ code: z.union([z.string(), z.number()]).transform(String), message: z.string() }),
});

const temporaryStatuses = new Set([408, 425, 429]);
const maxAnswerBytes = 64 * 1024;

export interface NeutralGatewayOptions {
  /** How long an answer may take, in milliseconds. */
  timeoutMs: number;
}

export class NeutralGateway implements ChatGateway {
  constructor(private readonly options: NeutralGatewayOptions) {}

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    try {
      const response = await fetch(new URL('messages', withSlash(endpoint.baseUrl)), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': message.idempotencyKey,
          ...(endpoint.token === null ? {} : { Authorization: `Bearer ${endpoint.token}` }),
        },
        body: JSON.stringify(toBody(endpoint, message)),
        // A redirect would carry the token to wherever the gateway points.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.options.timeoutMs)]),
      });
      return toResult(response, await readLimited(response, maxAnswerBytes));
    } catch (error) {
      return {
        outcome: 'temporary',
        code: 'GATEWAY_UNREACHABLE',
        detail: `The gateway did not answer: ${reasonOf(error)}`,
      };
    }
  }
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

function toResult(response: Response, body: string): SendResult {
  const json = parseJson(body);
  if (response.ok) {
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
  const code = storableText(reported?.code ?? `HTTP_${response.status}`, 64);
  const message = storableText(reported?.message ?? `The gateway answered ${response.status}`, 1_000);
  if (temporaryStatuses.has(response.status) || response.status >= 500) {
    return { outcome: 'temporary', code, detail: message, retryAfterSeconds: retryAfterOf(response) };
  }
  return { outcome: 'permanent', code, detail: message };
}

function retryAfterOf(response: Response): number | undefined {
  const header = response.headers.get('retry-after');
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
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

// Never fetch's own sentence: it may quote the URL.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.name;
  return error.name;
}
