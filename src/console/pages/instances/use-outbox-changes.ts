import { useFeed } from '../../api/use-loaded.js';
import { useReadAgain } from './use-read-again.js';

/** Reads again a moment after an instance's outgoing messages changed. */
export function useOutboxChanges(instanceId: string | undefined, reload: () => void): void {
  const readAgain = useReadAgain(reload);
  useFeed(({ message }) => {
    if (message !== null && message.direction === 'OUTBOUND' && message.instance?.id === instanceId) readAgain();
  }, reload);
}
