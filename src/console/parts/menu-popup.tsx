// An open menu: its list and its items. menu.tsx loads this file when a menu is about to open.

import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode, RefObject } from 'react';
import { useBackCloses } from './back-closes.js';
import { Icon } from './icon.js';
import type { MenuCheckProps, MenuItemProps } from './menu.js';
import styles from './menu.module.css';

interface MenuPopupProps {
  isOpen: boolean;
  button: RefObject<HTMLButtonElement | null>;
  align: 'start' | 'end';
  /** The steps from the first item to the one that takes the focus; undefined if none does. */
  steps: number | undefined;
  focusAfter: () => HTMLElement | null;
  onClose: () => void;
  /** Called when the list is gone from the screen. */
  onClosed: () => void;
  children: ReactNode;
}

export function MenuPopup({ isOpen, button, align, steps, focusAfter, onClose, onClosed, children }: MenuPopupProps) {
  useBackCloses(isOpen, onClose);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(isWanted) => !isWanted && onClose()}
      onOpenChangeComplete={(isStill) => !isStill && onClosed()}
    >
      <Base.Portal>
        <Base.Positioner className={styles.positioner ?? ''} anchor={button} sideOffset={4} align={align}>
          <Base.Popup
            ref={(popup) => {
              if (popup !== null && steps !== undefined) queueMicrotask(() => focusItem(popup, steps));
            }}
            className={styles.menu ?? ''}
            aria-label={nameOf(button.current)}
            finalFocus={() => focusAfter() ?? button.current}
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return;
              event.preventDefault();
              onClose();
            }}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A key that a button shows is no part of its name. */
function nameOf(button: HTMLElement | null): string | undefined {
  if (button === null) return undefined;
  const spoken = [...button.childNodes].filter((node) => !(node instanceof Element && node.ariaHidden === 'true'));
  return button.getAttribute('aria-label') ?? spoken.map(({ textContent }) => textContent).join('');
}

/** Items that are chosen come first; a check above them is reached by going back. */
function focusItem(popup: HTMLElement, steps: number): void {
  const items = [...popup.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const first = items.findIndex((item) => item.matches('[role=menuitem]:not([data-disabled])'));
  (items[Math.max(0, first) + steps] ?? items.at(-1))?.focus({ preventScroll: true });
}

export function PopupCheck({ isChecked, onChange, children }: MenuCheckProps) {
  return (
    <Base.CheckboxItem className={styles.item ?? ''} checked={isChecked} onCheckedChange={onChange}>
      <span className={styles.box} data-checked={isChecked || undefined}>
        {isChecked && <Icon name="check" size={14} />}
      </span>
      {children}
    </Base.CheckboxItem>
  );
}

export function PopupDivider() {
  return <Base.Separator className={styles.divider ?? ''} />;
}

export function PopupItem({ onChoose, isDanger = false, isDisabled = false, children }: MenuItemProps) {
  return (
    <Base.Item className={`${styles.item} ${isDanger ? styles.danger : ''}`} disabled={isDisabled} onClick={onChoose}>
      {children}
    </Base.Item>
  );
}
