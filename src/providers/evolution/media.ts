// Files of messages at Evolution API: from the address of its own copy where it keeps one, and otherwise out of the answer of
// `getBase64FromMediaMessage`.

import type { GatewayEndpoint, MediaSource } from '../chat-gateway.js';
import { readBase64File } from '../base64-answer.js';
import { readReason } from './answer.js';
import type { GatewayCall, GatewayCallResult, OpenedAnswer } from '../http.js';
import { isNotDone, withAdvice } from '../answer.js';
import { ofTwoWays, type FetchedMedia, type MediaReference } from '../media-source.js';
import type { UrlMediaSource } from '../url-media-source.js';

export interface EvolutionMediaOptions {
  files: UrlMediaSource;
  /** Calls the endpoint with its key. */
  open: (endpoint: GatewayEndpoint, call: GatewayCall) => Promise<OpenedAnswer | GatewayCallResult>;
}

// Files on these hosts can be read by the network's own apps only, or need Meta's token.
const closedHosts = /(?:^|\.)(?:whatsapp\.net|fbsbx\.com|fbcdn\.net)$/;

const unknownMessage = /\bmessage not found\b/i;

export class EvolutionMedia implements MediaSource {
  constructor(private readonly options: EvolutionMediaOptions) {}

  async open(endpoint: GatewayEndpoint, reference: MediaReference, signal: AbortSignal): Promise<FetchedMedia> {
    const { url, externalId } = reference;
    if (url !== null && isOpenAddress(url)) {
      const found = await this.options.files.open(url, signal);
      if (found.outcome === 'fetched' || externalId === null) return found;
      return ofTwoWays(found, await this.ask(endpoint, externalId, signal));
    }
    if (externalId === null) return { outcome: 'failed', detail: 'The gateway gave no address of the file.' };
    return this.ask(endpoint, externalId, signal);
  }

  private async ask(endpoint: GatewayEndpoint, id: string, signal: AbortSignal): Promise<FetchedMedia> {
    const answer = await this.options.open(endpoint, {
      method: 'POST',
      path: ['chat', 'getBase64FromMediaMessage', endpoint.instanceName],
      body: { message: { key: { id } }, convertToMp4: false },
      isRepeatable: true,
      signal,
    });
    if (answer.outcome === 'opened') return readFile(answer);
    if (answer.outcome === 'permanent') return { outcome: 'failed', detail: answer.detail };
    if (answer.outcome !== 'answered') return { outcome: 'temporary', detail: `${answer.detail}.` };
    const { message } = readReason(answer);
    const { status, retryAfterSeconds } = answer;
    // 400 is any failure, also a message that Evolution has not stored yet, or has no more.
    if (status === 400 || status >= 500 || isNotDone(answer))
      return {
        outcome: 'temporary',
        detail: withAdvice(message, 'Evolution could not give the file.'),
        retryAfterSeconds,
        isUnknown: unknownMessage.test(message ?? ''),
      };
    return { outcome: 'failed', detail: withAdvice(message, "Check the chat instance's token and instanceName.") };
  }
}

async function readFile({ body: answer }: OpenedAnswer): Promise<FetchedMedia> {
  const unreadable: FetchedMedia = { outcome: 'temporary', detail: 'The gateway answered without the file.' };
  const file = await readBase64File(answer).catch(() => undefined);
  if (file === undefined) {
    answer.destroy();
    return unreadable;
  }
  const { fields } = file;
  const chunks = file.body[Symbol.asyncIterator]();
  const end = () => {
    answer.destroy();
    return Promise.resolve({ done: true as const, value: undefined });
  };
  const { fileLength } = Object(fields.size) as { fileLength?: unknown };
  return {
    outcome: 'fetched',
    // Ends the answer also where nothing of it was read.
    body: { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: end }) },
    aboutBytes: sizeOf(fileLength),
    mimeType: textOf(fields.mimetype),
    fileName: textOf(fields.fileName),
  };
}

// The size is a number or digits as text. The two halves of a 64-bit number are not read: the limit on received bytes applies then.
function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 255 ? value : undefined;
}

function isOpenAddress(url: string): boolean {
  return URL.canParse(url) && !closedHosts.test(new URL(url).hostname);
}
