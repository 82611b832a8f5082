// The data that the browser keeps for a user across reloads: drafts and held messages, in IndexedDB under the user's id. Tokens are not
// kept.

import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval';

type Kind = 'draft' | 'held';
type KeptKey = [userId: string, kind: Kind, id: string];

let opened: UseStore | undefined;
const open = () => (opened ??= createStore('leadwire', 'kept'));

/** @returns the values with their ids; an empty list if the browser stores nothing, for example in a private window */
export async function readKept<Value>(userId: string, kind: Kind): Promise<[id: string, value: Value][]> {
  try {
    const all = await entries<KeptKey, Value>(open());
    return all.flatMap(([[ofUser, ofKind, id], value]) => (ofUser === userId && ofKind === kind ? [[id, value]] : []));
  } catch {
    return [];
  }
}

export function keep(userId: string, kind: Kind, id: string, value: unknown): void {
  set([userId, kind, id], value, open()).catch(() => undefined);
}

export function forget(userId: string, kind: Kind, ids: readonly string[]): void {
  delMany(
    ids.map((id) => [userId, kind, id]),
    open(),
  ).catch(() => undefined);
}

export async function forgetUser(userId: string, kind: Kind): Promise<void> {
  const all = await entries<KeptKey, unknown>(open());
  await delMany(
    all.flatMap(([key]) => (key[0] === userId && key[1] === kind ? [key] : [])),
    open(),
  );
}

const lastKey = 'leadwire.last';

/** Keeps values for the next start of this tab alone. Unlike IndexedDB, sessionStorage also stores while a page ends. */
export function keepLast(userId: string, values: readonly (readonly [id: string, value: unknown])[]): void {
  if (values.length === 0) return;
  try {
    sessionStorage.setItem(lastKey, JSON.stringify({ userId, values }));
  } catch {
    // The values exceed the browser's limit.
  }
}

/** Returns the kept values and removes them. */
export function takeLast<Value>(userId: string): [id: string, value: Value][] {
  const kept = JSON.parse(sessionStorage.getItem(lastKey) ?? '{}') as { userId?: string; values?: [string, Value][] };
  sessionStorage.removeItem(lastKey);
  return kept.userId === userId ? (kept.values ?? []) : [];
}
