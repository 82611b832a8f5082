// What becomes of the states of two conversations when their leads are merged, and when the merge is undone.

import type { ConversationStatus } from '../lead.schema.js';

export interface ConversationState {
  conversationStatus: ConversationStatus;
  /** Of SNOOZED; as ISO 8601 where a merge keeps it. */
  snoozedUntil: Date | string | null;
}

export const openState: ConversationState = { conversationStatus: 'OPEN', snoozedUntil: null };

/** What was to be done in one of two conversations is to be done in both: OPEN before SNOOZED, the earlier snooze, then CLOSED. */
export function joinStates(one: ConversationState, other: ConversationState): ConversationState {
  const open = [one, other].find(({ conversationStatus }) => conversationStatus === 'OPEN');
  if (open !== undefined) return openState;
  const [first, second] = [one, other].filter(({ conversationStatus }) => conversationStatus === 'SNOOZED');
  if (first === undefined) return { conversationStatus: 'CLOSED', snoozedUntil: null };
  const { conversationStatus, snoozedUntil } = second !== undefined && endOf(second) < endOf(first) ? second : first;
  return { conversationStatus, snoozedUntil };
}

export function isSameState(one: ConversationState, other: ConversationState): boolean {
  return one.conversationStatus === other.conversationStatus && endOf(one) === endOf(other);
}

/** A state that a merge kept; merges of earlier versions kept none. */
export function keptState({
  conversationStatus = 'OPEN',
  snoozedUntil = null,
}: Partial<ConversationState>): ConversationState {
  return { conversationStatus, snoozedUntil };
}

function endOf({ snoozedUntil }: ConversationState): number {
  return snoozedUntil === null ? 0 : new Date(snoozedUntil).getTime();
}
