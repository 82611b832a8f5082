// A dialog over the page. It takes the focus, closes by Escape, and returns the focus.

import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import { useTexts } from '../i18n/language.js';
import { appTexts } from '../app/texts.js';
import { IconButton } from './button.js';
import styles from './dialog.module.css';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The accessible name of the dialog. */
  title: string;
  isTitleHidden?: boolean;
  /** The buttons at the foot. */
  actions?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

const layers = '[role=dialog], [role=alertdialog], [role=menu]';
/** The element on the page itself that last had the focus. A dialog that follows another returns the focus to it. */
let onPage: Element | undefined;

addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.closest(layers) === null) onPage = target;
});
addEventListener('focusout', ({ target, relatedTarget }) => {
  if (relatedTarget === null && target === onPage) onPage = undefined;
});

/** @returns a function that finds the element to focus afterwards. The library reads it too late: a field may take the focus first. */
function useOpener(isOpen: boolean): () => HTMLElement | true {
  const opener = useRef<{ isOpen: boolean; element: Element | null }>({ isOpen: false, element: null });
  if (opener.current.isOpen !== isOpen)
    opener.current = { isOpen, element: isOpen ? document.activeElement : opener.current.element };
  return () => {
    const { element } = opener.current;
    const found = [element, onPage].find((one) => one?.isConnected === true && one !== document.body);
    return found instanceof HTMLElement ? found : true;
  };
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
  const finalFocus = useOpener(isOpen);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={`${styles.popup} ${isWide ? styles.wide : ''}`} finalFocus={finalFocus}>
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

interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  /** The accessible name. */
  title: string;
  /** The edge of the screen that it slides in from. */
  from: 'end' | 'bottom';
  children: ReactNode;
}

/** A dialog at an edge of the screen. */
export function Sheet({ isOpen, onClose, title, from, children }: SheetProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.sheet} data-from={from} aria-label={title}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
