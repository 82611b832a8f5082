// The inbox: views, search and list. From 900 px on, the open conversation stands beside the list.

import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useCommands } from '../../app/commands.js';
import { useWritten } from '../../app/use-written.js';
import { useTexts } from '../../i18n/language.js';
import { views } from '../../live/inbox-filter.js';
import { IconButton } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { useTitle } from '../../parts/page.js';
import { ConversationList } from './conversation-list.js';
import { InboxFilters } from './inbox-filters.js';
import styles from './inbox.module.css';
import { inboxTexts } from './texts.js';
import { useInbox } from './use-inbox.js';

const searchPauseMs = 200;

export function InboxPage() {
  const texts = useTexts(inboxTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const { leadId } = useParams({ strict: false });
  const userId = useStore(sessionState).user?.id ?? '';
  const store = useInbox(search, userId);
  useTitle(texts.title);
  return (
    <div className={styles.inbox} data-open={leadId !== undefined || undefined}>
      {/* The heading is outside of the list, which a phone hides while a conversation is open. */}
      <h1 className="visually-hidden">{texts.title}</h1>
      <section className={styles.side} aria-label={texts.title}>
        <Head />
        <ConversationList store={store} openId={leadId} />
      </section>
      <section className={styles.open}>
        {leadId === undefined ? <EmptyState title={texts.choose} hint={texts.chooseHint} /> : <Outlet />}
      </section>
    </div>
  );
}

function Head() {
  const texts = useTexts(inboxTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const { view: shown = 'all', tag, instance, order } = search;
  const [hasFilters, setHasFilters] = useState((tag ?? instance ?? order) !== undefined);
  return (
    <header className={styles.head}>
      <div className={styles.searchRow}>
        <SearchBox />
        <IconButton
          icon="settings"
          label={texts.filters}
          aria-expanded={hasFilters}
          onClick={() => setHasFilters(!hasFilters)}
        />
      </div>
      {hasFilters && <InboxFilters />}
      <nav aria-label={texts.views} className={styles.views}>
        {views.map((view) => (
          <Link
            key={view}
            to="/inbox"
            search={(now: object) => ({ ...now, view })}
            // The page is already loaded.
            preload={false}
            className={view === shown ? styles.shown : ''}
            aria-current={view === shown ? 'page' : undefined}
            activeProps={{}}
          >
            {texts[view]}
          </Link>
        ))}
      </nav>
    </header>
  );
}

function SearchBox() {
  const texts = useTexts(inboxTexts);
  const { q = '' } = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const { text, write, apply } = useWritten(
    q,
    (wanted) =>
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, q: wanted.trim() === '' ? undefined : wanted }),
        replace: true,
      }),
    searchPauseMs,
  );

  useCommands([{ id: 'search', title: texts.search, keys: '/', group: texts.title, run: () => box.current?.select() }]);

  return (
    <input
      ref={box}
      type="text"
      className={styles.search}
      aria-label={texts.search}
      placeholder={texts.searchHint}
      maxLength={100}
      value={text}
      onChange={({ target: { value } }) => write(value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
        if (event.key === 'ArrowDown') {
          event.preventDefault();
          document.querySelector<HTMLElement>('[role=listbox]')?.focus();
        }
        if (event.key !== 'Escape') return;
        if (event.currentTarget.value !== '') apply('');
        else event.currentTarget.blur();
      }}
    />
  );
}
