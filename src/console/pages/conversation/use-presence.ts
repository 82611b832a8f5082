// Shows colleagues that the user is at this lead while the page is visible.

import { useEffect, useRef } from 'react';
import { ask } from '../../api/client.js';
import { ClaimLeadDocument, ClaimLeadInsteadDocument, ReleaseLeadDocument } from './operations.js';

/** The server keeps a claim for 30 s. */
const claimEveryMs = 20_000;
/** A user who only passes by, for example with J and K, claims nothing. The page's own readings also come first. */
const claimAfterMs = 300;
const releaseAfterMs = 600;

export function usePresence(leadId: string, isAnswering: boolean): void {
  const hasClaimed = useRef(false);
  useEffect(() => {
    const claimNow = () => {
      if (document.visibilityState !== 'visible') return;
      hasClaimed.current = true;
      claim(leadId, isAnswering ? 'ANSWERING' : 'VIEWING').catch(() => undefined);
    };
    const first = setTimeout(claimNow, claimAfterMs);
    const timer = setInterval(claimNow, claimEveryMs);
    document.addEventListener('visibilitychange', claimNow);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      document.removeEventListener('visibilitychange', claimNow);
    };
  }, [leadId, isAnswering]);
  useEffect(
    () => () => {
      if (hasClaimed.current) leave(leadId);
      hasClaimed.current = false;
    },
    [leadId],
  );
}

/** The lead that was left last. The claim for the next lead also releases this one, in the same call. */
let left: { leadId: string; timer: ReturnType<typeof setTimeout> } | undefined;

function leave(leadId: string): void {
  release();
  left = { leadId, timer: setTimeout(release, releaseAfterMs) };
}

function release(): void {
  const leadId = takeLeft();
  if (leadId !== undefined) ask(ReleaseLeadDocument, { leadId }).catch(() => undefined);
}

function claim(leadId: string, intent: 'ANSWERING' | 'VIEWING'): Promise<unknown> {
  const before = takeLeft();
  if (before === undefined || before === leadId) return ask(ClaimLeadDocument, { leadId, intent });
  return ask(ClaimLeadInsteadDocument, { leadId, intent, left: before });
}

function takeLeft(): string | undefined {
  const leadId = left?.leadId;
  clearTimeout(left?.timer);
  left = undefined;
  return leadId;
}
