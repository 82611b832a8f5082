// The frame around every page of a signed-in user: navigation, connection state, command palette and notices.

import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useFeed } from '../api/use-loaded.js';
import { useTexts } from '../i18n/language.js';
import { connection, feed } from '../live/feed.js';
import { followUnread } from '../live/unread.js';
import { Icon, type IconName } from '../parts/icon.js';
import { Notices } from '../parts/notices.js';
import { alertOf } from './alerts.js';
import { bindKeys, useCommands, type Command } from './commands.js';
import { CommandPalette, ShortcutsDialog } from './command-palette.js';
import { sessionState, signOut } from './session.js';
import { useStore } from './store.js';
import styles from './shell.module.css';
import { appTexts } from './texts.js';

interface Place {
  to: '/inbox' | '/leads' | '/bulk' | '/templates' | '/dashboards' | '/instances' | '/calls' | '/settings' | '/docs';
  name: 'inbox' | 'leads' | 'bulk' | 'templates' | 'dashboards' | 'instances' | 'calls' | 'settings' | 'docs';
  icon: IconName;
  forAdmins?: boolean;
}

const places: readonly Place[] = [
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

/** Older events arrive after the window was offline, and make no sound. */
const alertedForMs = 60_000;

export function SignedInLayout() {
  const { user } = useStore(sessionState);
  // After sign-out the router is already on its way to the sign-in page.
  return user === undefined ? null : <Shell key={user.id} isAdmin={user.role === 'ADMIN'} />;
}

function Shell({ isAdmin }: { isAdmin: boolean }) {
  const texts = useTexts(appTexts);
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  const shown = places.filter(({ forAdmins = false }) => isAdmin || !forAdmins);

  useEffect(bindKeys, []);
  useEffect(() => {
    feed.start();
    const leave = followUnread();
    // Sends the messages that an earlier page held and could no longer send.
    void import('../live/outgoing.js').then(({ startOutgoing }) => startOutgoing());
    return () => {
      leave();
      feed.stop();
    };
  }, []);

  useFeed(
    ({ type, lead, message, occurredAt }) => {
      const isNew = type === 'MESSAGE_RECEIVED' && Date.now() - Date.parse(occurredAt) < alertedForMs;
      if (!isNew || lead === null || message === null || message.isNotice) return;
      if (document.hasFocus() && location.pathname === `/inbox/${lead.id}`) return;
      const show = () => void navigate({ to: '/inbox/$leadId', params: { leadId: lead.id } });
      alertOf({ title: lead.name, body: message.body ?? message.media?.fileName ?? '', tag: lead.id }, show);
    },
    () => undefined,
  );

  const go = shown.map(({ to, name }): Command => ({
    id: `go ${name}`,
    title: texts[name],
    group: texts.go,
    run: () => navigate({ to }),
  }));
  const general: Command[] = [
    {
      id: 'palette',
      title: texts.palette,
      keys: '$mod+k',
      group: texts.general,
      isEverywhere: true,
      isHidden: true,
      run: () => setOpen('palette'),
    },
    { id: 'shortcuts', title: texts.shortcuts, keys: 'Shift+?', group: texts.general, run: () => setOpen('shortcuts') },
    { id: 'sign-out', title: texts.signOut, group: texts.general, run: () => signOut() },
  ];
  useCommands([...go, ...general].map((command) => ({ ...command, isGlobal: true })));

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {texts.skip}
      </a>
      <nav className={styles.nav} aria-label={texts.main}>
        <ul>
          {shown.map(({ to, name, icon }) => (
            <li key={to}>
              <Link to={to} className={styles.place} activeProps={{ className: styles.current }} title={texts[name]}>
                <Icon name={icon} />
                <span>{texts[name]}</span>
              </Link>
            </li>
          ))}
        </ul>
        <div className={styles.foot}>
          <Connection />
          <button type="button" className={styles.place} onClick={() => void signOut()} title={texts.signOut}>
            <Icon name="sign-out" />
            <span>{texts.signOut}</span>
          </button>
        </div>
      </nav>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Notices />
      <CommandPalette isOpen={open === 'palette'} onClose={() => setOpen(undefined)} />
      <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={() => setOpen(undefined)} />
    </div>
  );
}

function Connection() {
  const texts = useTexts(appTexts);
  const state = useStore(connection);
  return (
    <div role="status" aria-label={texts.connection} className={styles.connection} data-state={state}>
      <i aria-hidden />
      <span>{texts[state]}</span>
    </div>
  );
}
