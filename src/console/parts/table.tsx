// A table that scrolls sideways by itself if it is wider than the page.

import type { ReactNode } from 'react';
import styles from './table.module.css';

interface TableProps {
  /** The accessible name of the table. */
  label: string;
  columns: readonly { name: string; isNumber?: boolean; isNameHidden?: boolean }[];
  /** `tr` elements. */
  children: ReactNode;
}

export function Table({ label, columns, children }: TableProps) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false, isNameHidden = false }) => (
              <th key={name} scope="col" className={isNumber ? styles.number : ''}>
                {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
