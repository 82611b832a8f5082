// Frames made of events are kept for a few seconds, and take no more memory than they say.

import { setTimeout as delay } from 'node:timers/promises';
import type { EventPage, FeedEvent } from '../../../src/features/live/event-pages.js';
import { FrameCache, Shares, type FeedGroup } from '../../../src/features/live/frame-cache.js';
import { keptBytes } from '../../../src/transport/sockets/subscription-cost.js';

const pageOf = (id: number): EventPage => ({
  id,
  from: { seq: id },
  to: { seq: id + 1 },
  events: [{ seq: id + 1 } as FeedEvent],
  isResync: false,
  readAtMs: performance.now(),
});

function startGroup(): { group: FeedGroup; made: () => number } {
  let count = 0;
  const render = (events: readonly FeedEvent[]) => {
    count += 1;
    return Promise.resolve(events.map(({ seq }) => ({ seq, payload: keptBytes(`event ${seq}`) })));
  };
  return { group: { id: 1, eventsAtOnce: 100, render }, made: () => count };
}

export function describeFrameCache(): void {
  test('bytes that are kept have memory of their own', () => {
    for (const text of ['', 'Olá, tudo bem? 👋', 'x'.repeat(5_000)]) {
      const bytes = keptBytes(text);
      expect(bytes.toString()).toBe(text);
      expect(bytes.buffer.byteLength).toBe(Buffer.byteLength(text));
    }
  });

  test('what was made is given to who comes soon after, and dropped later', async () => {
    const frames = new FrameCache(1_000);
    const { group, made } = startGroup();
    const shares = new Shares();
    for (const id of [1, 2, 3]) await frames.framesOf(group, pageOf(id), id, shares);
    await frames.framesOf(group, pageOf(3), 3, shares);
    expect({ made: made(), kept: frames.keptCount }).toEqual({ made: 3, kept: 3 });
    await delay(1_100);
    frames.dropStale();
    expect(frames.keptCount).toBe(0);
  });
}
