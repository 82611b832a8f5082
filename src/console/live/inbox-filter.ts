// The conversations and the order of an inbox view: as a filter for the server, and as the same rule for rows on the screen.

import type { InboxFilter, InboxOrder, LeadRowFragment } from '../api/operations.js';

export const views = ['waiting', 'mine', 'unassigned', 'all', 'snoozed', 'closed'] as const;
export type View = (typeof views)[number];

/** The search parameters of the address. */
export interface InboxSearch {
  view?: string;
  /** Text to find, in every view. */
  q?: string;
  tag?: string;
  instance?: string;
  order?: string;
  fromAd?: string;
  /** The source id of an ad, post or product. */
  ad?: string;
}

/** The address of the same list, without the message at which a conversation was opened. */
export const withoutMessage = <Search extends object>(now: Search) => ({ ...now, message: undefined });

export interface InboxQuery {
  view: View;
  filter: InboxFilter;
  orderBy: InboxOrder;
}

export const orderNames = ['newest', 'inbound', 'waiting'] as const;
export type OrderName = (typeof orderNames)[number];

const orders: Record<OrderName, InboxOrder> = {
  newest: 'NEWEST_MESSAGE',
  inbound: 'NEWEST_INBOUND',
  waiting: 'LONGEST_WAITING',
};

/** Returns the view that an address names. Without a name the inbox shows who waits. */
export function viewOf({ view }: { view?: string | undefined }): View {
  return views.find((one) => one === view) ?? 'waiting';
}

/** Returns the order that an address names, else the view's own. */
export function orderOf(named: string | undefined, view: View): OrderName {
  return orderNames.find((one) => one === named) ?? (view === 'waiting' ? 'waiting' : 'newest');
}

/** Returns true if an address has filters or an order of its own, besides one of the views. */
export function isFiltered({ tag, instance, fromAd, ad, order, view }: InboxSearch): boolean {
  const named = viewOf({ view });
  const isReordered = orderOf(order, named) !== orderOf(undefined, named);
  return isReordered || [tag, instance, fromAd, ad].some((one) => one !== undefined);
}

/** Returns true if a view with this filter leaves out conversations that belong to the view. */
export function narrows({ tagsAll, instanceId, hasReferral, referralSourceId }: InboxFilter): boolean {
  return [tagsAll, instanceId, hasReferral, referralSourceId].some((one) => one != null);
}

/** @param userId the user whose conversations are `mine` */
export function inboxQueryOf(search: Omit<InboxSearch, 'q'>, userId: string): InboxQuery {
  const { tag, instance, order, fromAd, ad } = search;
  const view = viewOf(search);
  const filter: InboxFilter = { ...filterOf(view, userId) };
  if (tag !== undefined) filter.tagsAll = [tag.toLowerCase()];
  if (instance !== undefined) filter.instanceId = instance;
  if (fromAd !== undefined) filter.hasReferral = true;
  if (ad !== undefined) filter.referralSourceId = ad;
  const orderBy = orders[orderOf(order, view)];
  return { view, filter, orderBy };
}

/** Returns the address of a kept filter; undefined if no address can hold it. */
export function searchOf(filter: InboxFilter, orderBy: InboxOrder, userId: string): InboxSearch | undefined {
  const { conversationStatuses, waiting, assigneeId, unassigned, tagsAll, instanceId } = filter;
  const place = { conversationStatuses, waiting, assigneeId, unassigned };
  const view = views.find((one) => isSame(filterOf(one, userId), place));
  const order = orderNames.find((one) => orders[one] === orderBy);
  if (view === undefined || order === undefined) return undefined;
  const search: InboxSearch = { view };
  if (tagsAll?.[0] !== undefined) search.tag = tagsAll[0];
  if (instanceId != null) search.instance = String(instanceId);
  if (order !== orderOf(undefined, view)) search.order = order;
  if (filter.hasReferral != null) search.fromAd = 'true';
  if (filter.referralSourceId != null) search.ad = filter.referralSourceId;
  return isSame(inboxQueryOf(search, userId).filter, filter) ? search : undefined;
}

/** Returns true if both filters find the same conversations. */
export function isSame(one: InboxFilter, other: InboxFilter): boolean {
  return inOrder(one) === inOrder(other);
}

const inOrder = (filter: InboxFilter) =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value != null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

function filterOf(view: View, userId: string): InboxFilter {
  if (view === 'snoozed') return { conversationStatuses: ['SNOOZED'] };
  if (view === 'closed') return { conversationStatuses: ['CLOSED'] };
  const open: InboxFilter = { conversationStatuses: ['OPEN'] };
  if (view === 'waiting') return { ...open, waiting: true };
  if (view === 'mine') return { ...open, assigneeId: userId };
  return view === 'unassigned' ? { ...open, unassigned: true } : open;
}

/** Returns true if a row belongs to the view; `unknown` if only the server can tell. */
export function matches(row: LeadRowFragment, filter: InboxFilter): boolean | 'unknown' {
  const { conversationStatuses, waiting, assigneeId, unassigned, tagsAll, instanceId } = filter;
  // Rows do not contain the referral, so the server has to answer.
  const { hasReferral, referralSourceId } = filter;
  const fits = [
    row.lastMessage !== null,
    conversationStatuses?.includes(row.conversationStatus),
    waiting == null || waiting === (row.waitingSince !== null),
    assigneeId == null || row.assignee?.id === assigneeId,
    unassigned == null || unassigned === (row.assignee === null),
    tagsAll?.every((tag) => row.tags.includes(tag)),
    instanceId == null || row.lastMessage?.instance.id === instanceId,
  ];
  if (fits.includes(false)) return false;
  return hasReferral == null && referralSourceId == null ? true : 'unknown';
}

/** The sort key of a row. Rows are sorted by it in ascending order. */
export function sortKeyOf(row: LeadRowFragment, orderBy: InboxOrder): number {
  if (orderBy === 'LONGEST_WAITING' && row.waitingSince !== null) return Date.parse(row.waitingSince);
  if (orderBy === 'NEWEST_INBOUND' && row.lastInboundAt !== null) return -Date.parse(row.lastInboundAt);
  // Such rows come after all rows that wait or have written.
  const behind = orderBy === 'NEWEST_MESSAGE' ? 0 : Number.MAX_SAFE_INTEGER / 2;
  return behind - (row.lastMessage === null ? 0 : msOfPosition(row.lastMessage.position));
}

/** The milliseconds since 1970 in the position of a message, which counts 1,024 parts of a microsecond. */
function msOfPosition(position: string): number {
  return Number(position) / 1_024_000;
}
