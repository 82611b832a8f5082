// Converts the table's address to the API's filter and order.

import { dayOfTime } from '../../i18n/local-time.js';
import { sourcesNamed } from '../../parts/source-name.js';
import type { LeadFilter, LeadOrder } from './operations.js';

/** The filters that the address stores besides the search, in the order in which they are offered and shown. */
export const filterNames = [
  'tag',
  'source',
  'status',
  'assignee',
  'since',
  'until',
  'waiting',
  'optedOut',
  'fromAd',
  'ad',
] as const;
export type FilterName = (typeof filterNames)[number];

/**
 * `assignee` is a user's id, or `nobody`; `since` and `until` are days such as 2026-11-03 in the user's zone; `ad` is the source id of an
 * ad, post or product.
 */
export type LeadSearch = Partial<Record<FilterName | 'q' | 'order', string>>;

const orders = {
  newest: { field: 'CREATED_AT', direction: 'DESC' },
  oldest: { field: 'CREATED_AT', direction: 'ASC' },
  name: { field: 'NAME', direction: 'ASC' },
  nameDown: { field: 'NAME', direction: 'DESC' },
  recent: { field: 'LAST_MESSAGE_AT', direction: 'DESC' },
  quiet: { field: 'LAST_MESSAGE_AT', direction: 'ASC' },
} as const satisfies Record<string, LeadOrder>;
export type OrderName = keyof typeof orders;
const orderNames = Object.keys(orders) as OrderName[];

export function leadFilterOf(search: LeadSearch): LeadFilter {
  const { q, tag, source, status, assignee, since, until, waiting, optedOut, fromAd, ad } = search;
  const filter: LeadFilter = {};
  if (q !== undefined) filter.search = q.slice(0, 100);
  if (tag !== undefined) filter.tagsAll = [tag.toLowerCase()];
  if (source !== undefined) filter.sources = sourcesNamed(source);
  if (status === 'OPEN' || status === 'SNOOZED' || status === 'CLOSED') filter.conversationStatuses = [status];
  if (assignee === 'nobody') filter.unassigned = true;
  else if (assignee !== undefined) filter.assigneeId = assignee;
  if (since !== undefined) filter.since = startOf(since);
  if (until !== undefined) filter.until = startOf(until);
  const isChosen = (mark: string | undefined) => (mark === undefined ? undefined : true);
  const marks = { waiting: isChosen(waiting), optedOut: isChosen(optedOut), hasReferral: isChosen(fromAd) };
  const given = Object.entries({ ...marks, referralSourceId: ad }).filter(([, value]) => value !== undefined);
  return { ...filter, ...Object.fromEntries(given) };
}

export function orderNameOf({ order = '' }: LeadSearch): OrderName {
  return Object.hasOwn(orders, order) ? (order as OrderName) : 'newest';
}

export function leadOrderOf(search: LeadSearch): LeadOrder {
  return orders[orderNameOf(search)];
}

/** Returns the address of a kept filter, with its days in the user's zone; undefined if no address can hold it. */
export function leadSearchOf(filter: LeadFilter, { field, direction }: LeadOrder): LeadSearch | undefined {
  const { tagsAll, sources, conversationStatuses, unassigned, assigneeId, since, until } = filter;
  const isDown = (direction ?? (field === 'NAME' ? 'ASC' : 'DESC')) === 'DESC';
  const order = orderNames.find(
    (name) => orders[name].field === field && (orders[name].direction === 'DESC') === isDown,
  );
  if (order === undefined) return undefined;
  const [sinceDay, untilDay] = [since, until].map((time) => (time == null ? undefined : dayOfTime(time)));
  const mark = (value: boolean | null | undefined) => (value == null ? undefined : 'true');
  const found = {
    order: order === 'newest' ? undefined : order,
    tag: tagsAll?.[0],
    source: sources?.[0],
    status: conversationStatuses?.[0],
    assignee: unassigned === true ? 'nobody' : assigneeId,
    since: sinceDay,
    until: untilDay,
    waiting: mark(filter.waiting),
    optedOut: mark(filter.optedOut),
    fromAd: mark(filter.hasReferral),
    ad: filter.referralSourceId,
  };
  const search = Object.fromEntries(Object.entries(found).filter(([, value]) => value != null)) as LeadSearch;
  const days = {
    ...(sinceDay !== undefined && { since: startOf(sinceDay) }),
    ...(untilDay !== undefined && { until: startOf(untilDay) }),
  };
  return inOrder(leadFilterOf(search)) === inOrder({ ...filter, ...days }) ? search : undefined;
}

/** Returns true if both addresses show the same leads in the same order. */
export function showsSame(one: LeadSearch, other: LeadSearch): boolean {
  return orderNameOf(one) === orderNameOf(other) && inOrder(leadFilterOf(one)) === inOrder(leadFilterOf(other));
}

const inOrder = (filter: LeadFilter) =>
  JSON.stringify(Object.entries(filter).toSorted(([one], [other]) => one.localeCompare(other)));

function startOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
}
