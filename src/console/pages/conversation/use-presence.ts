// Tells colleagues that the user is at this lead, while the page is shown.

import { useEffect, useRef } from 'react';
import { ask } from '../../api/client.js';
import { ClaimLeadDocument, ReleaseLeadDocument } from './operations.js';

/** A claim lasts 30 s. */
const claimEveryMs = 20_000;
/** Who only passes by, as with J and K, tells nobody; and what is shown comes first. */
const claimAfterMs = 300;

export function usePresence(leadId: string, isAnswering: boolean): void {
  const hasClaimed = useRef(false);
  useEffect(() => {
    const claim = () => {
      if (document.visibilityState !== 'visible') return;
      hasClaimed.current = true;
      void ask(ClaimLeadDocument, { leadId, intent: isAnswering ? 'ANSWERING' : 'VIEWING' }).catch(() => undefined);
    };
    const first = setTimeout(claim, claimAfterMs);
    const timer = setInterval(claim, claimEveryMs);
    document.addEventListener('visibilitychange', claim);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', claim);
    };
  }, [leadId, isAnswering]);
  useEffect(
    () => () => {
      if (hasClaimed.current) setTimeout(() => void ask(ReleaseLeadDocument, { leadId }).catch(() => undefined));
      hasClaimed.current = false;
    },
    [leadId],
  );
}
