// Lists with cursors: the first page when the key changes, and further pages on demand.

import { useCallback, useEffect, useRef, useState } from 'react';
import { feed } from '../live/feed.js';

export interface Page<Node> {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Pages<Node> {
  nodes: readonly Node[];
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  loadMore: () => void;
  /** The first page again; what is shown stays until the answer. */
  reload: () => void;
  change: (change: (nodes: readonly Node[]) => readonly Node[]) => void;
}

interface State<Node> {
  key?: string;
  nodes: readonly Node[];
  after?: string | undefined;
  hasMore: boolean;
  error?: unknown;
  isLoading: boolean;
}

const empty = { nodes: [], hasMore: false };

/** @param key what is listed: another key begins from the first page */
export function usePages<Node>(key: string, load: (after: string | undefined) => Promise<Page<Node>>): Pages<Node> {
  const [state, setState] = useState<State<Node>>({ ...empty, isLoading: true });
  const latest = useRef({ load, run: 0 });
  latest.current.load = load;

  const read = useCallback(
    (after: string | undefined) => {
      const run = (latest.current.run += 1);
      const isNewest = () => run === latest.current.run;
      setState((now) => ({ ...(now.key === key ? now : empty), key, isLoading: true, error: undefined }));
      feed
        .whenReady()
        .then(() => latest.current.load(after))
        .then(
          ({ edges, pageInfo }) =>
            isNewest() &&
            setState((now) => {
              const nodes = edges.map(({ node }) => node);
              return {
                key,
                nodes: after === undefined ? nodes : [...now.nodes, ...nodes],
                after: pageInfo.endCursor ?? undefined,
                hasMore: pageInfo.hasNextPage,
                isLoading: false,
              };
            }),
          (error: unknown) => isNewest() && setState((now) => ({ ...now, error, isLoading: false })),
        );
    },
    [key],
  );

  useEffect(() => {
    read(undefined);
    return () => void (latest.current.run += 1);
  }, [read]);

  const change = useCallback(
    (apply: (nodes: readonly Node[]) => readonly Node[]) => setState((now) => ({ ...now, nodes: apply(now.nodes) })),
    [],
  );
  const isCurrent = state.key === key;
  const { nodes, after, hasMore, error, isLoading } = isCurrent ? state : { ...empty, isLoading: true };
  return {
    nodes,
    error,
    isLoading,
    hasMore,
    loadMore: () => !isLoading && hasMore && read(after),
    reload: () => read(undefined),
    change,
  };
}
