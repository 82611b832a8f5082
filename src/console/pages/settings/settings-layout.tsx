// The settings: the user's own, and for administrators those of the company and of its connections.

import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { sessionState } from '../../app/session.js';
import { settingsGroups, settingsPlaceTexts } from '../../app/settings-places.js';
import { useStore } from '../../app/store.js';
import { useFormats } from '../../i18n/format.js';
import { useTexts } from '../../i18n/language.js';
import { feed } from '../../live/feed.js';
import { readSettingsCounts, settingsCounts, type Counted } from './settings-counts.js';
import styles from './settings.module.css';
import { settingsTexts } from './texts.js';

export function SettingsLayout() {
  const texts = useTexts(settingsTexts);
  const places = useTexts(settingsPlaceTexts);
  const isAdmin = useStore(sessionState).user?.role === 'ADMIN';
  const counts = useStore(settingsCounts);
  useEffect(() => {
    if (isAdmin)
      feed
        .whenReady()
        .then(readSettingsCounts)
        .catch(() => undefined);
  }, [isAdmin]);
  const sections = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Phones do not show all sections at once, so the current section scrolls into view.
  useEffect(() => {
    const current = sections.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path, counts]);
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
                  <Count of={counts[name as Counted]} />
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <div data-beginning tabIndex={-1}>
        <Outlet />
      </div>
    </div>
  );
}

function Count({ of: count = 0 }: { of: number | undefined }) {
  const formats = useFormats();
  return count === 0 ? null : <small> {formats.number(count)}</small>;
}
