// Signing in and out: through a provider, back to the page before, and with nothing left behind.

import jwt from 'jsonwebtoken';
import type { Page, WebSocketRoute } from 'playwright-core';
import { slow } from '../support/slow.js';
import { jwtSecret, serviceOperator, TestApp, withToken, type TestTenant } from '../support/test-app.js';
import { noteSecret } from '../support/test-log.js';
import { OidcServer } from '../support/oidc-server.js';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { writeAs } from '../features/live/live-harness.js';
import { createLead, plainNumber, until } from '../features/messages/sending-harness.js';
import { paste } from './before-sending.suite.js';
import { openConsole, openWindow, operatorOf, settled, type OpenPage } from './browser.js';
import { articleOf, expectDraft, fieldOf } from './operators-day.suite.js';

/** Keeps the close codes of the page's sockets. */
const recordCloses = `window.closes = [];
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('close', ({ code }) => window.closes.push(code));
    }
  };`;

/** Adds the user of the button `Demo operator`, to the platform tenant. */
export async function addDemoOperator(app: TestApp): Promise<void> {
  const idpSub = 'demo-operator';
  const { id } = await platformOf(app);
  const known = await app.sql('SELECT FROM users WHERE idp_sub = $1', [idpSub]);
  if (known.length === 0) await app.createUser(id, { email: 'demo@test.example', role: 'OPERATOR', idpSub });
}

export function describeSessions(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    await addDemoOperator(app);
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });

  /**
   * Opens a page whose token ends while it is live. The page believes that the token lasts, so it does not renew it in time. A machine that
   * is too slow for one token gets one that lasts longer.
   */
  async function openWithEndingToken(): Promise<OpenPage> {
    const claims = jwt.decode(tenant.operator.token, { json: true });
    for (const seconds of [4, 8, 16, 32]) {
      const exp = Math.floor(Date.now() / 1_000) + seconds;
      const token = jwt.sign({ ...claims, exp }, jwtSecret, {
        algorithm: 'HS256',
        header: { alg: 'HS256', typ: 'at+jwt' },
      });
      const opened = await openConsole(app, { ...operatorOf(tenant), token }, '/inbox', { record: recordCloses });
      await opened.page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
      if (Date.now() < exp * 1_000) return opened;
      await opened[Symbol.asyncDispose]();
    }
    throw new Error('no page was live before its token ended');
  }

  /** The answer of a provider's token endpoint as Leadwire passes it on, for the demo operator. */
  async function tokenAnswer(): Promise<string> {
    const answer = await app.post('/auth/dev/token', { idpSub: 'demo-operator' });
    return JSON.stringify({ ...((await answer.json()) as object), refreshToken: 'second' });
  }

  test('signing in returns to the path and its query; signing out leaves no token, draft or text', async () => {
    const platform = await platformOf(app);
    const leadId = await createLead(app, platform);
    await using opened = await openWindow();
    const { page } = opened;
    await page.goto(`${app.url}/inbox/${leadId}?view=all&q=49`);
    await page.getByRole('button', { name: 'Demo operator' }).click();
    await page.waitForURL((url) => url.pathname === `/inbox/${leadId}`);
    expect(new URL(page.url()).search).toBe('?view=all&q=49');
    await fieldOf(page).fill('a secret draft');
    await page.reload();
    await expectDraft(page, 'a secret draft');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Demo operator' }).waitFor();
    expect(await page.evaluate(`JSON.stringify({ ...sessionStorage })`)).not.toContain('accessToken');
    expect(await page.evaluate(`JSON.stringify({ ...localStorage })`)).not.toMatch(/accessToken|secret draft|eyJ/);
    await page.getByRole('button', { name: 'Demo operator' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/inbox'));
    await page.goto(`${app.url}/inbox/${leadId}`);
    await fieldOf(page).waitFor();
    await page.getByRole('log', { name: 'Messages' }).waitFor();
    expect(await fieldOf(page).inputValue()).toBe('');
    expect(opened.problems).toEqual([]);
  });

  slow('a renewal that is under way when the user signs out signs nobody in again', async () => {
    await using opened = await openWindow();
    const { page } = opened;
    await page.goto(`${app.url}/inbox`);
    await page.getByRole('button', { name: 'Demo operator' }).click();
    await page.waitForURL('**/inbox');
    // The next start renews a token that ends soon.
    await page.evaluate(`sessionStorage.setItem('leadwire.session', JSON.stringify({
      ...JSON.parse(sessionStorage.getItem('leadwire.session')), expiresIn: 60, expiresAt: Date.now() + 20_000 }))`);
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/auth/dev/token', async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await page.reload();
    await asked.promise;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Demo operator' }).waitFor();
    const renewed = page.waitForResponse('**/auth/dev/token');
    answer.resolve();
    await (await renewed).finished();
    await settled(page);
    expect(await page.evaluate(`sessionStorage.getItem('leadwire.session')`)).toBeNull();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });

  test('a session that cannot be renewed for now is kept, and renewed later', async () => {
    await using opened = await openWindow();
    const { page } = opened;
    let endSocket: () => Promise<void> = () => Promise.reject(new Error('no socket is open'));
    await page.routeWebSocket('**/graphql', (socket) => {
      socket.connectToServer();
      endSocket = () => socket.close({ code: 4401, reason: 'Unauthorized' });
    });
    await page.goto(`${app.url}/inbox`);
    await page.getByRole('button', { name: 'Demo operator' }).click();
    const live = page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' });
    await live.waitFor();
    const busy = {
      status: 429,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'RATE_LIMITED', detail: 'Too many' }),
    };
    await page.route('**/auth/dev/token', (route) => route.fulfill(busy), { times: 1 });
    const refused = page.waitForResponse('**/auth/dev/token');
    await endSocket();
    expect((await refused).status()).toBe(429);
    await live.waitFor({ state: 'detached' });
    await live.waitFor();
    expect(new URL(page.url()).pathname).toBe('/inbox');
  });

  test('a duplicated tab shares the renewal, for which a provider takes the token once', async () => {
    // The routes of sockets stay for a window's life, so this case has one of its own kind.
    await using opened = await openWindow({ timezoneId: 'Etc/UTC' });
    const { page } = opened;
    const context = page.context();
    const sockets: WebSocketRoute[] = [];
    await context.routeWebSocket('**/graphql', (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto(`${app.url}/inbox`);
    await page.getByRole('button', { name: 'Demo operator' }).click();
    const isLive = (of: Page) => of.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    await isLive(page);
    // The session of a provider, instead of that of the development.
    await page.evaluate(`sessionStorage.setItem('leadwire.session', JSON.stringify({
      ...JSON.parse(sessionStorage.getItem('leadwire.session')), devSubject: undefined, refreshToken: 'first' }))`);
    await page.reload();
    await isLive(page);
    const [duplicate] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate('void window.open(location.href)'),
    ]);
    await isLive(duplicate);
    const asked: string[] = [];
    const body = await tokenAnswer();
    const bothClosed = Promise.withResolvers<void>();
    await context.route('**/auth/token', async (route) => {
      const { refreshToken } = route.request().postDataJSON() as { refreshToken: string };
      const isKnown = asked.includes(refreshToken);
      asked.push(refreshToken);
      await bothClosed.promise;
      const spent = {
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'GRANT_INVALID' }),
      };
      await route.fulfill(isKnown ? spent : { contentType: 'application/json', body });
    });
    for (const socket of sockets.splice(0)) await socket.close({ code: 4401, reason: 'Unauthorized' });
    const waiting = () =>
      page.evaluate<number>(
        `navigator.locks.query().then(({ pending }) => pending.filter(({ name }) => name.startsWith('leadwire.session')).length)`,
      );
    await until(
      async () => asked.length + (await waiting()),
      (count) => count === 2,
    );
    bothClosed.resolve();
    await Promise.all([isLive(page), isLive(duplicate)]);
    expect(asked).toEqual(['first']);
    const tokenOf = (tab: Page) => tab.evaluate(`JSON.parse(sessionStorage.getItem('leadwire.session')).refreshToken`);
    expect([await tokenOf(page), await tokenOf(duplicate)]).toEqual(['second', 'second']);
    await context.close();
  });

  test('a deactivated user is signed out by the closed socket, and told so', async () => {
    await using opened = await openConsole(app, operatorOf(tenant), '/leads?order=name', { record: recordCloses });
    const { page } = opened;
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
    const { status } = await app.post(
      '/graphql',
      {
        query: 'mutation ($id: ID!) { updateUser(id: $id, input: { isActive: false }) { id } }',
        variables: { id: tenant.operator.id },
      },
      withToken(tenant.admin),
    );
    expect(status).toBe(200);
    await page.waitForURL('**/sign-in**');
    await page.getByText('Your access was ended.').waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('leadwire.session')`)).toBeNull();
    expect(new URL(page.url()).searchParams.get('returnTo')).toContain('/leads');
    expect(await page.evaluate('window.closes')).toEqual([4401]);
  });

  slow(
    'a token that ends closes the live connection with 4403; with the next token it goes on, and misses nothing',
    async () => {
      await using opened = await openWithEndingToken();
      const { page } = opened;
      await until(
        () => page.evaluate<number[]>('window.closes'),
        (closes) => closes.length > 0,
      );
      await writeAs(app, tenant, plainNumber(), 'while nobody listened');
      await page.getByRole('option').filter({ hasText: 'while nobody listened' }).waitFor();
      await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
      expect(await page.evaluate('window.closes')).toEqual([4403]);
      expect(new URL(page.url()).pathname).toBe('/inbox');
    },
  );

  slow('a user whose role changes goes on in the open conversation', async () => {
    const from = plainNumber();
    await writeAs(app, tenant, from, 'Oi');
    await using opened = await openConsole(app, operatorOf(tenant), '/inbox');
    const { page } = opened;
    await page.getByRole('option').filter({ hasText: 'Oi' }).click();
    await articleOf(page, 'Oi').waitFor();
    await fieldOf(page).focus();
    await page.evaluate(paste());
    const preview = page.getByRole('region', { name: 'Composer' }).locator('li img');
    await preview.waitFor();
    const { status } = await app.post(
      '/graphql',
      {
        query: 'mutation ($id: ID!) { updateUser(id: $id, input: { role: ADMIN }) { id } }',
        variables: { id: tenant.operator.id },
      },
      withToken(tenant.admin),
    );
    expect(status).toBe(200);
    await page.getByRole('navigation').getByText('Administrator').waitFor();
    expect(await preview.count()).toBe(1);
    await writeAs(app, tenant, from, 'Ainda estou aqui');
    await articleOf(page, 'Ainda estou aqui').waitFor();
    await fieldOf(page).fill('Claro');
    await page.keyboard.press('Enter');
    await articleOf(page, 'Claro').waitFor();
  });

  test('by a link, once: its secret leaves the address at once, and a second use says what to do', async () => {
    const { signInLinks } = app.app.services;
    const { token } = await signInLinks.create(serviceOperator, tenant.id, {
      email: `root-${tenant.slug}@test.example`,
      mayCreateUser: true,
    });
    noteSecret(token);
    const asked: string[] = [];
    await using opened = await openWindow();
    const { page } = opened;
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.url}/sign-in-link#${token}`);
    await page.waitForURL((url) => url.pathname === '/inbox');
    expect(await page.evaluate('location.href')).not.toContain(token);
    await page.goto(`${app.url}/settings/users`);
    await page
      .getByRole('row')
      .filter({ hasText: `root-${tenant.slug}@test.example` })
      .waitFor();
    expect(opened.problems).toEqual([]);
    expect(asked.filter((url) => url.includes(token))).toEqual([]);

    await using second = await openWindow();
    await second.page.goto(`${app.url}/sign-in-link#${token}`);
    const alert = second.page.getByRole('alert').filter({ hasText: 'This link cannot be used' });
    await alert.getByRole('link', { name: 'Sign in again' }).click();
    await second.page.waitForURL('**/sign-in');
  });

  slow('a session by a link lasts to its end, also when the role changes', async () => {
    const { signInLinks } = app.app.services;
    const email = `guest-${tenant.slug}@test.example`;
    const { token } = await signInLinks.create(serviceOperator, tenant.id, { email, mayCreateUser: true });
    noteSecret(token);
    await using opened = await openWindow({ clock: true }, [recordCloses]);
    const { page } = opened;
    const live = page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' });
    const isSignedIn = () => page.evaluate(`sessionStorage.getItem('leadwire.session') !== null`);
    await page.goto(`${app.url}/sign-in-link#${token}`);
    await page.waitForURL((url) => url.pathname === '/inbox');
    await live.waitFor();
    const [user] = await app.sql<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 AND email = $2', [
      tenant.id,
      email,
    ]);
    const change = `mutation { updateUser(id: "${user?.id}", input: { role: OPERATOR }) { id } }`;
    expect((await app.post('/graphql', { query: change }, withToken(tenant.admin))).status).toBe(200);
    await until(
      () => page.evaluate<number[]>('window.closes'),
      (closes) => closes.includes(4403),
    );
    await page.clock.fastForward(1_000);
    await live.waitFor();
    expect(await isSignedIn()).toBe(true);
    await page.clock.fastForward('59:10');
    await settled(page);
    expect(await isSignedIn()).toBe(true);
    await page.clock.fastForward(60_000);
    await page.waitForURL('**/sign-in**');
    expect(await isSignedIn()).toBe(false);
  });

  test('through a provider: by PKCE to /callback, and back to the page that was asked for', async () => {
    const provider = await OidcServer.start();
    const signedIn = await TestApp.start(provider.environment);
    try {
      const customer = await signedIn.createTenant();
      const lead = await createLead(signedIn, customer, plainNumber());
      provider.accounts.set(customer.operator.idpSub, { email: 'a@test.example', email_verified: true });
      provider.whoSignsIn = customer.operator.idpSub;
      provider.allowRedirect(`${signedIn.url}/callback`);
      await using opened = await openWindow();
      const { page } = opened;
      const asked: URL[] = [];
      page.on('request', (request) => asked.push(new URL(request.url())));
      await page.goto(`${signedIn.url}/inbox/${lead}?view=all`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL((url) => url.pathname === `/inbox/${lead}`);
      expect(new URL(page.url()).search).toBe('?view=all');
      await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'Live' }).waitFor();
      const authorization = asked.find(({ origin, pathname }) => origin === provider.issuer && pathname === '/auth');
      expect(authorization?.searchParams.get('code_challenge_method')).toBe('S256');
      expect(asked.map(({ pathname }) => pathname)).toContain('/callback');
      await page.goto(`${signedIn.url}/callback?code=other&state=other`);
      await page.getByRole('alert').waitFor();
      expect(opened.problems).toEqual([]);
    } finally {
      await signedIn.stop();
      await provider.close();
    }
  });
}
