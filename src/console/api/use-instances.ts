// The tenant's chat instances with their current state. All pages share one reading, and events keep it current.

import { useEffect, useMemo } from 'react';
import { onUserChange } from '../app/session.js';
import { Store, useStore } from '../app/store.js';
import { feed, type FeedEvent } from '../live/feed.js';
import { askAgain } from './client.js';
import { Meanwhile } from './meanwhile.js';
import { ChatInstancesDocument, type ChatInstancesQuery } from './operations.js';
import { useFeed } from './use-loaded.js';

export type Instance = ChatInstancesQuery['chatInstances'][number];

// The list survives a change of page, so that opening a conversation neither reads nor renders it again. Events keep it current. A new
// instance has no event, so the list is also read from time to time.
const known = new Store<{ instances: readonly Instance[]; readAt: number }>({ instances: [], readAt: 0 });
const freshMs = 30_000;
/** Delays the reading until the conversation is on the screen. */
const readAfterMs = 100;

let reading: Promise<void> | undefined;
const meanwhile = new Meanwhile<readonly Instance[]>();

/** Returns the active instances with their current state. */
export function useInstances(): { instances: readonly Instance[]; isKnown: boolean } {
  const { instances, readAt } = useStore(known);
  useFeed(
    ({ chatInstance }) => chatInstance !== null && change(chatInstance),
    () => void readOnce(),
  );
  useEffect(() => {
    const { value } = known;
    if (Date.now() - value.readAt < freshMs) return undefined;
    const timer = setTimeout(() => void readOnce(), value.readAt === 0 ? 0 : readAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const inUse = useMemo(() => instances.filter(({ status }) => status !== 'INACTIVE'), [instances]);
  return { instances: inUse, isKnown: readAt > 0 };
}

function readOnce(): Promise<void> {
  reading ??= read().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function read(): Promise<void> {
  try {
    await feed.whenReady();
    meanwhile.begin();
    const { chatInstances } = await askAgain(ChatInstancesDocument);
    known.set({ instances: meanwhile.end()(chatInstances), readAt: Date.now() });
  } catch {
    meanwhile.end();
    // The next conversation or reconnection reads the list again.
  }
}

type Told = NonNullable<FeedEvent['chatInstance']>;

// Most events of an instance only report a message that it carried. They change nothing, so nothing renders again.
function change(told: Told): void {
  const apply = (instances: readonly Instance[]) => {
    const before = instances.find(({ id }) => id === told.id);
    const keys = Object.keys(told) as (keyof Told)[];
    if (before === undefined || keys.every((key) => before[key] === told[key])) return instances;
    return instances.map((one) => (one === before ? { ...one, ...told } : one));
  };
  meanwhile.add(apply);
  known.update((now) => {
    const instances = apply(now.instances);
    return instances === now.instances ? now : { ...now, instances };
  });
}

// The list belongs to one user's session.
onUserChange(() => {
  reading = undefined;
  known.set({ instances: [], readAt: 0 });
});
