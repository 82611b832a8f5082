// The views of the inbox and those that the user keeps, each with the number of its conversations: in the navigation, or above a narrow
// list.

import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n/language.js';
import { inboxCounts, maxCounted } from '../live/inbox-counts.js';
import { viewOf, views, type InboxSearch, type View } from '../live/inbox-filter.js';
import { keptViewOf, keptViews } from '../live/kept-views.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';
import styles from './view-links.module.css';

export function ViewLinks({ className }: { className: string | undefined }) {
  const texts = useTexts(appTexts);
  const counts = useStore(inboxCounts);
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.startsWith('/inbox') });
  const search = useRouterState({ select: ({ location }) => location.search }) as InboxSearch;
  const kept = useStore(keptViews);
  // A search shows what is found in every view.
  const isListed = isInbox && search.q === undefined;
  const shown = isListed ? keptViewOf(kept, search) : undefined;
  const current = isListed ? (shown?.id ?? viewOf(search)) : undefined;
  // Filters stay from view to view, but those of a kept view belong to it.
  const keepsFilters = isInbox && shown === undefined;
  const countOf = (view: View) => (view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0);
  const list = useRef<HTMLUListElement>(null);
  const isCounted = kept.length > 0 || views.some((view) => countOf(view) > 0);
  // Above a narrow list not every view is in sight at once. The counts move them when they come.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, isCounted]);
  return (
    <ul ref={list} className={className} aria-label={texts.views}>
      {views.map((view) => (
        <li key={view}>
          <Link
            to="/inbox"
            search={(now: object) => (keepsFilters ? { ...now, message: undefined, q: undefined, view } : { view })}
            // The page is already loaded.
            preload={false}
            className={view === current ? styles.current : ''}
            aria-current={view === current ? 'page' : undefined}
            // The router would mark a view without filters beside one with filters.
            activeOptions={{ exact: true }}
            activeProps={{}}
          >
            {texts[view]} <Count of={countOf(view)} />
          </Link>
        </li>
      ))}
      {kept.length > 0 && <li className={styles.label}>{texts.savedViews}</li>}
      {kept.map(({ id, name, count, search: own }) => (
        <li key={id}>
          <Link
            to="/inbox"
            search={own}
            preload={false}
            className={id === current ? styles.current : ''}
            aria-current={id === current ? 'page' : undefined}
            activeOptions={{ exact: true }}
            activeProps={{}}
            title={name}
          >
            <bdi className={styles.kept}>{name}</bdi> <Count of={count} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Count({ of: count }: { of: number }) {
  if (count === 0) return null;
  return <span className={styles.count}>{count < maxCounted ? count : `${maxCounted - 1}+`}</span>;
}
