// A short word about a state; never by its colour alone.

import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeKind = 'neutral' | 'good' | 'warning' | 'danger' | 'accent';

export function Badge({
  kind = 'neutral',
  title,
  children,
}: {
  kind?: BadgeKind;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={styles.badge} data-kind={kind} title={title}>
      {children}
    </span>
  );
}
