// A function that stays the same one while what it does follows its component: what it is given to is not rendered again for it.

import { useCallback, useRef } from 'react';

/** For what happens later, as a click: not to be called while rendering. */
export function useStable<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
