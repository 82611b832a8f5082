// The line of time of a lead: lists that are read page by page, each from the same end, put together into one.

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

export type StoryOrder = 'newestFirst' | 'oldestFirst';

export interface Story {
  items: StoryItem[];
  /** The places of the parts of which more has to be read before anything further can be shown. */
  waitsFor: number[];
}

/**
 * Puts the parts in the order of their times. It ends where the first part does of which there is more: what that part has further on may
 * belong in between.
 */
export function storyOf(parts: readonly StoryPart[], order: StoryOrder = 'newestFirst'): Story {
  const sign = order === 'newestFirst' ? -1 : 1;
  const isBefore = (one: string, other: string) => sign * compare(one, other) < 0;
  /** Before any time in this order: of a part without items nothing is known. */
  const unknown = order === 'newestFirst' ? '~' : '';
  const ends = parts.map(({ items, hasMore }) =>
    hasMore ? items.map(listedAt).reduce((end, at) => (isBefore(end, at) ? at : end), unknown) : undefined,
  );
  const end = ends.reduce(
    (one, other) => (one === undefined || (other !== undefined && isBefore(other, one)) ? other : one),
    undefined,
  );
  const items = parts
    .flatMap((part) => part.items)
    .filter((item) => end === undefined || !isBefore(end, listedAt(item)))
    .toSorted((one, other) => sign * (compare(one.at, other.at) || compare(one.id, other.id)));
  return { items, waitsFor: ends.flatMap((own, place) => (end !== undefined && own === end ? [place] : [])) };
}

export const isScheduled = ({ scheduledFor, status }: StoryMessage): boolean =>
  scheduledFor !== null && status === 'QUEUED';

/** The time at which a message stands: when it was written, or when it is to leave. */
export const timeOf = (message: StoryMessage): string =>
  (isScheduled(message) ? message.scheduledFor : null) ?? message.createdAt;

/** A scheduled message stands where it leaves, and its list has it where it was written. */
const listedAt = (item: StoryItem): string => (item.kind === 'message' ? item.message.createdAt : item.at);

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

const dayOf = (iso: string): string => new Date(iso).toDateString();

/** The items of each local day, in their order. */
export function daysOf(items: readonly StoryItem[]): { day: string; items: StoryItem[] }[] {
  const days = Map.groupBy(items, ({ at }) => dayOf(at));
  return [...days.values()].map((own) => ({ day: own[0]?.at ?? '', items: own }));
}

/** The network tells of calls and changes. Nobody says them. */
export const isOfNetwork = ({ type }: StoryMessage): boolean => type === 'call' || type === 'notice';

const isSaid = (item: StoryItem): item is Said => item.kind === 'message' && !isOfNetwork(item.message);

const turnWithinMs = 5 * 60_000;
const longRun = 6;

type Said = Extract<StoryItem, { kind: 'message' }>;

export interface StoryEvent {
  kind: 'event';
  item: StoryItem;
  /** The message goes on with what the same person said before. */
  isFollowUp: boolean;
}

/** Many messages of a former day, which stand folded. */
export interface StoryFold {
  kind: 'fold';
  id: string;
  from: string;
  until: string;
  rows: StoryEvent[];
}

/**
 * Makes turns of the messages of a day: those that somebody wrote in a row read downwards in either order. Many messages between two other
 * events are folded, unless they are of today or yesterday.
 */
export function rowsOf(items: readonly StoryItem[], order: StoryOrder, now = Date.now()): (StoryEvent | StoryFold)[] {
  const rows: (StoryEvent | StoryFold)[] = [];
  for (const run of runsOf(items, (one, other) => isSaid(one) && isSaid(other))) {
    const own = runsOf(run, isOneTurn).flatMap((turn) =>
      (order === 'newestFirst' ? turn.toReversed() : turn).map((item, place): StoryEvent => ({
        kind: 'event',
        item,
        isFollowUp: place > 0,
      })),
    );
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined || run.length < longRun || !isPast(first.at, now)) rows.push(...own);
    else {
      const [from, until] = order === 'newestFirst' ? [last.at, first.at] : [first.at, last.at];
      rows.push({ kind: 'fold', id: first.id, from, until, rows: own });
    }
  }
  return rows;
}

function isPast(at: string, now: number): boolean {
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return new Date(at).getTime() < yesterday.setHours(0, 0, 0, 0);
}

function isOneTurn(one: StoryItem, other: StoryItem): boolean {
  return isSaid(one) && isSaid(other) && isByTheSame(one, other);
}

function isByTheSame({ at, message: one }: Said, { at: otherAt, message: other }: Said): boolean {
  if (one.direction !== other.direction || one.origin !== other.origin || one.author?.id !== other.author?.id)
    return false;
  return Math.abs(Date.parse(at) - Date.parse(otherAt)) < turnWithinMs;
}

/** Divides the items where two that follow each other do not belong together. */
function runsOf(items: readonly StoryItem[], belong: (one: StoryItem, other: StoryItem) => boolean): StoryItem[][] {
  const runs: StoryItem[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || !belong(before, item)) runs.push([item]);
    else run.push(item);
  }
  return runs;
}
