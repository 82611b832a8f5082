// The filters of a list: fields of which each is drawn as one chip.

import type { ReactNode } from 'react';
import styles from './filter-bar.module.css';

export function FilterBar({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>;
}
