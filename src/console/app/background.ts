// The work that goes on behind every page, and loads after the first one: held messages leave, what they meet is said, and the
// focus keeps its place.

import { heldSends, startOutgoing } from '../live/outgoing.js';
import { followFavicon } from './favicon.js';
import { keepFocus } from './kept-focus.js';
import { warnOfFailed, warnOfRefused } from './not-sent.js';
import { onSignOut } from './session.js';

/**
 * @param open opens a conversation; the inbox without a lead
 * @returns a function that ends the updates of the window; held messages still leave
 */
export function startBackground(open: (leadId?: string) => unknown): () => void {
  const leaveFavicon = followFavicon();
  const leaveFocus = keepFocus();
  const leaveRefused = warnOfRefused(heldSends.list, open);
  const leaveFailed = warnOfFailed(open);
  // Sends the messages that an earlier page held and could no longer send.
  startOutgoing();
  const leaveNotifications = followNotifications(open);
  return () => {
    leaveNotifications();
    leaveFavicon();
    leaveFocus();
    leaveRefused();
    leaveFailed();
  };
}

const hasPush = () => localStorage.getItem('leadwire.push') !== null;

// Another tab may have chosen notifications since this one was opened, so each sign-out looks again.
onSignOut(async (lastToken) => {
  if (!hasPush()) return;
  const { endPushAtSignOut } = await import('../parts/push/push.js');
  await endPushAtSignOut(lastToken);
});

/** Opens the place of a notification that was clicked, and keeps the browser's subscription where it has one. */
function followNotifications(open: (leadId?: string) => unknown): () => void {
  if (hasPush()) void import('../parts/push/push.js').then(({ renewPush }) => renewPush()).catch(() => undefined);
  const hear = ({ data, ports }: MessageEvent<{ open?: string } | null>) => {
    // The answer says that a user is signed in here.
    ports[0]?.postMessage('here');
    const place = /^\/inbox(?:\/([\da-f-]{36}))?$/.exec(data?.open ?? '');
    if (place !== null) open(place[1]);
  };
  // A browser has no service worker without https.
  const worker = (navigator as Partial<Navigator>).serviceWorker;
  worker?.addEventListener('message', hear);
  return () => worker?.removeEventListener('message', hear);
}
