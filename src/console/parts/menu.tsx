// A button that opens a list of actions. The list is created when it opens, because each message in a conversation has two such buttons.
// Its code is half as much as a page's, and comes when the pointer or the focus reaches a button.

import {
  cloneElement,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { placeOnPage } from './dialog.js';

let loaded: typeof import('./menu-popup.js') | undefined;

async function load(): Promise<void> {
  loaded ??= await import('./menu-popup.js');
}

// A failure shows when a menu opens.
function prepareMenus(): void {
  load().catch(() => undefined);
}

/** @throws Error outside of an open menu */
function parts(): typeof import('./menu-popup.js') {
  if (loaded === undefined) throw new Error('an item without an open menu');
  return loaded;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** The edge of the button that the list is aligned to. Default: its end. */
  align?: 'start' | 'end';
  /** Returns the element that a choice has made and that takes the focus; null for the button. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', focusAfter, children }: MenuProps) {
  const [state, setState] = useState<'closed' | 'opening' | 'open' | 'closing'>('closed');
  const isOpen = state === 'open';
  const button = useRef<HTMLButtonElement>(null);
  /** The keyboard was here when a key of a command opened the menu, and returns there. */
  const opener = useRef<Element>(undefined);
  /** The keys that came since a key opened the menu, until the list takes them. Undefined after a click of the pointer. */
  const keys = useRef<string[]>(undefined);
  /** Each opening has a list of its own, also while the one before is still closing. */
  const [opening, setOpening] = useState(0);
  const open = (element: HTMLButtonElement, isByKey: boolean) => {
    button.current = element;
    opener.current = isByKey ? placeOnPage() : undefined;
    keys.current = isByKey ? [] : undefined;
    setOpening((before) => before + 1);
    // The next keys belong to the menu, and not to the list or text that had the focus.
    if (isByKey) element.focus();
    if (loaded !== undefined) return setState('open');
    const fail = (error: unknown) =>
      setState(() => {
        throw error;
      });
    setState('opening');
    load().then(() => setState((now) => (now === 'opening' ? 'open' : now)), fail);
  };
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    const { key, currentTarget, repeat, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const isComing = state === 'opening' || (isOpen && keys.current !== undefined);
    if (isComing && leaving.includes(key)) return setState(isOpen ? 'closing' : 'closed');
    if (isComing ? !taken.test(key) : key !== 'ArrowDown') return;
    event.preventDefault();
    event.stopPropagation();
    if (!isComing) return open(currentTarget, true);
    // The key that has opened the menu may still be down.
    if (repeat && !key.startsWith('Arrow')) return;
    // A menu that the pointer has opened has no place yet: the first step goes to the first item.
    if (keys.current === undefined) keys.current = key === 'ArrowDown' ? [] : [key];
    else keys.current.push(key);
  };
  const MenuPopup = loaded?.MenuPopup;
  return (
    <>
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        ...(isOpen && { 'data-popup-open': '' }),
        onPointerEnter: prepareMenus,
        onFocus: prepareMenus,
        // A click by key has a `detail` of 0, because no pointer button was pressed.
        onClick: ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => open(currentTarget, detail === 0),
        onKeyDown: press,
      })}
      {MenuPopup !== undefined && (isOpen || state === 'closing') && (
        <MenuPopup
          key={opening}
          isOpen={isOpen}
          button={button}
          align={align}
          keys={keys}
          focusAfter={() => focusAfter?.() ?? placeOf(opener.current)}
          onClose={() => setState('closing')}
          onClosed={() => setState((now) => (now === 'closing' ? 'closed' : now))}
        >
          {children}
        </MenuPopup>
      )}
    </>
  );
}

const leaving = ['Escape', 'Tab'];
/** A list moves and chooses by these, and finds an item by its first letters. */
const taken = /^(.|Enter|Home|End|Arrow.+)$/u;

const placeOf = (element: Element | undefined): HTMLElement | null =>
  element instanceof HTMLElement && element.isConnected ? element : null;

export interface MenuCheckProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** A choice that the other items depend on. The menu stays open. */
export function MenuCheck(props: MenuCheckProps) {
  const { PopupCheck } = parts();
  return <PopupCheck {...props} />;
}

/** A line between groups of actions. */
export function MenuDivider() {
  const { PopupDivider } = parts();
  return <PopupDivider />;
}

export interface MenuItemProps {
  onChoose: () => void;
  isDanger?: boolean;
  /** True for a line that only says something. Keys reach it. */
  isDisabled?: boolean;
  children: ReactNode;
}

export function MenuItem(props: MenuItemProps) {
  const { PopupItem } = parts();
  return <PopupItem {...props} />;
}
