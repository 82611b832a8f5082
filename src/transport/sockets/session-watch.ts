// A session of an open socket ends when its token expires, or when the user in the database differs from the session. Sessions belong to
// auth.

import type { AuthService, Session } from '../../features/auth/auth.service.js';
import type { Logger } from '../../platform/observability/logger.js';
import { Tally } from '../../platform/jobs/tally.js';

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
      if (this.failing) this.options.log.info({}, 'sessions of open sockets can be checked again');
      this.failing = false;
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
}
