// An open dialog and an open sheet. dialog.tsx loads this file when the first one opens.

import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef } from 'react';
import { useTexts } from '../i18n/language.js';
import { appTexts } from '../app/texts.js';
import { typeOn } from '../app/typed-ahead.js';
import { useBackCloses } from './back-closes.js';
import { IconButton } from './button.js';
import type { DialogProps, SheetProps } from './dialog.js';
import styles from './dialog.module.css';

interface DialogPopupProps extends DialogProps {
  /** Returns the element to focus afterwards; false if the focus stays where it is. */
  finalFocus: () => HTMLElement | boolean;
}

export function DialogPopup({
  isOpen,
  onClose,
  title,
  isTitleHidden = false,
  actions,
  isWide = false,
  finalFocus,
  children,
}: DialogPopupProps) {
  const texts = useTexts(appTexts);
  useBackCloses(isOpen, onClose);
  const popup = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLElement>(null);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          className={`${styles.popup} ${isWide ? styles.wide : isTitleHidden ? styles.bare : ''}`}
          initialFocus={(way) => {
            if (way === 'touch') return true;
            // The library would wait for a frame, and the keys that come before it would act on the page.
            const first = firstOf(body.current) ?? safeOf(body.current, foot.current);
            typeOn(first ?? popup.current ?? document.body);
            return first === null;
          }}
          finalFocus={finalFocus}
        >
          <header className={isTitleHidden ? 'visually-hidden' : styles.head}>
            <Base.Title render={<h2 />}>{title}</Base.Title>
            {!isTitleHidden && <IconButton icon="close" label={texts.close} onClick={onClose} />}
          </header>
          <div ref={body} className={styles.body}>
            {children}
          </div>
          {actions !== undefined && actions !== false && (
            <footer ref={foot} className={styles.foot}>
              {actions}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * A dialog is written in at once: it opens at the field that asked for the focus, else at its first text or file. A finger wants no
 * keyboard yet.
 */
function firstOf(body: HTMLElement | null): HTMLElement | null {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && body?.contains(activeElement) === true) return activeElement;
  return (
    body?.querySelector<HTMLElement>(
      'input:is([type=text], [type=tel], [type=email], [type=url], [type=file]):enabled, textarea:enabled',
    ) ?? null
  );
}

/** A question is answered by a key: it opens at its first answer, which changes nothing. */
function safeOf(body: HTMLElement | null, foot: HTMLElement | null): HTMLElement | null {
  const isQuestion = body?.querySelector('a, button, input, select, textarea, summary, [tabindex]') === null;
  return (isQuestion ? foot?.querySelector('button') : null) ?? null;
}

export function SheetPopup({ isOpen, onClose, title, from, children }: SheetProps) {
  useBackCloses(isOpen, onClose);
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
