import { useEffect, useState } from 'react';

const readAgainMs = 2_000;

/** @returns a function that reads again after a moment. Calls in quick succession cause one reading. */
export function useReadAgain(reload: () => void): () => void {
  const [isStale, setIsStale] = useState(false);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => {
      setIsStale(false);
      reload();
    }, readAgainMs);
    return () => clearTimeout(timer);
  }, [isStale, reload]);
  return () => setIsStale(true);
}
