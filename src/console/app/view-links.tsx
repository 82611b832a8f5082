// The views of the inbox, each with the number of its conversations: in the navigation, or above a narrow list.

import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../i18n/language.js';
import { inboxCounts, maxCounted } from '../live/inbox-counts.js';
import { viewOf, views, type View } from '../live/inbox-filter.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';
import styles from './view-links.module.css';

export function ViewLinks({ className }: { className: string | undefined }) {
  const texts = useTexts(appTexts);
  const counts = useStore(inboxCounts);
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.startsWith('/inbox') });
  const search = useRouterState({ select: ({ location }) => location.search }) as { view?: string; q?: string };
  // A search shows what is found in every view.
  const current = isInbox && search.q === undefined ? viewOf(search) : undefined;
  const countOf = (view: View) => {
    const count = view === 'waiting' || view === 'mine' || view === 'unassigned' ? counts[view] : 0;
    return count < maxCounted ? count : `${maxCounted - 1}+`;
  };
  const list = useRef<HTMLUListElement>(null);
  // Above a narrow list not every view is in sight at once.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <ul ref={list} className={className} aria-label={texts.views}>
      {views.map((view) => (
        <li key={view}>
          <Link
            to="/inbox"
            search={(now: object) => (isInbox ? { ...now, message: undefined, q: undefined, view } : { view })}
            // The page is already loaded.
            preload={false}
            className={view === current ? styles.current : ''}
            aria-current={view === current ? 'page' : undefined}
            activeProps={{}}
          >
            {texts[view]} {countOf(view) !== 0 && <span className={styles.count}>{countOf(view)}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
