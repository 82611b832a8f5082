// Drafts and held messages of the signed-in user. The browser keeps them; messages are sent when due, or at once when the page is left.

import { limitedUntil } from '../api/call-limit.js';
import { ask } from '../api/client.js';
import {
  SendHeldMessageDocument,
  SendHeldMessagesTogetherDocument,
  type ChatMessageFragment,
  type SendMessageInput,
} from '../api/operations.js';
import { RequestError } from '../api/request-error.js';
import { accessTokenNow, onSignOut, sessionState } from '../app/session.js';
import { conversations, reopenConversation } from './conversations.js';
import { Drafts, type Draft } from './drafts.js';
import { connection, onMerge } from './feed.js';
import { HeldSends, type Failure, type HeldSend } from './held-sends.js';
import { forget, forgetUser, keep, keepLast, readKept, takeLast } from './kept.js';

export const holdMs = 5_000;
const staleMs = 10 * 60_000;
const leftKey = 'leadwire.left';
const maxLeftKeys = 50;
const tryAgainMs = 8_000;
const adoptMs = [0, 1_500, 5_000];
const adoptEveryMs = 60_000;
/** Browsers send at most 64 KiB after a page has ended. */
const maxKeepAliveBytes = 60_000;
const maxTogether = 3;

const pageId = newKey();
const lockOf = (page: string) => `leadwire.page.${page}`;
let userId = '';
/** The newest token, for messages that are sent during sign-out. */
let token: string | undefined;

export const drafts = new Drafts({
  now: Date.now,
  saveAfterMs: 300,
  maxDrafts: 200,
  uploadsLastMs: 23 * 3_600_000,
  save: (leadId, draft) =>
    draft === undefined ? forget(userId, 'draft', [leadId]) : keep(userId, 'draft', leadId, draft),
});

export const heldSends = new HeldSends<Draft, ChatMessageFragment>({
  owner: pageId,
  holdMs,
  staleMs,
  now: Date.now,
  newKey,
  send: async (input) => {
    token = accessTokenNow() ?? token;
    return (await ask(SendHeldMessageDocument, { input })).sendMessage;
  },
  explain: toFailure,
  save: (send) => keep(userId, 'held', send.key, send),
  remove: (keys) => forget(userId, 'held', keys),
  onSent: (leadId, message) => conversations.find(leadId)?.messages.receiveAnswer(message),
  // The refusal is said anyway, so a call that fails here is not.
  onRefusedClosing: (leadId) => void reopenConversation(leadId).catch(() => undefined),
});

let dueTimer: ReturnType<typeof setTimeout> | undefined;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

heldSends.list.subscribe(() => {
  token = accessTokenNow() ?? token;
  clearTimeout(dueTimer);
  const { nextDueAt } = heldSends;
  if (nextDueAt !== undefined)
    dueTimer = setTimeout(() => void heldSends.sendDue(), Math.max(0, nextDueAt - Date.now()));
  const waits = heldSends.list.value.some(({ failure }) => failure?.isTemporary === true);
  if (!waits) return;
  // No call succeeds before the limit is over, and each one counts against it.
  const limitMs = (limitedUntil.value ?? 0) - Date.now();
  retryTimer ??= setTimeout(
    () => {
      retryTimer = undefined;
      void heldSends.retryTemporary();
    },
    limitMs > 0 ? limitMs : tryAgainMs,
  );
});

/** Loads the signed-in user's drafts and held messages. A second call for the same user does nothing. */
export function startOutgoing(): void {
  const { user } = sessionState.value;
  if (user === undefined || user.id === userId) return;
  userId = user.id;
  token = accessTokenNow();
  const own = userId;
  // Drafts that the previous page could only save at its end are newer than its stored drafts.
  for (const [leadId, draft] of takeLast<Draft>(own)) drafts.set(leadId, draft);
  void readKept<Draft>(own, 'draft').then((kept) => own === userId && drafts.restore(kept));
  for (const wait of adoptMs) setTimeout(() => void adopt(own), wait);
}

// The lock shows other pages that this page lives, so that they leave its messages alone.
void navigator.locks?.request(lockOf(pageId), () => new Promise(() => undefined));

setInterval(() => userId !== '' && void adopt(userId), adoptEveryMs);

/** Takes over the messages of pages that have ended. */
async function adopt(own: string): Promise<void> {
  const { locks } = navigator;
  if (locks === undefined) return adoptNow(own, new Set());
  await locks.request('leadwire.adopt', async () => {
    const { held = [] } = await locks.query();
    await adoptNow(own, new Set(held.map(({ name = '' }) => name)));
  });
}

async function adoptNow(own: string, alive: ReadonlySet<string>): Promise<void> {
  const kept = await readKept<HeldSend<Draft>>(own, 'held');
  if (own !== userId) return;
  // Without locks a page cannot see which others live. It takes over messages that are long overdue.
  const isOrphan = ({ owner, dueAt }: HeldSend<Draft>) =>
    navigator.locks === undefined ? dueAt < Date.now() - 3 * holdMs : !alive.has(lockOf(owner));
  const orphans = kept.map(([, send]) => send).filter((send) => send.owner !== pageId && isOrphan(send));
  if (orphans.length === 0) return;
  heldSends.restore(orphans, new Set(readLeft()));
}

/**
 * Sends all held messages, even if the page ends at this moment. Their keys prevent a second send.
 * @returns the keys of the messages that the server accepted
 */
async function leave(): Promise<string[]> {
  drafts.flush();
  const chains = heldSends.leave();
  const left = chains.flat().map(({ key }) => key);
  if (left.length === 0) return [];
  localStorage.setItem(leftKey, JSON.stringify([...readLeft(), ...left].slice(-maxLeftKeys)));
  const taken = await Promise.all(
    chains.map(async (chain) => {
      const sizeOf = (part: typeof chain) => new TextEncoder().encode(bodyOf(part)).length;
      const together = chain.slice(0, maxTogether);
      const part = sizeOf(together) > maxKeepAliveBytes ? together.slice(0, 1) : together;
      return (await post(bodyOf(part))) ? part.map(({ key }) => key) : [];
    }),
  );
  return taken.flat();
}

function bodyOf(chain: readonly HeldSend<Draft>[]): string {
  const [first, second, third] = chain.map(({ key, input, expected }, index): SendMessageInput => {
    const bound = index === 0 && expected !== undefined ? { expectedLastMessageId: expected } : {};
    return { ...input, ...bound, idempotencyKey: key };
  });
  if (second === undefined)
    return JSON.stringify({ query: SendHeldMessageDocument.toString(), variables: { input: first } });
  const variables = { first, second, third: third ?? second, hasThird: third !== undefined };
  return JSON.stringify({ query: SendHeldMessagesTogetherDocument.toString(), variables });
}

/** @returns true if the server accepted the call */
async function post(body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessTokenNow() ?? token}` };
  try {
    const keepalive = body.length < maxKeepAliveBytes;
    const response = await fetch('/graphql', { method: 'POST', body, headers, keepalive });
    return ((await response.json()) as { errors?: unknown }).errors === undefined;
  } catch {
    return false;
  }
}

function readLeft(): string[] {
  return JSON.parse(localStorage.getItem(leftKey) ?? '[]') as string[];
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof RequestError)) return { code: 'NETWORK', message: String(error), isTemporary: true };
  const { code, message, requestId, extensions } = error;
  const unseen = (extensions['unseenMessages'] as unknown[] | undefined)?.length;
  // The message is sent after the next sign-in.
  const isTemporary = error.isTemporary || code === 'UNAUTHENTICATED';
  return { code, message, requestId, isTemporary, ...(unseen !== undefined && { unseen }) };
}

/** Returns a UUID. It works on pages without https too, unlike `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// The conversation may not be open here.
onMerge((fromId, toId) => drafts.move(fromId, toId));
connection.subscribe(() => connection.value === 'live' && void heldSends.retryTemporary());
// Background saves may be lost when the page ends.
const keepUnsaved = () => keepLast(userId, drafts.notSaved);
const goOn = () => userId !== '' && takeLast(userId);
addEventListener('pagehide', () => {
  keepUnsaved();
  void leave();
});
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  goOn();
  void heldSends.comeBack(readLeft());
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') goOn();
  else {
    keepUnsaved();
    drafts.flush();
  }
});

onSignOut(async () => {
  const leaving = leave();
  const own = userId;
  userId = '';
  drafts.clear();
  heldSends.list.set([]);
  takeLast(own);
  await forgetUser(own, 'draft');
  forget(own, 'held', await leaving);
});
sessionState.subscribe(() => {
  const { user } = sessionState.value;
  if (user?.id === userId || userId === '') return;
  // The session ended by itself. The stored data returns when its user signs in again.
  drafts.flush();
  userId = '';
  drafts.clear();
  heldSends.list.set([]);
});
