// The users of the tenant, to assign leads to and to filter by: one reading for every page.

import { askAgain } from './client.js';
import { ColleaguesDocument } from './operations.js';
import type { ColleaguesQuery } from './operations.js';
import { useLoaded } from './use-loaded.js';

type Colleague = ColleaguesQuery['users']['edges'][number]['node'];

const maxPages = 5;

/** 1,000 at most; empty until they are read. Administrators see those who are switched off too. */
export function useColleagues(): readonly Colleague[] {
  return useLoaded('colleagues', readAll).data ?? [];
}

async function readAll(): Promise<Colleague[]> {
  const all: Colleague[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { users }: ColleaguesQuery = await askAgain(ColleaguesDocument, { after });
    all.push(...users.edges.map(({ node }) => node));
    if (!users.pageInfo.hasNextPage) break;
    after = users.pageInfo.endCursor;
  }
  return all;
}
