// An answer that the service or the gateway refuses is said whatever is open by then. Its own conversation says it beside the answer.

import { textsNow } from '../i18n/language.js';
import type { Draft } from '../live/drafts.js';
import { feed, type FeedEvent } from '../live/feed.js';
import type { HeldSend } from '../live/held-sends.js';
import { warn } from '../parts/notices.js';
import { sessionState } from './session.js';
import type { Store } from './store.js';
import { appTexts } from './texts.js';

const shownMs = 20_000;
const maxExcerpt = 60;

/** @returns a function that ends the warnings */
export function warnOfRefused(list: Store<readonly HeldSend<Draft>[]>, open: (leadId: string) => unknown): () => void {
  // Refusals from before this page was shown were said then.
  let known = refusedIn(list.value);
  return list.subscribe(() => {
    const refused = refusedIn(list.value);
    for (const [key, { leadId, input }] of refused) if (!known.has(key)) say(leadId, input.body, open);
    known = refused;
  });
}

/**
 * Warns of the user's own answers that a gateway refuses, perhaps long after they were written.
 * @returns a function that ends the warnings
 */
export function warnOfFailed(open: (leadId: string) => unknown): () => void {
  const onEvent = ({ type, lead, message }: FeedEvent) => {
    if (type !== 'MESSAGE_STATUS_CHANGED' || lead === null || message?.status !== 'FAILED') return;
    if (message.origin === 'USER' && message.author?.id === sessionState.value.user?.id)
      say(lead.id, message.body, open);
  };
  return feed.listen({ onEvent, onResync: () => undefined });
}

function say(leadId: string, body: string | null | undefined, open: (leadId: string) => unknown): void {
  if (location.pathname === `/inbox/${leadId}`) return;
  const texts = textsNow(appTexts);
  const excerpt = (body ?? '').slice(0, maxExcerpt);
  warn(excerpt === '' ? texts.notSent : `${texts.notSent}: ${excerpt}`, {
    forMs: shownMs,
    action: { label: texts.openConversation, run: () => open(leadId) },
  });
}

function refusedIn(all: readonly HeldSend<Draft>[]): Map<string, HeldSend<Draft>> {
  const refused = all.filter(({ state, failure }) => state === 'failed' && failure?.isTemporary === false);
  return new Map(refused.map((one) => [one.key, one]));
}
