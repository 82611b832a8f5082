// Lists with cursors. A new key reads the first page, and further pages follow on demand. A list that is read again keeps its length.

import { useCallback, useEffect, useRef, useState } from 'react';
import { feed } from '../live/feed.js';
import { Meanwhile, type Change } from './meanwhile.js';
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
  /** Changes the shown rows at once, and those that are being read. */
  change: (change: Change<readonly Node[]>) => void;
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
  const latest = useRef({ load, run: 0, wanted: 1, meanwhile: new Meanwhile<readonly Node[]>() });
  latest.current.load = load;

  const read = useCallback(
    async (after: string | undefined, count = 1) => {
      const run = (latest.current.run += 1);
      const isNewest = () => run === latest.current.run;
      const { meanwhile } = latest.current;
      meanwhile.begin();
      setState((now) => ({ ...(now.key === key ? now : empty), key, isLoading: true, error: undefined }));
      try {
        await feed.whenReady();
        const answer = await readInTurn((from) => latest.current.load(from), { after, count, isNewest });
        if (!isNewest()) return;
        const withChanges = meanwhile.end();
        setState((now) => ({
          ...answer,
          key,
          nodes: withChanges(after === undefined ? answer.nodes : [...now.nodes, ...answer.nodes]),
          pages: after === undefined ? answer.pages : now.pages + answer.pages,
          isLoading: false,
        }));
      } catch (error) {
        if (!isNewest()) return;
        meanwhile.end();
        setState((now) => ({ ...now, error, isLoading: false }));
      }
    },
    [key],
  );

  useEffect(() => {
    latest.current.wanted = 1;
    void read(undefined);
    return () => void (latest.current.run += 1);
  }, [read]);

  const change = useCallback((apply: Change<readonly Node[]>) => {
    latest.current.meanwhile.add(apply);
    setState((now) => ({ ...now, nodes: apply(now.nodes) }));
  }, []);
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
      void read(after);
    },
    reload: () => void read(undefined, Math.min(latest.current.wanted, maxReadAgain)),
    change,
  };
}
