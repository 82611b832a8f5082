// The views of the table of leads that the user keeps, each with the number of its leads. The server keeps them.

import { useEffect, useRef } from 'react';
import { ask, askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { notifyFailure } from '../../parts/notices.js';
import type { ColumnName } from './lead-columns.js';
import { leadFilterOf, leadOrderOf, leadSearchOf, showsSame, type LeadSearch } from './lead-search.js';
import {
  ChangeLeadViewDocument,
  DeleteLeadViewDocument,
  KeepLeadViewDocument,
  KeptLeadViewsDocument,
  type KeptLeadViewFragment,
  type LeadFilter,
  type LeadOrder,
} from './operations.js';

export interface LeadView extends Pick<KeptLeadViewFragment, 'id' | 'name' | 'columns' | 'count'> {
  filter: LeadFilter;
  orderBy: LeadOrder;
  /** The address that shows it. */
  search: LeadSearch;
}

const countAfterMs = 3_000;

export function useLeadViews(search: LeadSearch) {
  const { data, reload, change } = useLoaded('views', async () => {
    const { leadViews } = await askAgain(KeptLeadViewsDocument);
    return leadViews.flatMap((view): LeadView[] => {
      const shown = { ...view, filter: view.filter as LeadFilter, orderBy: view.orderBy as unknown as LeadOrder };
      const address = leadSearchOf(shown.filter, shown.orderBy);
      // No address can hold what another client has kept.
      return address === undefined ? [] : [{ ...shown, search: address }];
    });
  });
  const views = data ?? [];
  useCounts(views.length > 0, reload);
  const keep = async ({
    name,
    filter,
    orderBy,
    columns,
  }: Pick<LeadView, 'name' | 'filter' | 'orderBy' | 'columns'>) => {
    await ask(KeepLeadViewDocument, { input: { name, filter, orderBy, columns } });
    reload();
  };
  return {
    views,
    /** The kept view that the address shows. A search is no part of a view. */
    shown: search.q === undefined ? views.find((view) => showsSame(view.search, search)) : undefined,
    keep,
    keepShown: (name: string, columns: readonly ColumnName[]) =>
      keep({ name, filter: leadFilterOf(search), orderBy: leadOrderOf(search), columns: named(columns) }),
    rename: async (id: string, name: string) => {
      await ask(ChangeLeadViewDocument, { id, input: { name } });
      reload();
    },
    /** The table shows the columns at once. */
    chooseColumns: (id: string, chosen: readonly ColumnName[]) => {
      const columns = named(chosen);
      change((all) => all.map((view) => (view.id === id ? { ...view, columns } : view)));
      ask(ChangeLeadViewDocument, { id, input: { columns } }).catch((error: unknown) => {
        notifyFailure(error);
        reload();
      });
    },
    remove: async (id: string) => {
      await ask(DeleteLeadViewDocument, { id });
      reload();
    },
  };
}

/** The name is always there, so a view with no other column names one as well. */
const named = (columns: readonly ColumnName[]) => ['name', ...columns];

/** The server alone counts what a filter finds. However many events come, it is asked once in a while. */
function useCounts(hasViews: boolean, reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useFeed(({ leadId }) => {
    if (leadId === null || !hasViews) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      reload();
    }, countAfterMs);
  }, reload);
}
