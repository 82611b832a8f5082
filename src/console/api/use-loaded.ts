// The data of a page: it is loaded when its key changes and kept while it is read again. A failure is returned for the page to show.

import { useCallback, useEffect, useRef, useState } from 'react';
import { connection, feed, type FeedEvent } from '../live/feed.js';
import { Meanwhile, type Change } from './meanwhile.js';

export interface Loaded<Data> {
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  /** Reads again. The shown data stays until the answer comes. */
  reload: () => void;
  /** Changes the shown data at once, for example with the answer of a mutation, and the data that is being read. */
  change: (change: Change<Data>) => void;
}

interface State<Data> {
  key?: string;
  data?: Data;
  error?: unknown;
  isLoading: boolean;
}

const reading = (key: string | undefined) => ({ ...(key !== undefined && { key }), isLoading: key !== undefined });

/** @param key identifies the data: a new key starts without data, and undefined reads nothing */
export function useLoaded<Data>(key: string | undefined, load: () => Promise<Data>): Loaded<Data> {
  const [state, setState] = useState<State<Data>>(() => reading(key));
  const latest = useRef({ load, run: 0, meanwhile: new Meanwhile<Data>() });
  latest.current.load = load;

  const reload = useCallback(() => {
    if (key === undefined) return;
    const run = (latest.current.run += 1);
    const isNewest = () => run === latest.current.run;
    const { meanwhile } = latest.current;
    meanwhile.begin();
    setState((now) => (now.key !== key ? reading(key) : now.isLoading ? now : { ...now, isLoading: true }));
    feed
      .whenReady()
      .then(() => latest.current.load())
      .then(
        (data) => isNewest() && setState({ key, data: meanwhile.end()(data), isLoading: false }),
        (error: unknown) => {
          if (!isNewest()) return;
          meanwhile.end();
          setState((now) => ({ ...now, error, isLoading: false }));
        },
      );
  }, [key]);

  useEffect(() => {
    reload();
    return () => void (latest.current.run += 1);
  }, [reload]);

  // A reading that has failed is tried again as soon as the connection is back.
  const hasFailed = state.error !== undefined;
  useEffect(
    () => (hasFailed ? connection.subscribe(() => connection.value === 'live' && reload()) : undefined),
    [hasFailed, reload],
  );

  const change = useCallback((apply: Change<Data>) => {
    latest.current.meanwhile.add(apply);
    setState((now) => (now.data === undefined ? now : { ...now, data: apply(now.data) }));
  }, []);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
    change,
  };
}

/** Passes the tenant's events to the component while it is shown. */
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
