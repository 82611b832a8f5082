// A function whose identity never changes while its behaviour follows the component. Components that receive it do not render again for it.

import { useCallback, useRef } from 'react';

/** Use it for later calls such as a click. Do not call the result while rendering. */
export function useStable<Args extends unknown[], Result>(run: (...args: Args) => Result): (...args: Args) => Result {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
