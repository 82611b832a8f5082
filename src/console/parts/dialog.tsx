// A dialog over the page: it takes the focus, closes by Escape, and gives the focus back.

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.js';
import { appTexts } from '../app/texts.js';
import { IconButton } from './button.js';
import styles from './dialog.module.css';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Its accessible name. */
  title: string;
  isTitleHidden?: boolean;
  /** At the foot: the buttons. */
  actions?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

export function Dialog({
  isOpen,
  onClose,
  title,
  isTitleHidden = false,
  actions,
  isWide = false,
  children,
}: DialogProps) {
  const texts = useTexts(appTexts);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={`${styles.popup} ${isWide ? styles.wide : ''}`}>
          <header className={isTitleHidden ? 'visually-hidden' : styles.head}>
            <Base.Title render={<h2 />}>{title}</Base.Title>
            {!isTitleHidden && <IconButton icon="close" label={texts.close} onClick={onClose} />}
          </header>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <footer className={styles.foot}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
