import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Gives the focus to the message when a part of it with the focused button goes away, so that the arrow keys go on from there. */
export function useFocusAtMessage(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = part.current;
    return () => {
      if (own?.contains(document.activeElement) === true)
        own.closest<HTMLElement>('[data-message]')?.focus({ preventScroll: true });
    };
  }, []);
  return part;
}
