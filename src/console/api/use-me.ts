// The signed-in user's record in the tenant. It is read once for each sign-in.

import { useEffect } from 'react';
import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { askAgain } from './client.js';
import { MeDocument, type MeQuery } from './operations.js';

const known = new Store<MeQuery['me'] | undefined>(undefined);
/** The user whose record is being read: components that are shown together read it once. */
let readingFor: string | undefined;

/** Returns undefined until the record is read. */
export function useMe(): MeQuery['me'] | undefined {
  const id = useStore(sessionState).user?.id;
  const me = useStore(known);
  const isKnown = me?.id === id;
  useEffect(() => {
    if (id === undefined || isKnown || readingFor === id) return;
    readingFor = id;
    // A failure needs no handling: the next page that needs the record reads it again.
    void askAgain(MeDocument)
      .then(
        (answer) => known.set(answer.me),
        () => undefined,
      )
      .finally(() => (readingFor = undefined));
  }, [id, isKnown]);
  return isKnown ? me : undefined;
}
