// A button that opens a list of actions. The list is created when it opens, because each message in a conversation has two such buttons. Its
// code is half as much as a page's, and comes when the pointer or the focus reaches a button.

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
  const button = useRef<HTMLButtonElement>(null);
  /** The keyboard was here when a key of a command opened the menu, and returns there. */
  const opener = useRef<Element>(undefined);
  /** The steps from the first item to the one that takes the focus; none after a click of the pointer. */
  const steps = useRef<number>(undefined);
  const open = (element: HTMLButtonElement, isByKey: boolean) => {
    button.current = element;
    opener.current = isByKey ? placeOnPage() : undefined;
    steps.current = isByKey ? 0 : undefined;
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
  const isOpen = state === 'open';
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
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          if (event.key === 'Escape' && state === 'opening') setState('closed');
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.stopPropagation();
          // A step that comes before the list waits for it.
          if (state === 'opening') steps.current = (steps.current ?? -1) + 1;
          else open(event.currentTarget, true);
        },
      })}
      {MenuPopup !== undefined && (isOpen || state === 'closing') && (
        <MenuPopup
          isOpen={isOpen}
          button={button}
          align={align}
          steps={steps.current}
          focusAfter={() => focusAfter?.() ?? placeOf(opener.current)}
          onClose={() => setState('closing')}
          onClosed={() => setState('closed')}
        >
          {children}
        </MenuPopup>
      )}
    </>
  );
}

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
