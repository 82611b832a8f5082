// The replacement for an empty list or page. It explains the emptiness and the next step.

import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  hint?: string;
  role?: 'alert' | 'status';
  children?: ReactNode;
}

export function EmptyState({ icon, title, hint, role, children }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={role}>
      {icon !== undefined && <Icon name={icon} size={40} />}
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
