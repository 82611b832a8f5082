// A short word for a state. Its colour never carries the meaning alone.

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
