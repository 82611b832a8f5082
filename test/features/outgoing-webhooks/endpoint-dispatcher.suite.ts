// The order in which endpoints get places for posts when there are too few of them. Storage and network are played: due deliveries are a
// number.

import {
  EndpointDispatcher,
  type EndpointDispatcherOptions,
} from '../../../src/features/outgoing-webhooks/endpoint-dispatcher.js';
import type { EndpointKey } from '../../../src/features/outgoing-webhooks/endpoint-claim.service.js';
import type { ClaimedDelivery } from '../../../src/features/outgoing-webhooks/endpoint-claim.sql.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { until } from '../messages/sending-harness.js';

interface Post {
  endpointId: string;
  answer: () => void;
}

/** Plays endpoints with so much due, named `tenant/endpoint` where there are several tenants. Posts under way end when a test says so. */
function play(
  endpoints: Record<string, { due: number; isFailing: boolean }>,
  { totalConcurrency, concurrency = 8 }: { totalConcurrency: number; concurrency?: number },
) {
  const posts: Post[] = [];
  const asked = { claims: 0, polls: 0 };
  const served: string[] = [];
  let isEnding = false;
  const claim = ({ endpointId }: EndpointKey, { limit, failingLimit }: { limit: number; failingLimit: number }) => {
    asked.claims += 1;
    const endpoint = endpoints[endpointId];
    if (endpoint === undefined) return Promise.resolve([]);
    const count = Math.min(endpoint.due, endpoint.isFailing ? failingLimit : limit);
    endpoint.due -= count;
    const { isFailing } = endpoint;
    const delivery = { endpointId, isFailing, url: endpointId, id: 'id', secretCiphertext: Buffer.alloc(0) };
    return Promise.resolve(
      Array.from({ length: count }, () => ({ ...delivery, previousSecretCiphertext: null }) as ClaimedDelivery),
    );
  };
  const sender = {
    post: ({ url: endpointId }: { url: string }) =>
      new Promise((resolve) => {
        served.push(endpointId);
        const answer = () => resolve({ outcome: 'delivered', status: 204 });
        if (isEnding) answer();
        else posts.push({ endpointId, answer });
      }),
  };
  const keys = Object.keys(endpoints).map((endpointId) => ({ tenantId: endpointId.split('/')[0] ?? '', endpointId }));
  const parts = {
    database: { query: () => Promise.resolve([{ tenantId: 'tenant', hasNews: false }]) },
    notifier: { subscribe: () => () => undefined },
    feed: { feed: () => Promise.resolve(false) },
    claims: {
      claim,
      listDue: () => {
        asked.polls += 1;
        const due = keys.filter(({ endpointId }) => (endpoints[endpointId]?.due ?? 0) > 0);
        return Promise.resolve(due.map((key) => ({ ...key, isFailing: endpoints[key.endpointId]?.isFailing })));
      },
      nextDueInMs: ({ endpointId }: EndpointKey) =>
        Promise.resolve((endpoints[endpointId]?.due ?? 0) > 0 ? 0 : undefined),
    },
    results: { settle: () => Promise.resolve() },
    payloads: { make: (_tenantId: string, claimed: unknown[]) => Promise.resolve(claimed.map(() => '{}')) },
    sender,
    secretBox: { open: () => 'whsec_AAAA' },
    log: createLogger('silent'),
  } as unknown as Omit<EndpointDispatcherOptions, 'concurrency' | 'totalConcurrency' | 'pollIntervalMs'>;
  const dispatcher = new EndpointDispatcher({ ...parts, concurrency, totalConcurrency, pollIntervalMs: 20 });
  return {
    dispatcher,
    served,
    posts,
    asked,
    /** The number of an endpoint's posts that are under way. */
    underWay: (endpointId: string) => posts.filter((post) => post.endpointId === endpointId).length,
    answerOldest: () => posts.shift()?.answer(),
    end: async () => {
      isEnding = true;
      for (const post of posts.splice(0)) post.answer();
      await dispatcher.stop(20_000);
    },
  };
}

/** Answers the post that waits longest, and waits until the next endpoint has been served. */
async function serveNext(played: Pick<ReturnType<typeof play>, 'served' | 'answerOldest'>): Promise<void> {
  const before = played.served.length;
  played.answerOldest();
  await until(
    () => played.served.length,
    (count) => count > before,
  );
}

export function describeEndpointDispatcher(): void {
  test.each([8, 2])(
    'where all places are taken, the longest waiting endpoint gets the next one (%d)',
    async (concurrency) => {
      const healthy = () => ({ due: 100, isFailing: false });
      const played = play({ a: healthy(), b: healthy(), c: healthy() }, { totalConcurrency: 4, concurrency });
      played.dispatcher.start();
      await until(
        () => played.posts.length,
        (count) => count === 4,
      );
      for (let round = 0; round < 40; round += 1) {
        await serveNext(played);
        expect(played.posts.length).toBeLessThanOrEqual(4);
      }
      for (const name of ['a', 'b', 'c']) {
        const turns = played.served.filter((endpointId) => endpointId === name).length;
        expect([name, turns >= 8]).toEqual([name, true]);
      }
      await played.end();
    },
  );

  test('tenants take turns, whatever number of endpoints each has', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `many/${index}`);
    const endpoints = [...names, 'one/a'].map((name) => [name, { due: 100, isFailing: false }]);
    const played = play(Object.fromEntries(endpoints), { totalConcurrency: 2, concurrency: 1 });
    played.dispatcher.start();
    await until(
      () => played.posts.length,
      (count) => count === 2,
    );
    for (let round = 0; round < 40; round += 1) await serveNext(played);
    expect(played.served.filter((name) => name === 'one/a').length).toBeGreaterThanOrEqual(8);
    for (const name of names) expect([name, played.served.includes(name)]).toEqual([name, true]);
    await played.end();
  });

  test('endpoints that fail have one post each under way, and half of the places together, in turn', async () => {
    const failing = () => ({ due: 100, isFailing: true });
    const played = play(
      { a: failing(), b: failing(), c: failing(), d: failing(), well: { due: 1_000, isFailing: false } },
      { totalConcurrency: 6 },
    );
    played.dispatcher.start();
    const names = ['a', 'b', 'c', 'd'];
    const isFull = () => played.posts.length === 6;
    await until(isFull, Boolean);
    for (let turn = 0; turn < 60; turn += 1) {
      expect(names.filter((name) => played.underWay(name) > 0).length).toBeLessThanOrEqual(3);
      for (const name of names) expect(played.underWay(name)).toBeLessThanOrEqual(1);
      const before = played.served.length;
      played.answerOldest();
      await until(
        () => played.served.length,
        (count) => count > before,
      );
    }
    // No failing endpoint was passed over, and the working one had its share.
    for (const name of names) expect([name, played.served.includes(name)]).toEqual([name, true]);
    expect(played.served.filter((name) => name === 'well').length).toBeGreaterThanOrEqual(20);
    await played.end();
  });

  test('endpoints that fail and find no place ask the database for nothing while no post ends', async () => {
    const failing = () => ({ due: 100, isFailing: true });
    const played = play({ a: failing(), b: failing(), c: failing() }, { totalConcurrency: 4, concurrency: 2 });
    played.dispatcher.start();
    await until(
      () => played.asked.polls,
      (polls) => polls >= 20,
    );
    expect(played.posts.length).toBe(2);
    expect(played.asked.claims).toBe(2);
    for (const waiting of ['c', 'a', 'b', 'c']) {
      played.answerOldest();
      await until(
        () => played.underWay(waiting),
        (count) => count === 1,
      );
    }
    await played.end();
  });
}
