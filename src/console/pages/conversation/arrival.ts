// The text that screen readers hear when a message arrives.

import type { ChatMessage } from '../../live/conversation-store.js';
import { inNetworkWords } from '../../parts/network-texts.js';

/** Returns the author and the words of a message that has just arrived. */
export function saidAtArrival(
  { isNotice, type, body, media }: ChatMessage,
  { leadName, texts }: { leadName: string; texts: { notHereYet: string; newFrom(name: string, text: string): string } },
): string {
  if (isNotice) return inNetworkWords(body ?? '');
  if (type === 'unknown') return texts.newFrom(leadName, texts.notHereYet);
  const said = body ?? media?.fileName ?? type;
  return texts.newFrom(leadName, type === 'call' ? inNetworkWords(said) : said);
}
