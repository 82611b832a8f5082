// A button that opens a list of actions.

import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

interface MenuProps {
  /** The button. */
  trigger: ReactElement;
  /** Where something else opens it too, as a key. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}

export function Menu({ trigger, isOpen, onOpenChange, children }: MenuProps) {
  return (
    <Base.Root {...(isOpen !== undefined && { open: isOpen })} onOpenChange={(open) => onOpenChange?.(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner ?? ''} sideOffset={4} align="end">
          <Base.Popup className={styles.menu ?? ''}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
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
