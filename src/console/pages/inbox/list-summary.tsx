// The line above the list: the view, the number of its conversations, and their order.

import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useStore } from '../../app/store.js';
import { appTexts } from '../../app/texts.js';
import { useTexts } from '../../i18n/language.js';
import { inboxCounts, maxCounted } from '../../live/inbox-counts.js';
import { isFiltered, orderOf, viewOf } from '../../live/inbox-filter.js';
import { keptViewOf, keptViews } from '../../live/kept-views.js';
import { Icon } from '../../parts/icon.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

// Most visits show one of the views that everybody has.
const KeptViewMenu = lazy(async () => {
  const { KeptViewMenu: component } = await import('./kept-view-menu.js');
  return { default: component };
});

/** @param onOrder opens the choice of the order */
export function ListSummary({ onOrder }: { onOrder: () => void }) {
  const texts = useTexts(inboxTexts);
  const views = useTexts(appTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const counts = useStore(inboxCounts);
  const kept = keptViewOf(useStore(keptViews), search);
  const { tag, instance, fromAd, ad, order } = search;
  const view = viewOf(search);
  const current = orderOf(order, view);
  const isWhole = [tag, instance, fromAd, ad].every((one) => one === undefined);
  const ofView = view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0;
  const count = kept?.count ?? (isWhole ? ofView : 0);
  return (
    <div className={styles.summary}>
      <strong>{kept === undefined ? views[view] : <bdi>{kept.name}</bdi>}</strong>
      {count > 0 && <span>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>}
      {/* The filters have the choice: a select here would have options of its own beside those of the list. */}
      <button type="button" className={styles.order} title={texts.order} onClick={onOrder}>
        {texts[current]}
        <Icon name="down" size={14} />
      </button>
      {(kept !== undefined || isFiltered(search)) && (
        <Suspense>
          <KeptViewMenu view={kept} />
        </Suspense>
      )}
    </div>
  );
}
