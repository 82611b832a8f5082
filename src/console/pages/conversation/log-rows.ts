// The rows of the message log in order: days, messages, notes and held messages.

import type { ChatMessage, Note } from '../../live/conversation-store.js';
import type { Draft } from '../../live/drafts.js';
import type { HeldSend } from '../../live/held-sends.js';

export type Row =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'message'; key: string; at: string; message: ChatMessage; isFollowUp: boolean; isFollowed: boolean }
  | { kind: 'note'; key: string; at: string; note: Note }
  | { kind: 'held'; key: string; at: string; send: HeldSend<Draft> };

interface Shown {
  messages: readonly ChatMessage[];
  notes: readonly Note[];
  held: readonly HeldSend<Draft>[];
  hasOlder: boolean;
  hasNewer: boolean;
  userId: string | undefined;
}

export function toRows({ messages, notes, held, hasOlder, hasNewer, userId }: Shown): Row[] {
  const rows: Row[] = messages.map((message, index) => {
    const isFollowUp = follows(message, messages[index - 1]);
    const after = messages[index + 1];
    const isFollowed = after !== undefined && follows(after, message);
    return { kind: 'message', key: message.id, at: message.createdAt, message, isFollowUp, isFollowed };
  });
  const [first, last] = [rows[0]?.at, rows.at(-1)?.at];
  for (const note of notes) {
    const isBefore = hasOlder && first !== undefined && note.createdAt < first;
    const isAfter = hasNewer && last !== undefined && note.createdAt > last;
    if (!isBefore && !isAfter) rows.push({ kind: 'note', key: note.id, at: note.createdAt, note });
  }
  rows.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
  if (!hasNewer)
    for (const send of held)
      if (!isShownAlready(send, messages, userId))
        rows.push({ kind: 'held', key: send.key, at: new Date(send.createdAt).toISOString(), send });
  return withDays(rows);
}

const followsWithinMs = 5 * 60_000;

/** Returns true if the message follows soon after another of the same author. Its author's name is then not repeated. */
function follows(message: ChatMessage, before: ChatMessage | undefined): boolean {
  if (
    before === undefined ||
    before.isNotice ||
    before.direction !== message.direction ||
    before.origin !== message.origin
  )
    return false;
  if (before.author?.id !== message.author?.id) return false;
  const [from, to] = [new Date(before.createdAt), new Date(message.createdAt)];
  return to.getTime() - from.getTime() < followsWithinMs && from.toDateString() === to.toDateString();
}

// Returns true if a held message appears in the log already, because its event came before the answer of the call.
function isShownAlready(
  { state, expected, input }: HeldSend<Draft>,
  messages: readonly ChatMessage[],
  userId: string | undefined,
): boolean {
  if (state !== 'sending') return false;
  const text = input.body ?? null;
  const since = messages.findIndex(({ id }) => id === expected) + 1;
  return messages
    .slice(since)
    .some(({ author, body, media }) => author?.id === userId && (text !== null ? body === text : media !== null));
}

function withDays(rows: readonly Row[]): Row[] {
  let day = '';
  return rows.flatMap((row) => {
    const own = new Date(row.at).toDateString();
    if (own === day) return [row];
    day = own;
    return [{ kind: 'day', key: `day ${own}`, at: row.at } as const, row];
  });
}
