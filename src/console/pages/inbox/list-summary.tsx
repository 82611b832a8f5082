// The line above the list: the view, the number of its conversations, and their order.

import { useSearch } from '@tanstack/react-router';
import { useStore } from '../../app/store.js';
import { appTexts } from '../../app/texts.js';
import { useTexts } from '../../i18n/language.js';
import { inboxCounts, maxCounted } from '../../live/inbox-counts.js';
import { orderOf, viewOf } from '../../live/inbox-filter.js';
import { Icon } from '../../parts/icon.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

/** @param onOrder opens the choice of the order */
export function ListSummary({ onOrder }: { onOrder: () => void }) {
  const texts = useTexts(inboxTexts);
  const views = useTexts(appTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const counts = useStore(inboxCounts);
  const { tag, instance, fromAd, ad, order } = search;
  const view = viewOf(search);
  const current = orderOf(order, view);
  const isWhole = [tag, instance, fromAd, ad].every((one) => one === undefined);
  const count = view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0;
  return (
    <div className={styles.summary}>
      <strong>{views[view]}</strong>
      {isWhole && count > 0 && <span>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>}
      {/* The filters have the choice: a select here would have options of its own beside those of the list. */}
      <button type="button" className={styles.order} title={texts.order} onClick={onOrder}>
        {texts[current]}
        <Icon name="down" size={14} />
      </button>
    </div>
  );
}
