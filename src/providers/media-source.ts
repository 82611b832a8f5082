// The data that pass between a driver and features/media when a message's file is fetched. Drivers whose network gives no plain address
// implement MediaSource of chat-gateway.ts.

/** A webhook call's description of a file. */
export interface MediaReference {
  url: string | null;
  /** The provider's id of the file. */
  providerId: string | null;
  /** The provider's id of the message. */
  externalId: string | null;
  /** The reported MIME type. */
  mimeType: string | null;
}

/**
 * - `fetched`: its bytes, as they come. A reader that stops early destroys the iterator (`for await` does).
 * - `expired`: the network no longer has it. `status`: the answer of the file's address, where that is the reason.
 * - `tooLarge`: the network says so before any byte comes.
 * - `failed`: asking again cannot help.
 * - `temporary`: asking again may help, not sooner than `retryAfterSeconds`. `isUnknown`: the gateway does not know the message. It stores
 *   it within minutes, or no longer has it.
 *
 * `detail` is a sentence for operators: it quotes neither addresses nor credentials.
 */
export type FetchedMedia =
  | {
      outcome: 'fetched';
      body: AsyncIterable<Uint8Array>;
      /** The size; undefined where the network does not say it. */
      sizeBytes?: number | undefined;
      /** The approximate size, where the network does not say it exactly. */
      aboutBytes?: number | undefined;
      mimeType?: string | undefined;
      fileName?: string | undefined;
      /** The hash of the bytes as the network states it, hexadecimal in lower case. */
      sha256?: string | undefined;
    }
  | { outcome: 'expired' | 'failed' | 'tooLarge'; detail: string; status?: number | undefined }
  | { outcome: 'temporary'; detail: string; retryAfterSeconds?: number | undefined; isUnknown?: boolean | undefined };

/**
 * Returns what counts of two ways to a file, of which the first did not give it. A failure that may pass counts before one that may not,
 * and the reason of the first is told. An address that has expired says nothing of the second way.
 */
export function ofTwoWays(first: FetchedMedia, second: FetchedMedia): FetchedMedia {
  if (first.outcome === 'fetched' || first.outcome === 'temporary')
    return second.outcome === 'fetched' ? second : first;
  if (first.outcome === 'expired' || second.outcome === 'fetched') return second;
  return second.outcome === 'temporary' ? { ...second, detail: `${first.detail} ${second.detail}` } : first;
}
