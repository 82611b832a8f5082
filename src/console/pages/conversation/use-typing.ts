// Shows the lead that the user is typing, through the instance that will send the answer.

import { useEffect, useMemo } from 'react';
import { ask } from '../../api/client.js';
import { ShowTypingDocument } from './operations.js';
import { TypingNotice } from './typing-notice.js';

export function useTyping(leadId: string, instanceId: string | undefined): TypingNotice {
  const notice = useMemo(
    () =>
      new TypingNotice({
        tell: async (isTyping) => {
          if (instanceId === undefined) return true;
          return (await ask(ShowTypingDocument, { leadId, instanceId, isTyping })).showTyping;
        },
      }),
    [leadId, instanceId],
  );
  useEffect(() => () => notice.stopped(), [notice]);
  return notice;
}
