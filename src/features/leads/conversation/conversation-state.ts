// Computes the states of two conversations when their leads are merged, and when the merge is undone.

import type { ConversationStatus } from '../lead.schema.js';

export interface ConversationState {
  conversationStatus: ConversationStatus;
  /** The end of a snooze, for SNOOZED only. A merge keeps it as ISO 8601. */
  snoozedUntil: Date | string | null;
}

export const openState: ConversationState = { conversationStatus: 'OPEN', snoozedUntil: null };

/** Returns the state in which no open work of either conversation is lost: OPEN before SNOOZED, the earlier snooze, then CLOSED. */
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

/** Returns a state that a merge kept. Merges of earlier versions kept none. */
export function keptState({
  conversationStatus = 'OPEN',
  snoozedUntil = null,
}: Partial<ConversationState>): ConversationState {
  return { conversationStatus, snoozedUntil };
}

function endOf({ snoozedUntil }: ConversationState): number {
  return snoozedUntil === null ? 0 : new Date(snoozedUntil).getTime();
}
