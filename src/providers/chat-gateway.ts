// The interface of every chat gateway, whatever protocol it speaks. Drivers implement it; messages are sent and chat instances are
// connected through it.

import { text as boundedText } from '../platform/input/input.js';
import type { ChatInstanceStatus } from '../platform/prisma/enums.js';
import type { FetchedMedia, MediaReference } from './media-source.js';

/** A gateway's address, and the instance and credentials that we use there. */
export interface GatewayEndpoint {
  baseUrl: string;
  token: string | null;
  instanceName: string;
  /** The Cloud API's id of the instance's number, from the instance's `metadata.phoneNumberId`. */
  phoneNumberId?: string | null | undefined;
  /** The Cloud API's id of the business account, from the instance's `metadata.wabaId`. */
  wabaId?: string | null | undefined;
  /** The number to pair with a code, from the instance's `metadata.phoneNumber`: digits with country code. */
  phoneNumber?: string | null | undefined;
  /** The Cloud API's version, from the instance's `metadata.apiVersion`; the driver's own where there is none. */
  apiVersion?: string | null | undefined;
  /** True if it is the gateway that the service is configured with: its address is not shown to tenants. */
  isConfigured?: boolean | undefined;
  /** The subject of sentences about the endpoint, where it is not an instance's gateway. */
  calledAs?: string | undefined;
}

/** A file that the gateway fetches by itself, or has been given. */
export interface OutgoingMedia {
  /** Null where the gateway has it by its id. */
  url: string | null;
  /** The file's id from `uploadFile`. */
  id?: string | undefined;
  mimeType?: string | null | undefined;
  fileName?: string | null | undefined;
  caption?: string | null | undefined;
}

/** A file whose bytes are handed over ahead of the message. */
export interface OutgoingFile {
  mimeType: string;
  fileName: string | null;
  /** The size in bytes. */
  size: number;
  /** The hash in hexadecimal. */
  sha256: string;
  /** Its bytes, which are opened when the first is asked for. Throws where they cannot be read. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** A template that the network itself has approved; the product's own are rendered to text before they come here. */
export interface NetworkTemplate {
  name: string;
  /** The network's code of the language, such as `pt_BR`. */
  language: string;
  /** The components in the network's own shape. */
  components?: readonly object[] | undefined;
}

export interface OutgoingMessage {
  /** Our message id; a gateway that honours keys delivers the same id once, however often it is sent. */
  idempotencyKey: string;
  /** Digits with country code. */
  to: string;
  /** `text`, `image`, `video`, `audio` or `document`. */
  type: string;
  text: string | null;
  media: OutgoingMedia | null;
  /** The provider's id that was reserved for it, under which it is sent: sent twice, it arrives once. */
  reservedId?: string | undefined;
  /** The provider's id of the message that is answered. */
  replyTo: string | null;
  /** Takes the place of text and media. Drivers whose network has no templates refuse it permanently. */
  template?: NetworkTemplate | undefined;
}

/** A refusal that no repetition changes. `detail` ends with a sentence on what to do. */
export interface PermanentRefusal {
  outcome: 'permanent';
  code: string;
  detail: string;
}

/**
 * A refusal that passes: the message was certainly not sent. It may be sent again, not sooner than `retryAfterSeconds` where that is given.
 */
export interface TemporaryRefusal {
  outcome: 'temporary';
  code: string;
  detail: string;
  retryAfterSeconds?: number | undefined;
  /** The instance sends too fast: all its messages have to wait, not this one alone. */
  isInstanceBusy?: true;
}

/**
 * - `accepted`: the gateway has it, under this id. `chat`: the number under which the network took it, where that differs
 *   from `to`.
 * - `temporary`: certainly not sent; sending it again is safe.
 * - `unknown`: it may have been sent. Safe to send again only where the gateway honours keys, or under a reserved id.
 * - `permanent`: not sent, and sending it again cannot help.
 * - `paused`: not sent, because the instance is disconnected: nothing of it can be sent now.
 */
export type SendResult =
  | { outcome: 'accepted'; externalId: string; chat?: string | undefined }
  | TemporaryRefusal
  | { outcome: 'unknown'; code: string; detail: string }
  | PermanentRefusal
  | { outcome: 'paused'; code: string; detail: string; retryAfterSeconds?: number | undefined };

/**
 * - `reserved`: the network will know the message by this id.
 * - `notOffered`: messages of this instance get their ids when they are sent.
 * - any other outcome: as for a send. Nothing was sent.
 */
export type ReservedId =
  | { outcome: 'reserved'; id: string }
  | { outcome: 'notOffered' }
  | Extract<SendResult, { outcome: 'temporary' | 'permanent' | 'paused' }>;

/** `uploaded`: messages of this instance may name the file by its id. Otherwise nothing was sent. */
export type FileUpload =
  { outcome: 'uploaded'; id: string } | Extract<SendResult, { outcome: 'temporary' | 'permanent' | 'paused' }>;

/** Our reaction to a message that the network knows. */
export interface OutgoingReaction {
  /** Digits with country code: the lead's. */
  to: string;
  /** The provider's id of the message. */
  externalId: string;
  /** True if the message is ours. */
  fromMe: boolean;
  /** Null takes the reaction back. */
  emoji: string | null;
}

/**
 * - `accepted`: the network shows it.
 * - `permanent`: refused, or this gateway does not offer it (`NOT_OFFERED`).
 * - any other outcome: as for a send. Reacting twice is harmless, so `unknown` may be retried.
 */
export type ReactionResult = { outcome: 'accepted' } | Exclude<SendResult, { outcome: 'accepted' }>;

/** A lead's chat with an instance. */
export interface LeadChat {
  /** Digits with country code; null while the number is hidden. */
  chat: string | null;
  /** The provider's id of the lead's newest message that this is about. */
  externalId: string;
}

/** `accepted`: the network was told. Any other outcome is as for a reaction; telling it twice is harmless. */
export type NoticeResult = ReactionResult;

/**
 * - `found`: the number is on the channel. `number`: as the network writes it, where the gateway says so.
 * - `absent`: it is not.
 * - `unknown`: the gateway did not say.
 */
export type NumberLookUp =
  { outcome: 'found'; number?: string | undefined } | { outcome: 'absent' } | { outcome: 'unknown'; detail: string };

/**
 * The result of looking up a send whose answer was lost.
 * - `absent`: the gateway lists what it sent, and the message is not in the list.
 * - `unknown`: the gateway's answer is not clear.
 * - `unavailable`: the gateway could not be asked now.
 * - `paused`: it cannot be asked before its instance is connected; for messages with a reserved id only.
 */
export type FoundSend =
  | { outcome: 'sent'; externalId: string }
  | { outcome: 'absent' }
  | Extract<SendResult, { outcome: 'paused' }>
  | { outcome: 'unknown' | 'unavailable'; detail: string };

/** A send whose answer was lost. */
export interface LostSend {
  /** The time of the first hand-over, or an earlier one, by our clock. */
  since: Date;
  /** Returns the provider ids that belong to other messages of the instance. */
  listOthers: (externalIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * - `answered`: the instance's state now. `qr`: a picture to scan as a data URL, or the text to draw as one; `pairingCode`: the code to
 *   type in its place.
 * - `temporary`: the gateway could not be asked or could not answer.
 * - `permanent`: it refused, or this network does not offer it (`NOT_OFFERED`).
 */
export type InstanceResult =
  | {
      outcome: 'answered';
      status: ChatInstanceStatus;
      lastError?: string | undefined;
      /** The line's own number, where the gateway names it: digits with country code. */
      number?: string | undefined;
      qr?: string | undefined;
      pairingCode?: string | undefined;
    }
  | TemporaryRefusal
  | PermanentRefusal;

/**
 * The number behind a hidden one. `unknown`: the gateway does not know it, and may learn it later. `digits`: 7 to 15, with country code.
 */
export type FoundNumber =
  { outcome: 'found'; digits: string } | { outcome: 'unknown' } | TemporaryRefusal | PermanentRefusal;

/** Fetches the files of messages from a network that gives no plain address. */
export interface MediaSource {
  /**
   * Resolves when the bytes begin to come; never rejects. A failure while they come is thrown by `body`.
   * @param endpoint where the message came from
   * @param signal ends the fetch, also while bytes come
   */
  open(endpoint: GatewayEndpoint, reference: MediaReference, signal: AbortSignal): Promise<FetchedMedia>;
}

/** A template that the network keeps, as it describes it. */
export interface NetworkTemplateRecord {
  /** The network's id; null where it gave none that can be kept. */
  externalId: string | null;
  name: string;
  language: string;
  category: string | null;
  status: string;
  /** JSON of bounded size. */
  components: readonly object[];
}

/** `answered`: each name and language once, in the network's order. Any other outcome is as for InstanceResult. */
export type TemplateListResult =
  { outcome: 'answered'; templates: NetworkTemplateRecord[] } | TemporaryRefusal | PermanentRefusal;

/** A message as a gateway's history has it. */
export interface HistoryRecord {
  /** The gateway's id of the record; null where it has no id that can be read. */
  id: string | null;
  /** The time at which it was written, by the provider's clock; null where that cannot be read. */
  writtenAt: Date | null;
  /** The record as the gateway gave it. Its dialect reads it. */
  raw: unknown;
}

/** A span of time in whole seconds. Both ends are part of it. */
export interface HistorySpan {
  from: Date;
  to: Date;
}

/** `answered`: all records of the span, each once, the oldest first. `tooMany`: more than were asked for; ask for a shorter span. */
export type HistoryResult =
  { outcome: 'answered'; records: HistoryRecord[] } | { outcome: 'tooMany' } | TemporaryRefusal | PermanentRefusal;

/** The calls beside messages. */
export interface Courtesies {
  /** Tells the lead that its messages up to this one were read. */
  markRead(endpoint: GatewayEndpoint, chat: LeadChat, signal: AbortSignal): Promise<NoticeResult>;

  /** Shows the lead for a few seconds that somebody is typing, or that nobody is any more. */
  showTyping(endpoint: GatewayEndpoint, chat: LeadChat, isTyping: boolean, signal: AbortSignal): Promise<NoticeResult>;

  /** Asks whether a number is on the channel, sending nothing to it. */
  lookUpNumber?(endpoint: GatewayEndpoint, number: string, signal: AbortSignal): Promise<NumberLookUp>;
}

export interface GatewayHistory {
  /**
   * Reads what was written in a span, by both sides, changing nothing.
   * @param maxRecords more than these are not read
   */
  read(endpoint: GatewayEndpoint, span: HistorySpan, maxRecords: number, signal: AbortSignal): Promise<HistoryResult>;
}

/** Never throws: whatever happens on the network is one of the results. No result quotes the token. */
export interface ChatGateway {
  /** True if a message that is sent again under its key arrives once. */
  readonly honoursKeys: boolean;
  /** The base URL of instances without an address of their own; the service's configured gateway where it is absent. */
  readonly defaultBaseUrl?: string;
  /** True if showing that somebody is typing also tells the lead that its messages were read. */
  readonly typingMarksRead?: boolean;
  /** Fetches the files of its messages; without it, they are fetched from the reported address. */
  readonly media?: MediaSource;
  /** Read receipts, typing and the look-up of numbers, where the gateway offers them. */
  readonly courtesies?: Courtesies;
  /** The messages that the gateway keeps. A gateway without it keeps none. */
  readonly history?: GatewayHistory;
  /** Types of files that the network takes, by kind; all types of a kind that is not named. `audio/ogg; codecs=opus`: only Opus. */
  readonly fileTypes?: Readonly<Partial<Record<MediaKind, readonly string[]>>>;

  send(endpoint: GatewayEndpoint, message: OutgoingMessage, signal: AbortSignal): Promise<SendResult>;

  /**
   * Reserves the id that the network will know a message by. It has to be kept before the message is handed over under it. An id that is
   * never used does no harm.
   */
  reserveId?(endpoint: GatewayEndpoint, signal: AbortSignal): Promise<ReservedId>;

  /**
   * Hands a file over ahead of its message, where the gateway cannot fetch it. Safe to repeat.
   * @param signal ends the upload
   */
  uploadFile?(endpoint: GatewayEndpoint, file: OutgoingFile, signal: AbortSignal): Promise<FileUpload>;

  /** Sets or takes back our reaction to a message. Safe to repeat. */
  react?(endpoint: GatewayEndpoint, reaction: OutgoingReaction): Promise<ReactionResult>;

  /**
   * Looks for a message whose answer was lost. A gateway may still be at work on it: ask only when it must have ended. Throws
   * only what `listOthers` throws.
   */
  findSent?(
    endpoint: GatewayEndpoint,
    message: OutgoingMessage,
    lost: LostSend,
    signal: AbortSignal,
  ): Promise<FoundSend>;

  /** Asks for the number of a person of whom the network shows only an id (LID), given without its domain. Changes nothing. */
  findNumber?(endpoint: GatewayEndpoint, hiddenId: string, signal: AbortSignal): Promise<FoundNumber>;

  /** Creates the instance at the gateway, not yet connected. Safe to repeat. */
  create?(endpoint: GatewayEndpoint): Promise<InstanceResult>;

  /** Starts to connect, creating the instance where the gateway has none. Safe to repeat: gives the current code to scan. */
  connect?(endpoint: GatewayEndpoint): Promise<InstanceResult>;

  /** Reads the instance's state, changing nothing. */
  readState?(endpoint: GatewayEndpoint): Promise<InstanceResult>;

  /** Reads the templates that the network keeps for the instance. A gateway without it sends none. */
  listTemplates?(endpoint: GatewayEndpoint, signal: AbortSignal): Promise<TemplateListResult>;

  /** Ends the instance's session: connecting again needs a new code. Safe to repeat. */
  disconnect?(endpoint: GatewayEndpoint): Promise<InstanceResult>;
}

/** The gateway has no reactions. */
export const reactionNotOffered: PermanentRefusal = permanent(
  'NOT_OFFERED',
  'The gateway of this chat instance does not offer reactions. React on the phone.',
);

/** The code of a message whose number the network does not know. */
export const numberNotOnNetworkCode = 'NUMBER_NOT_ON_NETWORK';

export const numberNotOnNetwork: PermanentRefusal = permanent(
  numberNotOnNetworkCode,
  "The network does not know this number. Correct the lead's number, or reach the lead another way.",
);

/** The subject of a sentence about this gateway: which instance and which host it means, without path and credentials. */
export function gatewayNameOf({ instanceName, baseUrl, isConfigured, calledAs }: GatewayEndpoint): string {
  if (calledAs !== undefined) return calledAs;
  const host = isConfigured === true || !URL.canParse(baseUrl) ? "the service's own" : new URL(baseUrl).host;
  return `The gateway of the instance "${instanceName}" (${host})`;
}

/** Builds a permanent refusal. @param detail ends with a sentence on what to do */
export function permanent(code: string, detail: string): PermanentRefusal {
  return { outcome: 'permanent', code, detail };
}

export type MediaKind = 'image' | 'video' | 'audio' | 'document';

const mediaKinds: ReadonlySet<string> = new Set<MediaKind>(['image', 'video', 'audio', 'document']);

/** The file has gone from the store since the message was written. */
export const fileGone = permanent(
  'FILE_GONE',
  'The file of the message is not kept any more. Send it in a new message.',
);

/** The network has no place for a text beside this file. */
const captionRefused: PermanentRefusal = permanent(
  'CAPTION_NOT_OFFERED',
  'The network carries no text with an audio file. Send the text as a message of its own.',
);

const contentMissing: PermanentRefusal = permanent(
  'CONTENT_MISSING',
  'The message has neither text nor media. Send one that has.',
);

/** The kind as which the network treats the file: by the message's type, or else by the file's MIME type. */
export function mediaKindOf(type: string, { mimeType }: OutgoingMedia): MediaKind {
  const named = [type, mimeType?.split('/')[0] ?? ''].find(isMediaKind);
  return named ?? 'document';
}

/** The words that go along with a file; undefined where there are none. Caption and text, if they differ, are joined. */
export function captionOf({ text }: OutgoingMessage, { caption }: OutgoingMedia): string | undefined {
  const words = [...new Set([caption, text])].filter((part) => part != null && part !== '');
  return words.length === 0 ? undefined : words.join('\n\n');
}

/** Finds the reason why the network cannot carry the message at all; undefined where it can. */
export function contentProblem(message: OutgoingMessage): PermanentRefusal | undefined {
  const { media, text, type } = message;
  if (media === null) return text === null ? contentMissing : undefined;
  return mediaKindOf(type, media) === 'audio' && captionOf(message, media) !== undefined ? captionRefused : undefined;
}

function isMediaKind(value: string): value is MediaKind {
  return mediaKinds.has(value);
}

const maxQrLength = 48 * 1024;
const maxPairingCodeLength = 64;

/** A picture as a data URL, or the text to draw as a QR code. */
export const qr = boundedText(maxQrLength);

export const pairingCode = boundedText(maxPairingCodeLength);
