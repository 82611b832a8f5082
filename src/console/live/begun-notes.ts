// Notes that are begun and not saved, one for each lead. A closed dialog and another page keep them, as they keep an answer.

import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';

const begun = new Store<ReadonlyMap<string, string>>(new Map());

export function useBegunNote(leadId: string): [body: string, write: (body: string) => void] {
  const body = useStore(begun).get(leadId) ?? '';
  return [body, (next) => begun.set(new Map([...begun.value, [leadId, next]]))];
}

let writerId = sessionState.value.user?.id;
sessionState.subscribe(() => {
  const { value } = sessionState;
  // A session that ended by itself goes on with the same person, who signs in again.
  if (value.user?.id === writerId || (value.user === undefined && value.reason !== undefined)) return;
  writerId = value.user?.id;
  begun.set(new Map());
});
