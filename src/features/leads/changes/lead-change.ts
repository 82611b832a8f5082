// A change that may be made to many leads at once: what it makes of one lead's state, and what takes it back.

import { isDeepStrictEqual } from 'node:util';
import { snoozeKindOf } from '../conversation/conversation-state.js';
import { changeLabels, hasTooMany } from '../lead-labels.js';
import { maxTags, type ConversationStatus } from '../lead.schema.js';

/** Exactly one field is set. */
export interface LeadChange {
  /** Null takes the assignee away. */
  assigneeId?: string | null;
  addTags?: string[];
  removeTags?: string[];
  conversationStatus?: 'OPEN' | 'CLOSED';
  /** ISO 8601. */
  snoozeUntil?: string;
}

interface Assignment {
  assigneeId: string | null;
}

interface Tagging {
  tags: string[];
}

interface Conversation {
  conversationStatus: ConversationStatus;
  /** ISO 8601. */
  snoozedUntil: string | null;
  /** Set for a snooze that is a reminder. */
  isReminder?: true;
  /** The position of the lead's newest message at the change, where the part is kept for an undo; null if the lead never wrote. */
  lastInboundPosition?: string | null;
}

/** The part of a lead that a change is about, as JSON keeps it. */
export type LeadPart = Assignment | Tagging | Conversation;

/** The fields of a lead that changes of many leads are about. */
export interface ChangeableLead {
  id: string;
  assigneeId: string | null;
  tags: string[];
  conversationStatus: ConversationStatus;
  snoozedUntil: Date | null;
  isReminder: boolean;
  lastInboundPosition: string | null;
}

/** Returns the part of a lead that a change is about. */
export function partOf(lead: ChangeableLead, change: LeadChange): LeadPart {
  const { assigneeId, tags, conversationStatus, snoozedUntil } = lead;
  const isReminding = snoozeKindOf(lead) === 'REMINDER';
  if (change.assigneeId !== undefined) return { assigneeId };
  if ((change.addTags ?? change.removeTags) !== undefined) return { tags };
  const until = snoozedUntil?.toISOString() ?? null;
  return { conversationStatus, snoozedUntil: until, ...(isReminding && { isReminder: true as const }) };
}

/** Returns the part after the change; undefined where the lead may not be changed so. */
export function changedPart(before: LeadPart, change: LeadChange): LeadPart | undefined {
  if ('assigneeId' in before) return { assigneeId: change.assigneeId ?? null };
  if ('tags' in before) {
    const { tags } = changeLabels({ tags: before.tags, customFields: {} }, change);
    return hasTooMany(tags.length, before.tags.length, maxTags) ? undefined : { tags };
  }
  const { conversationStatus, snoozeUntil } = change;
  if (conversationStatus !== undefined) return { conversationStatus, snoozedUntil: null };
  const isAhead = snoozeUntil !== undefined && Date.parse(snoozeUntil) > Date.now();
  return isAhead ? { conversationStatus: 'SNOOZED', snoozedUntil: snoozeUntil } : undefined;
}

export function isSamePart(one: LeadPart, other: LeadPart): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns the part after the change as an undo needs it: a message that comes since is work, which an undo must not put aside. */
export function keptPart({ lastInboundPosition }: ChangeableLead, after: LeadPart): LeadPart {
  return 'conversationStatus' in after ? { ...after, lastInboundPosition } : after;
}

/** Returns whether a lead is still as a change has left it. A conversation is another one once the lead has written. */
export function isAsLeft(lead: ChangeableLead, after: LeadPart): boolean {
  if (!('conversationStatus' in after)) return isSamePart(partLike(lead, after), after);
  const { lastInboundPosition = lead.lastInboundPosition, ...left } = after;
  return lastInboundPosition === lead.lastInboundPosition && isSamePart(partLike(lead, left), left);
}

/** Returns the same part of a lead as another part. */
function partLike(lead: ChangeableLead, part: LeadPart): LeadPart {
  if ('assigneeId' in part) return partOf(lead, { assigneeId: null });
  return partOf(lead, 'tags' in part ? { addTags: [] } : { conversationStatus: 'OPEN' });
}

/** Returns the part that an undo writes: a snooze that would have ended meanwhile is over. */
export function partToRestore(before: LeadPart): LeadPart {
  const isOver =
    'snoozedUntil' in before && before.snoozedUntil !== null && Date.parse(before.snoozedUntil) <= Date.now();
  return isOver ? { conversationStatus: 'OPEN', snoozedUntil: null } : before;
}
