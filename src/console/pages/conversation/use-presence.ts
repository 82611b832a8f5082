// Tells colleagues that the user is at this lead, while the page is shown.

import { useEffect } from 'react';
import { ask } from '../../api/client.js';
import { ClaimLeadDocument, ReleaseLeadDocument } from './operations.js';

/** A claim lasts 30 s. */
const claimEveryMs = 20_000;

export function usePresence(leadId: string, isAnswering: boolean): void {
  useEffect(() => {
    const claim = () => {
      if (document.visibilityState !== 'visible') return;
      void ask(ClaimLeadDocument, { leadId, intent: isAnswering ? 'ANSWERING' : 'VIEWING' }).catch(() => undefined);
    };
    claim();
    const timer = setInterval(claim, claimEveryMs);
    document.addEventListener('visibilitychange', claim);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', claim);
    };
  }, [leadId, isAnswering]);
  useEffect(() => () => void ask(ReleaseLeadDocument, { leadId }).catch(() => undefined), [leadId]);
}
