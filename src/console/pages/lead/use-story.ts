// Reads the line of time of a lead, and reads the part again that an event has changed.

import { askAgain } from '../../api/client.js';
import type { Page } from '../../api/read-in-turn.js';
import { useFeed } from '../../api/use-loaded.js';
import { usePages, type Pages } from '../../api/use-pages.js';
import {
  ConsentLogDocument,
  StoryAssignmentsDocument,
  StoryMessagesDocument,
  StoryNotesDocument,
  StoryTouchesDocument,
  type WholeLeadFragment,
} from './operations.js';
import {
  storyOf,
  type StoryAssignment,
  type StoryConsent,
  type StoryItem,
  type StoryMessage,
  type StoryNote,
  type StoryTouch,
} from './story.js';

export const shownKinds = ['everything', 'messages', 'touches', 'notes', 'changes'] as const;
export type ShownKind = (typeof shownKinds)[number];

const none: Page<never> = { edges: [], pageInfo: { hasNextPage: false } };

export function useStory(lead: WholeLeadFragment, shown: ShownKind) {
  const { id: leadId, optOut } = lead;
  const of = (after: string | undefined) => ({ leadId, ...(after !== undefined && { after }) });
  const messages = usePages<StoryMessage>(`${leadId} messages`, async (before) => {
    const { messages: found } = await askAgain(StoryMessagesDocument, {
      leadId,
      ...(before !== undefined && { before }),
    });
    const { hasPreviousPage: hasNextPage, startCursor: endCursor } = found.pageInfo;
    return { edges: found.edges, pageInfo: { hasNextPage, endCursor } };
  });
  const touches = usePages<StoryTouch>(
    `${leadId} touches`,
    async (after) => (await askAgain(StoryTouchesDocument, of(after))).lead?.touches ?? none,
  );
  const notes = usePages<StoryNote>(
    `${leadId} notes`,
    async (after) => (await askAgain(StoryNotesDocument, of(after))).lead?.notes ?? none,
  );
  const assignments = usePages<StoryAssignment>(
    `${leadId} assignments`,
    async (after) => (await askAgain(StoryAssignmentsDocument, of(after))).lead?.assignments ?? none,
  );
  const consent = usePages<StoryConsent>(
    `${leadId} ${optOut?.at}`,
    async (after) => (await askAgain(ConsentLogDocument, of(after))).consentLog,
  );
  const lists: Pick<Pages<unknown>, 'error' | 'reload'>[] = [messages, touches, notes, assignments, consent];
  useFeed(
    ({ type, leadId: about, lead: changed }) => {
      if (about !== leadId && changed?.id !== leadId) return;
      if (type.startsWith('MESSAGE_')) messages.reload();
      if (type === 'LEAD_NOTE_CHANGED') notes.reload();
      if (type === 'LEAD_ASSIGNED') assignments.reload();
      if (type === 'LEAD_UPDATED' || type === 'LEAD_CREATED') touches.reload();
    },
    () => lists.forEach((pages) => pages.reload()),
  );

  const partOf = <Node>({ nodes, hasMore, isLoading }: Pages<Node>, toItem: (node: Node) => StoryItem) => ({
    items: nodes.map(toItem),
    hasMore: hasMore || (isLoading && nodes.length === 0),
  });
  const parts = {
    messages: partOf(messages, (message) => ({ kind: 'message', id: message.id, at: message.createdAt, message })),
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
  const { items, waitsFor } = storyOf(sources.map(({ part }) => part));
  return {
    items,
    countOf,
    error: lists.find(({ error }) => error !== undefined)?.error,
    isLoading: sources.some(({ pages }) => pages?.isLoading === true),
    hasMore: waitsFor.length > 0,
    loadMore: () => waitsFor.forEach((place) => sources[place]?.pages?.loadMore()),
    reload: () => lists.forEach((pages) => pages.reload()),
    reloadNotes: notes.reload,
  };
}
