// The counting and the memory of failures. test/rest covers the failing requests and their answers.

import { jest } from '../support/jest.js';
import { FailedAuthentications, tooManyFailures } from '../../src/transport/http/failed-authentication.js';
import { RateLimitStore } from '../../src/transport/http/rate-limit-store.js';
import { createRateLimits, type Limiter, type RateLimitVerdict } from '../../src/transport/http/rate-limit.js';
import { RedisServer, redisServerInstalled } from '../support/redis-server.js';

const whenRedis = redisServerInstalled() ? describe : describe.skip;
const startMs = 1_800_000_000_000;
const here = '203.0.113.1';
const cleanups: (() => unknown)[] = [];

export function describeFailedAuthentication(): void {
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  interface ProcessOptions {
    limit?: number;
    redisUrl?: string;
    maxRemembered?: number;
  }

  /** Starts the counters of one process of the service. */
  async function startProcess({ limit = 20, redisUrl, maxRemembered }: ProcessOptions = {}) {
    const rateLimits = createRateLimits({
      windowMs: 1_000,
      limit: 100,
      failedAuthLimit: limit,
      redisUrl,
      // A healthy Redis answers within this time. A pause of this process counts too: its timers run before it reads what came meanwhile.
      answerTimeoutMs: 30_000,
      subjectOf: () => ({ kind: 'address' }),
      log: { warn: () => undefined, info: () => undefined },
    });
    cleanups.push(() => rateLimits.close());
    await rateLimits.ready();
    return new FailedAuthentications({
      ...rateLimits.failedAuth,
      ...(maxRemembered === undefined ? {} : { maxRemembered }),
    });
  }

  /** Counts failures one after the other. @returns true for each failure that exceeds the limit */
  async function recordAll(failures: FailedAuthentications, calls: [string | undefined, string][]): Promise<boolean[]> {
    const refused: boolean[] = [];
    for (const [address, guess] of calls) refused.push((await failures.record(address, guess)) !== undefined);
    return refused;
  }

  const fromHere = (count: number): [string, string][] =>
    Array.from({ length: count }, (_, nr) => [here, `guess ${nr}`]);
  const fromAnywhere = (count: number): [string, string][] =>
    Array.from({ length: count }, (_, nr) => [`198.51.100.${nr}`, 'one guess']);
  const withinLimit = (count: number, ...after: boolean[]) => [...Array<boolean>(count).fill(false), ...after];

  const nowSpy = () => jest.spyOn(Date, 'now').mockReturnValue(startMs);

  describe('the two limits', () => {
    test('an address: the 21st failure is one too many, whatever was guessed', async () => {
      const failures = await startProcess();
      expect(await recordAll(failures, fromHere(22))).toEqual(withinLimit(20, true, true));
      expect(failures.findRefusal(here, 'another guess')).toBeDefined();
      expect(failures.findRefusal('203.0.113.2', 'another guess')).toBeUndefined();
    });

    test('a guess: the 21st failure is one too many, wherever it came from', async () => {
      const failures = await startProcess();
      expect(await recordAll(failures, fromAnywhere(22))).toEqual(withinLimit(20, true, true));
      expect(failures.findRefusal(here, 'one guess')).toBeDefined();
      expect(failures.findRefusal(here, 'another guess')).toBeUndefined();
    });

    test('failures at once: no more than the limit are answered as such', async () => {
      const failures = await startProcess();
      const verdicts = await Promise.all(fromHere(60).map(([address, guess]) => failures.record(address, guess)));
      expect(verdicts.filter((verdict) => verdict === undefined)).toHaveLength(20);
    });

    test.each([
      ['of one /56', '2001:db8:0:1::1', '2001:db8:0:ff::2'],
      ['written in two ways', '203.0.113.9', '::ffff:203.0.113.9'],
      ['that are none', undefined, 'unknown'],
    ])('addresses %s are one', async (_, first, second) => {
      const failures = await startProcess({ limit: 1 });
      expect(await failures.record(first, 'a')).toBeUndefined();
      expect(await failures.record(second, 'b')).toBeDefined();
    });

    test('neither limit is exceeded at its last failure', async () => {
      const failures = await startProcess();
      await recordAll(failures, fromHere(20));
      expect(failures.findRefusal(here, 'guess 0')).toBeUndefined();
    });
  });

  describe('a refusal', () => {
    test('has the headers of a 429, and an error with the same seconds', async () => {
      nowSpy();
      const failures = await startProcess({ limit: 2 });
      await recordAll(failures, fromHere(2));
      const verdict = await failures.record(here, 'guess 2');
      expect(verdict).toMatchObject({ allowed: false, limit: 2, remaining: 0, resetSeconds: 60 });
      expect(verdict?.headers).toEqual({
        RateLimit: '"failed-auth-address"; r=0; t=60',
        'RateLimit-Policy': expect.stringMatching(/^"failed-auth-address"; q=2; w=60; pk=:[\w+/=]+:$/),
        'Retry-After': '60',
      });
      expect(tooManyFailures(verdict as RateLimitVerdict)).toMatchObject({
        code: 'RATE_LIMITED',
        retryAfterSeconds: 60,
      });
    });

    test('is remembered: what follows makes no call to the store', async () => {
      const failures = await startProcess({ limit: 2 });
      await recordAll(failures, fromHere(3));
      const increment = jest.spyOn(RateLimitStore.prototype, 'hit');
      expect(failures.findRefusal(here, 'guess 9')).toMatchObject({ allowed: false });
      expect(await failures.record(here, 'guess 9')).toMatchObject({ allowed: false });
      expect(increment).not.toHaveBeenCalled();
      await failures.record('203.0.113.2', 'guess 9');
      expect(increment).toHaveBeenCalledTimes(2);
    });

    test('ends with the window, and not before; its seconds count down', async () => {
      const now = nowSpy();
      const failures = await startProcess({ limit: 1 });
      await recordAll(failures, fromHere(2));
      now.mockReturnValue(startMs + 20_500);
      expect(failures.findRefusal(here, 'x')?.headers).toMatchObject({
        RateLimit: '"failed-auth-address"; r=0; t=40',
        'Retry-After': '40',
      });
      now.mockReturnValue(startMs + 59_999);
      expect(failures.findRefusal(here, 'x')?.resetSeconds).toBe(1);
      now.mockReturnValue(startMs + 60_000);
      expect(failures.findRefusal(here, 'x')).toBeUndefined();
      expect(await recordAll(failures, fromHere(2))).toEqual([false, true]);
    });

    test('names the later end where both limits are exceeded', async () => {
      const now = nowSpy();
      const failures = await startProcess({ limit: 1 });
      await recordAll(failures, fromHere(2));
      now.mockReturnValue(startMs + 30_000);
      await recordAll(failures, fromAnywhere(2));
      expect(failures.findRefusal(here, 'one guess')).toMatchObject({ resetSeconds: 60 });
      expect(failures.findRefusal(here, 'another guess')).toMatchObject({ resetSeconds: 30 });
      expect(failures.findRefusal('198.51.100.9', 'one guess')).toMatchObject({ resetSeconds: 60 });
    });
  });

  describe('memory', () => {
    test('a bounded number of refusals is remembered; a forgotten one is found again by counting', async () => {
      const failures = await startProcess({ limit: 1, maxRemembered: 2 });
      const addresses = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];
      let nr = 0;
      for (const address of [...addresses, ...addresses]) await failures.record(address, `guess ${(nr += 1)}`);
      const isRemembered = (address: string) => failures.findRefusal(address, 'x') !== undefined;
      expect(addresses.map(isRemembered)).toEqual([false, true, true]);
      expect(await recordAll(failures, [[addresses[0], 'x']])).toEqual([true]);
    });

    test('a flood of guesses pushes no address out', async () => {
      const limiterOf = (name: string): Limiter => {
        const store = new RateLimitStore({
          prefix: `${name}:`,
          windowMs: 60_000,
          link: undefined,
          limit: 5,
          maxSubjects: 4,
        });
        return { name, windowMs: 60_000, limit: 5, store };
      };
      const failures = new FailedAuthentications({ byAddress: limiterOf('address'), byGuess: limiterOf('guess') });
      expect(await recordAll(failures, fromHere(6))).toEqual(withinLimit(5, true));
    });
  });

  whenRedis('shared through Redis', () => {
    let redis: RedisServer;
    beforeEach(async () => {
      redis = await RedisServer.start();
    });
    afterEach(() => redis.stop());

    const startTwo = () =>
      Promise.all([startProcess({ limit: 4, redisUrl: redis.url }), startProcess({ limit: 4, redisUrl: redis.url })]);

    test.each([
      ['an address', fromHere(6)],
      ['a guess', fromAnywhere(6)],
    ])('%s has one limit in two processes, and each remembers', async (_, calls) => {
      const [a, b] = await startTwo();
      expect(await recordAll(a, calls.slice(0, 2))).toEqual([false, false]);
      expect(await recordAll(b, calls.slice(2, 5))).toEqual([false, false, true]);
      const [address, guess] = calls[5] as [string, string];
      expect(b.findRefusal(address, guess)).toBeDefined();
      expect(a.findRefusal(address, guess)).toBeUndefined();
      expect(await a.record(address, guess)).toMatchObject({ allowed: false });
      expect(a.findRefusal(address, guess)).toBeDefined();
    });

    test('what is written holds no credential and expires', async () => {
      const [a] = await startTwo();
      await a.record(here, 'lw_a-key-that-was-guessed');
      const keys = (await redis.command('KEYS', 'leadwire:throttle:failed-auth*')) as string[];
      expect(keys.sort()).toEqual([
        `leadwire:throttle:failed-auth-address:address:${here}`,
        expect.stringMatching(/^leadwire:throttle:failed-auth-guess:guess:[\w-]{22}$/),
      ]);
      expect(keys.join()).not.toContain('guessed');
      for (const key of keys) expect(await redis.command('PTTL', key)).toBeGreaterThan(0);
    });

    test('while Redis is away each process counts for itself, and keeps what it refused', async () => {
      const [a, b] = await startTwo();
      await recordAll(a, fromHere(5));
      await redis.stop();
      expect(a.findRefusal(here, 'x')).toBeDefined();
      expect(await recordAll(b, fromHere(5))).toEqual(withinLimit(4, true));
    });
  });
}
