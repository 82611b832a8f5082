// The replacement for an empty list or page. It explains the emptiness and the next step.

import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  hint?: string;
  role?: 'alert' | 'status';
  children?: ReactNode;
}

export function EmptyState({ title, hint, role, children }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={role}>
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
