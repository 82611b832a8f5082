// The inbox: views, search and list. From 900 px on, the open conversation stands beside the list.

import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { sessionState } from '../../app/session.js';
import { useCommands } from '../../app/commands.js';
import { useStore } from '../../app/store.js';
import { useIsTouch } from '../../app/use-media.js';
import { typeAhead, writable } from '../../app/typed-ahead.js';
import { ViewLinks } from '../../app/view-links.js';
import { useTexts } from '../../i18n/language.js';
import { withoutMessage } from '../../live/inbox-filter.js';
import type { InboxStore } from '../../live/inbox-store.js';
import { IconButton } from '../../parts/button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Mark } from '../../parts/mark.js';
import { useTitle } from '../../parts/page.js';
import { SearchBox } from '../../parts/search-box.js';
import { Loading } from '../../parts/status-of-load.js';
import { ConversationList } from './conversation-list.js';
import styles from './inbox.module.css';
import { ListSummary } from './list-summary.js';
import { inboxTexts } from './texts.js';
import { useInbox } from './use-inbox.js';

// Few visits are the first.
const FirstSteps = lazy(async () => {
  const { FirstSteps: component } = await import('./first-steps.js');
  return { default: component };
});

// Filters load when they are opened for the first time.
const InboxFilters = lazy(async () => {
  const { InboxFilters: component } = await import('./inbox-filters.js');
  return { default: component };
});

// So do the hits of a search.
const SearchResults = lazy(async () => {
  const { SearchResults: component } = await import('./search-results.js');
  return { default: component };
});

export function InboxPage() {
  const texts = useTexts(inboxTexts);
  const search = useSearch({ from: '/signed-in/inbox' });
  const { leadId } = useParams({ strict: false });
  const userId = useStore(sessionState).user?.id ?? '';
  const store = useInbox(search, userId);
  const [hasFilters, setFilters] = useState(false);
  const [entered, setEntered] = useState<string>();
  // An Enter belongs to the text that it ended.
  useEffect(() => setEntered((text) => (text === search.q ? text : undefined)), [search.q]);
  useTitle(texts.title);
  useReplyAhead(leadId);
  return (
    <div className={styles.inbox} data-open={leadId !== undefined || undefined}>
      {/* The heading is outside of the list, which a phone hides while a conversation is open. */}
      <h1 className="visually-hidden">{texts.title}</h1>
      <section className={styles.side} aria-label={texts.title}>
        <Head hasFilters={hasFilters} onFilters={() => setFilters(!hasFilters)} onEnter={setEntered} />
        {search.q === undefined ? (
          <>
            <ListSummary onOrder={() => setFilters(true)} />
            <ConversationList store={store} openId={leadId} />
          </>
        ) : (
          <Suspense fallback={<Loading shape="rows" />}>
            <p className={styles.summary}>
              <strong>{texts.everywhere}</strong>
              <span>{texts.everywhereHint}</span>
            </p>
            <SearchResults
              text={search.q}
              openId={leadId}
              isEntered={entered === search.q}
              onEntered={() => setEntered(undefined)}
            />
          </Suspense>
        )}
      </section>
      <section className={styles.open}>{leadId === undefined ? <NothingOpen store={store} /> : <Outlet />}</section>
    </div>
  );
}

/** A reply can begin before the conversation is on the screen: its letters wait for the text field. */
function useReplyAhead(leadId: string | undefined): void {
  const texts = useTexts(inboxTexts);
  const written = useStore(writable);
  const isComing = leadId !== undefined && leadId !== written;
  const run = () => typeAhead(texts.reply);
  useCommands(isComing ? [{ id: 'reply', title: texts.reply, keys: 'r', group: texts.title, run }] : []);
}

/** Takes the place of a conversation until one is open; in an empty company, the first steps. */
function NothingOpen({ store }: { store: InboxStore }) {
  const texts = useTexts(inboxTexts);
  const { rows, isLoading } = useStore(store.state);
  const choose = <EmptyState icon="inbox" title={texts.choose} hint={texts.chooseHint} />;
  if (rows.length > 0 || isLoading) return choose;
  return (
    <Suspense>
      <FirstSteps otherwise={choose} />
    </Suspense>
  );
}

interface HeadProps {
  hasFilters: boolean;
  onFilters: () => void;
  onEnter: (text: string) => void;
}

function Head({ hasFilters, onFilters, onEnter }: HeadProps) {
  const texts = useTexts(inboxTexts);
  const { tag, instance, fromAd, ad } = useSearch({ from: '/signed-in/inbox' });
  const count = [tag, instance, fromAd, ad].filter((one) => one !== undefined).length;
  const funnel = useRef<HTMLButtonElement>(null);
  // The filters follow their button: the Tab key goes on to them.
  const showFilters = () => {
    funnel.current?.focus();
    if (!hasFilters) onFilters();
  };
  useCommands([{ id: 'filters', title: texts.filters, group: texts.title, run: showFilters }]);
  return (
    <header className={styles.head}>
      <div className={styles.face} aria-hidden>
        <Mark />
        <b>{texts.title}</b>
      </div>
      <div className={styles.searchRow}>
        <InboxSearch onEnter={onEnter} />
        <span className={styles.funnel}>
          <IconButton
            ref={funnel}
            icon="funnel"
            label={texts.filters}
            aria-expanded={hasFilters}
            aria-description={count === 0 ? undefined : texts.filtersInUse(count)}
            onClick={onFilters}
          />
          {count > 0 && <b aria-hidden>{count}</b>}
        </span>
      </div>
      {hasFilters && (
        <Suspense>
          <InboxFilters />
        </Suspense>
      )}
      <ViewLinks className={styles.views} />
    </header>
  );
}

/** Puts the keyboard of a touch screen away, so that the hits are seen. */
function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function InboxSearch({ onEnter }: { onEnter: (text: string) => void }) {
  const texts = useTexts(inboxTexts);
  const { q = '' } = useSearch({ from: '/signed-in/inbox' });
  const isTouch = useIsTouch();
  const navigate = useNavigate();
  const search = (wanted: string) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...withoutMessage(now), q: wanted.trim() === '' ? undefined : wanted }),
      replace: true,
    });
  return (
    <SearchBox
      label={texts.search}
      placeholder={texts.searchHint}
      group={texts.title}
      value={q}
      onApply={search}
      onEnter={isTouch ? leaveField : onEnter}
      onDown={() => document.querySelector<HTMLElement>('[role=listbox]')?.focus()}
    />
  );
}
