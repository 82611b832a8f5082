// Converts the table's address to the API's filter and order.

import { sourcesNamed } from '../../parts/source-name.js';
import type { LeadFilter, LeadOrder } from './operations.js';

export interface LeadSearch {
  q?: string;
  tag?: string;
  source?: string;
  status?: string;
  /** A user's id, or `nobody`. */
  assignee?: string;
  order?: string;
  /** Days such as 2026-11-03, in the user's zone. */
  since?: string;
  until?: string;
  waiting?: string;
  optedOut?: string;
  fromAd?: string;
  /** The source id of an ad, post or product. */
  ad?: string;
}

const orders: Record<string, LeadOrder> = {
  newest: { field: 'CREATED_AT', direction: 'DESC' },
  name: { field: 'NAME', direction: 'ASC' },
  recent: { field: 'LAST_MESSAGE_AT', direction: 'DESC' },
};

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

export function leadOrderOf({ order = 'newest' }: LeadSearch): LeadOrder {
  return orders[order] ?? { field: 'CREATED_AT', direction: 'DESC' };
}

function startOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
}
