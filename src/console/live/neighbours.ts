// The order of the inbox beside an open conversation, so that closing one leads to the next.

import { Store } from '../app/store.js';

/** The ids of leads in the order of the list. */
export const inboxOrder = new Store<readonly string[]>([]);

/** @returns the lead below in the list, else the lead above; undefined if there is neither */
export function neighbourOf(leadId: string): string | undefined {
  const order = inboxOrder.value;
  const place = order.indexOf(leadId);
  return place === -1 ? order[0] : (order[place + 1] ?? order[place - 1]);
}
