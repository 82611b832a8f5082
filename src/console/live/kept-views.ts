// The views of the inbox that the user keeps under a name, each with the number of its conversations. The server keeps them.

import { askAgain } from '../api/client.js';
import { KeptViewsDocument, type InboxFilter, type InboxOrder } from '../api/operations.js';
import { sessionState } from '../app/session.js';
import { Store } from '../app/store.js';
import { feed } from './feed.js';
import { inboxQueryOf, isSame, searchOf, type InboxSearch } from './inbox-filter.js';

export interface KeptView {
  id: string;
  name: string;
  count: number;
  filter: InboxFilter;
  orderBy: InboxOrder;
  /** The address that shows it. */
  search: InboxSearch;
}

/** The oldest first. A view that another client has kept and that no address can hold is left out. */
export const keptViews = new Store<readonly KeptView[]>([]);

const countAfterMs = 3_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export async function readKeptViews(): Promise<void> {
  const userId = sessionState.value.user?.id ?? '';
  const { inboxViews } = await askAgain(KeptViewsDocument);
  if (userId !== sessionState.value.user?.id) return;
  keptViews.set(
    inboxViews.flatMap(({ filter, ...view }) => {
      const search = searchOf(filter, view.orderBy, userId);
      return search === undefined ? [] : [{ ...view, filter, search }];
    }),
  );
}

/** @returns a function that ends the updates */
export function followKeptViews(): () => void {
  const readQuietly = () => void readKeptViews().catch(() => undefined);
  readQuietly();
  const leave = feed.listen({
    // The server alone counts what a filter finds. However many events come, it is asked once in a while.
    onEvent: ({ leadId }) => {
      if (leadId === null || keptViews.value.length === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        readQuietly();
      }, countAfterMs);
    },
    onResync: readQuietly,
  });
  return () => {
    leave();
    clearTimeout(timer);
    timer = undefined;
    keptViews.set([]);
  };
}

/** Returns the kept view that an address shows. A search is no part of a view. */
export function keptViewOf(all: readonly KeptView[], search: InboxSearch): KeptView | undefined {
  if (search.q !== undefined) return undefined;
  const { filter, orderBy } = inboxQueryOf(search, sessionState.value.user?.id ?? '');
  return all.find((view) => view.orderBy === orderBy && isSame(view.filter, filter));
}
