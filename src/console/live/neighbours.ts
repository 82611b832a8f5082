// The order of the inbox beside an open conversation, so that closing one leads to the next.

import { Store } from '../app/store.js';

/** Ids of leads, as the list shows them. */
export const inboxOrder = new Store<readonly string[]>([]);

/** @returns the lead below in the list, else the one above; undefined where there is none */
export function neighbourOf(leadId: string): string | undefined {
  const order = inboxOrder.value;
  const place = order.indexOf(leadId);
  return place === -1 ? order[0] : (order[place + 1] ?? order[place - 1]);
}
