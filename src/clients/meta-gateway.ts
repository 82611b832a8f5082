// The provider `cloud`: Meta's Cloud API. It honours no keys and does not tell afterwards what was sent. Its errors stand in
// meta-error.ts; lines are connected in Meta's own tools, so here a line is only looked at.

import { z } from 'zod';
import { externalId } from '../platform/input.js';
import { permanent } from './chat-gateway.js';
import type {
  ChatGateway,
  GatewayEndpoint,
  LineResult,
  OutgoingMedia,
  OutgoingMessage,
  PermanentRefusal,
  SendResult,
} from './chat-gateway.js';
import { readLineRefusal, readSendRefusal } from './meta-error.js';
import { GatewayHttp } from './gateway-http.js';
import type { GatewayAnswer, GatewayHttpOptions } from './gateway-http.js';
import {
  acceptedWithoutId,
  isSuccess,
  lineWithoutAnswer,
  lineWithoutState,
  sendWithoutAnswer,
} from './gateway-refusal.js';
import { captionOf, contentProblem, mediaKindOf } from './outgoing-content.js';

/** The version that is called where the instance's metadata names none. */
const defaultApiVersion = 'v24.0';

const acceptedSchema = z.object({
  messages: z.tuple([z.object({ id: externalId })], z.unknown()),
  contacts: z
    .array(z.object({ wa_id: z.string().regex(/^\d{5,20}$/) }))
    .optional()
    .catch(undefined),
});
const lineSchema = z.object({ id: z.string() });

/** Where a line's calls go, and as whom. */
interface Line {
  path: string[];
  headers: Record<string, string>;
}

export class CloudGateway implements ChatGateway {
  readonly honoursKeys = false;
  readonly defaultBaseUrl = 'https://graph.facebook.com';
  private readonly http: GatewayHttp;

  constructor(options: GatewayHttpOptions) {
    this.http = new GatewayHttp(options);
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const line = lineOf(endpoint);
    if ('outcome' in line) return line;
    const problem = message.template === undefined ? contentProblem(message) : undefined;
    if (problem !== undefined) return problem;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: [...line.path, 'messages'],
      headers: line.headers,
      body: toBody(message),
      isRepeatable: false,
      signal,
    });
    return answer.outcome === 'answered' ? toSendResult(answer, message) : sendWithoutAnswer(answer);
  }

  /** Nothing to scan: whether the token reaches the line. */
  connect(endpoint: GatewayEndpoint): Promise<LineResult> {
    return this.readState(endpoint);
  }

  async readState(endpoint: GatewayEndpoint): Promise<LineResult> {
    const line = lineOf(endpoint);
    if ('outcome' in line) return line;
    const answer = await this.http.call(endpoint, { method: 'GET', ...line, isRepeatable: true });
    if (answer.outcome !== 'answered') return lineWithoutAnswer(answer);
    if (!isSuccess(answer)) return readLineRefusal(answer);
    const isLine = lineSchema.safeParse(answer.json).data?.id === endpoint.phoneNumberId;
    return isLine ? { outcome: 'answered', status: 'CONNECTED' } : lineWithoutState(answer);
  }

  /** Always refused. */
  async disconnect(): Promise<LineResult> {
    return permanent(
      'NOT_OFFERED',
      "The network keeps a line of the Cloud API connected. Take the number out of service in Meta's own tools.",
    );
  }
}

function lineOf({ phoneNumberId, apiVersion, token, instanceName }: GatewayEndpoint): Line | PermanentRefusal {
  if (phoneNumberId == null || !/^\d{1,32}$/.test(phoneNumberId)) return lineMissing(instanceName);
  if (apiVersion != null && !/^v\d{1,3}\.\d{1,2}$/.test(apiVersion)) return versionInvalid(instanceName);
  if (token === null) return tokenMissing(instanceName);
  const path = [apiVersion ?? defaultApiVersion, phoneNumberId];
  return { path, headers: { Authorization: `Bearer ${token}` } };
}

function lineMissing(instanceName: string): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" does not say which number it is. Enter Meta's id of the phone number as phoneNumberId in its metadata.`;
  return permanent('PHONE_NUMBER_ID_MISSING', detail);
}

function versionInvalid(instanceName: string): PermanentRefusal {
  const detail = `The apiVersion in the metadata of the chat instance "${instanceName}" is none. Write it as v24.0, or leave it out.`;
  return permanent('API_VERSION_INVALID', detail);
}

function tokenMissing(instanceName: string): PermanentRefusal {
  const detail = `The chat instance "${instanceName}" has no access token. Enter one as its token.`;
  return permanent('CREDENTIAL_MISSING', detail);
}

function toBody(message: OutgoingMessage): object {
  const { to, replyTo } = message;
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    ...(replyTo === null ? {} : { context: { message_id: replyTo } }),
    ...contentOf(message),
  };
}

function contentOf(message: OutgoingMessage): object {
  const { template, media, text, type } = message;
  if (template !== undefined) {
    const { name, language, components } = template;
    const filled = components === undefined ? {} : { components };
    return { type: 'template', template: { name, language: { code: language }, ...filled } };
  }
  if (media === null) return { type: 'text', text: { body: text } };
  const kind = mediaKindOf(type, media);
  return { type: kind, [kind]: fileOf(message, media, kind) };
}

function fileOf(message: OutgoingMessage, media: OutgoingMedia, kind: string): object {
  const caption = captionOf(message, media);
  return {
    link: media.url,
    ...(caption === undefined ? {} : { caption }),
    // The network takes a name for documents only.
    ...(kind === 'document' && media.fileName != null ? { filename: media.fileName } : {}),
  };
}

function toSendResult(answer: GatewayAnswer, { to }: OutgoingMessage): SendResult {
  if (!isSuccess(answer)) return readSendRefusal(answer);
  const accepted = acceptedSchema.safeParse(answer.json).data;
  if (accepted === undefined) return acceptedWithoutId(answer, 'message id');
  const chat = accepted.contacts?.[0]?.wa_id;
  const [{ id }] = accepted.messages;
  return { outcome: 'accepted', externalId: id, ...(chat === undefined || chat === to ? {} : { chat }) };
}
