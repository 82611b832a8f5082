// Owns what a played thing is in each protocol, where it is more than a text or a file. players.ts fills it in; each dress tells its own part.

import type { HistoryRow } from './message-history.js';

type Fields = Record<string, unknown>;

/** Each part is left out where the protocol has no such thing. */
export interface Wire {
  /** Fields of the gateway's own body, beside who and when. */
  readonly gateway?: Fields | ((own: Fields) => Fields);
  /** The network's part of a message, or a wrapper of what the row says by itself: Evolution and WAHA hand it on. */
  readonly network?: Fields | ((own: Fields) => Fields);
  /** Fields of Evolution's record beside the message. */
  readonly record?: Fields;
  /** An event of Evolution in place of a message. */
  readonly evolution?: (row: HistoryRow) => { readonly event: string; readonly data: object };
  /** An event of WAHA in place of a message. */
  readonly waha?: (row: HistoryRow) => { readonly event: string; readonly payload: object };
  /** Fields of an element of one of Meta's lists, or a change of what the row says by itself. */
  readonly cloud?: Fields | ((own: Fields) => Fields);
  /** The field of Meta's subscription, and the name of its list: `messages` by default. */
  readonly cloudField?: string;
  /** A form outside of the conversation, of which a lead comes. */
  readonly form?: 'google' | 'meta';
  /** It is no message of a conversation, and counts as none. */
  readonly isSignal?: true;
  /** The next row under the same id fills it. */
  readonly isPlaceholder?: true;
}

/** @param own what is said without it */
export function partOf(part: Wire['network'], own: Fields): Fields {
  return typeof part === 'function' ? part(own) : (part ?? own);
}
