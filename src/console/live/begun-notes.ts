// Notes that are begun and not saved, one for each lead. A closed dialog and another page keep them, as they keep an answer.

import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';

const begun = new Store<ReadonlyMap<string, string>>(new Map());

interface BegunNote {
  body: string;
  write: (body: string) => void;
  /** Ends what is saved. A text that was written behind it meanwhile stays. */
  end: (saved: string) => void;
}

export function useBegunNote(leadId: string): BegunNote {
  const body = useStore(begun).get(leadId) ?? '';
  const write = (next: string) => begun.set(new Map([...begun.value, [leadId, next]]));
  const end = (saved: string) => {
    const now = begun.value.get(leadId) ?? '';
    write(now.startsWith(saved) ? now.slice(saved.length).trimStart() : now);
  };
  return { body, write, end };
}

let writerId = sessionState.value.user?.id;
sessionState.subscribe(() => {
  const { value } = sessionState;
  // A session that ended by itself goes on with the same person, who signs in again.
  if (value.user?.id === writerId || (value.user === undefined && value.reason !== undefined)) return;
  writerId = value.user?.id;
  begun.set(new Map());
});
