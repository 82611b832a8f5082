// Notes that are begun and not saved, one for each lead. A closed dialog and another page keep them, as they keep an answer.

import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { feed } from './feed.js';

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

// A note that is begun goes with the person.
feed.listen({
  onEvent: ({ leadId, lead }) => {
    const moved = leadId === null ? undefined : begun.value.get(leadId);
    if (leadId === null || lead === null || lead.id === leadId || moved === undefined || moved === '') return;
    const there = begun.value.get(lead.id) ?? '';
    begun.set(new Map([...begun.value, [leadId, ''], [lead.id, there === '' ? moved : `${there}\n${moved}`]]));
  },
  onResync: () => undefined,
});

let writerId = sessionState.value.user?.id;
sessionState.subscribe(() => {
  const { value } = sessionState;
  // A session that ended by itself goes on with the same person, who signs in again.
  if (value.user?.id === writerId || (value.user === undefined && value.reason !== undefined)) return;
  writerId = value.user?.id;
  begun.set(new Map());
});
