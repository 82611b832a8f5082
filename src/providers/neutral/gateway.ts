// The default provider `gateway`: the protocol of contract section 4, and reactions. It honours idempotency keys.

import { z } from 'zod';
import { externalId } from '../../platform/input/input.js';
import { ChatInstanceStatus } from '../../platform/prisma/enums.js';
import {
  pairingCode,
  permanent,
  qr,
  reactionNotOffered,
  type ChatGateway,
  type GatewayEndpoint,
  type InstanceResult,
  type OutgoingMessage,
  type OutgoingReaction,
  type ReactionResult,
  type SendResult,
} from '../chat-gateway.js';
import {
  acceptedWithoutId,
  isNotDone,
  isSuccess,
  instanceRefusedByStatus,
  instanceWithoutAnswer,
  instanceWithoutState,
  reasonByStatus,
  refusedForGood,
  sendLater,
  sendWithoutAnswer,
  wordsOfGateway,
  type StatedReason,
} from '../answer.js';
import { GatewayHttp, type GatewayAnswer, type GatewayHttpOptions } from '../http.js';

const maxCodeLength = 64;

const acceptedSchema = z.object({ messageId: externalId });
const errorSchema = z.object({
  error: z.object({ code: z.union([z.string(), z.number()]).transform(String), message: z.string() }),
});
const stateSchema = z.object({
  status: z.enum(ChatInstanceStatus),
  lastError: z.string().nullish().catch(undefined),
  number: z
    .string()
    .regex(/^\+?\d{7,15}$/)
    .transform((number) => number.replace('+', ''))
    .nullish()
    .catch(undefined),
  qr: qr.nullish().catch(undefined),
  pairingCode: pairingCode.nullish().catch(undefined),
});

type LineCall = { method: 'GET' | 'POST'; action: string[] };

export class NeutralGateway implements ChatGateway {
  readonly honoursKeys = true;
  private readonly http: GatewayHttp;

  constructor(options: GatewayHttpOptions) {
    this.http = new GatewayHttp(options);
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    if (message.template !== undefined) return templateNotOffered;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: ['messages'],
      headers: { ...authorizationOf(endpoint), 'Idempotency-Key': message.idempotencyKey },
      body: toBody(endpoint, message),
      isRepeatable: true,
      signal,
    });
    return answer.outcome === 'answered' ? toSendResult(answer) : sendWithoutAnswer(answer);
  }

  async react(endpoint: GatewayEndpoint, reaction: OutgoingReaction): Promise<ReactionResult> {
    const { to, externalId: messageId, fromMe, emoji } = reaction;
    const answer = await this.http.call(endpoint, {
      method: 'POST',
      path: ['reactions'],
      headers: authorizationOf(endpoint),
      body: { instance: endpoint.instanceName, to, messageId, fromMe, emoji },
      isRepeatable: true,
    });
    return answer.outcome === 'answered' ? toReactionResult(answer) : sendWithoutAnswer(answer);
  }

  connect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    return this.callLine(endpoint, { method: 'POST', action: ['connect'] });
  }

  readState(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    return this.callLine(endpoint, { method: 'GET', action: [] });
  }

  disconnect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    return this.callLine(endpoint, { method: 'POST', action: ['disconnect'] });
  }

  private async callLine(endpoint: GatewayEndpoint, { method, action }: LineCall): Promise<InstanceResult> {
    const answer = await this.http.call(endpoint, {
      method,
      path: ['instances', endpoint.instanceName, ...action],
      headers: authorizationOf(endpoint),
      isRepeatable: true,
    });
    return answer.outcome === 'answered' ? toLineResult(answer) : instanceWithoutAnswer(answer);
  }
}

const templateNotOffered = permanent(
  'TEMPLATE_NOT_OFFERED',
  'This gateway knows no templates of the network. Send the message as text.',
);

function authorizationOf({ token }: GatewayEndpoint): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` };
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

function toSendResult(answer: GatewayAnswer): SendResult {
  if (isSuccess(answer)) {
    const accepted = acceptedSchema.safeParse(answer.json);
    // An answer without the id is no result yet: asking again under the same key gives the same answer with it.
    return accepted.success
      ? { outcome: 'accepted', externalId: accepted.data.messageId }
      : acceptedWithoutId(answer, 'messageId');
  }
  const reason = readReason(answer);
  return isNotDone(answer) || answer.status >= 500 ? sendLater(answer, reason) : refusedForGood(answer, reason);
}

// A gateway of the first version has no such path; one that knows it names what it refuses.
function toReactionResult(answer: GatewayAnswer): ReactionResult {
  if (isSuccess(answer)) return { outcome: 'accepted' };
  const isUnnamed = !errorSchema.safeParse(answer.json).success;
  if (answer.status === 501 || (isUnnamed && (answer.status === 404 || answer.status === 405)))
    return reactionNotOffered;
  const reason = readReason(answer);
  return isNotDone(answer) || answer.status >= 500 ? sendLater(answer, reason) : refusedForGood(answer, reason);
}

function toLineResult(answer: GatewayAnswer): InstanceResult {
  if (!isSuccess(answer)) return instanceRefusedByStatus(answer, readReason(answer));
  const state = stateSchema.safeParse(answer.json);
  if (!state.success) return instanceWithoutState(answer);
  const { status, lastError, number, qr: picture, pairingCode: code } = state.data;
  return {
    outcome: 'answered',
    status,
    ...(lastError == null ? {} : { lastError: answer.quote(lastError) }),
    ...(number == null ? {} : { number }),
    ...(picture == null ? {} : { qr: picture }),
    ...(code == null ? {} : { pairingCode: code }),
  };
}

function readReason(answer: GatewayAnswer): StatedReason {
  const reported = errorSchema.safeParse(answer.json).data?.error;
  if (reported === undefined) return reasonByStatus(answer);
  return { code: answer.quote(reported.code, maxCodeLength), message: wordsOfGateway(answer, reported.message) };
}
