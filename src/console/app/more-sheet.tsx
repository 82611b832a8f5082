// The rest of the navigation on a phone, from the foot of the screen.

import { useMe } from '../api/use-me.js';
import { useTexts } from '../i18n/language.js';
import { connection } from '../live/feed.js';
import { Avatar } from '../parts/avatar.js';
import { Sheet } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { nameOf } from '../parts/name-of.js';
import { onPhone, PlaceLink, roleOf, type Place } from './navigation.js';
import styles from './navigation.module.css';
import { sessionState, signOut } from './session.js';
import { useStore } from './store.js';
import { appTexts } from './texts.js';
import { ThemeChoice, themeTexts } from './theme-choice.js';

interface MoreSheetProps {
  isOpen: boolean;
  shown: readonly Place[];
  onClose: () => void;
}

export function MoreSheet({ isOpen, shown, onClose }: MoreSheetProps) {
  const texts = useTexts(appTexts);
  const { user } = useStore(sessionState);
  const { theme } = useTexts(themeTexts);
  const state = useStore(connection);
  const me = useMe();
  if (user === undefined) return null;
  const name = nameOf(me ?? { name: null, email: user.email });
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={texts.more} from="bottom">
      <div className={styles.sheet}>
        <div className={styles.me}>
          <Avatar id={user.id} name={name} size={36} />
          <span className={styles.two}>
            <b dir="auto">{name}</b>
            <small dir="auto">
              {roleOf(user, texts)}
              {me !== undefined && ` · ${me.tenant.name}`}
            </small>
            {/* The bar's own dot tells screen readers of a change. */}
            <small className={styles.word} data-state={state}>
              {texts[state]}
            </small>
          </span>
        </div>
        <ul onClick={onClose}>
          {shown
            .filter(({ name: one }) => !onPhone.has(one))
            .map((place) => (
              <li key={place.to}>
                <PlaceLink place={place} isInSheet />
              </li>
            ))}
        </ul>
        <div className={styles.theme}>
          <Icon name="snooze" />
          <span aria-hidden>{theme}</span>
          <ThemeChoice />
        </div>
        <button type="button" className={styles.place} onClick={() => void signOut()}>
          <Icon name="sign-out" />
          <span>{texts.signOut}</span>
        </button>
      </div>
    </Sheet>
  );
}
