// The traffic of all instances, read by one operation, and again a moment after messages came, left or changed.

import { askAgain } from '../../api/client.js';
import { useFeed, useLoaded } from '../../api/use-loaded.js';
import { InstanceTrafficDocument, type InstanceTrafficQuery } from './operations.js';
import { useReadAgain } from './use-read-again.js';

export type Traffic = InstanceTrafficQuery['chatInstances'][number]['traffic'];

/** @returns the traffic by instance; it is empty until the first answer */
export function useTraffic(): ReadonlyMap<string, Traffic> {
  const { data = [], reload } = useLoaded(
    'traffic',
    async () => (await askAgain(InstanceTrafficDocument)).chatInstances,
  );
  const readAgain = useReadAgain(reload);
  useFeed(({ message, chatInstance }) => (message ?? chatInstance) !== null && readAgain(), reload);
  return new Map(data.map(({ id, traffic }) => [id, traffic]));
}
