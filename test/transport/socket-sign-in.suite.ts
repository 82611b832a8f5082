// Signing sockets in: wrong tokens over the wire. The moment between a token's look-up and the watch over its session is tested by itself,
// because no test can hit it over the wire.

import { EventEmitter, once } from 'node:events';
import WebSocket from 'ws';
import type { AuthService, Session } from '../../src/features/auth/auth.service.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import type { FailedAuthentications } from '../../src/transport/http/failed-authentication.js';
import type { RateLimits } from '../../src/transport/http/rate-limit.js';
import { signIn, userOf } from '../../src/transport/sockets/socket-sign-in.js';
import { SessionWatch } from '../../src/transport/sockets/session-watch.js';
import { TestApp, type TestEnvironment } from '../support/test-app.js';

const [open, closing, closed] = [1, 2, 3];
const log = createLogger('silent');

class ScriptedSocket extends EventEmitter {
  readonly OPEN = open;
  readyState = open;
  readonly closings: [number, string][] = [];

  close(code: number, reason: string): void {
    this.closings.push([code, reason]);
  }
}

function sessionFor(remainingMs: number): Session {
  const user = {
    kind: 'user',
    tenantId: 'tenant',
    userId: 'user',
    accountId: 'account',
    role: 'OPERATOR',
    email: 'operator@test.example',
    isPlatformTenant: false,
  } as const;
  return { user, subject: 'subject', expiresAtMs: Date.now() + remainingMs };
}

function arrive(findSession: () => Promise<Session | undefined>) {
  const findTokenFault = async () => 'unknown';
  const auth = { findSession, findTokenFault, checkSessions: async () => [] } as unknown as AuthService;
  const sessions = new SessionWatch({ auth, log });
  const socket = new ScriptedSocket();
  const extra: { socket: ScriptedSocket; session?: Session } = { socket };
  const context = { connectionParams: { authorization: 'Bearer token' }, extra };
  const counted: unknown[] = [];
  const failures = {
    record: async (address: unknown, credential: unknown) => void counted.push([address, credential]),
  } as unknown as FailedAuthentications;
  // The connection is gone as soon as the look-up has begun.
  const addressOf = () => (looking ? undefined : '192.0.2.1');
  let looking = false;
  const rateLimits = { consume: async () => ({ allowed: true }) } as unknown as RateLimits;
  const options = { auth, sessions, failures, rateLimits, addressOf, maxSocketsPerUser: 20, log };
  const signedIn = signIn(context as unknown as Parameters<typeof signIn>[0], options);
  looking = true;
  return { socket, extra, sessions, counted, signedIn };
}

export function describeSocketSignIn(): void {
  test.each([closing, closed])('a socket in state %d when its session is found is not watched', async (state) => {
    const found = Promise.withResolvers<Session>();
    const { socket, extra, sessions, signedIn } = arrive(() => found.promise);
    socket.readyState = state;
    socket.emit('close');
    found.resolve(sessionFor(3_600_000));
    expect(await signedIn).toBe(false);
    expect(sessions.size).toBe(0);
    expect(userOf(extra)).toBeUndefined();
  });

  test('a socket is watched until it has closed', async () => {
    const { socket, extra, sessions, signedIn } = arrive(async () => sessionFor(3_600_000));
    expect(await signedIn).toBe(true);
    expect(sessions.size).toBe(1);
    expect(userOf(extra)).toMatchObject({ userId: 'user' });
    socket.emit('close');
    expect(sessions.size).toBe(0);
    expect(socket.closings).toEqual([]);
  });

  test('an expired session has no user, before anybody has closed the socket', async () => {
    const { socket, extra, sessions, signedIn } = arrive(async () => sessionFor(-1));
    expect(await signedIn).toBe(true);
    expect(userOf(extra)).toBeUndefined();
    expect(socket.closings).toEqual([]);
    sessions.stop();
  });

  test('a wrong token is counted for the address it came from, though the caller hangs up', async () => {
    const { socket, counted, signedIn } = arrive(async () => undefined);
    expect(await signedIn).toBe(false);
    expect(socket.closings).toEqual([[4401, 'UNAUTHENTICATED']]);
    expect(counted).toEqual([['192.0.2.1', 'token']]);
  });

  test('a look-up that fails is no wrong credential', async () => {
    const { socket, sessions, counted, signedIn } = arrive(() => Promise.reject(new Error('the database is away')));
    expect(await signedIn).toBe(false);
    expect(socket.closings).toEqual([[1013, 'UNAVAILABLE']]);
    expect(counted).toEqual([]);
    expect(sessions.size).toBe(0);
  });

  describe('wrong tokens over the wire', () => {
    const limit = 3;
    let guessCount = 0;

    async function withApp(environment: TestEnvironment, work: (app: TestApp) => Promise<void>): Promise<void> {
      const app = await TestApp.start({ FAILED_AUTH_LIMIT: `${limit}`, ...environment });
      try {
        await work(app);
      } finally {
        await app.stop();
      }
    }

    /** The answer to the first message: the close code, or `connection_ack`. */
    async function knock(app: TestApp, authorization: unknown, forwardedFor?: string): Promise<number | string> {
      const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
      const socket = new WebSocket(app.socketUrl, 'graphql-transport-ws', { headers });
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
      const answered = once(socket, 'message').then(([data]) => (JSON.parse(String(data)) as { type: string }).type);
      const refused = once(socket, 'close').then(([code]) => Number(code));
      const answer = await Promise.race([answered, refused]);
      socket.terminate();
      return answer;
    }

    function guess(): string {
      guessCount += 1;
      return `Bearer guess-${guessCount}`;
    }

    test('beyond the limit of their address they close with 4429; a right one, and none at all, stay what they are', () =>
      withApp({}, async (app) => {
        const { operator } = await app.createTenant();
        for (let count = 0; count < 2 * limit; count += 1) expect(await knock(app, undefined)).toBe(4401);
        for (let count = 0; count < limit; count += 1) expect(await knock(app, guess(), `192.0.2.${count}`)).toBe(4401);
        expect(await knock(app, guess(), '192.0.2.200')).toBe(4429);
        expect(await knock(app, undefined)).toBe(4401);
        expect(await knock(app, `Bearer ${operator.token}`)).toBe('connection_ack');
        expect((await app.get('/chat/instances', { authorization: guess() })).status).toBe(429);
      }));

    test('a token of ours that opens nothing any more is no guess', () =>
      withApp({}, async (app) => {
        const { operator } = await app.createTenant();
        await app.sql('UPDATE users SET is_active = false WHERE id = $1', [operator.id]);
        for (let count = 0; count < 2 * limit; count += 1)
          expect(await knock(app, `Bearer ${operator.token}`)).toBe(4401);
        expect(await knock(app, guess())).toBe(4401);
      }));

    test('requests count towards the same limit', () =>
      withApp({}, async (app) => {
        for (let count = 0; count < limit; count += 1) await app.get('/chat/instances', { authorization: guess() });
        expect(await knock(app, guess())).toBe(4429);
      }));

    test('behind a trusted proxy each caller has an own limit, and so has each guess', () =>
      withApp({ TRUST_PROXY: '1' }, async (app) => {
        for (let count = 0; count <= limit; count += 1)
          expect(await knock(app, guess(), '192.0.2.1')).toBe(count < limit ? 4401 : 4429);
        const popular = guess();
        for (let count = 0; count <= limit; count += 1)
          expect(await knock(app, popular, `198.51.100.${count}`)).toBe(count < limit ? 4401 : 4429);
        expect(await knock(app, guess(), '198.51.100.0')).toBe(4401);
      }));
  });
}
