// The store of the shown inbox view. The feed keeps it current.

import { useEffect, useMemo } from 'react';
import { askAgain } from '../../api/client.js';
import { InboxDocument } from '../../api/operations.js';
import { useFeed } from '../../api/use-loaded.js';
import { feed } from '../../live/feed.js';
import { inboxQueryOf, type InboxQuery, type InboxSearch } from '../../live/inbox-filter.js';
import { InboxStore } from '../../live/inbox-store.js';
import { keepList } from '../../live/kept-reading.js';
import { beginOrder, changeOrder } from '../../live/neighbours.js';

const pageSize = 50;
/** The most rows that the server gives at once. */
const maxPageSize = 200;
/** The number of views kept in memory, so that going back shows one at once. A view is read again when shown. */
const maxStores = 4;
const stores = new Map<string, InboxStore>();

export function useInbox(search: InboxSearch, userId: string): InboxStore {
  const { view, q, tag, instance, order, fromAd, ad } = search;
  const store = useMemo(
    () => storeOf(inboxQueryOf({ view, tag, instance, order, fromAd, ad }, userId), userId),
    [view, tag, instance, order, fromAd, ad, userId],
  );
  useFeed(
    (event) => store.receive(event),
    () => void store.readAgain(),
  );
  useEffect(() => {
    const leaveKept = keepList(store);
    void store.load();
    return () => {
      leaveKept();
      store.close();
    };
  }, [store]);
  // The hits of a search have an order of their own.
  const isListed = q === undefined;
  useEffect(() => {
    if (!isListed) return undefined;
    const places = () =>
      store.state.value.rows.map(({ id, waitingSince }) => ({ id, isWaiting: waitingSince !== null }));
    beginOrder(places());
    return store.state.subscribe(() => changeOrder(places()));
  }, [store, isListed]);
  return store;
}

function storeOf(query: InboxQuery, userId: string): InboxStore {
  const key = JSON.stringify([userId, query]);
  const store = stores.get(key) ?? new InboxStore(query, (after, wanted) => readPage(query, after, wanted));
  stores.delete(key);
  stores.set(key, store);
  for (const oldest of [...stores.keys()].slice(0, -maxStores)) stores.delete(oldest);
  return store;
}

async function readPage({ filter, orderBy }: InboxQuery, after: string | undefined, wanted: number) {
  await feed.whenReady();
  const first = Math.min(Math.max(wanted, pageSize), maxPageSize);
  const variables = { first, filter, orderBy, ...(after !== undefined && { after }) };
  const { inbox } = await askAgain(InboxDocument, variables);
  return {
    rows: inbox.edges.map(({ node, cursor }) => ({ row: node, cursor })),
    hasMore: inbox.pageInfo.hasNextPage,
  };
}
