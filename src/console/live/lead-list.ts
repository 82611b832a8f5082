// The table of leads that was shown last, and where it goes on. The page of a lead says its place in it, and leads to the others.

import { onUserChange } from '../app/session.js';
import { Store } from '../app/store.js';

export interface LeadList {
  ids: readonly string[];
  /** How many leads the filter finds; undefined until it is known. */
  count: number | undefined;
  /** The filter and order, as the table's address has them. */
  search: Readonly<Record<string, string>>;
  /** Reads the leads behind the last one; undefined where there are none. */
  readOn: (() => Promise<Pick<LeadList, 'ids' | 'readOn'>>) | undefined;
}

export const leadList = new Store<LeadList | undefined>(undefined);

// An expired session may be followed by that of another user.
onUserChange(() => leadList.set(undefined));

/** @returns the lead before or behind another one, which is read where it was not shown; undefined at an end of the list */
export async function leadBeside(id: string, by: 1 | -1): Promise<string | undefined> {
  const list = leadList.value;
  const place = list?.ids.indexOf(id) ?? -1;
  if (list === undefined || place === -1) return undefined;
  const known = list.ids[place + by];
  if (known !== undefined || by === -1 || list.readOn === undefined) return known;
  const { ids, readOn } = await list.readOn();
  const all = { ...list, ids: [...new Set([...list.ids, ...ids])], readOn };
  // The table may have been left for another one meanwhile.
  if (leadList.value === list) leadList.set(all);
  return all.ids[place + 1];
}
