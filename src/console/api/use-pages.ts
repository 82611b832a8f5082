// Lists with cursors. A new key reads the first page, and further pages follow on demand. A list that is read again keeps its length.

import { useCallback, useEffect, useRef, useState } from 'react';
import { feed } from '../live/feed.js';
import { readInTurn, type Page } from './read-in-turn.js';

export interface Pages<Node> {
  nodes: readonly Node[];
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  /** The place behind which there are further ones; undefined where there are none. */
  after: string | undefined;
  loadMore: () => void;
  /** Reads as many pages again as are shown. The shown rows stay until the answer comes. */
  reload: () => void;
  change: (change: (nodes: readonly Node[]) => readonly Node[]) => void;
}

interface State<Node> {
  key?: string;
  nodes: readonly Node[];
  /** The number of shown pages. */
  pages: number;
  after?: string | undefined;
  hasMore: boolean;
  error?: unknown;
  isLoading: boolean;
}

const empty = { nodes: [], pages: 0, hasMore: false };
/** The maximum number of pages that a second reading keeps; a longer list is cut. */
const maxReadAgain = 10;

/** @param key identifies the list: a new key begins from its first page */
export function usePages<Node>(key: string, load: (after: string | undefined) => Promise<Page<Node>>): Pages<Node> {
  const [state, setState] = useState<State<Node>>({ ...empty, isLoading: true });
  /** `wanted` counts the shown pages plus a page still on its way, so that a second reading includes that page too. */
  const latest = useRef({ load, run: 0, wanted: 1 });
  latest.current.load = load;

  const read = useCallback(
    (after: string | undefined, count = 1) => {
      const run = (latest.current.run += 1);
      const isNewest = () => run === latest.current.run;
      setState((now) => ({ ...(now.key === key ? now : empty), key, isLoading: true, error: undefined }));
      feed
        .whenReady()
        .then(() => readInTurn((from) => latest.current.load(from), { after, count, isNewest }))
        .then(
          (answer) =>
            isNewest() &&
            setState((now) => ({
              ...answer,
              key,
              nodes: after === undefined ? answer.nodes : [...now.nodes, ...answer.nodes],
              pages: after === undefined ? answer.pages : now.pages + answer.pages,
              isLoading: false,
            })),
          (error: unknown) => isNewest() && setState((now) => ({ ...now, error, isLoading: false })),
        );
    },
    [key],
  );

  useEffect(() => {
    latest.current.wanted = 1;
    read(undefined);
    return () => void (latest.current.run += 1);
  }, [read]);

  const change = useCallback(
    (apply: (nodes: readonly Node[]) => readonly Node[]) => setState((now) => ({ ...now, nodes: apply(now.nodes) })),
    [],
  );
  const isCurrent = state.key === key;
  const { nodes, pages, after, hasMore, error, isLoading } = isCurrent ? state : { ...empty, isLoading: true };
  return {
    nodes,
    error,
    isLoading,
    hasMore,
    after: hasMore ? after : undefined,
    loadMore: () => {
      if (isLoading || !hasMore) return;
      latest.current.wanted = pages + 1;
      read(after);
    },
    reload: () => read(undefined, Math.min(latest.current.wanted, maxReadAgain)),
    change,
  };
}
