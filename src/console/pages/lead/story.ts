// The line of time of a lead: lists that are read page by page, each the newest first, put together into one.

import type {
  ConsentLogQuery,
  StoryAssignmentsQuery,
  StoryMessagesQuery,
  StoryNotesQuery,
  StoryTouchesQuery,
  WholeLeadFragment,
} from './operations.js';

type NodeOf<Connection> = Connection extends { edges: { node: infer Node }[] } ? Node : never;

export type StoryMessage = NodeOf<StoryMessagesQuery['messages']>;
export type StoryTouch = NodeOf<NonNullable<StoryTouchesQuery['lead']>['touches']>;
export type StoryNote = NodeOf<NonNullable<StoryNotesQuery['lead']>['notes']>;
export type StoryAssignment = NodeOf<NonNullable<StoryAssignmentsQuery['lead']>['assignments']>;
export type StoryConsent = NodeOf<ConsentLogQuery['consentLog']>;
export type StoryMerge = WholeLeadFragment['merges'][number];

export type StoryItem = { id: string; at: string } & (
  | { kind: 'message'; message: StoryMessage }
  | { kind: 'touch'; touch: StoryTouch }
  | { kind: 'note'; note: StoryNote }
  | { kind: 'assignment'; assignment: StoryAssignment }
  | { kind: 'consent'; entry: StoryConsent }
  | { kind: 'merge'; merge: StoryMerge }
);

/** The part of a list that is read so far. */
export interface StoryPart {
  items: readonly StoryItem[];
  hasMore: boolean;
}

export interface Story {
  /** The newest first. */
  items: StoryItem[];
  /** The places of the parts of which more has to be read before anything older can be shown. */
  waitsFor: number[];
}

/**
 * Puts the parts in the order of their times. It ends where the first part does of which there is more: what that part has further back may
 * belong in between.
 */
export function storyOf(parts: readonly StoryPart[]): Story {
  const ends = parts.map(({ items, hasMore }) => (hasMore ? oldestOf(items) : ''));
  const end = ends.reduce((one, other) => (one > other ? one : other), '');
  const items = parts
    .flatMap((part) => part.items)
    .filter(({ at }) => at >= end)
    .toSorted((one, other) => compare(other.at, one.at) || compare(other.id, one.id));
  return { items, waitsFor: ends.flatMap((own, place) => (end !== '' && own === end ? [place] : [])) };
}

/** Later than any time: of a part without items nothing is known. */
const unknown = '~';

function oldestOf(items: readonly StoryItem[]): string {
  return items.reduce((oldest, { at }) => (at < oldest ? at : oldest), unknown);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The items of each local day, the newest day first. */
export function daysOf(items: readonly StoryItem[]): { day: string; items: StoryItem[] }[] {
  const days = Map.groupBy(items, ({ at }) => new Date(at).toDateString());
  return [...days.values()].map((own) => ({ day: own[0]?.at ?? '', items: own }));
}
