import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '../support/jest.js';
import express, { type NextFunction, type Request, type Response } from 'express';
import { errorTable, type AppError } from '../../src/platform/errors.js';
import type { RedisClient } from '../../src/platform/events/redis-client.js';
import type { LimitVerdict, LimitedSubject } from '../../src/features/intake/intake-limits.js';
import { MemoryHitCounter } from '../../src/transport/http/memory-hit-counter.js';
import { rateLimitLink } from '../../src/transport/http/rate-limit-store.js';
import {
  createRateLimits,
  subjectKey,
  type RateLimits,
  type RateLimitSubject,
} from '../../src/transport/http/rate-limit.js';
import { freePort, RedisServer, redisServerInstalled } from '../support/redis-server.js';
import { slow } from '../support/slow.js';

const whenRedis = redisServerInstalled() ? describe : describe.skip;
/** A healthy Redis answers within this time. A pause of this process counts too: its timers run before it reads what came meanwhile. */
const answerTimeoutMs = 30_000;
/** The time for tests of a Redis that hangs. */
const shortTimeoutMs = 2_000;
const cleanups: (() => unknown)[] = [];

export function describeRateLimit(): void {
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  interface Api {
    rateLimits: RateLimits;
    warnings: string[];
    infos: string[];
    get(path: string, headers?: Record<string, string>): Promise<globalThis.Response>;
    post(path: string): Promise<globalThis.Response>;
  }

  interface ApiOptions {
    windowMs?: number;
    limit?: number;
    gatewayLimit?: number;
    redisUrl?: string;
    answerTimeoutMs?: number;
    trustProxy?: number;
  }

  /** Starts a process of the service: a caller that names itself in `x-user` counts as authenticated. */
  async function startApi(options: ApiOptions = {}): Promise<Api> {
    const warnings: string[] = [];
    const infos: string[] = [];
    const rateLimits = createRateLimits({
      windowMs: options.windowMs ?? 60_000,
      limit: options.limit ?? 100,
      gatewayLimit: options.gatewayLimit,
      failedAuthLimit: 20,
      redisUrl: options.redisUrl,
      answerTimeoutMs: options.answerTimeoutMs ?? answerTimeoutMs,
      subjectOf,
      log: { warn: (_fields, message) => warnings.push(message), info: (_fields, message) => infos.push(message) },
    });
    cleanups.push(() => rateLimits.close());

    const app = express().set('trust proxy', options.trustProxy ?? false);
    app.use(rateLimits.global);
    app.get('/leads', (_req, res) => void res.json({}));
    app.post('/auth/token', rateLimits.authToken, (_req, res) => void res.json({}));
    app.post('/auth/dev/token', rateLimits.devToken, (_req, res) => void res.json({}));
    app.use(renderError);
    const server = app.listen(0, '127.0.0.1');
    cleanups.push(() => closeServer(server));
    await once(server, 'listening');

    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = async (path: string, init: RequestInit) => {
      const response = await fetch(origin + path, init);
      return new globalThis.Response(await response.text(), response);
    };
    return {
      rateLimits,
      warnings,
      infos,
      get: (path, headers = {}) => call(path, { headers }),
      post: (path) => call(path, { method: 'POST' }),
    };
  }

  function subjectOf(req: Request): RateLimitSubject {
    const user = req.get('x-user');
    return user === undefined ? { kind: 'address' } : { kind: 'user', id: user };
  }

  function renderError(error: AppError, _req: Request, res: Response, _next: NextFunction): void {
    const { status } = errorTable[error.code];
    if (error.retryAfterSeconds !== undefined) res.set('Retry-After', String(error.retryAfterSeconds));
    res
      .status(status)
      .type('application/problem+json')
      .send(JSON.stringify({ status, code: error.code }));
  }

  async function closeServer(server: Server): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  async function statuses(count: number, call: () => Promise<globalThis.Response>): Promise<number[]> {
    const seen: number[] = [];
    for (let i = 0; i < count; i += 1) seen.push((await call()).status);
    return seen;
  }

  async function remaining(response: Promise<globalThis.Response>): Promise<number> {
    return Number(/"global"; r=(\d+)/.exec((await response).headers.get('ratelimit') ?? '')?.[1]);
  }

  async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(20);
  }

  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  describe('the global limit', () => {
    it('refuses the 101st request with whole seconds to wait and the draft-8 headers', async () => {
      const api = await startApi();
      expect(await statuses(100, () => api.get('/leads'))).toEqual(times(100, 200));

      const refused = await api.get('/leads');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('content-type')).toMatch('application/problem+json');
      expect(await refused.json()).toEqual({ status: 429, code: 'RATE_LIMITED' });
      const retryAfter = refused.headers.get('retry-after');
      expect(retryAfter).toMatch(/^\d+$/);
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
      expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      expect(refused.headers.get('ratelimit')).toBe(`"global"; r=0; t=${retryAfter}`);
      expect(refused.headers.get('ratelimit-policy')).toMatch(/^"global"; q=100; w=60; pk=:[\w+/=]+:$/);
    });

    it('tells what is left on answers that pass, too', async () => {
      const api = await startApi({ limit: 3 });
      const left = [];
      for (let i = 0; i < 3; i += 1) left.push(await remaining(api.get('/leads')));
      expect(left).toEqual([2, 1, 0]);
      expect((await api.get('/none')).headers.get('ratelimit-policy')).toMatch('"global"; q=3; w=60');
    });

    it('lets requests pass again when the window has ended, and not before', async () => {
      const startMs = 1_800_000_000_000;
      const now = jest.spyOn(Date, 'now').mockReturnValue(startMs);
      const api = await startApi({ limit: 1 });
      expect(await statuses(2, () => api.get('/leads'))).toEqual([200, 429]);

      now.mockReturnValue(startMs + 59_999);
      const refused = await api.get('/leads');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);

      now.mockReturnValue(startMs + 60_000);
      expect(await statuses(2, () => api.get('/leads'))).toEqual([200, 429]);
    });

    it('counts each user and the address apart', async () => {
      const api = await startApi({ limit: 1 });
      const callers: Record<string, string>[] = [{ 'x-user': 'a' }, { 'x-user': 'b' }, {}];
      for (const headers of callers) expect(await statuses(2, () => api.get('/leads', headers))).toEqual([200, 429]);
    });

    it('ignores X-Forwarded-For when no proxy is trusted', async () => {
      const api = await startApi({ limit: 1 });
      const first = await api.get('/leads', { 'x-forwarded-for': '203.0.113.1' });
      const second = await api.get('/leads', { 'x-forwarded-for': '203.0.113.2' });
      expect([first.status, second.status]).toEqual([200, 429]);
      expect(api.warnings).toEqual([]);
    });

    it('counts by the address that a trusted proxy reports, and by the proxy when that is no address', async () => {
      const api = await startApi({ limit: 1, trustProxy: 1 });
      const from = async (address: string) => (await api.get('/leads', { 'x-forwarded-for': address })).status;
      expect(await from('203.0.113.1')).toBe(200);
      expect(await from('203.0.113.2')).toBe(200);
      expect(await from('::ffff:203.0.113.2')).toBe(429);
      expect(await from('2001:db8:0:1::1')).toBe(200);
      expect(await from('2001:db8:0:ff::2')).toBe(429);
      expect(await from('2001:db8:0:100::1')).toBe(200);
      expect(await from('one')).toBe(200);
      expect(await from('two')).toBe(429);
    });

    it('is shared by the endpoints without Express, with the same headers', async () => {
      const api = await startApi({ limit: 2 });
      const response = await api.get('/leads', { 'x-user': 'a' });
      const subject = subjectKey({ kind: 'user', id: 'a' }, undefined);
      const last = await api.rateLimits.consume(subject);
      expect(last).toMatchObject({ allowed: true, limit: 2, remaining: 0 });
      expect(last.headers['RateLimit-Policy']).toBe(response.headers.get('ratelimit-policy'));
      expect(last.headers).not.toHaveProperty('Retry-After');

      const refused = await api.rateLimits.consume(subject);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.headers['Retry-After']).toBe(String(refused.resetSeconds));
      expect(refused.headers['RateLimit']).toBe(`"global"; r=0; t=${refused.resetSeconds}`);
      expect((await api.get('/leads', { 'x-user': 'a' })).status).toBe(429);
    });
  });

  describe('subjectKey', () => {
    it.each([
      ['203.0.113.7', 'address:203.0.113.7'],
      ['::ffff:203.0.113.7', 'address:203.0.113.7'],
      ['2001:db8:1:2ff::9', 'address:2001:db8:1:200::/56'],
      ['not an address', 'address:unknown'],
      [undefined, 'address:unknown'],
    ])('counts %s as %s', (address, key) => {
      expect(subjectKey({ kind: 'address' }, address)).toBe(key);
    });
  });

  describe('the limits of the auth routes', () => {
    it('stop the 11th token and the 31st dev token, each on its own', async () => {
      const api = await startApi();
      expect(await statuses(11, () => api.post('/auth/token'))).toEqual([...times(10, 200), 429]);
      expect(await statuses(31, () => api.post('/auth/dev/token'))).toEqual([...times(30, 200), 429]);
      expect((await api.get('/leads')).status).toBe(200);

      const refused = await api.post('/auth/token');
      expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(refused.headers.get('ratelimit')).toMatch(/^"global"; r=56; t=\d+, "auth-token"; r=0; t=\d+$/);
      expect(refused.headers.get('ratelimit-policy')).toMatch(/"auth-token"; q=10; w=60;/);
    });

    it('stand beside the global limit, which counts these routes too', async () => {
      const api = await startApi({ limit: 5 });
      expect(await statuses(6, () => api.post('/auth/token'))).toEqual([...times(5, 200), 429]);
      expect((await api.get('/leads')).status).toBe(429);
    });
  });

  describe('the items of a call', () => {
    const sender = (key: string, hits: number): LimitedSubject => ({ kind: 'inbound', key, hits });
    const passed = (verdicts: LimitVerdict[]) => verdicts.map((verdict) => verdict.passed);

    it('pass as far as the limit of their subject permits, each kind and subject for itself', async () => {
      const { rateLimits } = await startApi({ limit: 5 });
      const subjects: LimitedSubject[] = [sender('a', 3), sender('b', 7), { kind: 'status', key: 'a', hits: 5 }];
      expect(passed(await rateLimits.count('tenant', subjects))).toEqual([3, 5, 5]);
      expect(passed(await rateLimits.count('tenant', subjects))).toEqual([2, 0, 0]);
      expect(passed(await rateLimits.count('tenant', [{ kind: 'lead', key: 'a', hits: 1 }]))).toEqual([1]);
    });

    it('can be judged without being counted', async () => {
      const { rateLimits } = await startApi({ limit: 5 });
      const subjects: LimitedSubject[] = [sender('a', 3), sender('b', 7)];
      for (let i = 0; i < 3; i += 1) expect(passed(await rateLimits.peek('tenant', subjects))).toEqual([3, 5]);
      expect(passed(await rateLimits.count('tenant', subjects))).toEqual([3, 5]);
      const [a, b] = await rateLimits.peek('tenant', subjects);
      expect([a?.passed, b?.passed, b?.remaining]).toEqual([2, 0, 0]);
      expect(b?.headers()).toMatchObject({ 'Retry-After': String(b?.resetSeconds) });
    });

    it('are reported like requests, with a partition of their own', async () => {
      const { rateLimits } = await startApi({ limit: 2 });
      const [a, b] = await rateLimits.count('tenant', [sender('a', 1), sender('b', 3)]);
      expect([a?.remaining, b?.remaining]).toEqual([1, 0]);
      expect(a?.headers()).toMatchObject({ RateLimit: expect.stringMatching(/^"global"; r=1; t=\d+$/) });
      expect(a?.headers()).not.toHaveProperty('Retry-After');
      expect(b?.headers()).toMatchObject({ 'Retry-After': String(b?.resetSeconds) });
      const policies = [a, b].map((verdict) => verdict?.headers()['RateLimit-Policy']);
      for (const policy of policies) expect(policy).toMatch(/^"global"; q=2; w=60; pk=:[\w+/]+=*:$/);
      expect(policies[0]).not.toBe(policies[1]);
    });

    it('count the calls of gateways only where these have a limit', async () => {
      const call: LimitedSubject = { kind: 'gateway', key: 'a', hits: 1 };
      const { rateLimits: open } = await startApi({ limit: 1 });
      expect(open.capsGateways).toBe(false);
      const { rateLimits: capped } = await startApi({ limit: 1, gatewayLimit: 2 });
      expect(capped.capsGateways).toBe(true);
      const seen = [];
      for (let i = 0; i < 3; i += 1) seen.push(...passed(await capped.count('tenant', [call])));
      expect(seen).toEqual([1, 1, 0]);
    });
  });

  describe('counting in memory', () => {
    const counterOf = (maxSubjects: number, limit = 2) => {
      const counter = new MemoryHitCounter({ windowMs: 60_000, limit, maxSubjects });
      return (key: string, share = 'tenant', hits = 1) => counter.count(share, key, hits).count;
    };
    const countAll = (count: (key: string, share: string) => number, share: string, subjects: number) => {
      for (let nr = 0; nr < subjects; nr += 1) count(`subject ${nr}`, share);
    };

    it('keeps a bounded number of subjects, the ones heard of last', () => {
      const count = counterOf(4);
      expect(['a', 'b', 'a', 'c'].map((key) => count(key))).toEqual([1, 1, 2, 1]);
      expect([count('a'), count('b')]).toEqual([3, 1]);
    });

    it('no tenant makes another forget, however many subjects it has', () => {
      const count = counterOf(100);
      for (let nr = 0; nr < 10; nr += 1) count(`own ${nr}`, 'quiet');
      for (const flood of ['flood', 'second flood', 'third flood']) countAll(count, flood, 10_000);
      const again = Array.from({ length: 10 }, (_, nr) => count(`own ${nr}`, 'quiet'));
      expect(again).toEqual(Array(10).fill(2));
    });

    it('a subject beyond its limit is not forgotten for others of its tenant', () => {
      const count = counterOf(20);
      count('flooding', 'tenant', 3);
      countAll(count, 'tenant', 1_000);
      expect(count('flooding')).toBe(4);
    });

    it('holds no more than its bound, and gives room back when windows end', () => {
      const startMs = 1_800_000_000_000;
      const now = jest.spyOn(Date, 'now').mockReturnValue(startMs);
      const count = counterOf(60);
      for (let nr = 0; nr < 200; nr += 1) countAll(count, `tenant ${nr}`, 5);
      now.mockReturnValue(startMs + 60_000);
      // All windows are over. A single tenant has half of the room again once its calls have cleared the old entries.
      countAll(count, 'late', 200);
      for (let nr = 0; nr < 29; nr += 1) count(`kept ${nr}`, 'late');
      expect(Array.from({ length: 29 }, (_, nr) => count(`kept ${nr}`, 'late'))).toEqual(Array(29).fill(2));
    });
  });

  describe('windows that have ended', () => {
    it('take no memory, though nobody counts any more', async () => {
      const counter = new MemoryHitCounter({ windowMs: 20, limit: 2, maxSubjects: 100 });
      for (let nr = 0; nr < 50; nr += 1) counter.count(`tenant ${nr % 10}`, `subject ${nr}`, 1);
      expect(counter.subjectCount).toBeGreaterThan(0);
      while (counter.subjectCount > 0) await delay(5);
    });
  });

  describe('a Redis that is not there', () => {
    it('refusing connections from the start: requests are counted in memory, and one warning says so', async () => {
      const api = await startApi({ limit: 2, redisUrl: `redis://127.0.0.1:${await freePort()}` });
      await api.rateLimits.ready();
      expect(await statuses(3, () => api.get('/leads'))).toEqual([200, 200, 429]);
      expect(api.warnings).toEqual([expect.stringMatching('Redis is away')]);
    });

    it('accepting connections and never answering: requests are counted in memory', async () => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      cleanups.push(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });
      const api = await startApi({ limit: 2, redisUrl: `redis://127.0.0.1:${(silent.address() as AddressInfo).port}` });
      expect(await statuses(3, () => api.get('/leads'))).toEqual([200, 200, 429]);
      await eventually(() => api.warnings.length === 1 && sockets.length >= 2);
    });

    it('may be left while a connection is being made', async () => {
      const api = await startApi({ limit: 1, redisUrl: `redis://127.0.0.1:${await freePort()}` });
      await api.rateLimits.close();
      await api.rateLimits.close();
      expect(await statuses(2, () => api.get('/leads'))).toEqual([200, 429]);
      expect(api.warnings).toEqual([]);
    });
  });

  whenRedis('counts shared through Redis', () => {
    let redis: RedisServer;
    beforeEach(async () => {
      redis = await RedisServer.start();
    });
    afterEach(() => redis.stop());

    async function startTwo(options: ApiOptions = {}): Promise<[Api, Api]> {
      const shared = { limit: 4, redisUrl: redis.url, ...options };
      return [await startApi(shared), await startApi(shared)];
    }

    /**
     * Starts two processes whose first attempts to reach Redis succeed. A busy machine may take too long for one, so others are started.
     */
    async function startTwoConnected(options: ApiOptions = {}): Promise<[Api, Api]> {
      for (let start = 0; start < 10; start += 1) {
        const [a, b] = await startTwo(options);
        await Promise.all([a.rateLimits.ready(), b.rateLimits.ready()]);
        if (a.warnings.length + b.warnings.length === 0) return [a, b];
      }
      throw new Error('Redis is up, and no two processes reached it at their first attempts');
    }

    /**
     * Checks that both processes share a count. A late answer of Redis makes a busy process count by itself, so another caller is tried.
     */
    async function expectShared([a, b]: [Api, Api], name: string): Promise<void> {
      let headers: Record<string, string> = {};
      let left: number[] = [];
      for (let attempt = 0; attempt < 20 && left.at(-1) !== 0; attempt += 1) {
        headers = { 'x-user': `${name} ${attempt}` };
        left = [];
        for (const api of [a, b, a, b]) left.push(await remaining(api.get('/leads', headers)));
      }
      expect(left).toEqual([3, 2, 1, 0]);
      expect([(await a.get('/leads', headers)).status, (await b.get('/leads', headers)).status]).toEqual([429, 429]);
    }

    async function expectApart([a, b]: [Api, Api], caller: string): Promise<void> {
      const headers = { 'x-user': caller };
      const statusesOf = (api: Api) => statuses(5, () => api.get('/leads', headers));
      expect(await Promise.all([statusesOf(a), statusesOf(b)])).toEqual([
        [...times(4, 200), 429],
        [...times(4, 200), 429],
      ]);
    }

    async function recovered(apis: [Api, Api]): Promise<void> {
      await eventually(() => apis.every((api) => api.infos.length > 0));
      for (const api of apis) {
        expect(api.warnings).toEqual([expect.stringMatching('Redis is away')]);
        expect(api.infos).toEqual([expect.stringMatching('Redis is back')]);
      }
    }

    it('hold for two processes together, from the first request on', async () => {
      const apis = await startTwoConnected();
      await expectShared(apis, 'first');
      const [a, b] = apis;
      const tokens = [];
      for (let i = 0; i < 3; i += 1) tokens.push((await [a, b][i % 2]!.post('/auth/token')).headers.get('ratelimit'));
      expect(tokens.map((header) => /"auth-token"; r=(\d)/.exec(header ?? '')?.[1])).toEqual(['9', '8', '7']);
      expect([...a.warnings, ...b.warnings, ...a.infos, ...b.infos]).toEqual([]);
    });

    it('hold for the items of calls, which are counted together, and apart while Redis is away', async () => {
      const [a, b] = await startTwoConnected();
      const subjects: LimitedSubject[] = ['x', 'y'].map((key) => ({ kind: 'inbound', key, hits: key === 'x' ? 3 : 1 }));
      const passed = async (api: Api) => (await api.rateLimits.count('t', subjects)).map((verdict) => verdict.passed);
      const peeked = async (api: Api) => (await api.rateLimits.peek('t', subjects)).map((verdict) => verdict.passed);
      expect([await peeked(a), await peeked(b)]).toEqual([
        [3, 1],
        [3, 1],
      ]);
      expect([await passed(a), await passed(b), await passed(a)]).toEqual([
        [3, 1],
        [1, 1],
        [0, 1],
      ]);
      expect(await peeked(b)).toEqual([0, 1]);
      await redis.command('SCRIPT', 'FLUSH');
      expect(await passed(b)).toEqual([0, 1]);
      await redis.stop();
      expect(await passed(b)).toEqual([3, 1]);
      await redis.start();
    });

    it('let no more than the limit pass when both are asked at once', async () => {
      const [a, b] = await startTwoConnected();
      const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => [a, b][i % 2]!.get('/leads')));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(4);
    });

    it('end with their window', async () => {
      const [a, b] = await startTwo({ windowMs: 1_000, limit: 1 });
      await eventually(async () => (await a.get('/leads')).status === 429);
      await eventually(async () => (await b.get('/leads')).status === 200);
    });

    it('come back after Redis was down at the start', async () => {
      await redis.stop();
      const apis = await startTwo();
      await expectApart(apis, 'before');
      await redis.start();
      await recovered(apis);
      await expectShared(apis, 'after');
    });

    it('come back after Redis was killed and restarted', async () => {
      const apis = await startTwoConnected();
      await expectShared(apis, 'before');
      await redis.stop();
      await expectApart(apis, 'meanwhile');
      await redis.start();
      await recovered(apis);
      await expectShared(apis, 'after');
    });

    slow('come back after Redis hung with its connections open', async () => {
      const apis = await startTwoConnected({ answerTimeoutMs: shortTimeoutMs });
      await expectShared(apis, 'before');
      redis.pause();
      await expectApart(apis, 'meanwhile');
      redis.resume();
      await recovered(apis);
      await expectShared(apis, 'after');
    });

    slow('come back after Redis hung at the start', async () => {
      redis.pause();
      const apis = await startTwo();
      await expectApart(apis, 'meanwhile');
      await eventually(() => apis.every((api) => api.warnings.length === 1));
      redis.resume();
      await recovered(apis);
      await expectShared(apis, 'after');
    });

    it('survive a Redis that lost its scripts and refuses writes for a while', async () => {
      const apis = await startTwoConnected();
      await expectShared(apis, 'before');
      await redis.command('SCRIPT', 'FLUSH');
      await expectShared(apis, 'without scripts');
      expect(apis.flatMap((api) => api.warnings)).toEqual([]);

      await redis.command('REPLICAOF', '127.0.0.1', '1');
      await expectApart(apis, 'read-only');
      await redis.command('REPLICAOF', 'NO', 'ONE');
      await recovered(apis);
      await expectShared(apis, 'after');
    });

    it('leave nothing in Redis that does not expire', async () => {
      const [a] = await startTwoConnected();
      await a.get('/leads', { 'x-user': 'a' });
      await a.post('/auth/token');
      await a.rateLimits.count('tenant', [{ kind: 'inbound', key: 'tenant PHONE 5511988887777', hits: 1 }]);
      const keys = (await redis.command('KEYS', 'leadwire:throttle:*')) as string[];
      expect(keys).toEqual(
        expect.arrayContaining([
          'leadwire:throttle:global:user:a',
          expect.stringMatching(/^leadwire:throttle:global:[\w-]{22}$/),
        ]),
      );
      expect(keys.join()).not.toContain('5511988887777');
      for (const key of keys) expect(await redis.command('PTTL', key)).not.toBe(-1);
    });

    const ping = (client: RedisClient) => client.command(undefined, 'PING');

    it('do not make callers wait again once Redis is known to hang', async () => {
      const link = rateLimitLink(redis.url, { warn: () => undefined, info: () => undefined }, shortTimeoutMs);
      cleanups.push(() => link.close());
      await link.firstAttempt;
      expect(await link.attempt(ping)).toBe('PONG');
      redis.pause();
      const work = jest.fn(ping);
      const first = await Promise.all([link.attempt(work), link.attempt(work)]);
      expect([first, work.mock.calls.length]).toEqual([[undefined, undefined], 2]);
      expect(await link.attempt(work)).toBeUndefined();
      expect(work).toHaveBeenCalledTimes(2);
    });
  });
}
