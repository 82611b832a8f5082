// New calls of the journal. The live feed has no event for a refused, ignored or repeated call, so the newest calls are read again and
// again while the page is seen. A call's entry may be written after that of a later call: each look overlaps the one before.

import { useEffect, useRef, useState } from 'react';
import type { Page } from '../../api/read-in-turn.js';
import type { Pages } from '../../api/use-pages.js';
import { connection } from '../../live/feed.js';
import type { CallRowFragment } from './operations.js';

// A look takes one of the user's calls, of which there are 100 a minute unless the installation says otherwise.
const everyMs = 5_000;
const overlapMs = 60_000;
/** The most calls that wait to be shown. Beyond it, the list is read again. */
const maxWaiting = 200;

interface LiveOptions {
  /** Identifies the filter. */
  key: string;
  /** Nothing new can come where the filter ends in the past. */
  isLive: boolean;
  /** The rows stand still: new calls wait until they are asked for. */
  isHeld: boolean;
  /** Reads the newest calls that arrived from a time on. */
  read: (since: string | undefined) => Promise<Page<CallRowFragment>>;
}

interface Waiting {
  key: string;
  calls: readonly CallRowFragment[];
  /** More came than one look reads. */
  hasGap: boolean;
}

/** @returns how many calls wait, and a function that shows them */
export function useLiveCalls(
  pages: Pages<CallRowFragment>,
  { key, isLive, isHeld, read }: LiveOptions,
): { count: number; hasMore: boolean; show: () => void } {
  const [stored, setWaiting] = useState<Waiting>({ key, calls: [], hasGap: false });
  const waiting = stored.key === key ? stored : { key, calls: [], hasGap: false };
  const show = () => {
    setWaiting({ key, calls: [], hasGap: false });
    if (waiting.hasGap) pages.reload();
    else pages.change((shown) => newestFirst([...waiting.calls, ...shown]));
  };
  const latest = useRef({ pages, waiting, read });
  latest.current = { pages, waiting, read };

  useEffect(() => {
    if (!isLive) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const look = async () => {
      const { pages: now, read: readNow } = latest.current;
      if (document.visibilityState === 'visible' && connection.value !== 'offline' && !now.isLoading) {
        try {
          const found = await readNow(sinceOf(now.nodes[0]));
          if (!isOver) take(found);
        } catch {
          // The next look asks again; a page that cannot be read at all says so by itself.
        }
      }
      if (!isOver) timer = setTimeout(() => void look(), everyMs);
    };
    const take = ({ edges, pageInfo }: Page<CallRowFragment>) => {
      const { nodes } = latest.current.pages;
      const known = new Set([...nodes, ...latest.current.waiting.calls].map(({ id }) => id));
      const fresh = edges.map(({ node }) => node).filter(({ id }) => !known.has(id));
      if (fresh.length === 0) return;
      setWaiting((now) => {
        const calls = newestFirst([...fresh, ...(now.key === key ? now.calls : [])]);
        const hasGap = (now.key === key && now.hasGap) || calls.length > maxWaiting;
        return {
          key,
          calls: calls.slice(0, maxWaiting),
          hasGap: hasGap || (pageInfo.hasNextPage && fresh.length === edges.length),
        };
      });
    };
    timer = setTimeout(() => void look(), everyMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, isLive]);

  const count = waiting.calls.length;
  const showNow = useRef(show);
  showNow.current = show;
  useEffect(() => {
    if (!isHeld && count > 0) showNow.current();
  }, [isHeld, count]);
  return { count, hasMore: waiting.hasGap, show };
}

const sinceOf = (newest: CallRowFragment | undefined) =>
  newest === undefined ? undefined : new Date(Date.parse(newest.receivedAt) - overlapMs).toISOString();

function newestFirst(calls: readonly CallRowFragment[]): CallRowFragment[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
}
