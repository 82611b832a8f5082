// A button that opens a list of actions. The list is created when it opens, because each message in a conversation has two such buttons.

import { Menu as Base } from '@base-ui/react/menu';
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
import { Icon } from './icon.js';
import styles from './menu.module.css';

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Returns the element that a choice has made and that takes the focus; null for the button. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

export function Menu({ trigger, focusAfter, children }: MenuProps) {
  const [state, setState] = useState<'closed' | 'open' | 'closing'>('closed');
  const button = useRef<HTMLButtonElement>(null);
  const byKey = useRef(false);
  const open = (element: HTMLButtonElement, isByKey: boolean) => {
    button.current = element;
    byKey.current = isByKey;
    setState('open');
  };
  const isOpen = state === 'open';
  return (
    <>
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        ...(isOpen && { 'data-popup-open': '' }),
        // A click by key has a `detail` of 0, because no pointer button was pressed.
        onClick: ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => open(currentTarget, detail === 0),
        onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.stopPropagation();
          open(event.currentTarget, true);
        },
      })}
      {state !== 'closed' && (
        <Base.Root
          open={isOpen}
          onOpenChange={(isWanted) => !isWanted && setState('closing')}
          onOpenChangeComplete={(isStill) => !isStill && setState('closed')}
        >
          <Base.Portal>
            <Base.Positioner className={styles.positioner ?? ''} anchor={button} sideOffset={4} align="end">
              <Base.Popup
                ref={(popup) => {
                  if (popup !== null && byKey.current) queueMicrotask(() => focusFirst(popup));
                }}
                className={styles.menu ?? ''}
                aria-label={button.current?.getAttribute('aria-label') ?? button.current?.textContent ?? undefined}
                finalFocus={() => focusAfter?.() ?? button.current}
                onKeyDown={(event) => {
                  if (event.key !== 'Tab') return;
                  event.preventDefault();
                  setState('closing');
                }}
              >
                {children}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </>
  );
}

function focusFirst(popup: HTMLElement): void {
  popup.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus({ preventScroll: true });
}

interface MenuCheckProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}

/** A choice that the other items depend on. The menu stays open. */
export function MenuCheck({ isChecked, onChange, children }: MenuCheckProps) {
  return (
    <Base.CheckboxItem className={styles.item ?? ''} checked={isChecked} onCheckedChange={onChange}>
      <span className={styles.box} data-checked={isChecked || undefined}>
        {isChecked && <Icon name="check" size={14} />}
      </span>
      {children}
    </Base.CheckboxItem>
  );
}

/** A line between groups of actions. */
export function MenuDivider() {
  return <Base.Separator className={styles.divider ?? ''} />;
}

interface MenuItemProps {
  onChoose: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

export function MenuItem({ onChoose, isDanger = false, isDisabled = false, children }: MenuItemProps) {
  return (
    <Base.Item className={`${styles.item} ${isDanger ? styles.danger : ''}`} disabled={isDisabled} onClick={onChoose}>
      {children}
    </Base.Item>
  );
}
