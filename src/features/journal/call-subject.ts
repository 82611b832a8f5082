// Which records a call of the journal is about, by its answer. An erasure empties the answer, and with it this.

import { isPlainObject } from '../../platform/input/input.js';

export interface CallSubject {
  /** The lead that its first item names. */
  leadId: string | null;
  /** The message that its first item brought or is about. */
  messageId: string | null;
  itemCount: number;
}

const nothing: CallSubject = { leadId: null, messageId: null, itemCount: 0 };

/** Returns what an answer names; nothing for a call without one. */
export function subjectOf(result: unknown): CallSubject {
  if (!isPlainObject(result)) return nothing;
  if (!Array.isArray(result['results'])) return { ...nothing, leadId: idIn(result, 'id'), itemCount: 1 };
  const items = (result['results'] as unknown[]).filter(isPlainObject);
  const named = items.find((item) => idIn(item, 'leadId') !== null || idIn(item, 'messageId') !== null);
  if (named === undefined) return { ...nothing, itemCount: items.length };
  return { leadId: idIn(named, 'leadId'), messageId: idIn(named, 'messageId'), itemCount: items.length };
}

function idIn(item: Readonly<Record<string, unknown>>, field: string): string | null {
  const id = item[field];
  return typeof id === 'string' ? id : null;
}
