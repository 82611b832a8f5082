// The content of a call, as the journal keeps it: kinds of items, their reports, and the instance. Nothing of it names a person.

import type { ReportedItem } from '../../providers/reported.js';
import { kindOf, type DryRunItemKind } from './call-dry-run-items.js';
import type { RefusedItem } from './webhook-call.js';

export interface CallContent {
  /** Each kind of the call's items once, in their order. */
  kinds: readonly DryRunItemKind[];
  /** The statuses, states and kinds of changes that its items report, each once; at most 10, of at most 100 characters. */
  reported: readonly string[];
  /** The chat instance of the first item that could be read; null for leads. */
  instanceId: string | null;
}

const maxReported = 10;
const maxWordLength = 100;
const leadRoute = /^\/(?:public|webhooks)\/leads(?:\/|$)/;

/** The content of a call of a lead, or of a lead source. */
export const leadContent: CallContent = { kinds: ['lead'], reported: [], instanceId: null };

/** Returns what is known of a call that was not read: calls of some routes bring leads only. */
export function contentOfRoute(route: string): CallContent | undefined {
  return leadRoute.test(route) ? leadContent : undefined;
}

/** Returns the content of a chat call, from its items in their order. */
export function contentOf(items: readonly ({ item: ReportedItem; instanceId: string } | RefusedItem)[]): CallContent {
  const read = items.flatMap((entry) => ('item' in entry ? [entry] : []));
  const reported = read.flatMap(({ item }) => reportOf(item) ?? []);
  return {
    kinds: [...new Set(items.map((entry) => ('item' in entry ? kindOf(entry.item) : 'unreadable')))],
    reported: [...new Set(reported)].slice(0, maxReported).map((word) => word.slice(0, maxWordLength)),
    instanceId: read[0]?.instanceId ?? null,
  };
}

function reportOf(item: ReportedItem): string | undefined {
  if ('status' in item) return item.status;
  if (item.kind === 'change') return item.change;
  return item.kind === 'preference' ? item.action : undefined;
}
