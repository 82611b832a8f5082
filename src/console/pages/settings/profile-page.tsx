// The user's own settings: the display name, and the preferences in this browser: theme, language, sounds and notifications.

import { alerts, askForDesktop, setAlerts } from '../../app/alerts.js';
import { isCompact, setCompact } from '../../app/density.js';
import { settingsPlaceTexts } from '../../app/settings-places.js';
import { useStore } from '../../app/store.js';
import { ThemeChoice, themeTexts } from '../../app/theme-choice.js';
import { languageNames, languages, setLanguage, useLanguage, useTexts, type Language } from '../../i18n/language.js';
import { Checkbox, Select } from '../../parts/field.js';
import { Page } from '../../parts/page.js';
import { PushSection } from '../../parts/push/push-section.js';
import { ProfileSection } from './profile-section.js';
import styles from './settings.module.css';
import { settingsTexts } from './texts.js';

/** The build sets this value. */
declare const leadwireVersion: string;

export function ProfilePage() {
  const texts = useTexts(settingsTexts);
  const { profile } = useTexts(settingsPlaceTexts);
  const { theme } = useTexts(themeTexts);
  const { hasSound, onDesktop, isDesktopDenied } = useStore(alerts);
  return (
    <Page title={profile}>
      <ProfileSection />
      <section className={styles.rows} data-rows aria-labelledby="browser">
        <div className={styles.group}>
          <h2 id="browser">{texts.browser}</h2>
          <div className={styles.theme}>
            <span aria-hidden>{theme}</span>
            <ThemeChoice />
          </div>
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
      </section>
      <PushSection />
      <footer className={styles.version}>{texts.version(leadwireVersion)}</footer>
    </Page>
  );
}
