// The signed-in user's record in the tenant. It is read once for each sign-in, and kept beside the session: a reload without a network
// knows the names as well.

import { useEffect } from 'react';
import { onUserChange, sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { askAgain } from './client.js';
import { MeDocument, type MeQuery } from './operations.js';

type Me = MeQuery['me'];

const meKey = 'leadwire.me';
const known = new Store<Me | undefined>(readKept());
/** The user whose record is read, or is being read: components that are shown together read it once. */
let readFor: string | undefined;

onUserChange(() => {
  readFor = undefined;
  sessionStorage.removeItem(meKey);
  known.set(undefined);
});

/** Returns undefined until the record is known. */
export function useMe(): Me | undefined {
  const id = useStore(sessionState).user?.id;
  const me = useStore(known);
  useEffect(() => {
    if (id === undefined || readFor === id) return;
    readFor = id;
    // A failure needs no handling: the next page that needs the record reads it again.
    void askAgain(MeDocument).then(
      (answer) => readFor === id && keep(answer.me),
      () => readFor === id && (readFor = undefined),
    );
  }, [id]);
  return me?.id === id ? me : undefined;
}

function keep(me: Me): void {
  sessionStorage.setItem(meKey, JSON.stringify(me));
  known.set(me);
}

function readKept(): Me | undefined {
  const kept = sessionStorage.getItem(meKey);
  if (kept === null) return undefined;
  const me = JSON.parse(kept) as Me;
  if (me.id === sessionState.value.user?.id) return me;
  sessionStorage.removeItem(meKey);
  return undefined;
}
