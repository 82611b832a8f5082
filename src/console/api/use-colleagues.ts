// The users of the tenant, to assign leads to and to filter by: one reading for every page, kept so that a menu opens with them.

import { useEffect } from 'react';
import { sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { feed } from '../live/feed.js';
import { askAgain } from './client.js';
import { ColleaguesDocument } from './operations.js';
import type { ColleaguesQuery } from './operations.js';

export interface Colleague {
  id: string;
  name: string | null;
  email: string;
  isActive: boolean;
}

const maxPages = 5;
const freshMs = 30_000;
const known = new Store<readonly Colleague[]>([]);
let readAt = 0;
let reading: Promise<void> | undefined;

/** 1,000 at most; empty until they are read. Administrators see those who are switched off too. */
export function useColleagues(): readonly Colleague[] {
  useEffect(() => {
    if (Date.now() - readAt < freshMs) return;
    reading ??= read().finally(() => {
      reading = undefined;
    });
  }, []);
  return useStore(known);
}

async function read(): Promise<void> {
  const { user } = sessionState.value;
  await feed.whenReady();
  try {
    const all = await readAll(user?.role === 'ADMIN');
    if (sessionState.value.user?.id !== user?.id) return;
    readAt = Date.now();
    known.set(all);
  } catch {
    // Those who were known stay; the next menu reads again.
  }
}

async function readAll(isAdmin: boolean): Promise<Colleague[]> {
  const all: Colleague[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { users }: ColleaguesQuery = await askAgain(ColleaguesDocument, { after, isAdmin });
    // Others only ever see those who may come in.
    all.push(...users.edges.map(({ node }) => ({ ...node, isActive: node.isActive ?? true })));
    if (!users.pageInfo.hasNextPage) break;
    after = users.pageInfo.endCursor;
  }
  return all;
}

// Of another user.
sessionState.subscribe(() => {
  readAt = 0;
  known.set([]);
});
