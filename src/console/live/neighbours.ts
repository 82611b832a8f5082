// The order of the list beside an open conversation: of a view, or of the hits of a search. Going on from one leads to its neighbours,
// also once it has left the list.

export interface InboxPlace {
  id: string;
  isWaiting: boolean;
  /** The message at which a hit of a search opens. */
  message?: string | undefined;
}

type Order = readonly InboxPlace[];

/** The number of leads that left the list and whose places are known. */
const maxLeft = 50;

let order: Order = [];
/** The list as it stood just before a lead left it, by that lead. */
const left = new Map<string, Order>();

/** Another list is shown, in which nothing has stood before. */
export function beginOrder(places: Order): void {
  left.clear();
  order = places;
}

/** The leads in the order of the list, after a change of it. */
export function changeOrder(places: Order): void {
  const shown = new Set(places.map(({ id }) => id));
  for (const { id } of order) if (!shown.has(id)) left.set(id, order);
  for (const id of left.keys()) if (shown.has(id)) left.delete(id);
  for (const id of [...left.keys()].slice(0, -maxLeft)) left.delete(id);
  order = places;
}

/** @returns the leads above and below; a lead that was never in the list stands before the first */
function around(leadId: string | undefined): { above: Order; below: Order } {
  const place = order.findIndex(({ id }) => id === leadId);
  if (place !== -1) return { above: order.slice(0, place), below: order.slice(place + 1) };
  const former = leadId === undefined ? undefined : left.get(leadId);
  if (former === undefined) return { above: [], below: order };
  const shown = new Map(order.map(({ id }, index) => [id, index]));
  const wasBelow = former.slice(former.findIndex(({ id }) => id === leadId) + 1);
  const next = wasBelow.find(({ id }) => shown.has(id));
  const from = next === undefined ? order.length : shown.get(next.id);
  return { above: order.slice(0, from), below: order.slice(from) };
}

/** @returns the lead below in the list, else the lead above; undefined if there is neither */
export function neighbourOf(leadId: string | undefined): InboxPlace | undefined {
  const { above, below } = around(leadId);
  return below[0] ?? above.at(-1);
}

/** @returns the lead that one step leads to; at an end of the list the last one there */
export function stepFrom(leadId: string | undefined, by: 1 | -1): string | undefined {
  const { above, below } = around(leadId);
  const next = by === 1 ? (below[0] ?? order.at(-1)) : (above.at(-1) ?? order[0]);
  return next?.id;
}

/** @returns the next lead below that waits for an answer, else the first one above; undefined if no other waits */
export function nextWaitingAfter(leadId: string): InboxPlace | undefined {
  const { above, below } = around(leadId);
  return [...below, ...above].find(({ isWaiting }) => isWaiting);
}
