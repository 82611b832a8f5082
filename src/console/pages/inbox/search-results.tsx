// The hits of a search: people in every view, and words in messages and notes. A message opens its conversation at its place.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ask } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { useCommands } from '../../app/commands.js';
import { useNow } from '../../app/now.js';
import { useStable } from '../../app/use-stable.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { useFoundReasons } from '../../live/found-reason.js';
import { foundPlace } from '../../live/found-place.js';
import { matchesIn } from '../../live/found-words.js';
import { withoutMessage } from '../../live/inbox-filter.js';
import { beginOrder } from '../../live/neighbours.js';
import { Avatar } from '../../parts/avatar.js';
import { EmptyState } from '../../parts/empty-state.js';
import { FoundName, FoundText } from '../../parts/found-text.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { behindNotices } from '../../parts/notices.js';
import { isNumber } from '../../parts/number-groups.js';
import { LeadName, PhoneNumber } from '../../parts/phone-number.js';
import { LoadFailed, Loading } from '../../parts/status-of-load.js';
import { WaitAge } from '../../parts/wait-age.js';
import rowStyles from './inbox.module.css';
import { SearchDocument, type SearchQuery } from './operations.js';
import styles from './search-results.module.css';
import { searchTexts } from './search-texts.js';

const mostOfEach = 20;

type Results = SearchQuery['search'];

interface Hit {
  key: string;
  leadId: string;
  message?: string;
  isWaiting: boolean;
}

const optionId = (key: string) => `found-${key}`;

interface SearchResultsProps {
  text: string;
  openId: string | undefined;
  /** True if Enter has ended the text: the marked hit opens as soon as it is found, else the first. */
  isEntered: boolean;
  onEntered: () => void;
}

export function SearchResults({ text, openId, isEntered, onEntered }: SearchResultsProps) {
  const texts = useTexts(searchTexts);
  const openMessage = useSearch({ strict: false, select: ({ message }) => message });
  const wanted = text.trim().slice(0, 100);
  const load = async () => (await ask(SearchDocument, { text: wanted, first: mostOfEach })).search;
  const { data: found, error, reload, change } = useLoaded(`search ${wanted}`, load);
  useFeed(({ lead }) => {
    // A lead that was merged into another is no hit any more.
    if (lead?.mergedInto != null) reload();
    else if (lead !== null) change((results) => withLead(results, lead));
  }, reload);
  // The hits stay while the next word is typed.
  const latest = useRef<Results>(undefined);
  if (found !== undefined) latest.current = found;
  const data = error === undefined ? (found ?? latest.current) : found;
  const hits = data === undefined ? [] : hitsOf(data);
  const reasons = useFoundReasons(wanted, found?.leads);
  const { activeKey, openKey, open, enter, onFocus, onKeyDown } = useKeys(hits, {
    leadId: openId,
    message: openMessage,
  });
  useOrder(hits, openKey);
  useFoundPlace(hits, openMessage, open);
  const isFound = found !== undefined;
  useEffect(() => {
    if (!isEntered || !isFound) return;
    enter();
    onEntered();
  }, [isEntered, isFound]);

  if (data === undefined)
    return error === undefined ? <Loading shape="rows" /> : <LoadFailed error={error} onRetry={reload} />;
  if (hits.length === 0) return <EmptyState title={texts.nothing} hint={texts.nothingHint} />;
  const optionOf = (hit: Hit, content: ReactNode) => (
    <div
      key={hit.key}
      id={optionId(hit.key)}
      role="option"
      tabIndex={-1}
      aria-selected={hit.key === openKey}
      data-active={hit.key === activeKey || undefined}
      className={rowStyles.row}
      onClick={() => open(hit)}
    >
      {content}
    </div>
  );
  return (
    <div
      role="listbox"
      aria-label={texts.conversations}
      tabIndex={0}
      aria-activedescendant={activeKey === undefined ? undefined : optionId(activeKey)}
      className={styles.results}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      {data.leads.length > 0 && (
        <Group title={texts.people} count={data.leads.length}>
          {data.leads.map((lead) =>
            optionOf(personHit(lead), <Person lead={lead} text={wanted} reason={reasons.get(lead.id)} />),
          )}
        </Group>
      )}
      {data.messages.length > 0 && (
        <Group title={texts.messages} count={data.messages.length}>
          {data.messages.map((said) =>
            optionOf(
              messageHit(said),
              <Said found={said} at={said.message.createdAt} icon={said.message.direction === 'OUTBOUND' && 'reply'} />,
            ),
          )}
        </Group>
      )}
      {data.notes.length > 0 && (
        <Group title={texts.notes} count={data.notes.length}>
          {data.notes.map((noted) =>
            optionOf(noteHit(noted), <Said found={noted} at={noted.note.createdAt} icon="note" />),
          )}
        </Group>
      )}
    </div>
  );
}

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <div role="group" aria-label={title}>
      <div className={styles.title} aria-hidden>
        <span>{title}</span>
        <span>{count === mostOfEach ? `${count}+` : count}</span>
      </div>
      {children}
    </div>
  );
}

interface PersonProps {
  lead: Results['leads'][number];
  text: string;
  /** The tag or e-mail address by which the lead was found. */
  reason: string | undefined;
}

function Person({ lead, text, reason }: PersonProps) {
  const texts = useTexts(searchTexts);
  const now = useNow();
  const { id, name, chat, conversationStatus, waitingSince } = lead;
  return (
    <>
      <Avatar id={id} name={name} />
      <div className={rowStyles.who}>
        <strong dir="auto">
          <FoundName name={name} matches={matchesIn(name, text)} />
        </strong>
        {waitingSince !== null && isWaiting(lead) ? (
          <WaitAge since={waitingSince} now={now} />
        ) : (
          conversationStatus !== 'OPEN' && <span className={styles.state}>{texts[conversationStatus]}</span>
        )}
      </div>
      <div className={rowStyles.said}>
        {reason === undefined ? (
          <span>{chat !== null && !isNumber(name) && <PhoneNumber of={chat} />}</span>
        ) : (
          <span>
            <FoundText text={reason} matches={matchesIn(reason, text)} />
          </span>
        )}
      </div>
    </>
  );
}

interface SaidProps {
  found: Pick<Results['messages'][number], 'lead' | 'snippet' | 'matches'>;
  at: string;
  icon: IconName | false;
}

function Said({ found: { lead, snippet, matches }, at, icon }: SaidProps) {
  const formats = useFormats();
  const now = useNow();
  return (
    <>
      <Avatar id={lead.id} name={lead.name} />
      <div className={rowStyles.who}>
        <strong dir="auto">
          <LeadName name={lead.name} />
        </strong>
        <time dateTime={at}>{formats.short(at, now)}</time>
      </div>
      <div className={styles.snippet} dir="auto">
        {icon !== false && <Icon name={icon} size={14} />}
        <FoundText text={snippet} matches={matches} />
      </div>
    </>
  );
}

type FoundLead = Pick<Results['leads'][number], 'id' | 'conversationStatus' | 'waitingSince'>;

const isWaiting = ({ conversationStatus, waitingSince }: FoundLead) =>
  waitingSince !== null && conversationStatus !== 'CLOSED';
const personHit = (lead: FoundLead): Hit => ({ key: lead.id, leadId: lead.id, isWaiting: isWaiting(lead) });
const messageHit = ({ id, lead }: Results['messages'][number]): Hit => ({
  key: id,
  leadId: lead.id,
  message: id,
  isWaiting: isWaiting(lead),
});
const noteHit = ({ id, lead }: Results['notes'][number]): Hit => ({
  key: id,
  leadId: lead.id,
  isWaiting: isWaiting(lead),
});
const hitsOf = ({ leads, messages, notes }: Results): Hit[] => [
  ...leads.map(personHit),
  ...messages.map(messageHit),
  ...notes.map(noteHit),
];

/** Puts what an event says of a lead in the place of what was found. */
function withLead(
  results: Results,
  { id, name, conversationStatus, waitingSince }: FoundLead & { name: string },
): Results {
  const now = <Found extends FoundLead>(lead: Found): Found =>
    lead.id === id ? { ...lead, name, conversationStatus, waitingSince } : lead;
  return {
    ...results,
    leads: results.leads.map(now),
    messages: results.messages.map((one) => ({ ...one, lead: now(one.lead) })),
    notes: results.notes.map((one) => ({ ...one, lead: now(one.lead) })),
  };
}

/** Closing a conversation goes on to the hits of other leads, each at the first of its hits. */
function useOrder(hits: readonly Hit[], openKey: string | undefined): void {
  const openLead = hits.find(({ key }) => key === openKey)?.leadId;
  const firstOf = new Map(hits.toReversed().map(({ leadId, key }) => [leadId, key]));
  if (openLead !== undefined && openKey !== undefined) firstOf.set(openLead, openKey);
  const places = hits
    .filter(({ leadId, key }) => firstOf.get(leadId) === key)
    .map((hit) => ({ id: hit.leadId, message: hit.message, isWaiting: hit.isWaiting }));
  const shape = JSON.stringify(places);
  useEffect(() => beginOrder(places), [shape]);
}

/** Tells the open conversation which of the messages it shows. */
function useFoundPlace(hits: readonly Hit[], message: string | undefined, open: (hit: Hit | undefined) => void): void {
  const messages = hits.filter((hit) => hit.message !== undefined);
  const index = message === undefined ? -1 : messages.findIndex((hit) => hit.message === message);
  const count = messages.length;
  const step = useStable((by: 1 | -1) => open(messages[index + by]));
  useEffect(() => {
    if (message === undefined || index === -1) return undefined;
    foundPlace.set({ message, place: index + 1, count, isMore: count === mostOfEach, step });
    return () => foundPlace.set(undefined);
  }, [message, index, count]);
}

/** Returns the hit that is open: the one of the message, else the one that was chosen, else the first of the lead. */
function openHit(hits: readonly Hit[], chosen: string | undefined, { leadId, message }: Opened): Hit | undefined {
  const own = hits.filter((hit) => hit.leadId === leadId);
  const exact = message === undefined ? undefined : own.find((hit) => hit.message === message);
  return exact ?? own.find(({ key }) => key === chosen) ?? own[0];
}

interface Opened {
  leadId: string | undefined;
  message: string | undefined;
}

/** Moves through the hits by keys, as through the list of conversations. */
function useKeys(hits: readonly Hit[], opened: Opened) {
  const texts = useTexts(searchTexts);
  const navigate = useNavigate();
  /** The hit that the keys have reached. */
  const [active, setActive] = useState<string>();
  /** The hit that was opened last. After an answer the address names no message. */
  const [chosen, setChosen] = useState<string>();
  const openKey = openHit(hits, chosen, opened)?.key;
  const current = active ?? openKey;
  const place = hits.findIndex(({ key }) => key === current);
  // The keys go on from where another key or page has led.
  useEffect(() => setActive(undefined), [opened.leadId, opened.message]);
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    setActive(undefined);
    setChosen(hit.key);
    const { leadId, message } = hit;
    void navigate({ to: '/inbox/$leadId', params: { leadId }, search: (now: object) => ({ ...now, message }) });
  };
  const mark = (hit: Hit) => {
    setActive(hit.key);
    const option = document.querySelector(`#${optionId(hit.key)}`);
    if (option === null) return;
    const list = option.closest<HTMLElement>('[role=listbox]');
    option.scrollIntoView({ block: 'nearest' });
    list?.scrollBy(0, behindNotices(option));
    // The focus follows the keys, so that a screen reader says the hit.
    list?.focus({ preventScroll: true });
  };
  const move = (by: 1 | -1) => {
    const next = hits[place === -1 ? 0 : Math.min(hits.length - 1, Math.max(0, place + by))];
    if (next !== undefined) mark(next);
  };
  const enter = () => {
    const hit = hits[place] ?? hits[0];
    if (hit === undefined) return;
    mark(hit);
    open(hit);
  };
  useCommands([
    { id: 'next', title: texts.next, keys: 'j', group: texts.title, canRepeat: true, run: () => move(1) },
    { id: 'previous', title: texts.previous, keys: 'k', group: texts.title, canRepeat: true, run: () => move(-1) },
    { id: 'open', title: texts.open, keys: 'Enter', group: texts.title, run: () => open(hits[place]), isHidden: true },
  ]);
  // The keys go on from the open conversation, whose place is in the list of the view.
  const end = () => {
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    void navigate({ to: '.', search: (now: object) => ({ ...withoutMessage(now), q: undefined }), replace: true });
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' || event.key === ' ') open(hits[place]);
    else if (event.key === 'Escape') end();
    else return;
    event.preventDefault();
  };
  const onFocus = () => place === -1 && setActive(hits[0]?.key);
  return { activeKey: hits[place]?.key, openKey, open, enter, onFocus, onKeyDown };
}
