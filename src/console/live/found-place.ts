// The place of the open message among those that a search has found. The list of hits tells it, and the conversation shows it.

import { Store } from '../app/store.js';

export interface FoundPlace {
  /** The message of the hit. */
  message: string;
  /** Begins with 1. */
  place: number;
  count: number;
  /** Further messages may have the words. */
  isMore: boolean;
  /** Opens the message before or behind, if there is one. */
  step: (by: 1 | -1) => void;
}

export const foundPlace = new Store<FoundPlace | undefined>(undefined);
