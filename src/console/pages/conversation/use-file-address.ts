// The address of a stored file. It is valid for one hour, so it is read again when it has expired, or before it is opened.

import { useEffect, useRef } from 'react';
import { askAgain } from '../../api/client.js';
import type { ConversationStore } from '../../live/conversation-store.js';
import { notifyFailure } from '../../parts/notices.js';
import { MediaUrlDocument } from './operations.js';

/** Up to this age an address is opened without a new reading. */
const freshMs = 50 * 60_000;
const maxReads = 3;

export interface FileAddress {
  /** Belongs to the element that shows the file: an expired address answers 403. */
  onError: () => void;
  /** Belongs to the link that opens or saves the file. */
  onFollow: (event: { preventDefault(): void }) => void;
}

export function useFileAddress(messageId: string, url: string, store: ConversationStore): FileAddress {
  const reads = useRef(0);
  const readAt = useRef(0);
  useEffect(() => {
    readAt.current = Date.now();
  }, [url]);
  const read = async (): Promise<string | undefined> => {
    const { message } = await askAgain(MediaUrlDocument, { id: messageId });
    if (message?.media != null) store.changeMedia(messageId, message.media);
    return message?.media?.url ?? undefined;
  };
  return {
    onError: () => {
      if (reads.current < maxReads) read().catch(() => undefined);
      reads.current += 1;
    },
    onFollow: (event) => {
      if (Date.now() - readAt.current < freshMs) return;
      event.preventDefault();
      read()
        .then((fresh) => fresh !== undefined && window.open(fresh, '_blank', 'noopener'))
        .catch(notifyFailure);
    },
  };
}
