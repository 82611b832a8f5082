// The traffic of all instances, read by one operation, and again a moment after messages came, left or changed.

import { useEffect, useState } from 'react';
import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { InstanceTrafficDocument, type InstanceTrafficQuery } from './operations.js';

export type Traffic = InstanceTrafficQuery['chatInstances'][number]['traffic'];

/** Changes in quick succession cause one reading. */
const readAgainMs = 2_000;

/** @returns the traffic by instance; it is empty until the first answer */
export function useTraffic(): ReadonlyMap<string, Traffic> {
  const { data = [], reload } = useLoaded(
    'traffic',
    async () => (await askAgain(InstanceTrafficDocument)).chatInstances,
  );
  const [isStale, setIsStale] = useState(false);
  useFeed(({ message, chatInstance }) => (message ?? chatInstance) !== null && setIsStale(true), reload);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => {
      setIsStale(false);
      reload();
    }, readAgainMs);
    return () => clearTimeout(timer);
  }, [isStale, reload]);
  return new Map(data.map(({ id, traffic }) => [id, traffic]));
}
