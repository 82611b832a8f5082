// The settings: the user's own, and for administrators those of the company and of its connections.

import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sessionState } from '../../app/session.js';
import { settingsGroups, settingsPlaceTexts } from '../../app/settings-places.js';
import { useStore } from '../../app/store.js';
import { useTexts } from '../../i18n/language.js';
import styles from './settings.module.css';
import { settingsTexts } from './texts.js';

export function SettingsLayout() {
  const texts = useTexts(settingsTexts);
  const places = useTexts(settingsPlaceTexts);
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
        <h2>{texts.settings}</h2>
        <div role="group" aria-label={texts.you}>
          <h3 aria-hidden>{texts.you}</h3>
          <Link to="/settings" activeOptions={{ exact: true }} activeProps={{ className: styles.current }}>
            {places.profile}
          </Link>
        </div>
        {isAdmin &&
          settingsGroups.map((group) => (
            <div key={group.name} role="group" aria-label={places[group.name]}>
              <h3 aria-hidden>{places[group.name]}</h3>
              {group.pages.map((name) => (
                <Link key={name} to={`/settings/${name}`} activeProps={{ className: styles.current }}>
                  {places[name]}
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
