// The state of a conversation: what it says, and the state of two that a merge joins. conversation.sql.ts stores it.

import type { ConversationStatus, SnoozeKind } from '../lead.schema.js';

export interface ConversationState {
  conversationStatus: ConversationStatus;
  /** The end of a snooze, for SNOOZED only. A merge keeps it as ISO 8601. */
  snoozedUntil: Date | string | null;
  /** Whether the snooze is a reminder, for the case that the lead does not reply. It says nothing unless SNOOZED. */
  isReminder: boolean;
}

export const openState: ConversationState = { conversationStatus: 'OPEN', snoozedUntil: null, isReminder: false };

/** Returns the state in which no open work of either conversation is lost: OPEN before SNOOZED, the earlier snooze, then CLOSED. */
export function joinStates(one: ConversationState, other: ConversationState): ConversationState {
  const open = [one, other].find(({ conversationStatus }) => conversationStatus === 'OPEN');
  if (open !== undefined) return openState;
  const [first, second] = [one, other].filter(({ conversationStatus }) => conversationStatus === 'SNOOZED');
  if (first === undefined) return { conversationStatus: 'CLOSED', snoozedUntil: null, isReminder: false };
  return keptState(second !== undefined && endOf(second) < endOf(first) ? second : first);
}

export function isSameState(one: ConversationState, other: ConversationState): boolean {
  return (
    one.conversationStatus === other.conversationStatus &&
    endOf(one) === endOf(other) &&
    snoozeKindOf(one) === snoozeKindOf(other)
  );
}

/** Returns what a snooze is; null where there is none. */
export function snoozeKindOf({
  conversationStatus,
  isReminder,
}: Pick<ConversationState, 'conversationStatus' | 'isReminder'>): SnoozeKind | null {
  if (conversationStatus !== 'SNOOZED') return null;
  return isReminder ? 'REMINDER' : 'SNOOZE';
}

/** Returns the state alone, as a merge keeps it. */
export function keptState({ conversationStatus, snoozedUntil, isReminder }: ConversationState): ConversationState {
  return { conversationStatus, snoozedUntil, isReminder };
}

function endOf({ snoozedUntil }: ConversationState): number {
  return snoozedUntil === null ? 0 : new Date(snoozedUntil).getTime();
}
