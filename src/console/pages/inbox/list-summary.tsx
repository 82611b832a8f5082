// The line above the list: the view, the number of its conversations, and their order.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useStore } from '../../app/store.js';
import { appTexts } from '../../app/texts.js';
import { useTexts } from '../../i18n/language.js';
import { inboxCounts, maxCounted } from '../../live/inbox-counts.js';
import { viewOf } from '../../live/inbox-filter.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

export function ListSummary() {
  const texts = useTexts(inboxTexts);
  const views = useTexts(appTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const counts = useStore(inboxCounts);
  const { q, tag, instance, fromAd, ad, order } = search;
  const view = viewOf(search);
  const isWhole = [q, tag, instance, fromAd, ad].every((one) => one === undefined);
  const count = view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0;
  return (
    <div className={styles.summary}>
      <strong>{views[view]}</strong>
      {isWhole && count > 0 && <span>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>}
      <select
        aria-label={texts.order}
        value={order ?? (view === 'waiting' ? 'waiting' : 'newest')}
        onChange={({ target }) =>
          void navigate({ to: '.', search: (now: object) => ({ ...now, order: target.value }), replace: true })
        }
      >
        <option value="newest">{texts.newest}</option>
        <option value="inbound">{texts.inbound}</option>
        <option value="waiting">{texts.longest}</option>
      </select>
    </div>
  );
}
