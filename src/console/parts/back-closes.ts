// On a touch screen, Back closes what stands over the page before it leaves the page.

import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** The layers that are open, the uppermost last. */
const layers: object[] = [];

export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const layer = useRef({});
  useEffect(() => {
    if (!isOpen) return undefined;
    const own = layer.current;
    layers.push(own);
    return () => void layers.splice(layers.indexOf(own), 1);
  }, [isOpen]);
  useBlocker({
    disabled: !isOpen,
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      const isMeant = action === 'BACK' && matchMedia('(pointer: coarse)').matches;
      if (!isMeant || layers.at(-1) !== layer.current) return false;
      // The browser goes forward again after this. What closes may replace its address, and would meet the entry before until then.
      addEventListener('popstate', () => onClose(), { once: true });
      return true;
    },
  });
}
