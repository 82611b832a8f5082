// The provider `waha`: WAHA. Its engines NOWEB and GOWS reserve message ids: a send whose answer was lost is looked up by its id and sent
// again under it. Other engines give ids when they send: then sent-list.ts looks the message up. answer.ts reads answers.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  numberNotOnNetwork,
  contentProblem,
  permanent,
  reactionNotOffered,
  type ChatGateway,
  type FoundNumber,
  type FoundSend,
  type GatewayEndpoint,
  type InstanceResult,
  type LostSend,
  type MediaSource,
  type OutgoingMessage,
  type OutgoingReaction,
  type ReactionResult,
  type ReservedId,
  type SendResult,
} from '../chat-gateway.js';
import {
  acceptedWithoutId,
  instanceWithoutAnswer,
  isNotDone,
  isSuccess,
  sendWithoutAnswer,
  temporary,
} from '../answer.js';
import {
  GatewayHttp,
  type GatewayAnswer,
  type GatewayCall,
  type GatewayCallResult,
  type GatewayHttpOptions,
} from '../http.js';
import {
  instanceRefused,
  isNotImplemented,
  isNumberUnknown,
  isSessionMissing,
  isSessionOut,
  readCheckedNumber,
  readFound,
  readPairingCode,
  readQr,
  readReason,
  readReservedId,
  readSendRefusal,
  readSent,
  readState,
  statusOf,
} from './answer.js';
import { WahaCourtesies } from './courtesy.js';
import { WahaHistory } from './history.js';
import { findWahaNumber } from './hidden-number.js';
import { WahaMedia } from './media.js';
import { chatIdOf, routeOf, toBody } from './outgoing-message.js';
import { WahaSentList } from './sent-list.js';
import type { UrlMediaSource } from '../url-media-source.js';

type SessionCall = Pick<GatewayCall, 'method' | 'path' | 'query' | 'body'>;

/** A code to type is shown again for this time: a new one would end it while it is typed. */
const pairingCodeShownMs = 60_000;
const maxPairingCodes = 1_000;
/** The most bytes of a message that is looked up, with what its engine knows of it. */
const maxFoundBytes = 1024 * 1024;

const templateNotOffered = permanent(
  'TEMPLATE_NOT_OFFERED',
  'WAHA sends no templates of the network. Send the message as text.',
);

interface WahaGatewayOptions extends GatewayHttpOptions {
  /** Fetches files from plain addresses. Left out, files of messages are not fetched through the gateway. */
  files?: UrlMediaSource | undefined;
}

export class WahaGateway implements ChatGateway {
  readonly honoursKeys = false;
  readonly media?: MediaSource;
  private readonly http: GatewayHttp;
  private readonly sentList: WahaSentList;
  readonly courtesies: WahaCourtesies;
  /** The messages that the engine keeps of all chats. */
  readonly history: WahaHistory;
  private readonly pairingCodes = new LRUCache<string, string>({ max: maxPairingCodes, ttl: pairingCodeShownMs });

  constructor(private readonly options: WahaGatewayOptions) {
    this.http = new GatewayHttp(options);
    if (options.files !== undefined) this.media = new WahaMedia({ files: options.files, http: this.http });
    this.sentList = new WahaSentList((endpoint, call) => this.call(endpoint, call));
    this.courtesies = new WahaCourtesies((endpoint, call) => this.call(endpoint, call));
    this.history = new WahaHistory((endpoint, call) => this.call(endpoint, call));
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const problem = message.template === undefined ? contentProblem(message) : templateNotOffered;
    if (problem !== undefined) return problem;
    const limit = AbortSignal.timeout(this.options.timeoutMs);
    const first = await this.post(endpoint, message, message.to, signal);
    if (first.outcome !== 'answered') return sendWithoutAnswer(first);
    if (isSuccess(first) || !isNumberUnknown(first)) return toSendResult(first, message);
    // The network may know the number in another writing, as Brazil's without the ninth digit. All calls together take no longer than one
    // call may.
    const chat = await this.findChat(endpoint, message.to, AbortSignal.any([signal, limit]));
    if (chat === null) return numberNotOnNetwork;
    if (chat === undefined || chat === message.to) return temporary(first, readReason(first));
    const second = await this.post(endpoint, message, chat, AbortSignal.any([signal, limit]));
    if (second.outcome !== 'answered') return sendWithoutAnswer(second);
    const result = toSendResult(second, message);
    return result.outcome === 'accepted' ? { chat, ...result } : result;
  }

  async reserveId(endpoint: GatewayEndpoint, signal: AbortSignal): Promise<ReservedId> {
    const answer = await this.call(endpoint, {
      method: 'GET',
      path: ['api', endpoint.instanceName, 'new-message-id'],
      isRepeatable: true,
      signal,
    });
    if (answer.outcome === 'permanent') return answer;
    if (answer.outcome !== 'answered') return { ...answer, outcome: 'temporary' };
    if (isSuccess(answer)) {
      const id = readReservedId(answer);
      return id === undefined ? temporary(answer, noReservedId(answer)) : { outcome: 'reserved', id };
    }
    const isPassing = isNotDone(answer) || isSessionOut(answer) || answer.status === 401;
    const isUnknownCall = !isPassing && answer.status >= 400 && answer.status < 500;
    if (isUnknownCall || isNotImplemented(answer)) return { outcome: 'notOffered' };
    const refusal = readSendRefusal(answer);
    return refusal.outcome === 'unknown' ? { ...refusal, outcome: 'temporary' } : refusal;
  }

  findSent(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    lost: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend> {
    const { reservedId } = message;
    return reservedId === undefined
      ? this.sentList.find(endpoint, message, lost, signal)
      : this.findById(endpoint, reservedId, signal);
  }

  async react(endpoint: GatewayEndpoint, { to, externalId, fromMe, emoji }: OutgoingReaction): Promise<ReactionResult> {
    const answer = await this.call(endpoint, {
      method: 'PUT',
      path: ['api', 'reaction'],
      body: {
        session: endpoint.instanceName,
        messageId: `${fromMe}_${chatIdOf(to)}_${externalId}`,
        // An empty text takes a reaction back.
        reaction: emoji ?? '',
      },
      isRepeatable: true,
    });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    if (isSuccess(answer)) return { outcome: 'accepted' };
    return isNotImplemented(answer) ? reactionNotOffered : readSendRefusal(answer);
  }

  findNumber(endpoint: GatewayEndpoint, hiddenId: string, signal: AbortSignal): Promise<FoundNumber> {
    return findWahaNumber(this.http, endpoint, hiddenId, signal);
  }

  /** Creates the session without starting it: starting makes it wait for its code. */
  async create(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const body = { name: endpoint.instanceName, start: false };
    const answer = await this.callSession(endpoint, { method: 'POST', path: ['api', 'sessions'], body });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    const isThere = answer.status === 422 && /already exists/i.test(readReason(answer).message);
    return isSuccess(answer) || isThere ? { outcome: 'answered', status: 'DISCONNECTED' } : instanceRefused(answer);
  }

  async connect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const state = await this.callState(endpoint);
    if (state.outcome !== 'answered') return instanceWithoutAnswer(state);
    if (isSessionMissing(state)) {
      const created = await this.create(endpoint);
      if (created.outcome !== 'answered') return created;
    } else if (!isSuccess(state)) return instanceRefused(state);
    const status = isSuccess(state) ? statusOf(state) : 'STOPPED';
    if (status === 'WORKING') return readState(state);
    const action = status === 'FAILED' ? 'restart' : status === 'STOPPED' ? 'start' : undefined;
    if (action !== undefined) {
      const started = await this.act(endpoint, action);
      if (started.outcome !== 'answered') return instanceWithoutAnswer(started);
      if (!isSuccess(started)) return instanceRefused(started);
    }
    return this.readCodes(endpoint);
  }

  async readState(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const answer = await this.callState(endpoint);
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    if (isSessionMissing(answer)) {
      const lastError = `${answer.gateway} has no session of this name: connecting creates it`;
      return { outcome: 'answered', status: 'DISCONNECTED', lastError };
    }
    return isSuccess(answer) ? readState(answer) : instanceRefused(answer);
  }

  /** Signs the session out, and stops it: WAHA would start it again to wait for a new code. */
  async disconnect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    for (const action of ['logout', 'stop']) {
      const answer = await this.act(endpoint, action);
      if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
      if (isSessionMissing(answer)) break;
      if (!isSuccess(answer)) return instanceRefused(answer);
    }
    return { outcome: 'answered', status: 'DISCONNECTED' };
  }

  private post(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    to: string,
    signal: AbortSignal,
  ): Promise<GatewayCallResult> {
    return this.call(endpoint, {
      method: 'POST',
      path: ['api', routeOf(message)],
      body: toBody(endpoint.instanceName, message, to),
      isRepeatable: message.reservedId !== undefined,
      signal,
    });
  }

  /** @returns null where the network knows no such number; undefined where that is not known */
  private async findChat(
    endpoint: GatewayEndpoint,
    phone: string,
    signal: AbortSignal,
  ): Promise<string | null | undefined> {
    const answer = await this.call(endpoint, {
      method: 'GET',
      path: ['api', 'contacts', 'check-exists'],
      query: { phone, session: endpoint.instanceName },
      isRepeatable: true,
      signal,
    });
    return answer.outcome === 'answered' && isSuccess(answer) ? readCheckedNumber(answer) : undefined;
  }

  private async findById(endpoint: GatewayEndpoint, id: string, signal: AbortSignal): Promise<FoundSend> {
    const answer = await this.call(endpoint, {
      method: 'GET',
      path: ['api', endpoint.instanceName, 'chats', 'all', 'messages', id],
      query: { downloadMedia: 'false' },
      maxAnswerBytes: maxFoundBytes,
      isRepeatable: true,
      signal,
    });
    if (answer.outcome === 'permanent') return { outcome: 'unknown', detail: answer.detail };
    if (answer.outcome !== 'answered') return { outcome: 'unavailable', detail: answer.detail };
    if (isSuccess(answer)) return readFound(answer, id);
    const refusal = readSendRefusal(answer);
    if (refusal.outcome === 'paused') return refusal;
    if (isNotDone(answer)) return { outcome: 'unavailable', detail: refusal.detail };
    // Without a store of messages, NOWEB finds none: then it is not clear, and neither is an error of the engine's.
    return answer.status === 404 ? { outcome: 'absent' } : { outcome: 'unknown', detail: refusal.detail };
  }

  private callState(endpoint: GatewayEndpoint): Promise<GatewayCallResult> {
    return this.callSession(endpoint, { method: 'GET', path: ['api', 'sessions', endpoint.instanceName] });
  }

  private act(endpoint: GatewayEndpoint, action: string): Promise<GatewayCallResult> {
    return this.callSession(endpoint, { method: 'POST', path: ['api', 'sessions', endpoint.instanceName, action] });
  }

  /** The codes of a session that was started. WAHA holds the answer back for some seconds, until there is one. */
  private async readCodes(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const path = ['api', endpoint.instanceName, 'auth', 'qr'];
    const answer = await this.callSession(endpoint, { method: 'GET', path, query: { format: 'raw' } });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    const qr = isSuccess(answer) ? readQr(answer) : undefined;
    // The session is connected without a code, or not yet ready to give one.
    if (qr === undefined) return this.readState(endpoint);
    const pairingCode = await this.findPairingCode(endpoint);
    return { outcome: 'answered', status: 'CONNECTING', qr, ...(pairingCode === undefined ? {} : { pairingCode }) };
  }

  /** @returns undefined where the number is not known, or WAHA gives none now: there is a code to scan */
  private async findPairingCode(endpoint: GatewayEndpoint): Promise<string | undefined> {
    const { phoneNumber, instanceName } = endpoint;
    if (phoneNumber == null) return undefined;
    const key = sessionKeyOf(endpoint);
    const shown = this.pairingCodes.get(key);
    if (shown !== undefined) return shown;
    const path = ['api', instanceName, 'auth', 'request-code'];
    const answer = await this.callSession(endpoint, { method: 'POST', path, body: { phoneNumber } });
    const code = answer.outcome === 'answered' && isSuccess(answer) ? readPairingCode(answer) : undefined;
    if (code !== undefined) this.pairingCodes.set(key, code);
    return code;
  }

  private callSession(endpoint: GatewayEndpoint, call: SessionCall): Promise<GatewayCallResult> {
    return this.call(endpoint, { ...call, isRepeatable: true });
  }

  private call(endpoint: GatewayEndpoint, call: GatewayCall): Promise<GatewayCallResult> {
    const { token } = endpoint;
    return this.http.call(endpoint, { ...call, ...(token === null ? {} : { headers: { 'X-Api-Key': token } }) });
  }
}

function toSendResult(answer: GatewayAnswer, { to }: OutgoingMessage): SendResult {
  if (!isSuccess(answer)) return readSendRefusal(answer);
  const sent = readSent(answer);
  if (sent === undefined) return acceptedWithoutId(answer, 'id');
  const { id, chat } = sent;
  return { outcome: 'accepted', externalId: id, ...(chat === undefined || chat === to ? {} : { chat }) };
}

function noReservedId({ gateway }: GatewayAnswer) {
  return { code: 'GATEWAY_ANSWER_INVALID', message: `${gateway} reserved no message id that can be used` };
}

/** The key of a session's pairing code. It covers the token, so that no caller gets another's code. */
function sessionKeyOf({ baseUrl, instanceName, token, phoneNumber }: GatewayEndpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, instanceName, token, phoneNumber]))
    .digest('base64');
}
