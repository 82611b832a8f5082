// The provider `evolution`: Evolution API v2. It honours no keys, so a send whose answer was lost is looked up (sent-list.ts).
// answer.ts reads its answers.

import {
  captionOf,
  contentProblem,
  mediaKindOf,
  permanent,
  type ChatGateway,
  type FoundSend,
  type GatewayEndpoint,
  type InstanceResult,
  type LostSend,
  type MediaSource,
  type OutgoingMedia,
  type OutgoingMessage,
  type OutgoingReaction,
  type ReactionResult,
  type SendResult,
} from '../chat-gateway.js';
import {
  isConnectionClosed,
  isNameTaken,
  isNotConnected,
  readConnecting,
  readReason,
  readSent,
  readSendRefusal,
  readState,
} from './answer.js';
import { numberOfJid } from '../whatsapp/jid.js';
import { EvolutionHistory } from './history.js';
import { EvolutionCourtesies } from './courtesy.js';
import { EvolutionMedia } from './media.js';
import { SentList } from './sent-list.js';
import {
  acceptedWithoutId,
  isSuccess,
  instanceRefusedByStatus,
  instanceWithoutAnswer,
  sendWithoutAnswer,
} from '../answer.js';
import {
  GatewayHttp,
  type GatewayAnswer,
  type GatewayCall,
  type GatewayCallResult,
  type GatewayHttpOptions,
} from '../http.js';
import type { UrlMediaSource } from '../url-media-source.js';

export interface EvolutionGatewayOptions extends GatewayHttpOptions {
  /** Gives the form in which all writings of one number are equal: Evolution rewrites some numbers. */
  matchKeyOf: (digits: string) => string;
  /** Fetches files from plain addresses. Left out, files of messages are not fetched through the gateway. */
  files?: UrlMediaSource | undefined;
}

/** The longest silence of the gateway while it gets a file from the network. */
const fileSilenceLimitMs = 60_000;

type InstanceCall = Pick<GatewayCall, 'method' | 'path' | 'body'>;

const answered = (status: 'CONNECTED' | 'CONNECTING' | 'DISCONNECTED' | 'INACTIVE'): InstanceResult => ({
  outcome: 'answered',
  status,
});

const templateNotOffered = permanent(
  'TEMPLATE_NOT_OFFERED',
  'Evolution API sends no templates of the network. Send the message as text.',
);

export class EvolutionGateway implements ChatGateway {
  readonly honoursKeys = false;
  readonly media?: MediaSource;
  private readonly http: GatewayHttp;
  private readonly sentList: SentList;
  /** Evolution stores all messages unless it is configured not to (`DATABASE_SAVE_DATA_NEW_MESSAGE`). */
  readonly history: EvolutionHistory;
  readonly courtesies: EvolutionCourtesies;

  constructor(options: EvolutionGatewayOptions) {
    this.http = new GatewayHttp(options);
    const call = (endpoint: GatewayEndpoint, request: GatewayCall) => this.call(endpoint, request);
    this.sentList = new SentList({ call, matchKeyOf: options.matchKeyOf });
    this.history = new EvolutionHistory(call);
    this.courtesies = new EvolutionCourtesies(call);
    const open = (endpoint: GatewayEndpoint, request: GatewayCall) =>
      this.http.open(endpoint, withKey(endpoint, request), fileSilenceLimitMs);
    if (options.files !== undefined) this.media = new EvolutionMedia({ files: options.files, open });
  }

  async send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult> {
    const problem = message.template === undefined ? contentProblem(message) : templateNotOffered;
    if (problem !== undefined) return problem;
    const answer = await this.call(endpoint, {
      method: 'POST',
      path: ['message', routeOf(message), endpoint.instanceName],
      body: toBody(message),
      isRepeatable: false,
      signal,
    });
    return answer.outcome === 'answered' ? toSendResult(answer, message) : sendWithoutAnswer(answer);
  }

  async react(endpoint: GatewayEndpoint, { to, externalId, fromMe, emoji }: OutgoingReaction): Promise<ReactionResult> {
    const answer = await this.call(endpoint, {
      method: 'POST',
      path: ['message', 'sendReaction', endpoint.instanceName],
      // An empty text takes a reaction back.
      body: { key: { remoteJid: `${to}@s.whatsapp.net`, fromMe, id: externalId }, reaction: emoji ?? '' },
      isRepeatable: false,
    });
    if (answer.outcome !== 'answered') return sendWithoutAnswer(answer);
    return isSuccess(answer) ? { outcome: 'accepted' } : readSendRefusal(answer);
  }

  /** Looks the message up in Evolution's own list of sent messages. Evolution keeps it unless it is configured not to store messages. */
  findSent(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    lost: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend> {
    return this.sentList.find(endpoint, message, lost, signal);
  }

  /** Needs the gateway's global key as the instance's token: the key of one instance cannot create another. */
  async create(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    // No token is given, as webhooks would carry it: Evolution chooses one of its own.
    const body = { instanceName: endpoint.instanceName, integration: 'WHATSAPP-BAILEYS', qrcode: false };
    const answer = await this.callInstance(endpoint, { method: 'POST', path: ['instance', 'create'], body });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    return isSuccess(answer) || isNameTaken(answer) ? answered('DISCONNECTED') : refused(answer);
  }

  async connect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const first = await this.callConnect(endpoint);
    if (!isMissing(first)) return toConnecting(first);
    const created = await this.create(endpoint);
    return created.outcome === 'answered' ? toConnecting(await this.callConnect(endpoint)) : created;
  }

  async readState(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const path = ['instance', 'connectionState', endpoint.instanceName];
    const answer = await this.callInstance(endpoint, { method: 'GET', path });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    if (isMissing(answer)) {
      const lastError = `${answer.gateway} has no instance of this name: connecting creates it`;
      return { outcome: 'answered', status: 'DISCONNECTED', lastError };
    }
    return isSuccess(answer) ? readState(answer) : refused(answer);
  }

  async disconnect(endpoint: GatewayEndpoint): Promise<InstanceResult> {
    const path = ['instance', 'logout', endpoint.instanceName];
    const answer = await this.callInstance(endpoint, { method: 'DELETE', path });
    if (answer.outcome !== 'answered') return instanceWithoutAnswer(answer);
    const isOut = isSuccess(answer) || isMissing(answer) || isNotConnected(answer);
    return isOut ? answered('DISCONNECTED') : refused(answer);
  }

  private callConnect(endpoint: GatewayEndpoint): Promise<GatewayCallResult> {
    return this.callInstance(endpoint, { method: 'GET', path: ['instance', 'connect', endpoint.instanceName] });
  }

  private callInstance(endpoint: GatewayEndpoint, call: InstanceCall): Promise<GatewayCallResult> {
    return this.call(endpoint, { ...call, isRepeatable: true });
  }

  private call(endpoint: GatewayEndpoint, call: GatewayCall): Promise<GatewayCallResult> {
    return this.http.call(endpoint, withKey(endpoint, call));
  }
}

function withKey({ token }: GatewayEndpoint, call: GatewayCall): GatewayCall {
  return { ...call, ...(token === null ? {} : { headers: { apikey: token } }) };
}

function toBody(message: OutgoingMessage): object {
  const { to: number, media, text, replyTo } = message;
  const quoted = replyTo === null ? {} : { quoted: { key: { id: replyTo } } };
  return { number, ...(media === null ? { text } : mediaBody(message, media)), ...quoted };
}

function routeOf({ type, media }: OutgoingMessage): string {
  if (media === null) return 'sendText';
  return isVoiceNote(type, media) ? 'sendWhatsAppAudio' : 'sendMedia';
}

/** A voice note is Ogg or Opus, as people record it. Other sound is sent as a file. */
function isVoiceNote(type: string, media: OutgoingMedia): boolean {
  return mediaKindOf(type, media) === 'audio' && /^audio\/(?:ogg|opus)\s*(?:;|$)/i.test(media.mimeType ?? '');
}

function mediaBody(message: OutgoingMessage, media: OutgoingMedia): object {
  if (isVoiceNote(message.type, media)) return { audio: media.url };
  const caption = captionOf(message, media);
  return {
    mediatype: mediaKindOf(message.type, media),
    media: media.url,
    ...(media.mimeType == null ? {} : { mimetype: media.mimeType }),
    ...(media.fileName == null ? {} : { fileName: media.fileName }),
    ...(caption === undefined ? {} : { caption }),
  };
}

function toSendResult(answer: GatewayAnswer, { to }: OutgoingMessage): SendResult {
  if (!isSuccess(answer)) return readSendRefusal(answer);
  const sent = readSent(answer);
  if (sent === undefined) return acceptedWithoutId(answer, 'key.id');
  const chat = sent.jids.map(numberOfJid).find((number) => number !== undefined);
  return { outcome: 'accepted', externalId: sent.id, ...(chat === undefined || chat === to ? {} : { chat }) };
}

function toConnecting(result: GatewayCallResult): InstanceResult {
  if (result.outcome !== 'answered') return instanceWithoutAnswer(result);
  return isSuccess(result) ? readConnecting(result) : refused(result);
}

function refused(answer: GatewayAnswer): InstanceResult {
  const reason = readReason(answer);
  if (isConnectionClosed(answer)) return { outcome: 'temporary', code: reason.code, detail: reason.message };
  return instanceRefusedByStatus(answer, reason);
}

function isMissing(result: GatewayCallResult): boolean {
  return result.outcome === 'answered' && result.status === 404;
}
