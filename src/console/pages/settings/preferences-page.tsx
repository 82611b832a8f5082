// The user's preferences in this browser: theme, language, sounds and notifications. Below are the user's profile and, for administrators,
// the company's settings.

import { alerts, askForDesktop, setAlerts } from '../../app/alerts.js';
import { isCompact, setCompact } from '../../app/density.js';
import { sessionState } from '../../app/session.js';
import { useStore } from '../../app/store.js';
import { setTheme, theme, themes } from '../../app/theme.js';
import { languageNames, languages, setLanguage, useLanguage, useTexts, type Language } from '../../i18n/language.js';
import { Checkbox, Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { CompanySection } from './company-section.js';
import { ProfileSection } from './profile-section.js';
import styles from './settings.module.css';
import { settingsTexts } from './texts.js';

/** The build sets this value. */
declare const leadwireVersion: string;

export function PreferencesPage() {
  const texts = useTexts(settingsTexts);
  const { user } = useStore(sessionState);
  const current = useStore(theme);
  const { hasSound, onDesktop, isDesktopDenied } = useStore(alerts);
  return (
    <Page title={texts.settings}>
      <div className={styles.choices}>
        <fieldset role="radiogroup" aria-label={texts.theme}>
          <legend>{texts.theme}</legend>
          <div className={styles.segments}>
            {themes.map((one) => (
              <label key={one}>
                <input type="radio" name="theme" checked={one === current} onChange={() => setTheme(one)} />
                {texts[one]}
              </label>
            ))}
          </div>
        </fieldset>
        <Select
          label={texts.language}
          value={useLanguage()}
          options={languages.map((one) => ({ value: one, label: languageNames[one] }))}
          onChoose={(one) => setLanguage(one as Language)}
          hint={texts.zone(new Intl.DateTimeFormat().resolvedOptions().timeZone)}
        />
        <Checkbox
          label={texts.compact}
          checked={useStore(isCompact)}
          onChange={({ target }) => setCompact(target.checked)}
        />
        <Checkbox
          label={texts.sound}
          checked={hasSound}
          onChange={({ target }) => setAlerts({ hasSound: target.checked })}
        />
        <Checkbox
          label={texts.desktop}
          checked={onDesktop}
          onChange={({ target }) => void askForDesktop(target.checked)}
          {...(isDesktopDenied && { error: texts.desktopDenied })}
        />
      </div>
      <ProfileSection />
      {user?.role === 'ADMIN' && <CompanySection tenantId={user.tenantId} />}
      <footer className={styles.version}>{texts.version(leadwireVersion)}</footer>
    </Page>
  );
}
