// The navigation: the product and the company, the inbox with its views, the other pages, and the user.

import { Dialog as Base } from '@base-ui/react/dialog';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useInstances } from '../api/use-instances.js';
import { useMe } from '../api/use-me.js';
import { useTexts } from '../i18n/language.js';
import { connection } from '../live/feed.js';
import { inboxCounts, maxCounted } from '../live/inbox-counts.js';
import { viewOf, views, type View } from '../live/inbox-filter.js';
import { Avatar } from '../parts/avatar.js';
import { IconButton } from '../parts/button.js';
import { Icon, type IconName } from '../parts/icon.js';
import { Keys } from '../parts/keys.js';
import { Mark } from '../parts/mark.js';
import { nameOf } from '../parts/name-of.js';
import styles from './navigation.module.css';
import { sessionState, signOut, type User } from './session.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';
import { useIsPhone } from './use-media.js';

export interface Place {
  to: '/inbox' | '/leads' | '/bulk' | '/templates' | '/dashboards' | '/instances' | '/calls' | '/settings' | '/docs';
  name: 'inbox' | 'leads' | 'bulk' | 'templates' | 'dashboards' | 'instances' | 'calls' | 'settings' | 'docs';
  icon: IconName;
  forAdmins?: boolean;
}

export const places: readonly Place[] = [
  { to: '/inbox', name: 'inbox', icon: 'inbox' },
  { to: '/leads', name: 'leads', icon: 'people' },
  { to: '/bulk', name: 'bulk', icon: 'megaphone' },
  { to: '/templates', name: 'templates', icon: 'template' },
  { to: '/dashboards', name: 'dashboards', icon: 'chart' },
  { to: '/instances', name: 'instances', icon: 'phone' },
  { to: '/calls', name: 'calls', icon: 'calls', forAdmins: true },
  { to: '/settings', name: 'settings', icon: 'settings' },
  { to: '/docs', name: 'docs', icon: 'book' },
];

/** A phone has room for these, and for a button that opens the rest. */
const onPhone = new Set<Place['name']>(['inbox', 'leads', 'templates', 'dashboards']);

interface NavigationProps {
  shown: readonly Place[];
  onPalette: () => void;
}

export function Navigation(props: NavigationProps) {
  return useIsPhone() ? <PhoneBar {...props} /> : <SideBar {...props} />;
}

function SideBar({ shown, onPalette }: NavigationProps) {
  const texts = useTexts(appTexts);
  const me = useMe();
  const [inbox, ...rest] = shown;
  return (
    <nav className={styles.nav} aria-label={texts.main}>
      <div className={styles.brand}>
        <Mark />
        <span className={styles.two}>
          <b dir="auto">{me?.tenant.name ?? texts.product}</b>
          {me !== undefined && <small>{texts.product}</small>}
        </span>
      </div>
      {inbox !== undefined && <PlaceLink place={inbox} />}
      <ViewLinks className={styles.views} />
      <ul className={styles.rest}>
        {rest.map((place) => (
          <li key={place.to}>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <button type="button" className={styles.place} title={texts.palette} onClick={onPalette}>
          <Icon name="search" />
          <span>{texts.goTo}</span>
          <span className={styles.keys}>
            <Keys keys="$mod+k" />
          </span>
        </button>
        <Person />
      </div>
    </nav>
  );
}

function PlaceLink({ place: { to, name, icon } }: { place: Place }) {
  const texts = useTexts(appTexts);
  return (
    <Link
      to={to}
      className={styles.place}
      title={texts[name]}
      // The inbox is marked by its view.
      activeProps={name === 'inbox' ? { className: styles.opened } : { className: styles.current }}
    >
      <Icon name={icon} />
      <span>{texts[name]}</span>
      {name === 'instances' && <InstanceTrouble />}
    </Link>
  );
}

/** The views of the inbox, each with the number of its conversations. */
export function ViewLinks({ className }: { className: string | undefined }) {
  const texts = useTexts(appTexts);
  const counts = useStore(inboxCounts);
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.startsWith('/inbox') });
  const search = useRouterState({ select: ({ location }) => location.search }) as { view?: string; q?: string };
  const current = isInbox ? viewOf(search) : undefined;
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
            search={(now: object) => (isInbox ? { ...now, message: undefined, view } : { view })}
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

function InstanceTrouble() {
  const texts = useTexts(appTexts);
  const { instances } = useInstances();
  const count = instances.filter(({ status }) => status !== 'CONNECTED' && status !== 'CONNECTING').length;
  return count === 0 ? null : (
    <i className={styles.dot} role="img" aria-label={texts.instanceTrouble} title={texts.instanceTrouble} />
  );
}

function Person() {
  const texts = useTexts(appTexts);
  const { user } = useStore(sessionState);
  const me = useMe();
  if (user === undefined) return null;
  const name = nameOf(me ?? { name: null, email: user.email });
  return (
    <div className={styles.me}>
      <Avatar id={user.id} name={name} size={26} />
      <span className={styles.two}>
        <b dir="auto">{name}</b>
        <small>
          <Connection /> · {roleOf(user, texts)}
        </small>
      </span>
      <IconButton icon="sign-out" label={texts.signOut} onClick={() => void signOut()} />
    </div>
  );
}

function roleOf({ role }: User, texts: { administrator: string; operator: string }): string {
  return role === 'ADMIN' ? texts.administrator : texts.operator;
}

function Connection() {
  const texts = useTexts(appTexts);
  const state = useStore(connection);
  return (
    <span role="status" aria-label={texts.connection} className={styles.connection} data-state={state}>
      <span>{texts[state]}</span>
    </span>
  );
}

function PhoneBar({ shown }: NavigationProps) {
  const texts = useTexts(appTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <nav className={styles.bar} aria-label={texts.main}>
      {shown
        .filter(({ name }) => onPhone.has(name))
        .map((place) => (
          <PlaceLink key={place.to} place={place} />
        ))}
      <button type="button" className={styles.place} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="more" />
        <span>{texts.more}</span>
        <Connection />
      </button>
      <MoreSheet isOpen={isOpen} shown={shown} onClose={() => setOpen(false)} />
    </nav>
  );
}

interface MoreSheetProps {
  isOpen: boolean;
  shown: readonly Place[];
  onClose: () => void;
}

/** The rest of the navigation on a phone, from the foot of the screen. */
function MoreSheet({ isOpen, shown, onClose }: MoreSheetProps) {
  const texts = useTexts(appTexts);
  const { user } = useStore(sessionState);
  const me = useMe();
  if (user === undefined) return null;
  const name = nameOf(me ?? { name: null, email: user.email });
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup className={styles.sheet}>
          <Base.Title className="visually-hidden">{texts.more}</Base.Title>
          <div className={styles.me}>
            <Avatar id={user.id} name={name} size={36} />
            <span className={styles.two}>
              <b dir="auto">{name}</b>
              <small dir="auto">
                {roleOf(user, texts)}
                {me !== undefined && ` · ${me.tenant.name}`}
              </small>
            </span>
          </div>
          <ul onClick={onClose}>
            {shown
              .filter(({ name: one }) => !onPhone.has(one))
              .map((place) => (
                <li key={place.to}>
                  <PlaceLink place={place} />
                </li>
              ))}
          </ul>
          <button type="button" className={styles.place} onClick={() => void signOut()}>
            <Icon name="sign-out" />
            <span>{texts.signOut}</span>
          </button>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
