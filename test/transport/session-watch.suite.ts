// The watch over sessions by itself: the ends of sessions, the rate of checks, and checks without an answer.

import { randomUUID } from 'node:crypto';
import { jest } from '../support/jest.js';
import type { Session, SessionState } from '../../src/features/auth/auth.service.js';
import type { Logger } from '../../src/platform/observability/logger.js';
import { SessionWatch, type SessionEnd } from '../../src/transport/sockets/session-watch.js';

const intervalMs = 1_000;
const hourMs = 3_600_000;

export function describeSessionWatch(): void {
  /** Answers checks with `answer`, which first calls every session `valid`. */
  class ScriptedAuth {
    readonly checked: (readonly Session[])[] = [];
    answer: (sessions: readonly Session[]) => Promise<SessionState[]> = async (sessions) => sessions.map(() => 'valid');

    checkSessions(sessions: readonly Session[]): Promise<SessionState[]> {
      this.checked.push(sessions);
      return this.answer(sessions);
    }
  }

  let auth: ScriptedAuth;
  let watch: SessionWatch;
  let lines: string[];
  let ends: [string, SessionEnd][];
  /** The timers that the watch has set and that may still run. */
  let standing: Set<unknown>;

  beforeEach(() => {
    jest.useFakeTimers();
    standing = new Set();
    noteTimers();
    auth = new ScriptedAuth();
    lines = [];
    ends = [];
    startWatch(intervalMs);
  });

  afterEach(() => {
    watch.stop();
    jest.useRealTimers();
    expect(standing.size).toBe(0);
  });

  /**
   * Keeps account of the timers that the watch sets. The clock of a test is that of its whole process, in which the end of an earlier file
   * may set timers as well.
   */
  function noteTimers(): void {
    const { setTimeout: setOnce, setInterval: setRepeated, clearTimeout: clear } = globalThis;
    const isOfWatch = () => new Error().stack?.includes('transport/sockets/session-watch.ts') === true;
    const note = <Timer>(timer: Timer) => {
      if (isOfWatch()) standing.add(timer);
      return timer;
    };
    const forget = (timer: unknown) => {
      standing.delete(timer);
      clear(timer as NodeJS.Timeout);
    };
    const once = (work: () => void, durationMs?: number) => {
      const timer = setOnce(() => {
        standing.delete(timer);
        work();
      }, durationMs);
      return note(timer);
    };
    const repeated = (work: () => void, durationMs?: number) => note(setRepeated(work, durationMs));
    Object.assign(globalThis, { setTimeout: once, setInterval: repeated, clearTimeout: forget, clearInterval: forget });
  }

  function startWatch(checkIntervalMs: number | undefined): void {
    const lineOf = (level: string) => (_fields: object, message: string) => lines.push(`${level}: ${message}`);
    const log = { info: lineOf('info'), warn: lineOf('warn') } as unknown as Logger;
    watch = new SessionWatch({ auth, log, ...(checkIntervalMs === undefined ? {} : { checkIntervalMs }) });
    watch.start();
  }

  function sessionFor(remainingMs = hourMs): Session {
    const user = {
      kind: 'user',
      tenantId: randomUUID(),
      userId: randomUUID(),
      accountId: randomUUID(),
      role: 'OPERATOR',
      email: 'operator@test.example',
      isPlatformTenant: false,
    } as const;
    return { user, subject: 'subject', expiresAtMs: Date.now() + remainingMs };
  }

  /** Watches a session and records its end in `ends` under this name. */
  function hold(name: string, session = sessionFor()): () => void {
    return watch.watch(session, (end) => ends.push([name, end]));
  }

  const pass = (durationMs: number) => jest.advanceTimersByTimeAsync(durationMs);

  describe('a check', () => {
    test('asks for all sessions at once, in every interval, and ends those that are not valid any more', async () => {
      const sessions = [sessionFor(), sessionFor(), sessionFor()];
      for (const [index, session] of sessions.entries()) hold(`${index}`, session);
      await pass(intervalMs);
      expect(auth.checked).toEqual([sessions]);
      expect(ends).toEqual([]);
      auth.answer = async () => ['changed', 'valid', 'ended'];
      await pass(intervalMs);
      expect(ends).toEqual([
        ['0', 'changed'],
        ['2', 'ended'],
      ]);
      auth.answer = async () => ['valid'];
      await pass(intervalMs);
      expect(auth.checked.map((asked) => asked.length)).toEqual([3, 3, 1]);
      expect(ends).toHaveLength(2);
    });

    test('is not made where nothing is watched', async () => {
      hold('gone')();
      await pass(10 * intervalMs);
      expect(auth.checked).toEqual([]);
    });

    test('comes at least every 1.5 s without a word about the interval', async () => {
      watch.stop();
      startWatch(undefined);
      hold('one');
      await pass(4_500);
      expect(auth.checked).toHaveLength(3);
    });

    test('is waited for: there are never two at once', async () => {
      hold('early');
      const { promise, resolve } = Promise.withResolvers<SessionState[]>();
      auth.answer = () => promise;
      await pass(5 * intervalMs);
      hold('late');
      await pass(5 * intervalMs);
      expect(auth.checked).toHaveLength(1);
      auth.answer = async () => ['ended'];
      resolve(['changed']);
      await pass(intervalMs);
      expect(auth.checked).toHaveLength(2);
      // The second answer is about the session that came during the first check.
      expect(ends).toEqual([
        ['early', 'changed'],
        ['late', 'ended'],
      ]);
    });

    test('says nothing to a session that was forgotten, or expired, while it was under way', async () => {
      const forget = hold('forgotten');
      hold('expired', sessionFor(intervalMs + 10));
      const { promise, resolve } = Promise.withResolvers<SessionState[]>();
      auth.answer = () => promise;
      await pass(intervalMs + 10);
      expect(auth.checked[0]).toHaveLength(2);
      forget();
      resolve(['ended', 'ended']);
      await pass(0);
      expect(ends).toEqual([['expired', 'expired']]);
    });

    test('that fails is repeated, keeps the sessions, and is logged once in each outage', async () => {
      hold('kept');
      auth.answer = () => Promise.reject(new Error('the database is away'));
      await pass(5 * intervalMs);
      expect(auth.checked).toHaveLength(5);
      expect(ends).toEqual([]);
      expect(lines).toEqual(['warn: sessions of open sockets cannot be checked; the next check retries']);
      auth.answer = async () => ['valid'];
      await pass(2 * intervalMs);
      expect(lines.slice(1)).toEqual(['info: sessions of open sockets can be checked again']);
      auth.answer = () => Promise.reject(new Error('the database is away'));
      await pass(2 * intervalMs);
      expect(lines.slice(2)).toEqual(['warn: sessions of open sockets cannot be checked; the next check retries']);
      auth.answer = async () => ['ended'];
      await pass(intervalMs);
      expect(ends).toEqual([['kept', 'ended']]);
    });
  });

  describe('expiry', () => {
    test.each([1, 300, intervalMs - 1, intervalMs, intervalMs + 1, 3 * intervalMs + 500])(
      'after %d ms ends the session then, and not before',
      async (remainingMs) => {
        hold('one', sessionFor(remainingMs));
        hold('other', sessionFor(remainingMs + 1));
        await pass(remainingMs - 1);
        expect(ends).toEqual([]);
        await pass(1);
        expect(ends).toEqual([['one', 'expired']]);
        await pass(1);
        expect(ends).toEqual([
          ['one', 'expired'],
          ['other', 'expired'],
        ]);
      },
    );

    test('of each session at its own time, in whatever order they came', async () => {
      for (const remainingMs of [700, 200, 900, 200, 400]) hold(`${remainingMs}`, sessionFor(remainingMs));
      await pass(200);
      expect(ends.map(([name]) => name)).toEqual(['200', '200']);
      await pass(200);
      expect(ends.map(([name]) => name)).toEqual(['200', '200', '400']);
      await pass(intervalMs);
      expect(ends.map(([name]) => name)).toEqual(['200', '200', '400', '700', '900']);
    });

    test('beyond what a timer can count is waited for', async () => {
      watch.stop();
      startWatch(hourMs);
      const remainingMs = 2 ** 31 + 10 * hourMs;
      hold('weeks', sessionFor(remainingMs));
      hold('never', { ...sessionFor(), expiresAtMs: Number.MAX_VALUE });
      await pass(remainingMs - 1);
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual([['weeks', 'expired']]);
    });

    test('that has passed already ends the session, but not before `watch` has returned', async () => {
      hold('late', sessionFor(-hourMs));
      expect(ends).toEqual([]);
      await pass(1);
      expect(ends).toEqual([['late', 'expired']]);
    });

    test('follows the clock when it is set', async () => {
      hold('one', sessionFor(hourMs));
      jest.setSystemTime(Date.now() + hourMs);
      await pass(intervalMs);
      expect(ends).toEqual([['one', 'expired']]);
    });

    test('is kept while checks fail or hang', async () => {
      auth.answer = () => new Promise(() => undefined);
      hold('one', sessionFor(3 * intervalMs + 1));
      await pass(3 * intervalMs + 1);
      expect(ends).toEqual([['one', 'expired']]);
    });
  });

  describe('forgetting', () => {
    test('a forgotten session ends no more, is asked for no more, and may be forgotten again', async () => {
      const forget = hold('gone', sessionFor(3 * intervalMs));
      const stays = sessionFor();
      hold('stays', stays);
      expect(watch.size).toBe(2);
      forget();
      forget();
      expect(watch.size).toBe(1);
      await pass(4 * intervalMs);
      expect(ends).toEqual([]);
      for (const asked of auth.checked) expect(asked).toEqual([stays]);
    });

    test('one of two watches over the same session leaves the other', async () => {
      const session = sessionFor(500);
      const forget = hold('first', session);
      hold('second', session);
      forget();
      await pass(500);
      expect(ends).toEqual([['second', 'expired']]);
    });

    test('a session that ended is not kept', async () => {
      hold('expired', sessionFor(10));
      hold('ended');
      auth.answer = async () => ['ended'];
      await pass(intervalMs);
      expect(ends).toHaveLength(2);
      expect(watch.size).toBe(0);
    });

    test('stop forgets all', async () => {
      hold('one', sessionFor(500));
      expect(standing.size).toBe(2);
      watch.stop();
      watch.stop();
      expect(watch.size).toBe(0);
      await pass(10 * intervalMs);
      expect(ends).toEqual([]);
      expect(auth.checked).toEqual([]);
    });

    test('stop during a check: its answer ends nothing', async () => {
      hold('one');
      const { promise, resolve } = Promise.withResolvers<SessionState[]>();
      auth.answer = () => promise;
      await pass(intervalMs);
      watch.stop();
      resolve(['ended']);
      await pass(intervalMs);
      expect(ends).toEqual([]);
    });
  });
}
