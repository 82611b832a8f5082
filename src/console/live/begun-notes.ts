// Notes that are begun and not saved, one for each lead. A closed dialog and another page keep them, as they keep an answer.

import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { onMerge } from './feed.js';

const begun = new Store<ReadonlyMap<string, string>>(new Map());

interface BegunNote {
  body: string;
  write: (body: string) => void;
  /**
   * Adds the note, after an earlier addition that goes on: its text is saved once. A text that is written behind it meanwhile stays.
   * @param add adds a note to the lead; its error is thrown
   */
  save: (add: (body: string) => Promise<unknown>) => Promise<void>;
}

const saves = new Map<string, Promise<void>>();

export function useBegunNote(leadId: string): BegunNote {
  const body = useStore(begun).get(leadId) ?? '';
  const write = (next: string) => begun.set(new Map([...begun.value, [leadId, next]]));
  const textNow = () => begun.value.get(leadId) ?? '';
  const save = async (add: (body: string) => Promise<unknown>) => {
    const earlier = saves.get(leadId);
    const saveRest = async () => {
      await Promise.allSettled([earlier]);
      const saved = textNow();
      if (saved.trim() === '') return;
      await add(saved.trim());
      const now = textNow();
      write(now.startsWith(saved) ? now.slice(saved.length).trimStart() : now);
    };
    const own = saveRest();
    saves.set(leadId, own);
    await own;
  };
  return { body, write, save };
}

// A note that is begun goes with the person.
onMerge((fromId, toId) => {
  const moved = begun.value.get(fromId) ?? '';
  if (moved === '') return;
  const there = begun.value.get(toId) ?? '';
  begun.set(new Map([...begun.value, [fromId, ''], [toId, there === '' ? moved : `${there}\n${moved}`]]));
});

let writerId = sessionState.value.user?.id;
sessionState.subscribe(() => {
  const { value } = sessionState;
  // A session that ended by itself goes on with the same person, who signs in again.
  if (value.user?.id === writerId || (value.user === undefined && value.reason !== undefined)) return;
  writerId = value.user?.id;
  begun.set(new Map());
});
