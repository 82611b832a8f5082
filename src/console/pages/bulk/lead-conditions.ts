// The conditions by which leads are chosen, and the filter that they are for the API.

import { sourcesNamed } from '../../parts/source-name.js';
import type { LeadFilter } from './operations.js';

export interface Conditions {
  q: string;
  tag: string;
  source: string;
  status: string;
  assignee: string;
  /** Everybody, which is a choice of its own. */
  isAll: boolean;
}

export const noConditions: Conditions = { q: '', tag: '', source: '', status: '', assignee: '', isAll: false };

export function filterOf({ q, tag, source, status, assignee }: Conditions): LeadFilter {
  const filter: LeadFilter = {};
  if (q.trim() !== '') filter.search = q.trim();
  if (tag.trim() !== '') filter.tagsAll = [tag.trim().toLowerCase()];
  if (source.trim() !== '') filter.sources = sourcesNamed(source.trim());
  if (status === 'OPEN' || status === 'SNOOZED' || status === 'CLOSED') filter.conversationStatuses = [status];
  if (assignee === 'nobody') filter.unassigned = true;
  else if (assignee !== '') filter.assigneeId = assignee;
  return filter;
}
