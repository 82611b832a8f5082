// The tabs that share a session. A duplicated tab has the session of the first, and a provider may take its refresh token only once: one
// of them renews it, and tells the others.

const channel = new BroadcastChannel('leadwire.session');
/** The time in which another tab's news arrive, once its lock is free or this tab has woken up. */
const newsMs = 300;

export function tellTabs(session: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches pages of its own origin only.
  channel.postMessage(session);
}

/** @param take gets a session as another tab has told it: that of this tab, or any other */
export function onToldByTab(take: (session: unknown) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => take(data));
}

export function newsOfTabs(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, newsMs));
}

/**
 * Runs a renewal while no other tab is at one of the same session. After a wait, the news of the other tab have come. Pages without https
 * have no locks: there each tab runs it at once.
 */
export async function aloneAmongTabs(sessionId: string, renew: () => Promise<string>): Promise<string> {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) return renew();
  const name = `leadwire.session.${sessionId}`;
  const atOnce = await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? undefined : renew()));
  return (
    atOnce ??
    locks.request(name, async () => {
      await newsOfTabs();
      return renew();
    })
  );
}
