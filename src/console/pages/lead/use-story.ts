// Reads the line of time of a lead, and reads the part again that an event has changed.

import { useEffect, useRef } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed } from '../../api/use-loaded.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import {
  ConsentLogDocument,
  StoryAssignmentsDocument,
  StoryMessagesDocument,
  StoryNotesDocument,
  StoryTouchesDocument,
  type StoryPlaceFragment,
  type WholeLeadFragment,
} from './operations.js';
import {
  storyOf,
  timeOf,
  type StoryAssignment,
  type StoryConsent,
  type StoryItem,
  type StoryMessage,
  type StoryNote,
  type StoryOrder,
  type StoryTouch,
} from './story.js';

export const shownKinds = ['everything', 'messages', 'touches', 'notes', 'changes'] as const;
export type ShownKind = (typeof shownKinds)[number];

const size = 30;

interface ListPage<Node> {
  edges: readonly { node: Node }[];
  pageInfo: StoryPlaceFragment;
}

type Reader<Node> = (window: {
  leadId: string;
  first?: number;
  after?: string;
  last?: number;
  before?: string;
}) => Promise<ListPage<Node> | undefined>;

/** Reads a list from the end where the line of time begins. @param isTurned the list has what comes first at its end */
function useList<Node>(key: string, leadId: string, isTurned: boolean, read: Reader<Node>): Pages<Node> {
  return usePages<Node>(`${leadId} ${key} ${isTurned}`, async (cursor) => {
    const place = cursor === undefined ? {} : isTurned ? { before: cursor } : { after: cursor };
    const found = await read({ leadId, ...(isTurned ? { last: size } : { first: size }), ...place });
    const { edges = [], pageInfo } = found ?? {};
    const { hasNextPage = false, hasPreviousPage = false, startCursor, endCursor } = pageInfo ?? {};
    return {
      edges,
      pageInfo: isTurned
        ? { hasNextPage: hasPreviousPage, endCursor: startCursor ?? null }
        : { hasNextPage, endCursor: endCursor ?? null },
    };
  });
}

export function useStory(lead: WholeLeadFragment, shown: ShownKind, order: StoryOrder) {
  const { id: leadId, optOut } = lead;
  const isOldestFirst = order === 'oldestFirst';
  // Messages are listed with the oldest first, and everything else with the newest.
  const messages = useList<StoryMessage>('messages', leadId, !isOldestFirst, async (window) => {
    return (await askAgain(StoryMessagesDocument, window)).messages;
  });
  const touches = useList<StoryTouch>('touches', leadId, isOldestFirst, async (window) => {
    return (await askAgain(StoryTouchesDocument, window)).lead?.touches;
  });
  const notes = useList<StoryNote>('notes', leadId, isOldestFirst, async (window) => {
    return (await askAgain(StoryNotesDocument, window)).lead?.notes;
  });
  const assignments = useList<StoryAssignment>('assignments', leadId, isOldestFirst, async (window) => {
    return (await askAgain(StoryAssignmentsDocument, window)).lead?.assignments;
  });
  const consent = useList<StoryConsent>(`consent ${optOut?.at}`, leadId, isOldestFirst, async (window) => {
    return (await askAgain(ConsentLogDocument, window)).consentLog;
  });
  const lists: Pick<Pages<unknown>, 'error' | 'reload'>[] = [messages, touches, notes, assignments, consent];
  const reload = () => lists.forEach((pages) => pages.reload());
  // A merge brings all of the other lead, and undoing it takes that away.
  const merges = lead.merges.map(({ id, undoneAt }) => `${id} ${undoneAt}`).join();
  const shownMerges = useRef(merges);
  useEffect(() => {
    if (shownMerges.current !== merges) reload();
    shownMerges.current = merges;
  }, [merges]);
  useFeed(({ type, leadId: about, lead: changed }) => {
    if (about !== leadId && changed?.id !== leadId) return;
    if (type.startsWith('MESSAGE_')) messages.reload();
    if (type === 'LEAD_NOTE_CHANGED') notes.reload();
    if (type === 'LEAD_ASSIGNED') assignments.reload();
    if (type === 'LEAD_UPDATED' || type === 'LEAD_CREATED') touches.reload();
  }, reload);

  const partOf = <Node>({ nodes, hasMore, isLoading }: Pages<Node>, toItem: (node: Node) => StoryItem) => ({
    items: nodes.map(toItem),
    hasMore: hasMore || (isLoading && nodes.length === 0),
  });
  const parts = {
    messages: partOf(messages, (message) => ({ kind: 'message', id: message.id, at: timeOf(message), message })),
    touches: partOf(touches, (touch) => ({ kind: 'touch', id: touch.id, at: touch.createdAt, touch })),
    notes: partOf(notes, (note) => ({ kind: 'note', id: note.id, at: note.createdAt, note })),
    assignments: partOf(assignments, (assignment) => ({
      kind: 'assignment',
      id: assignment.id,
      at: assignment.createdAt,
      assignment,
    })),
    consent: partOf(consent, (entry) => ({ kind: 'consent', id: entry.id, at: entry.occurredAt, entry })),
    merges: {
      items: lead.merges.map((merge): StoryItem => ({ kind: 'merge', id: merge.id, at: merge.createdAt, merge })),
      hasMore: false,
    },
  };
  const all = [
    { part: parts.messages, pages: messages, kind: 'messages' },
    { part: parts.touches, pages: touches, kind: 'touches' },
    { part: parts.notes, pages: notes, kind: 'notes' },
    { part: parts.assignments, pages: assignments, kind: 'changes' },
    { part: parts.consent, pages: consent, kind: 'changes' },
    { part: parts.merges, pages: undefined, kind: 'changes' },
  ];
  /** Says how many events of a kind are read so far, and whether there are more. */
  const countOf = (kind: ShownKind) => {
    const own = all.filter((source) => source.kind === kind);
    const count = own.reduce((sum, { part }) => sum + part.items.length, 0);
    return { count, isMore: own.some(({ part }) => part.hasMore) };
  };
  const sources = all.filter(({ kind }) => shown === 'everything' || kind === shown);
  const { items, waitsFor } = storyOf(
    sources.map(({ part }) => part),
    order,
  );
  return {
    items,
    countOf,
    error: lists.find(({ error }) => error !== undefined)?.error,
    isLoading: sources.some(({ pages }) => pages?.isLoading === true),
    hasMore: waitsFor.length > 0,
    loadMore: () => waitsFor.forEach((place) => sources[place]?.pages?.loadMore()),
    reload,
    reloadNotes: notes.reload,
  };
}
