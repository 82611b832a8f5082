// The settings: the user's preferences, and the tenant's settings for administrators.

import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import styles from './settings.module.css';
import { settingsTexts } from './texts.js';

const administration = ['users', 'keys', 'webhooks', 'sources', 'audit'] as const;

export function SettingsLayout() {
  const texts = useTexts(settingsTexts);
  const isAdmin = useStore(sessionState).user?.role === 'ADMIN';
  const sections = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Phones do not show all sections at once, so the current section scrolls into view.
  useEffect(() => {
    const current = sections.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <div className={styles.layout}>
      <nav ref={sections} aria-label={texts.sections} className={styles.sections}>
        <Link to="/settings" activeOptions={{ exact: true }} activeProps={{ className: styles.current }}>
          {texts.preferences}
        </Link>
        {isAdmin &&
          administration.map((name) => (
            <Link key={name} to={`/settings/${name}`} activeProps={{ className: styles.current }}>
              {texts[name]}
            </Link>
          ))}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
