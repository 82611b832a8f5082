// The columns of the table of leads, which the browser remembers.

import { useState } from 'react';
import type { Room } from '../../parts/table.js';

export const columnNames = ['number', 'tags', 'source', 'assignee', 'created', 'lastMessage', 'fields'] as const;
export type ColumnName = (typeof columnNames)[number];

/** Columns that stand at the end of their place. */
export const timeColumns: readonly ColumnName[] = ['created', 'lastMessage'];

/** Which columns a narrow table leaves out. What a user adds to the usual ones is always there. */
export const roomOf: Readonly<Partial<Record<ColumnName, Room>>> = {
  number: 'middle',
  tags: 'middle',
  source: 'wide',
  assignee: 'middle',
  created: 'wide',
};

/** Returns the columns that are named, in the order of the table. */
export const columnsIn = (wanted: readonly string[]) => columnNames.filter((name) => wanted.includes(name));

const storageKey = 'leadwire.columns-of-leads';

export function useColumns() {
  const [columns, setColumns] = useState<readonly ColumnName[]>(() => {
    const stored = localStorage.getItem(storageKey);
    const wanted: readonly string[] = stored === null ? columnNames.slice(0, -1) : (JSON.parse(stored) as string[]);
    return columnsIn(wanted);
  });
  const choose = (chosen: readonly ColumnName[]) => {
    localStorage.setItem(storageKey, JSON.stringify(chosen));
    setColumns(columnsIn(chosen));
  };
  return [columns, choose] as const;
}
