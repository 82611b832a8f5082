// What passes between a driver and features/media when a message's file is fetched. Drivers whose network gives no plain address implement
// MediaSource of chat-gateway.ts.

/** What a webhook call said of a file. */
export interface MediaReference {
  url: string | null;
  /** The provider's id of the file. */
  providerId: string | null;
  /** The provider's id of the message. */
  externalId: string | null;
  /** As reported. */
  mimeType: string | null;
}

/**
 * - `fetched`: its bytes, as they come. A reader that stops early destroys the iterator (`for await` does).
 * - `expired`: the network has it no more. `status`: what the address of the file answered, where that is why.
 * - `tooLarge`: the network says so before any byte comes.
 * - `failed`: asking again cannot help.
 * - `temporary`: asking again may help, not sooner than `retryAfterSeconds`. `isUnknown`: the gateway does not know the message, which it
 *   stores within minutes, or has no more.
 * `detail` is a sentence for operators: it quotes neither addresses nor credentials.
 */
export type FetchedMedia =
  | {
      outcome: 'fetched';
      body: AsyncIterable<Uint8Array>;
      /** As far as the network says it. */
      sizeBytes?: number | undefined;
      /** About how many bytes come, where the network does not say it exactly. */
      aboutBytes?: number | undefined;
      mimeType?: string | undefined;
      fileName?: string | undefined;
      /** What the network says that the bytes have, hexadecimal in lower case. */
      sha256?: string | undefined;
    }
  | { outcome: 'expired' | 'failed' | 'tooLarge'; detail: string; status?: number | undefined }
  | { outcome: 'temporary'; detail: string; retryAfterSeconds?: number | undefined; isUnknown?: boolean | undefined };
