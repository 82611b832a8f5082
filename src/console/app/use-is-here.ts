// Tells whether a component is still shown when a call ends that it has begun.

import { useCallback, useEffect, useRef } from 'react';

export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
