// The lists and conversations that the user read last. The browser keeps them for the next start, under the tenant and the user, without
// anything of files. They are removed as soon as the session ends.

import { clear, createStore, get, type UseStore } from 'idb-keyval';
import type { LeadRowFragment } from '../api/operations.js';
import { onSignOut, onUserChange, sessionState } from '../app/session.js';
import type { ChatMessage, ConversationLead, ConversationStore } from './conversation-store.js';
import { feed } from './feed.js';
import type { InboxStore } from './inbox-store.js';

type Kind = 'list' | 'conversation';

export interface KeptConversation {
  lead: ConversationLead;
  messages: readonly ChatMessage[];
  hasOlder: boolean;
}

interface Kept {
  keptAt: number;
  /** Another build may read other fields. */
  build: string;
  value: unknown;
}

const maxKept: Record<Kind, number> = { list: 4, conversation: 50 };
const maxRows = 50;
const maxMessages = 50;
/** The newest messages with about so many characters are kept. */
const maxCharacters = 100_000;
const maxAgeMs = 24 * 3_600_000;
const saveAfterMs = 1_000;
const sweepAfterMs = 2_000;
const sweepEveryMs = 3_600_000;

const build = document.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';
let opened: UseStore | undefined;
const open = () => (opened ??= createStore('leadwire-reading', 'kept'));

/** Shows the kept rows until the first answer, and keeps what the list shows from then on. @returns a function that ends it */
export function keepList(store: InboxStore): () => void {
  const name = JSON.stringify(store.query);
  const owner = ownerNow();
  void read<LeadRowFragment[]>(owner, 'list', name).then((rows) => rows !== undefined && store.restore(rows));
  return saveWhenChanged([store.state], () => {
    const { rows, isLoading, error } = store.state.value;
    if (!isLoading && error === undefined) void write(owner, 'list', name, rows.slice(0, maxRows).map(withoutFile));
  });
}

/** A conversation as far as it is kept. */
interface KeptSource {
  id: string;
  messages: Pick<ConversationStore, 'state'>;
  lead: Followed<{ status: string; lead?: ConversationLead }>;
}

interface Followed<Value> {
  readonly value: Value;
  readonly subscribe: (listener: () => void) => () => void;
}

export const readKeptConversation = (id: string): Promise<KeptConversation | undefined> =>
  read<KeptConversation>(ownerNow(), 'conversation', id);

/** Keeps the conversation from now on, as long as it shows the newest messages. */
export function keepConversation({ id, messages: { state }, lead }: KeptSource): void {
  const owner = ownerNow();
  saveWhenChanged([state, lead], () => {
    if (lead.value.status === 'gone') {
      void forgetLead(owner, id);
      return;
    }
    const { status, isKept, hasNewer, hasOlder, messages } = state.value;
    if (status !== 'ready' || isKept || hasNewer || lead.value.lead === undefined) return;
    const kept = newestOf(messages);
    void write(owner, 'conversation', id, {
      lead: withoutFile(lead.value.lead),
      messages: kept.map(withoutFiles),
      hasOlder: hasOlder || kept.length < messages.length,
    } satisfies KeptConversation);
  });
}

function saveWhenChanged(followed: readonly Pick<Followed<unknown>, 'subscribe'>[], save: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      save();
    }, saveAfterMs);
  };
  const leave = followed.map(({ subscribe }) => subscribe(saveSoon));
  return () => {
    clearTimeout(timer);
    for (const end of leave) end();
  };
}

function newestOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let characters = 0;
  const tooMuch = messages
    .slice(-maxMessages)
    .findLastIndex(({ body }) => (characters += body?.length ?? 0) > maxCharacters);
  return messages.slice(-maxMessages).slice(tooMuch + 1);
}

function withoutFile<Row extends LeadRowFragment>(row: Row): Row {
  const { lastMessage } = row;
  const media = lastMessage?.media;
  const shown = media == null ? lastMessage : { ...lastMessage, media: { ...media, fileName: null } };
  return { ...row, lastMessage: shown, presence: [] };
}

/** A kept file is said to be on its way, until the server has answered. */
function withoutFiles(message: ChatMessage): ChatMessage {
  const { media, replyTo } = message;
  return {
    ...message,
    media: media && { ...media, state: 'PENDING', url: null, fileName: null, size: null, error: null },
    replyTo: replyTo && { ...replyTo, media: replyTo.media && { ...replyTo.media, fileName: null } },
  };
}

type Owner = readonly [tenantId: string, userId: string] | undefined;

function ownerNow(): Owner {
  const { user } = sessionState.value;
  return user && [user.tenantId, user.id];
}

const isSignedIn = (owner: Owner) => owner !== undefined && String(owner) === String(ownerNow());

/** @returns undefined if nothing is kept, or the browser keeps nothing, for example in a private window */
async function read<Value>(owner: Owner, kind: Kind, name: string): Promise<Value | undefined> {
  if (owner === undefined) return undefined;
  const kept = await get<Kept>([...owner, kind, name], open()).catch(() => undefined);
  const isUsable = kept?.build === build && Date.now() - kept.keptAt < maxAgeMs && isSignedIn(owner);
  return isUsable ? (kept.value as Value) : undefined;
}

async function write(owner: Owner, kind: Kind, name: string, value: unknown): Promise<void> {
  if (owner === undefined || !isSignedIn(owner)) return;
  const kept: Kept = { keptAt: Date.now(), build, value };
  await change((store) => {
    store.put(kept, [...owner, kind, name]);
    rename(store, owner, kind, (names) => [name, ...names.filter((one) => one !== name)]);
  });
}

async function forgetLead(owner: Owner, id: string): Promise<void> {
  if (owner === undefined) return;
  await change((store) => {
    store.delete([...owner, 'conversation', id]);
    rename(store, owner, 'conversation', (names) => names.filter((one) => one !== id));
    withNames(store, owner, 'list', (names) => {
      for (const name of names)
        reading(store.get([...owner, 'list', name]) as IDBRequest<Kept | undefined>, (kept) => {
          const rows = kept?.value as LeadRowFragment[] | undefined;
          if (rows?.some((row) => row.id === id))
            store.put({ ...kept, value: rows.filter((row) => row.id !== id) }, [...owner, 'list', name]);
        });
    });
  });
}

/** Changes the names of what is kept, the latest first, and deletes what is too much. */
function rename(store: IDBObjectStore, owner: Owner & {}, kind: Kind, next: (names: string[]) => string[]): void {
  withNames(store, owner, kind, (names) => {
    const all = next(names);
    store.put(all.slice(0, maxKept[kind]), [...owner, kind]);
    for (const name of all.slice(maxKept[kind])) store.delete([...owner, kind, name]);
  });
}

function withNames(store: IDBObjectStore, owner: Owner & {}, kind: Kind, use: (names: string[]) => void): void {
  reading(store.get([...owner, kind]) as IDBRequest<string[] | undefined>, (names = []) => use(names));
}

function reading<Value>(request: IDBRequest<Value>, use: (value: Value) => void): void {
  request.addEventListener('success', () => use(request.result));
}

/** Runs one transaction. What it meets is of no consequence: the next start reads from the server. */
async function change(work: (store: IDBObjectStore) => void): Promise<void> {
  const done = open()('readwrite', (store) => {
    work(store);
    return new Promise<void>((resolve, reject) => {
      store.transaction.addEventListener('complete', () => resolve());
      store.transaction.addEventListener('abort', () => reject(store.transaction.error));
    });
  });
  await done.catch(() => undefined);
}

/** Deletes what is too old to be shown, and what another user has left. */
function sweep(): Promise<void> {
  const owner = String(ownerNow());
  return change((store) =>
    reading(store.openCursor(), (cursor) => {
      if (cursor === null) return;
      const [tenantId, userId] = cursor.key as string[];
      const { keptAt = Number.POSITIVE_INFINITY } = cursor.value as Partial<Kept>;
      if (String([tenantId, userId]) !== owner || Date.now() - keptAt > maxAgeMs) cursor.delete();
      cursor.continue();
    }),
  );
}

const forgetEverything = () => clear(open()).catch(() => undefined);

feed.listen({
  onEvent: ({ type, leadId }) => type === 'LEAD_DELETED' && leadId !== null && void forgetLead(ownerNow(), leadId),
  onResync: () => undefined,
});
onSignOut(forgetEverything);
// The session ended, belongs to another user now, or ended with its tab before this start.
onUserChange(() => void forgetEverything());
if (ownerNow() === undefined) void forgetEverything();
// Opening the store takes a while, which the page's code loads in.
else void get('opened', open()).catch(() => undefined);
setTimeout(() => void sweep(), sweepAfterMs);
setInterval(() => void sweep(), sweepEveryMs);
