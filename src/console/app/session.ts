// The session of the signed-in user. Tokens live in sessionStorage: they survive a reload, and not the browser's next start. Only a
// duplicated tab has them as well (session-tabs.ts).

import { callJson, postJson } from '../api/rest.js';
import { RequestError } from '../api/request-error.js';
import { aloneAmongTabs, newsOfTabs, onToldByTab, tellTabs } from './session-tabs.js';
import { Store } from './store.js';

export interface User {
  id: string;
  tenantId: string;
  accountId: string;
  role: 'ADMIN' | 'OPERATOR';
  email: string;
}

export interface SignInOptions {
  issuer: string | null;
  authorizationEndpoint: string | null;
  clientId: string | null;
  scopes: string[] | string | null;
  devSignIn: boolean;
}

interface TokenAnswer {
  accessToken: string;
  /** In seconds. */
  expiresIn: number;
  user: User;
  refreshToken?: string;
}

type NewSession = TokenAnswer & { devSubject?: string };

interface Session extends NewSession {
  /** It stays over renewals. A duplicated tab has the same. */
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The reason why the session ended; undefined if the user signed out or was never signed in. */
export type SignOutReason = 'expired' | 'refused' | undefined;

export type SessionState = { user: User } | { user: undefined; reason?: SignOutReason };

const sessionKey = 'leadwire.session';
const attemptKey = 'leadwire.sign-in';
/** A token is renewed this long before it expires, or after two thirds of its lifetime if that is later. */
const renewBeforeMs = 60_000;

let session = readSession();
let renewal: { of: Session | undefined; token: Promise<string> } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export const sessionState = new Store<SessionState>(
  session === undefined ? { user: undefined } : { user: session.user },
);

if (session !== undefined) planRenewal(session);
onToldByTab((told) => {
  const { id, expiresAt } = told as Session;
  if (session?.id === id && expiresAt > session.expiresAt) take(told as Session);
});

/** Runs when a user has left or another one is there. A user whose role changes keeps what is known and begun. */
export function onUserChange(react: () => void): void {
  let known = sessionState.value.user?.id;
  sessionState.subscribe(() => {
    const now = sessionState.value.user?.id;
    if (now === known) return;
    known = now;
    react();
  });
}

export const readSignInOptions = (): Promise<SignInOptions> => callJson<SignInOptions>('/auth/config');

/** Returns a token that is still valid, and renews it if needed. @throws RequestError; UNAUTHENTICATED if no user is signed in */
export async function accessToken(): Promise<string> {
  if (session === undefined) throw new RequestError('UNAUTHENTICATED', 'Nobody is signed in');
  const marginMs = canRenew(session) ? 5_000 : 0;
  return session.expiresAt - Date.now() > marginMs ? session.accessToken : renew();
}

/** The token without renewal, for calls that cannot wait. */
export const accessTokenNow = (): string | undefined => session?.accessToken;

/** Signs in for development, without an identity provider. */
export async function signInAs(devSubject: string): Promise<void> {
  keep(await askForDevelopment(devSubject));
}

async function askForDevelopment(devSubject: string): Promise<NewSession> {
  return { ...(await postJson<TokenAnswer>('/auth/dev/token', { idpSub: devSubject })), devSubject };
}

/** Signs in by the token after `#` in an administrator's link, which works once. The session cannot be renewed. @throws RequestError */
export async function signInByLink(token: string): Promise<void> {
  // Data that another user left in this tab is removed first.
  await signOut();
  keep(await postJson<TokenAnswer>('/auth/link', { token }));
}

/** Redirects to the identity provider, which returns to `/callback`. @param returnTo the path and query to show after the sign-in */
export async function startSignIn(options: SignInOptions, returnTo: string): Promise<void> {
  const { authorizationEndpoint, clientId, scopes } = options;
  if (authorizationEndpoint === null || clientId === null) throw new Error('No identity provider is configured');
  const state = randomText();
  const verifier = randomText();
  const redirectUri = `${location.origin}/callback`;
  sessionStorage.setItem(attemptKey, JSON.stringify({ state, verifier, redirectUri, returnTo }));
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: Array.isArray(scopes) ? scopes.join(' ') : (scopes ?? 'openid email'),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/**
 * Completes the sign-in at `/callback`.
 * @returns the path and query to show
 * @throws RequestError, or Error if no attempt of this tab waits for the answer
 */
export async function finishSignIn(answer: URLSearchParams): Promise<string> {
  const attempt = JSON.parse(sessionStorage.getItem(attemptKey) ?? 'null') as Record<string, string> | null;
  sessionStorage.removeItem(attemptKey);
  const code = answer.get('code');
  if (attempt === null || answer.get('state') !== attempt['state'] || code === null)
    throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'The sign-in was not started here');
  const { verifier: codeVerifier, redirectUri, returnTo } = attempt;
  keep(
    await postJson<TokenAnswer>('/auth/token', { grantType: 'authorization_code', code, codeVerifier, redirectUri }),
  );
  return returnTo?.startsWith('/') === true && !returnTo.startsWith('//') ? returnTo : '/inbox';
}

const draftPrefix = 'leadwire.draft.';

/** The key in sessionStorage of a user's draft, which goes with the sign-out even if its page was not opened. */
export const draftKey = (what: string, userId: string): string => `${draftPrefix}${what}.${userId}`;

function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(draftPrefix)) sessionStorage.removeItem(key);
}

type Cleanup = (lastToken: string) => unknown;

const cleanups = new Set<Cleanup>();

/** Registers a cleanup that runs at sign-out, for example of drafts, sockets and caches. It gets the token of the session that ended. */
export function onSignOut(cleanup: Cleanup): void {
  cleanups.add(cleanup);
}

/** Ends the session. The cleanups run only if the user signs out, that is without a reason. */
export async function signOut(reason?: SignOutReason): Promise<void> {
  if (session === undefined) return;
  const { accessToken: lastToken } = session;
  session = undefined;
  clearTimeout(timer);
  sessionStorage.removeItem(sessionKey);
  // A session that ended by itself keeps its drafts, because the same user may sign in again.
  if (reason === undefined) forgetDrafts();
  if (reason === undefined) await Promise.allSettled([...cleanups].map((cleanup) => cleanup(lastToken)));
  sessionState.set({ user: undefined, reason });
}

function keep(next: NewSession, id = randomText()): void {
  take({ ...next, id, expiresAt: Date.now() + next.expiresIn * 1_000 });
}

function take(next: Session): void {
  session = next;
  sessionStorage.setItem(sessionKey, JSON.stringify(next));
  planRenewal(next);
  const { user } = sessionState.value;
  if (user?.id !== next.user.id || user.role !== next.user.role) sessionState.set({ user: next.user });
}

/**
 * Renews the token. Concurrent calls of one session share one renewal, because a refresh token works once.
 * @throws RequestError; UNAUTHENTICATED if the session ended meanwhile
 */
export function renew(): Promise<string> {
  if (renewal === undefined || renewal.of !== session) {
    const begun = { of: session, token: renewNow(session) };
    const end = () => renewal === begun && (renewal = undefined);
    begun.token.then(end, end);
    renewal = begun;
  }
  return renewal.token;
}

/** Renews the token. A session that cannot be renewed keeps its token while that lasts. @throws RequestError */
export async function freshToken(): Promise<string> {
  return session === undefined || canRenew(session) ? renew() : accessToken();
}

/** A session by a link has nothing to renew it with. */
function canRenew({ devSubject, refreshToken }: Session): boolean {
  return devSubject !== undefined || refreshToken !== undefined;
}

async function renewNow(renewed: Session | undefined): Promise<string> {
  if (renewed === undefined) throw new RequestError('GRANT_INVALID', 'The session has ended');
  try {
    return await aloneAmongTabs(renewed.id, async () => tokenByTab(renewed) ?? askForNext(renewed));
  } catch (error) {
    if (!(error instanceof RequestError) || error.isTemporary) throw error;
    await newsOfTabs();
    const token = tokenByTab(renewed);
    if (token !== undefined) return token;
    if (session === renewed) await signOut(error.code === 'FORBIDDEN' ? 'refused' : 'expired');
    throw error;
  }
}

/** The token of a session that another tab has renewed since. */
const tokenByTab = (of: Session): string | undefined =>
  session !== of && session?.id === of.id ? session.accessToken : undefined;

async function askForNext(renewed: Session): Promise<string> {
  const next = await askForGrant(renewed);
  // The user may have signed out meanwhile, and another one in: a late answer belongs to no session.
  if (session !== renewed) throw new RequestError('UNAUTHENTICATED', 'The session has ended');
  keep(next, renewed.id);
  tellTabs(session);
  return next.accessToken;
}

async function askForGrant({ devSubject, refreshToken }: Session): Promise<NewSession> {
  if (devSubject !== undefined) return askForDevelopment(devSubject);
  if (refreshToken === undefined) throw new RequestError('GRANT_INVALID', 'The session has ended');
  const answer = await postJson<TokenAnswer>('/auth/token', { grantType: 'refresh_token', refreshToken });
  return { refreshToken, ...answer };
}

function planRenewal(of: Session): void {
  clearTimeout(timer);
  const { expiresAt, expiresIn } = of;
  const early = canRenew(of) ? Math.min(renewBeforeMs, (expiresIn * 1_000) / 3) : 0;
  // A browser's timer holds 24 days at most.
  const wait = Math.min(Math.max(expiresAt - early - Date.now(), 1_000), 2_000_000_000);
  timer = setTimeout(() => {
    renew().catch(() => {
      if (session !== undefined) timer = setTimeout(() => session !== undefined && planRenewal(session), 5_000);
    });
  }, wait);
}

function readSession(): Session | undefined {
  const stored = sessionStorage.getItem(sessionKey);
  if (stored === null) return undefined;
  // The version before gave sessions no id.
  const read = { id: randomText(), ...(JSON.parse(stored) as Omit<Session, 'id'>) };
  sessionStorage.setItem(sessionKey, JSON.stringify(read));
  return read;
}

function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
