import { useEffect, useState } from 'react';
import { useFeed } from '../../api/use-loaded.js';

const readAgainMs = 2_000;

/** Reads again a moment after an instance's outgoing messages changed. Changes in quick succession cause one reading. */
export function useOutboxChanges(instanceId: string | undefined, reload: () => void): void {
  const [isStale, setIsStale] = useState(false);
  useFeed(({ message }) => {
    if (message !== null && message.direction === 'OUTBOUND' && message.instance?.id === instanceId) setIsStale(true);
  }, reload);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => {
      setIsStale(false);
      reload();
    }, readAgainMs);
    return () => clearTimeout(timer);
  }, [isStale, reload]);
}
