// The provider `cloud`: Meta's Cloud API. It honours no keys and does not show afterwards what was sent. Instances are
// connected in Meta's own tools, so here their state is only read.

import { z } from 'zod';
import { externalId } from '../platform/input.js';
import { captionOf, contentProblem, mediaKindOf, permanent } from './chat-gateway.js';
import type {
  ChatGateway,
  GatewayEndpoint,
  InstanceResult,
  OutgoingMedia,
  OutgoingMessage,
  OutgoingReaction,
  PermanentRefusal,
  ReactionResult,
  SendResult,
} from './chat-gateway.js';
import {
  acceptedWithoutId,
  GatewayHttp,
  isNotDone,
  isSuccess,
  instanceRefusedByStatus,
  instanceWithoutAnswer,
  instanceWithoutState,
  reasonByStatus,
  refusedForGood,
  sendRefusedByStatus,
  sendWithoutAnswer,
  temporary,
  withAdvice,
  wordsOfGateway,
} from './gateway-http.js';
import type { GatewayAnswer, GatewayHttpOptions, StatedReason } from './gateway-http.js';

/** The version that is called where the instance's metadata names none. */
const defaultApiVersion = 'v24.0';

const acceptedSchema = z.object({
  messages: z.tuple([z.object({ id: externalId })], z.unknown()),
  contacts: z
    .array(z.object({ wa_id: z.string().regex(/^\d{5,20}$/) }))
    .optional()
    .catch(undefined),
});
const numberSchema = z.object({ id: z.string() });

/** Where an instance's calls go, and as whom. */
interface Target {
  path: string[];
  headers: Record<string, string>;
}

export class MetaGateway implements ChatGateway {
  readonly honoursKeys = false;
  readonly defaultBaseUrl = 'https://graph.facebook.com';
  private readonly http: GatewayHttp;

  constructor(options: GatewayHttpOptions) {
    this.http = new GatewayHttp(options);
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const problem = message.template === undefined ? contentProblem(message) : undefined;
    if (problem !== undefined) return problem;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: [...target.path, 'messages'],
      headers: target.headers,
      body: toBody(message),
      isRepeatable: false,
      signal,
    });
    return answer.outcome === 'answered' ? toSendResult(answer, message) : sendWithoutAnswer(answer);
  }

  async react(
    endpoint: GatewayEndpoint,
    { to, externalId: messageId, emoji }: OutgoingReaction,
  ): Promise<ReactionResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: [...target.path, 'messages'],
      headers: target.headers,
      // An empty emoji takes a reaction back.
      body: { ...addressOf(to), type: 'reaction', reaction: { message_id: messageId, emoji: emoji ?? '' } },
      isRepeatable: false,
    });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    return isSuccess(answer) ? { outcome: 'accepted' } : readSendRefusal(answer);
  }

  /** Nothing to scan: whether the token reaches the number. */
  connect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    return this.readState(endpoint);
  }

  async readState(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const target = targetOf(endpoint);
    if ('outcome' in target) return target;
    const answer = await this.http.call(endpoint, { method: 'GET', ...target, isRepeatable: true });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    if (!isSuccess(answer)) return readInstanceRefusal(answer);
    const isNumber = numberSchema.safeParse(answer.json).data?.id === endpoint.phoneNumberId;
    return isNumber ? { outcome: 'answered', status: 'CONNECTED' } : instanceWithoutState(answer);
  }

  /** Always refused. */
  async disconnect(): Promise<InstanceResult> {
    return permanent(
      'NOT_OFFERED',
      "The network keeps a number of the Cloud API connected. Take the number out of service in Meta's own tools.",
    );
  }
}

function targetOf({ phoneNumberId, apiVersion, token, instanceName }: GatewayEndpoint): Target | PermanentRefusal {
  if (phoneNumberId == null || !/^\d{1,32}$/.test(phoneNumberId)) return numberMissing(instanceName);
  if (apiVersion != null && !/^v\d{1,3}\.\d{1,2}$/.test(apiVersion)) return versionInvalid(instanceName);
  if (token === null) return tokenMissing(instanceName);
  const path = [apiVersion ?? defaultApiVersion, phoneNumberId];
  return { path, headers: { Authorization: `Bearer ${token}` } };
}

function numberMissing(instanceName: string): PermanentRefusal {
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
    ...addressOf(to),
    ...(replyTo === null ? {} : { context: { message_id: replyTo } }),
    ...contentOf(message),
  };
}

function addressOf(to: string): object {
  return { messaging_product: 'whatsapp', recipient_type: 'individual', to };
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

// The errors of Meta's Cloud API: which pass by themselves, which pause the whole instance, and which no repetition changes.
// A sentence says what to do about each.

const errorSchema = z.object({
  error: z.object({
    code: z.number().int(),
    message: z.string().catch(''),
    error_data: z.object({ details: z.string() }).optional().catch(undefined),
  }),
});

/** The whole instance sent too fast. */
const tooFastCodes: ReadonlySet<string> = new Set(['4', '80007', '130429', '131048']);

/** How long to wait at the least, in seconds; 0 where the usual waits do. */
const passing: ReadonlyMap<string, number> = new Map([
  ['1', 0],
  ['2', 0],
  ['4', 0],
  ['80007', 0],
  ['130429', 0],
  // One pair may exchange one message in 6 seconds.
  ['131056', 6],
  ['131057', 0],
  // Too many messages of the number were blocked or reported: sending on makes it worse.
  ['131048', 3_600],
]);

const lineIsOut: ReadonlyMap<string, string> = new Map([
  ['190', "Enter a new access token as the chat instance's token."],
  ['368', "Read in Meta's business support which policy the account has broken, and ask for a review."],
  ['131031', "Read in Meta's business support why the account is locked, and ask for a review."],
  ['131042', "Put the account's means of payment in order in Meta's billing hub."],
]);

const lasting: ReadonlyMap<string, string> = new Map([
  ['131026', "Check the lead's number; the lead may have to update the app or accept the network's terms."],
  ['131047', 'The lead last wrote more than 24 hours ago: send an approved template.'],
  ['131049', 'The network held the message back to spare the lead: wait a day or more before you send again.'],
  ['132000', 'Give the template as many values as it has variables.'],
  ['132001', 'Choose a template that is approved in this language.'],
  ['132012', 'Give each value of the template the format that its variable has.'],
]);

/** What a refused send means: by the code, and where that is unknown by the HTTP status. */
export function readSendRefusal(answer: GatewayAnswer): SendResult {
  const reason = readReason(answer);
  if (reason === undefined) return sendRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const leastSeconds = passing.get(code);
  if (leastSeconds !== undefined) {
    const retryAfterSeconds = Math.max(leastSeconds, answer.retryAfterSeconds ?? 0);
    const refusal = temporary({ ...answer, retryAfterSeconds: retryAfterSeconds || undefined }, reason);
    return tooFastCodes.has(code) ? { ...refusal, isInstanceBusy: true } : refusal;
  }
  const lineAdvice = lineIsOut.get(code);
  const { retryAfterSeconds } = answer;
  if (lineAdvice !== undefined)
    return { outcome: 'paused', code, detail: withAdvice(message, lineAdvice), retryAfterSeconds };
  const advice = lasting.get(code);
  if (advice !== undefined) return { outcome: 'permanent', code, detail: withAdvice(message, advice) };
  // An error of the network's own says that nothing was sent, whatever status it comes with.
  return answer.status >= 500 ? temporary(answer, reason) : sendRefusedByStatus(answer, reason);
}

/** What a refused read of the state means: an error where the number cannot be used. */
export function readInstanceRefusal(answer: GatewayAnswer): InstanceResult {
  const reason = readReason(answer);
  if (reason === undefined) return instanceRefusedByStatus(answer, reasonByStatus(answer));
  const { code, message } = reason;
  const advice = lineIsOut.get(code);
  if (advice !== undefined)
    return { outcome: 'answered', status: 'ERROR', lastError: `${code}: ${withAdvice(message, advice)}` };
  const passes = passing.has(code) || isNotDone(answer) || answer.status >= 500;
  return passes ? temporary(answer, reason) : refusedForGood(answer, reason);
}

/** The network's own error; undefined where the answer holds none, as one of a proxy. */
function readReason(answer: GatewayAnswer): StatedReason | undefined {
  const reported = errorSchema.safeParse(answer.json).data?.error;
  if (reported === undefined) return undefined;
  const words = reported.error_data?.details ?? reported.message;
  const message = words === '' ? reasonByStatus(answer).message : wordsOfGateway(answer, words);
  return { code: String(reported.code), message };
}
