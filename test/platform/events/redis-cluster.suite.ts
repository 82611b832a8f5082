// Rate limits and notifications on a real Redis Cluster, even while one of its primaries goes.

import { RedisNotifier } from '../../../src/platform/events/redis-notifier.js';
import { createRateLimits, type RateLimits } from '../../../src/transport/http/rate-limit.js';
import { until } from '../../features/messages/sending-harness.js';
import { RedisCluster, redisClusterInstalled } from '../../support/redis-cluster.js';

const whenInstalled = redisClusterInstalled() ? describe : describe.skip;
const subjectCount = 30;

export function describeRedisCluster(): void {
  whenInstalled('a cluster of three primaries', () => {
    let cluster: RedisCluster;
    let said: string[];
    let rateLimits: RateLimits[];
    let notifiers: RedisNotifier[];
    let heard: string[];
    const log = {
      warn: (_: object, sentence: string) => void said.push(sentence),
      info: (_: object, sentence: string) => void said.push(sentence),
    };

    beforeAll(async () => {
      cluster = await RedisCluster.start();
      said = [];
      const options = { windowMs: 600_000, limit: 100, failedAuthLimit: 20, redisUrl: cluster.url, log };
      rateLimits = [1, 2].map(() => createRateLimits({ ...options, subjectOf: () => ({ kind: 'address' }) }));
      await Promise.all(rateLimits.map((each) => each.ready()));
      heard = [];
      notifiers = [1, 2].map(() => new RedisNotifier(cluster.url, log));
      await Promise.all(notifiers.map((each) => each.start((text) => void heard.push(text))));
    }, 60_000);

    afterAll(async () => {
      for (const each of rateLimits) await each.close();
      for (const each of notifiers) await each.stop();
      await cluster.stop();
    });

    /** The remaining hits of each subject after one hit at each of the two processes. */
    async function leftOf(name: string): Promise<number[]> {
      const subjects = Array.from({ length: subjectCount }, (_, index) => `${name} ${index}`);
      const [first, second] = rateLimits as [RateLimits, RateLimits];
      await Promise.all(subjects.map((subject) => first.consume(subject)));
      return (await Promise.all(subjects.map((subject) => second.consume(subject)))).map(({ remaining }) => remaining);
    }

    const shared = Array.from({ length: subjectCount }, () => 98);
    let attempt = 0;
    const untilShared = () =>
      until(
        () => leftOf(`subject ${(attempt += 1)}`),
        (left) => left.join() === shared.join(),
      );

    async function untilHeard(): Promise<void> {
      await until(
        async () => {
          heard.length = 0;
          await notifiers[0]!.send('tenant').catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 50));
          return heard;
        },
        (texts) => texts.length === 2,
      );
    }

    test('counts subjects of all nodes for both processes together', async () => {
      await untilShared();
    });

    test('carries notifications from each process to all', async () => {
      await untilHeard();
    });

    test('after a primary was killed its replica takes over, and no call fails meanwhile', async () => {
      await cluster.killPrimaryOf('leadwire:throttle:probe');
      // Each process counts for itself until the replica has taken over.
      await untilShared();
      await untilHeard();
      await until(
        () => notifiers.every(({ isUp }) => isUp),
        (isUp) => isUp,
      );
      expect(said).toContain('Redis is away: each process counts rate limits for itself until it is back');
      expect(said).toContain('Redis is back: rate limits are shared by all processes again');
    }, 60_000);
  });
}
