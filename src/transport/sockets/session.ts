// Sign-in of sockets at `connection_init`, and their end with the session. Tokens belong to auth.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { AuthService, Session } from '../../features/auth/auth.service.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { Tally } from '../../platform/jobs/tally.js';
import { bearerToken } from '../http/authenticate.js';
import type { FailedAuthentications } from '../http/failed-authentication.js';
import { subjectKey, type Throttles } from '../http/throttle.js';

// A session of an open socket ends when its token expires, or when the user in the database differs from the session. Sessions belong to
// auth.

/** `changed`: the user may come in again, but not as before; `ended`: not with this token. */
export type SessionEnd = 'expired' | 'changed' | 'ended';

export interface SessionWatchOptions {
  auth: Pick<AuthService, 'checkSessions'>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The time between checks of all sessions, in milliseconds; 1,500 by default. */
  checkIntervalMs?: number | undefined;
}

interface Watched {
  readonly session: Session;
  readonly onEnd: (end: SessionEnd) => void;
}

// A change counts within 5 s. For 3 s of them auth may still let the user in as before; the check itself takes its time too.
const defaultCheckIntervalMs = 1_500;

export class SessionWatch {
  private readonly watched = new Set<Watched>();
  private readonly countByUser = new Tally();
  private readonly checkIntervalMs: number;
  private tickTimer: NodeJS.Timeout | undefined;
  private expiryTimer: NodeJS.Timeout | undefined;
  /** The Unix time that the expiry timer is set to; infinite while it is not set. */
  private nextExpiryMs = Number.POSITIVE_INFINITY;
  private checking = false;
  private failing = false;

  constructor(private readonly options: SessionWatchOptions) {
    this.checkIntervalMs = options.checkIntervalMs ?? defaultCheckIntervalMs;
  }

  start(): void {
    this.tickTimer = setInterval(() => this.tick(), this.checkIntervalMs);
  }

  /** Forgets every session; none of them ends any more. Safe to repeat. */
  stop(): void {
    clearInterval(this.tickTimer);
    clearTimeout(this.expiryTimer);
    this.watched.clear();
    this.countByUser.clear();
  }

  /**
   * Calls `onEnd` once, and never before this returns, when the session ends.
   * @returns a function that forgets the session; safe to repeat
   */
  watch(session: Session, onEnd: (end: SessionEnd) => void): () => void {
    const watched = { session, onEnd };
    this.watched.add(watched);
    this.countByUser.add(session.user.userId, 1);
    this.wakeAtExpiry(session);
    return () => this.forget(watched);
  }

  /** The number of a user's sessions that are watched. */
  countOf(userId: string): number {
    return this.countByUser.of(userId);
  }

  /** The number of sessions that are watched. */
  get size(): number {
    return this.watched.size;
  }

  private tick(): void {
    this.endExpired();
    if (!this.checking) void this.check();
  }

  private endExpired(): void {
    clearTimeout(this.expiryTimer);
    this.nextExpiryMs = Number.POSITIVE_INFINITY;
    const nowMs = Date.now();
    for (const watched of this.watched) {
      if (watched.session.expiresAtMs <= nowMs) this.end(watched, 'expired');
      else this.wakeAtExpiry(watched.session);
    }
  }

  // The next tick handles sessions that expire after it: setTimeout counts no farther than 2^31 - 1 ms, and the clock may be set.
  private wakeAtExpiry({ expiresAtMs }: Session): void {
    const remainingMs = Math.max(0, expiresAtMs - Date.now());
    if (remainingMs > this.checkIntervalMs || expiresAtMs >= this.nextExpiryMs) return;
    clearTimeout(this.expiryTimer);
    this.nextExpiryMs = expiresAtMs;
    this.expiryTimer = setTimeout(() => this.endExpired(), remainingMs);
  }

  private async check(): Promise<void> {
    const watched = [...this.watched];
    if (watched.length === 0) return;
    this.checking = true;
    try {
      const states = await this.options.auth.checkSessions(watched.map(({ session }) => session));
      this.reportSuccess();
      for (const [index, state] of states.entries()) if (state !== 'valid') this.end(watched[index], state);
    } catch (error) {
      this.reportFailure(error);
    } finally {
      this.checking = false;
    }
  }

  // A session may be forgotten during the check: then nobody is notified.
  private end(watched: Watched | undefined, end: SessionEnd): void {
    if (watched !== undefined && this.forget(watched)) watched.onEnd(end);
  }

  /** @returns whether it was watched until now */
  private forget(watched: Watched): boolean {
    if (!this.watched.delete(watched)) return false;
    this.countByUser.add(watched.session.user.userId, -1);
    return true;
  }

  private reportFailure(error: unknown): void {
    if (!this.failing)
      this.options.log.warn({ err: error }, 'sessions of open sockets cannot be checked; the next check retries');
    this.failing = true;
  }

  private reportSuccess(): void {
    if (this.failing) this.options.log.info({}, 'sessions of open sockets can be checked again');
    this.failing = false;
  }
}

export interface SignInOptions {
  auth: AuthService;
  /** Ends sockets with their sessions; the caller starts and stops it. */
  sessions: SessionWatch;
  failures: FailedAuthentications;
  /** The most sockets that a user may have open in this process. */
  maxSocketsPerUser: number;
  /** Opening a socket counts like a request. */
  throttles: Throttles;
  /** The caller's address, freed of proxies. */
  addressOf: (request: IncomingMessage) => string | undefined;
  log: Logger;
}

export type ConnectionParams = Record<string, unknown> | undefined;

/** The state of a socket: its session, from the sign-in to the session's end. It is an alias, as graphql-ws takes no interface. */
export type SocketState = { session?: Session | undefined };

type SocketContext = Context<ConnectionParams, Extra & SocketState>;

interface Closing {
  code: number;
  reason: string;
}

const unauthenticated: Closing = { code: 4401, reason: 'UNAUTHENTICATED' };
const tooManyGuesses: Closing = { code: 4429, reason: 'RATE_LIMITED' };
// This close is final for graphql-ws clients, as one that tried again would push nobody out.
const tooManySockets: Closing = { code: 4429, reason: 'TOO_MANY_SOCKETS' };
// "Try again later" of the WebSocket registry: graphql-ws clients do so, and a right token is accepted then.
const unavailable: Closing = { code: 1013, reason: 'UNAVAILABLE' };
const tooManyRequests = (resetSeconds: number): Closing => ({
  code: 1013,
  reason: `RATE_LIMITED: connect again in ${resetSeconds} s`,
});

// graphql-ws clients connect again after 4403, with the parameters of that moment, and never after 4401.
const closings: Record<SessionEnd, Closing> = {
  expired: { code: 4403, reason: 'TOKEN_EXPIRED' },
  changed: { code: 4403, reason: 'SESSION_CHANGED' },
  ended: unauthenticated,
};

/** Signs a socket in by its connection parameters, or closes it. @returns whether it is signed in */
export async function signIn({ connectionParams, extra }: SocketContext, options: SignInOptions): Promise<boolean> {
  const { authorization } = connectionParams ?? {};
  const token = bearerToken(typeof authorization === 'string' ? authorization : undefined);
  if (token === undefined) return refuse(extra, unauthenticated);
  // The address is read while the connection is there: a caller who hangs up after a guess is counted too.
  const address = options.addressOf(extra.request);
  try {
    const session = await options.auth.findSession(token);
    if (session === undefined) {
      // A genuine token that has expired is no guess.
      const isGuess = (await options.auth.findTokenFault(token)) === 'unknown';
      const refusal = isGuess ? await options.failures.record(address, token) : undefined;
      return refuse(extra, refusal === undefined ? unauthenticated : tooManyGuesses);
    }
    const { userId: id } = session.user;
    const { allowed, resetSeconds } = await options.throttles.consume(subjectKey({ kind: 'user', id }, undefined));
    if (!allowed) return refuse(extra, tooManyRequests(resetSeconds));
    if (options.sessions.countOf(id) >= options.maxSocketsPerUser) return refuse(extra, tooManySockets);
    return hold(extra, session, options.sessions);
  } catch (error) {
    options.log.warn({ err: error }, 'a socket could not be authenticated');
    return refuse(extra, unavailable);
  }
}

/** The user whose operations the socket may run now. */
export function userOf({ session }: SocketState): UserPrincipal | undefined {
  return session === undefined || session.expiresAtMs <= Date.now() ? undefined : session.user;
}

// A socket that went meanwhile gives no further close event: its session would be watched for ever.
function hold(extra: SocketContext['extra'], session: Session, sessions: SessionWatch): boolean {
  const { socket } = extra;
  if (socket.readyState !== socket.OPEN) return false;
  extra.session = session;
  const forget = sessions.watch(session, (end) => {
    // A client may ignore the close and send on: what it sends now belongs to no user.
    extra.session = undefined;
    refuse(extra, closings[end]);
  });
  socket.once('close', forget);
  return true;
}

function refuse({ socket }: Extra, { code, reason }: Closing): false {
  socket.close(code, reason);
  return false;
}
