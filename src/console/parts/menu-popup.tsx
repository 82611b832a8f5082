// An open menu: its list and its items. menu.tsx loads this file when a menu is about to open.

import { Menu as Base } from '@base-ui/react/menu';
import { useCallback, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useBackCloses } from './back-closes.js';
import { isInOtherLayer } from './dialog.js';
import { Icon } from './icon.js';
import type { MenuCheckProps, MenuItemProps } from './menu.js';
import styles from './menu.module.css';

interface MenuPopupProps {
  isOpen: boolean;
  button: RefObject<HTMLButtonElement | null>;
  align: 'start' | 'end';
  /** The keys that came before the list. Undefined if no key opened it: then no item takes the focus. */
  keys: RefObject<string[] | undefined>;
  focusAfter: () => HTMLElement | null;
  onClose: () => void;
  /** Called when the list is gone from the screen. */
  onClosed: () => void;
  children: ReactNode;
}

export function MenuPopup({ isOpen, button, align, keys, focusAfter, onClose, onClosed, children }: MenuPopupProps) {
  useBackCloses(isOpen, onClose);
  // The function stays the same, or React would call it again whenever the list is drawn.
  const receive = useCallback(
    (popup: HTMLElement | null) => {
      if (popup === null || keys.current === undefined) return;
      // The library looks one microtask later whether the list has the focus. It would move a focus that came before.
      queueMicrotask(() => queueMicrotask(() => takeKeys(popup, keys.current)));
    },
    [keys],
  );
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(isWanted) => !isWanted && onClose()}
      onOpenChangeComplete={(isStill) => !isStill && onClosed()}
    >
      <Base.Portal>
        <Base.Positioner className={styles.positioner ?? ''} anchor={button} sideOffset={4} align={align}>
          <Base.Popup
            ref={receive}
            className={styles.menu ?? ''}
            aria-label={nameOf(button.current)}
            finalFocus={() => !isInOtherLayer() && (focusAfter() ?? button.current ?? true)}
            onKeyDownCapture={(event) => !isOpen && passOn(event, focusAfter() ?? button.current)}
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

/** A key that comes while the list fades is for the page below, and not for what was chosen. */
function passOn(event: KeyboardEvent, place: HTMLElement | null): void {
  event.preventDefault();
  event.stopPropagation();
  place?.focus({ preventScroll: true });
  place?.dispatchEvent(new window.KeyboardEvent('keydown', event.nativeEvent));
}

/** A key that a button shows is no part of its name. */
function nameOf(button: HTMLElement | null): string | undefined {
  if (button === null) return undefined;
  const spoken = [...button.childNodes].filter((node) => !(node instanceof Element && node.ariaHidden === 'true'));
  return button.getAttribute('aria-label') ?? spoken.map(({ textContent }) => textContent).join('');
}

/**
 * Gives the focus to the first item that can be chosen, and then the keys that came before the list, each at the item that has it by then.
 */
function takeKeys(popup: HTMLElement, keys: string[] = []): void {
  const items = [...popup.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const first = items.find((item) => item.matches('[role=menuitem]:not([data-disabled])')) ?? items[0];
  flushSync(() => first?.focus({ preventScroll: true }));
  for (const key of keys.splice(0)) flushSync(() => pressAtFocus(key));
}

function pressAtFocus(key: string): void {
  for (const type of ['keydown', 'keyup'])
    document.activeElement?.dispatchEvent(new window.KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
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
