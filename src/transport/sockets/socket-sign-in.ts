// Sign-in of sockets at `connection_init`. Tokens belong to auth, the end of sessions to session-watch.ts.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { AuthService, Session } from '../../features/auth/auth.service.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { UserPrincipal } from '../../platform/principal.js';
import { bearerToken } from '../http/authenticate.js';
import type { FailedAuthentications } from '../http/failed-authentication.js';
import { subjectKey, type RateLimits } from '../http/rate-limit.js';
import type { SessionEnd, SessionWatch } from './session-watch.js';

export interface SignInOptions {
  auth: AuthService;
  /** Ends sockets with their sessions; the caller starts and stops it. */
  sessions: SessionWatch;
  failures: FailedAuthentications;
  /** The most sockets that a user may have open in this process. */
  maxSocketsPerUser: number;
  /** Opening a socket counts like a request. */
  rateLimits: RateLimits;
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
    const { allowed, resetSeconds } = await options.rateLimits.consume(subjectKey({ kind: 'user', id }, undefined));
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
