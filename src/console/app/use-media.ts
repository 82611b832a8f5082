// Follows a media query, for parts that a small window shows in another form.

import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** A window as narrow as a phone's. */
export const useIsPhone = (): boolean => useMedia('(max-width: 640px)');

/** A screen for fingers, whose keyboard stands on it. */
export const useIsTouch = (): boolean => useMedia('(hover: none) and (pointer: coarse)');

/** A window in which an open conversation takes the place of the list. */
export const useIsAlone = (): boolean => useMedia('(max-width: 899px)');
