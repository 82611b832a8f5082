// The work that goes on behind every page, and loads after the first one: held messages leave, and what they meet is said.

import { heldSends, startOutgoing } from '../live/outgoing.js';
import { followFavicon } from './favicon.js';
import { warnOfRefused } from './not-sent.js';

/** @returns a function that ends the updates of the window; held messages still leave */
export function startBackground(open: (leadId: string) => unknown): () => void {
  const leaveFavicon = followFavicon();
  const leaveRefused = warnOfRefused(heldSends.list, open);
  // Sends the messages that an earlier page held and could no longer send.
  startOutgoing();
  return () => {
    leaveFavicon();
    leaveRefused();
  };
}
