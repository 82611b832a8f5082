// Fetches files of messages from WAHA: from the address that its webhook call gave, or else by the message. WAHA then downloads the file
// again, as it keeps files for minutes only. The key goes to the instance's own address only.

import { z } from 'zod';
import type { GatewayEndpoint, MediaSource } from '../chat-gateway.js';
import { isNotDone, reasonByStatus, withAdvice, wordsOfGateway } from '../answer.js';
import type { GatewayAnswer, GatewayCallResult, GatewayHttp, OpenedAnswer } from '../http.js';
import { ofTwoWays, type FetchedMedia, type MediaReference } from '../media-source.js';
import type { UrlMediaSource } from '../url-media-source.js';
import { parseWahaMessageId } from './message-id.js';

export interface WahaMediaOptions {
  /** Fetches files from a store beside WAHA. */
  files: UrlMediaSource;
  http: Pick<GatewayHttp, 'call' | 'open'>;
}

/** The time limit of WAHA's download of a file from the network. */
const downloadTimeoutMs = 120_000;
/** The longest silence of WAHA while it gives out a file that it has. */
const fileSilenceLimitMs = 30_000;
/** The most bytes of a message with all that its engine knows of it, a small picture included. */
const maxMessageBytes = 1024 * 1024;
// WAHA writes the address by which it knows itself, as `http://localhost:3000`. A file below this path is WAHA's own, whatever the host.
const ownFiles = '/api/files/';
const maxOwnPathNames = 10;

const messageSchema = z.object({ media: z.object({ url: z.string().max(4_096).nullish() }).nullish() });

const noAddress: FetchedMedia = { outcome: 'failed', detail: 'The gateway gave no address of the file.' };

/** `providerId` of its references is WAHA's own id of the message, chat and all. */
export class WahaMedia implements MediaSource {
  constructor(private readonly options: WahaMediaOptions) {}

  async open(endpoint: GatewayEndpoint, reference: MediaReference, signal: AbortSignal): Promise<FetchedMedia> {
    const { url, providerId: id } = reference;
    const chatId = id === null ? undefined : parseWahaMessageId(id).chatId;
    const found = url === null ? noAddress : await this.fetch(endpoint, url, signal);
    if (found.outcome === 'fetched' || id === null || chatId === undefined) return found;
    const asked = await this.ask(endpoint, ['chats', chatId, 'messages', id], signal);
    return url === null ? asked : ofTwoWays(found, asked);
  }

  private async ask(endpoint: GatewayEndpoint, path: readonly string[], signal: AbortSignal): Promise<FetchedMedia> {
    const answer = await this.options.http.call(endpoint, {
      method: 'GET',
      path: ['api', endpoint.instanceName, ...path],
      query: { downloadMedia: 'true' },
      headers: wahaKey(endpoint),
      timeoutMs: downloadTimeoutMs,
      maxAnswerBytes: maxMessageBytes,
      isRepeatable: true,
      signal,
    });
    if (answer.outcome !== 'answered') return withoutAnswer(answer);
    if (answer.status !== 200) return refusalOf(answer);
    const url = messageSchema.safeParse(answer.json).data?.media?.url;
    if (url != null) return this.fetch(endpoint, url, signal);
    return { outcome: 'temporary', detail: `${answer.gateway} could not download the file.` };
  }

  private async fetch(endpoint: GatewayEndpoint, url: string, signal: AbortSignal): Promise<FetchedMedia> {
    const path = ownPathOf(url);
    if (path === undefined) return this.options.files.open(url, signal);
    const answer = await this.options.http.open(
      endpoint,
      {
        method: 'GET',
        path,
        // The file is asked for uncompressed: a compressed one has another size and another hash.
        headers: { Accept: '*/*', 'Accept-Encoding': 'identity', ...wahaKey(endpoint) },
        isRepeatable: true,
        signal,
      },
      fileSilenceLimitMs,
    );
    if (answer.outcome === 'opened') return readFile(answer);
    if (answer.outcome !== 'answered') return withoutAnswer(answer);
    const { status } = answer;
    if (status === 404 || status === 410)
      return { outcome: 'expired', detail: `${answer.gateway} has the file no more (${status}).`, status };
    return refusalOf(answer);
  }
}

function withoutAnswer({ outcome, detail }: Exclude<GatewayCallResult, GatewayAnswer>): FetchedMedia {
  return outcome === 'permanent' ? { outcome: 'failed', detail } : { outcome: 'temporary', detail: `${detail}.` };
}

/** The header by which WAHA knows its callers. */
export function wahaKey({ token }: GatewayEndpoint): Record<string, string> {
  return token === null ? {} : { 'X-Api-Key': token };
}

function readFile({ body }: OpenedAnswer): FetchedMedia {
  const { headers } = body;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    body.destroy();
    return { outcome: 'failed', detail: 'The gateway sends the file compressed.' };
  }
  const length = Number(headers['content-length'] ?? Number.NaN);
  const sizeBytes = Number.isSafeInteger(length) ? length : undefined;
  return { outcome: 'fetched', body, sizeBytes, mimeType: headers['content-type'] };
}

// A message that it does not find may not be stored yet, and a session that does not work may work later.
const laterStatuses: ReadonlySet<number> = new Set([400, 404, 422]);

function refusalOf(answer: GatewayAnswer): FetchedMedia {
  const { status, retryAfterSeconds } = answer;
  const words = z.object({ message: z.string().min(1) }).safeParse(answer.json).data?.message;
  const said = words === undefined ? reasonByStatus(answer).message : wordsOfGateway(answer, words);
  if (laterStatuses.has(status) || status >= 500 || isNotDone(answer))
    return {
      outcome: 'temporary',
      detail: withAdvice(said, 'WAHA could not give the file.'),
      retryAfterSeconds,
      isUnknown: status === 404,
    };
  return { outcome: 'failed', detail: withAdvice(said, "Check the chat instance's token and instanceName.") };
}

/** @returns one name for each level; undefined for an address that is not WAHA's own */
function ownPathOf(url: string): string[] | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname } = new URL(url);
  const start = pathname.indexOf(ownFiles);
  if (start === -1) return undefined;
  const names = pathname.slice(start + 1).split('/');
  if (names.length > maxOwnPathNames) return undefined;
  try {
    return names.map((name) => decodeURIComponent(name));
  } catch {
    return undefined;
  }
}
