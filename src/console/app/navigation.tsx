// The navigation: the product and the company, the inbox with its views, the other pages, and the user.

import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useInstances } from '../api/use-instances.js';
import { useMe } from '../api/use-me.js';
import { useTexts } from '../i18n/language.js';
import { connection } from '../live/feed.js';
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
import { ViewLinks } from './view-links.js';

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
export const onPhone = new Set<Place['name']>(['inbox', 'leads', 'templates', 'dashboards']);

// The sheet loads when it is opened for the first time.
const MoreSheet = lazy(async () => {
  const { MoreSheet: component } = await import('./more-sheet.js');
  return { default: component };
});

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

export function PlaceLink({ place: { to, name, icon }, isInSheet = false }: { place: Place; isInSheet?: boolean }) {
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
      {name === 'instances' && <InstanceTrouble inWords={isInSheet} />}
    </Link>
  );
}

/** Shows that a number needs somebody. @param inWords where there is room to say how many, and why */
function InstanceTrouble({ inWords = false }: { inWords?: boolean }) {
  const texts = useTexts(appTexts);
  const { instances } = useInstances();
  const troubled = instances.filter(({ status }) => status !== 'CONNECTED' && status !== 'CONNECTING');
  const silent = troubled.filter(({ healthCode }) => healthCode === 'UNREACHABLE').length;
  if (troubled.length === 0) return null;
  if (!inWords)
    return <i className={styles.dot} role="img" aria-label={texts.instanceTrouble} title={texts.instanceTrouble} />;
  return (
    <small className={styles.trouble}>
      {silent === troubled.length ? texts.doNotAnswer(silent) : texts.needSomebody(troubled.length)}
    </small>
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
        <small className={styles.state}>
          <Connection />
          <span title={roleOf(user, texts)}>{roleOf(user, texts)}</span>
        </small>
      </span>
      <IconButton icon="sign-out" label={texts.signOut} onClick={() => void signOut()} />
    </div>
  );
}

export function roleOf({ role }: User, texts: { administrator: string; operator: string }): string {
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
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  return (
    <nav className={styles.bar} aria-label={texts.main}>
      {shown
        .filter(({ name }) => onPhone.has(name))
        .map((place) => (
          <PlaceLink key={place.to} place={place} />
        ))}
      <button type="button" className={styles.place} aria-haspopup="dialog" onClick={() => setState('open')}>
        <Icon name="more" />
        <span>{texts.more}</span>
        <InstanceTrouble />
        <Connection />
      </button>
      {state !== 'unused' && (
        <Suspense>
          <MoreSheet isOpen={state === 'open'} shown={shown} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </nav>
  );
}
