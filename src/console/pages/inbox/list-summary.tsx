// The line above the list: the view, the number of its conversations, and their order.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useStore } from '../../app/store.js';
import { appTexts } from '../../app/texts.js';
import { useTexts } from '../../i18n/language.js';
import { inboxCounts, maxCounted } from '../../live/inbox-counts.js';
import { viewOf } from '../../live/inbox-filter.js';
import { Icon } from '../../parts/icon.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';

/** The address names the orders so. */
const orders = ['newest', 'inbound', 'waiting'] as const;

export function ListSummary() {
  const texts = useTexts(inboxTexts);
  const views = useTexts(appTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const counts = useStore(inboxCounts);
  const { q, tag, instance, fromAd, ad, order } = search;
  const view = viewOf(search);
  const current = orders.find((one) => one === order) ?? (view === 'waiting' ? 'waiting' : 'newest');
  const choose = (wanted: string) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, order: wanted }), replace: true });
  const isWhole = [q, tag, instance, fromAd, ad].every((one) => one === undefined);
  const count = view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0;
  return (
    <div className={styles.summary}>
      <strong>{views[view]}</strong>
      {isWhole && count > 0 && <span>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>}
      {/* A select would have options of its own beside those of the list. */}
      <Menu
        trigger={
          <button type="button" className={styles.order} title={texts.order}>
            {texts[current]}
            <Icon name="down" size={14} />
          </button>
        }
      >
        {orders.map((one) => (
          <MenuItem key={one} onChoose={() => choose(one)}>
            {texts[one]}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
