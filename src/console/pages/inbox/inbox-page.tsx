// The inbox: views, search and the list; from 900 px on the open conversation stands beside it.

import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useCommands } from '../../app/commands.js';
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
      <section className={styles.side} aria-label={texts.title}>
        <h1 className="visually-hidden">{texts.title}</h1>
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
  const [written, setWritten] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useCommands([{ id: 'search', title: texts.search, keys: '/', group: texts.title, run: () => box.current?.select() }]);

  const apply = (text: string) => {
    clearTimeout(timer.current);
    setWritten(undefined);
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, q: text.trim() === '' ? undefined : text }),
      replace: true,
    });
  };
  return (
    <input
      ref={box}
      type="text"
      className={styles.search}
      aria-label={texts.search}
      placeholder={texts.searchHint}
      maxLength={100}
      value={written ?? q}
      onChange={({ target: { value } }) => {
        setWritten(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => apply(value), searchPauseMs);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value);
        if (event.key !== 'Escape') return;
        if (event.currentTarget.value !== '') apply('');
        else event.currentTarget.blur();
      }}
    />
  );
}
