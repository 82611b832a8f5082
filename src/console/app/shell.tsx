// The frame around every page of a signed-in user: navigation, connection state, command palette and notices.

import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, lazy, useEffect, useState } from 'react';
import { useFeed } from '../api/use-loaded.js';
import { useTexts } from '../i18n/language.js';
import { feed } from '../live/feed.js';
import { followInboxCounts } from '../live/inbox-counts.js';
import { views, type InboxSearch } from '../live/inbox-filter.js';
import { followKeptViews, keptViews } from '../live/kept-views.js';
import { Notices } from '../parts/notices.js';
import { alertOf } from './alerts.js';
import type { OpenDialog } from './command-palette.js';
import { bindKeys, useCommands, type Command } from './commands.js';
import { ConnectionBanner } from './connection-banner.js';
import { LimitBanner } from './limit-banner.js';
import { Navigation, places } from './navigation.js';
import { sessionState, signOut } from './session.js';
import { useStore } from './store.js';
import styles from './shell.module.css';
import { appTexts } from './texts.js';
import { typeAhead } from './typed-ahead.js';

let areDialogsHere = false;

// Dialogs load when the first is opened: few visits open one before they read.
const CommandDialogs = lazy(async () => {
  const { CommandDialogs: component } = await import('./command-palette.js');
  areDialogsHere = true;
  return { default: component };
});

/** Older events arrive after the window was offline, and make no sound. */
const alertedForMs = 60_000;

/** Returns true for the guides, which integrators read without an account. */
export const isOpenToAll = (path: string): boolean => /^\/docs(?:\/|$)/.test(path);

export function SignedInLayout() {
  const { user } = useStore(sessionState);
  const isOpen = useRouterState({ select: ({ location }) => isOpenToAll(location.pathname) });
  if (user !== undefined) return <Shell key={user.id} isAdmin={user.role === 'ADMIN'} />;
  // After sign-out the router is already on its way to the sign-in page.
  if (!isOpen) return null;
  return (
    <main className={styles.alone}>
      <Outlet />
    </main>
  );
}

function Shell({ isAdmin }: { isAdmin: boolean }) {
  const texts = useTexts(appTexts);
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenDialog>();
  const [hasOpened, setHasOpened] = useState(false);
  // A dialog that has been open stays, so that closing it gives the focus back.
  if (open !== undefined && !hasOpened) setHasOpened(true);
  const openPalette = () => {
    // The first time its code comes later than the next key.
    if (!areDialogsHere) typeAhead(texts.palette, () => setOpen(undefined));
    setOpen('palette');
  };
  const shown = places.filter(({ forAdmins = false }) => isAdmin || !forAdmins);

  useEffect(bindKeys, []);
  useEffect(() => {
    feed.start();
    const leaveCounts = followInboxCounts();
    const leaveViews = followKeptViews();
    let isLeft = false;
    let leaveBackground = () => {};
    const work = async () => {
      const { startBackground } = await import('./background.js');
      if (isLeft) return;
      leaveBackground = startBackground((leadId) =>
        leadId === undefined ? navigate({ to: '/inbox' }) : navigate({ to: '/inbox/$leadId', params: { leadId } }),
      );
    };
    void work();
    return () => {
      isLeft = true;
      leaveBackground();
      leaveCounts();
      leaveViews();
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
    path: to,
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
      run: openPalette,
    },
    { id: 'shortcuts', title: texts.shortcuts, keys: 'Shift+?', group: texts.general, run: () => setOpen('shortcuts') },
    { id: 'sign-out', title: texts.signOut, group: texts.general, run: () => signOut() },
  ];
  useCommands([...go, ...useViewCommands(), ...general].map((command) => ({ ...command, isGlobal: true })));

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {texts.skip}
      </a>
      <Navigation shown={shown} onPalette={openPalette} />
      <div className={styles.banners}>
        <ConnectionBanner />
        <LimitBanner />
      </div>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Notices />
      {hasOpened && (
        <Suspense>
          <CommandDialogs open={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/** The views of the inbox, and those that the user keeps, by their names. */
function useViewCommands(): Command[] {
  const texts = useTexts(appTexts);
  const navigate = useNavigate();
  const { buildLocation } = useRouter();
  const toView = (id: string, title: string, search: InboxSearch): Command => ({
    id: `view ${id}`,
    title,
    group: texts.views,
    path: buildLocation({ to: '/inbox', search }).href,
    run: () => navigate({ to: '/inbox', search }),
  });
  return [
    ...views.map((view) => toView(view, texts[view], { view })),
    ...useStore(keptViews).map(({ id, name, search }) => toView(id, name, search)),
  ];
}
