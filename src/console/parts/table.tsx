// A table. In a narrow place it leaves out the columns that need room, and scrolls sideways by itself if it is still too wide.

import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import styles from './table.module.css';

/** A wide table has all columns, a middle one those that say who and how it stands, and a phone's the first and the last. */
export type Room = 'wide' | 'middle';

export interface Column {
  name: string;
  /** Stands at the end of the column, as numbers and times do. */
  isNumber?: boolean;
  isNameHidden?: boolean;
  /** The column, whose cells say so as `data-room`, is left out where the table has no such room. */
  room?: Room | undefined;
  /** The heading sorts the table. */
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort: () => void };
}

interface TableProps {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column[];
  /** `tr` elements. */
  children: ReactNode;
}

export function Table({ label, columns, children }: TableProps) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false, isNameHidden = false, room, sort }) => (
              <th
                key={name}
                scope="col"
                className={isNumber ? styles.number : ''}
                data-room={room}
                aria-sort={sort?.direction}
              >
                {isNameHidden ? <span className="visually-hidden">{name}</span> : sort === undefined && name}
                {sort !== undefined && (
                  <button type="button" className={styles.sort} onClick={sort.onSort}>
                    {name}
                    {sort.direction !== undefined && (
                      <Icon name={sort.direction === 'ascending' ? 'sort-up' : 'sort-down'} size={14} />
                    )}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
