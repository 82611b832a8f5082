// The tenant's users, for assigning leads and for filters. All pages share one reading, and a menu opens with the users of the last
// reading.

import { useEffect } from 'react';
import { onUserChange, sessionState } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { feed } from '../live/feed.js';
import { askAgain } from './client.js';
import { ColleaguesDocument, type ColleaguesQuery } from './operations.js';

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

/** Returns at most 1,000 users; the list is empty until they are read. Administrators also see deactivated users. */
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
    // The known users stay, and the next menu reads again.
  }
}

async function readAll(isAdmin: boolean): Promise<Colleague[]> {
  const all: Colleague[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { users }: ColleaguesQuery = await askAgain(ColleaguesDocument, { after, isAdmin });
    // Only administrators receive `isActive`; other users see active users alone.
    all.push(...users.edges.map(({ node }) => ({ ...node, isActive: node.isActive ?? true })));
    if (!users.pageInfo.hasNextPage) break;
    after = users.pageInfo.endCursor;
  }
  return all;
}

// The list belongs to one user's session.
onUserChange(() => {
  reading = undefined;
  readAt = 0;
  known.set([]);
});
