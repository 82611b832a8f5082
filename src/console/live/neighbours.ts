// The order of the inbox beside an open conversation, so that closing one leads to the next.

import { Store } from '../app/store.js';

export interface InboxPlace {
  id: string;
  isWaiting: boolean;
}

/** The leads in the order of the list. */
export const inboxOrder = new Store<readonly InboxPlace[]>([]);

/** @returns the lead below in the list, else the lead above; undefined if there is neither */
export function neighbourOf(leadId: string): string | undefined {
  const order = inboxOrder.value;
  const place = order.findIndex(({ id }) => id === leadId);
  return (place === -1 ? order[0] : (order[place + 1] ?? order[place - 1]))?.id;
}

/** @returns the next lead below that waits for an answer, else the first one above; undefined if no other waits */
export function nextWaitingAfter(leadId: string): string | undefined {
  const order = inboxOrder.value;
  const below = order.slice(order.findIndex(({ id }) => id === leadId) + 1);
  return [...below, ...order].find(({ id, isWaiting }) => isWaiting && id !== leadId)?.id;
}
