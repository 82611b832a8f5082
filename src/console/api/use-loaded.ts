// What a page reads: loaded when its key changes, kept while it is read again, with the failure to show.

import { useCallback, useEffect, useRef, useState } from 'react';
import { feed } from '../live/feed.js';
import type { FeedEvent } from '../live/feed.js';

export interface Loaded<Data> {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads again; what is shown stays until the answer. */
  reload: () => void;
  /** Shows a change at once, as the answer of a mutation. */
  change: (change: (data: Data) => Data) => void;
}

interface State<Data> {
  key?: string;
  data?: Data;
  error?: unknown;
  isLoading: boolean;
}

const reading = (key: string | undefined) => ({ ...(key !== undefined && { key }), isLoading: key !== undefined });

/** @param key what is read: another key is read from the start; undefined reads nothing */
export function useLoaded<Data>(key: string | undefined, load: () => Promise<Data>): Loaded<Data> {
  const [state, setState] = useState<State<Data>>(() => reading(key));
  const latest = useRef({ load, run: 0 });
  latest.current.load = load;

  const reload = useCallback(() => {
    if (key === undefined) return;
    const run = (latest.current.run += 1);
    const isNewest = () => run === latest.current.run;
    setState((now) => (now.key !== key ? reading(key) : now.isLoading ? now : { ...now, isLoading: true }));
    feed
      .whenReady()
      .then(() => latest.current.load())
      .then(
        (data) => isNewest() && setState({ key, data, isLoading: false }),
        (error: unknown) => isNewest() && setState((now) => ({ ...now, error, isLoading: false })),
      );
  }, [key]);

  useEffect(() => {
    reload();
    return () => void (latest.current.run += 1);
  }, [reload]);

  const change = useCallback(
    (apply: (data: Data) => Data) =>
      setState((now) => (now.data === undefined ? now : { ...now, data: apply(now.data) })),
    [],
  );
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
    change,
  };
}

/** Hears the tenant's events while the component is shown. */
export function useFeed(onEvent: (event: FeedEvent) => void, onResync: () => void): void {
  const latest = useRef({ onEvent, onResync });
  latest.current = { onEvent, onResync };
  useEffect(
    () =>
      feed.listen({
        onEvent: (event) => latest.current.onEvent(event),
        onResync: () => latest.current.onResync(),
      }),
    [],
  );
}
