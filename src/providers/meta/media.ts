// Files of messages at Meta: an id leads to an address that is valid for minutes, and the address, with the token, to the bytes.
// The token goes to hosts of Meta and to the gateway's own only.

import { z } from 'zod';
import type { GatewayEndpoint, MediaSource } from '../chat-gateway.js';
import type { FetchedMedia, MediaReference } from '../media-source.js';
import type { UrlMediaSource } from '../url-media-source.js';

/** A file's address and the headers to fetch it with, or the reason why it cannot be fetched. */
export type FoundFile =
  | {
      outcome: 'found';
      url: string;
      headers: Record<string, string>;
      mimeType: string | undefined;
      sizeBytes: number | undefined;
      sha256: string | undefined;
    }
  | Exclude<FetchedMedia, { outcome: 'fetched' }>;

export interface MetaMediaOptions {
  files: UrlMediaSource;
  /** Asks the network where the file with this id is. */
  find: (endpoint: GatewayEndpoint, id: string, signal: AbortSignal) => Promise<FoundFile>;
}

const fileHosts = /(?:^|\.)(?:fbsbx\.com|fbcdn\.net)$/;

const fileSchema = z.object({
  url: z.string().max(4_096),
  mime_type: z.string().max(100).optional().catch(undefined),
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/i)
    .optional()
    .catch(undefined),
  // Some versions write the size as text.
  file_size: z.coerce.number().int().nonnegative().optional().catch(undefined),
});
const goneSchema = z.object({ error: z.object({ code: z.literal(100), error_subcode: z.literal(33) }) });

export class MetaMedia implements MediaSource {
  constructor(private readonly options: MetaMediaOptions) {}

  async open(endpoint: GatewayEndpoint, { providerId }: MediaReference, signal: AbortSignal): Promise<FetchedMedia> {
    if (providerId === null) return { outcome: 'failed', detail: 'The network gave no id of the file.' };
    const first = await this.fetch(endpoint, providerId, signal);
    // The address has expired and the file has not: it is fetched once more.
    return first.outcome === 'expired' && first.status === 404 ? this.fetch(endpoint, providerId, signal) : first;
  }

  private async fetch(endpoint: GatewayEndpoint, id: string, signal: AbortSignal): Promise<FetchedMedia> {
    const found = await this.options.find(endpoint, id, signal);
    if (found.outcome !== 'found') return found;
    const { url, headers, mimeType, sizeBytes, sha256 } = found;
    if (!mayHaveToken(url, endpoint))
      return { outcome: 'failed', detail: 'The network gave an address of the file that is not its own.' };
    const file = await this.options.files.open(url, signal, headers);
    if (file.outcome === 'fetched')
      return { ...file, aboutBytes: sizeBytes, mimeType: mimeType ?? file.mimeType, sha256 };
    // Meta has the file, and refuses the token, which may be replaced.
    if (file.outcome === 'expired' && file.status !== 404 && file.status !== 410)
      return { outcome: 'temporary', detail: "Meta refused the file. Check the chat instance's token." };
    return file;
  }
}

/** @param headers of the call that was answered, which the address wants too */
export function readFileAddress(json: unknown, headers: Record<string, string>): FoundFile {
  const file = fileSchema.safeParse(json).data;
  if (file === undefined)
    return { outcome: 'temporary', detail: 'The network answered without an address of the file.' };
  return {
    outcome: 'found',
    url: file.url,
    headers,
    mimeType: file.mime_type,
    sizeBytes: file.file_size,
    sha256: file.sha256?.toLowerCase(),
  };
}

/** True if the network says that it no longer has such a file. */
export function isFileGone(json: unknown): boolean {
  return goneSchema.safeParse(json).success;
}

function mayHaveToken(written: string, { baseUrl }: GatewayEndpoint): boolean {
  if (!URL.canParse(written)) return false;
  const url = new URL(written);
  const isMeta = url.protocol === 'https:' && fileHosts.test(url.hostname);
  return isMeta || (URL.canParse(baseUrl) && url.origin === new URL(baseUrl).origin);
}
