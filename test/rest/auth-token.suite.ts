// POST /auth/token against a real OpenID Connect provider on loopback. Faults that take a time limit or a clock are in
// test/features/auth, the provider's own access tokens as Bearer too.

import { createHmac, randomUUID } from 'node:crypto';
import { headerWithKey, publicKeyWritings } from '../features/auth/forged-key.js';
import { jwtSecret, TestApp, type TestEnvironment, type TestTenant } from '../support/test-app.js';
import {
  discoveryPath,
  jwksPath,
  newPair,
  OidcServer,
  tokenPath,
  userInfoPath,
  type CodeGrant,
  type Fault,
} from '../support/oidc-server.js';
import { freePort } from '../support/redis-server.js';
import { expectProblem } from './problem.js';

const path = '/auth/token';
const elsewhere = '/elsewhere';

export function describeAuthToken(): void {
  let provider: OidcServer;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    provider = await OidcServer.start();
    app = await TestApp.start(environment());
    tenant = await app.createTenant();
  });
  afterEach(() => {
    provider.faults.clear();
    provider.rewriteTokens = (tokens) => tokens;
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  const environment = () => ({ ...provider.environment, TRUST_PROXY: 'loopback' });

  /** Starts a further process on the same database, which has counted and fetched nothing. */
  const startBeside = (differences: TestEnvironment = {}) =>
    TestApp.start({ ...environment(), PROCESS_ROLE: 'api', ...differences }, app.database);

  let lastAddress = 0;

  /** Each call comes from an address of its own: the route's limit of 10 is tested by itself. */
  function exchange(body: unknown, to = app): Promise<Response> {
    lastAddress += 1;
    return to.post(path, body, { 'x-forwarded-for': `10.0.${lastAddress >> 8}.${lastAddress & 255}` });
  }

  interface Answer {
    accessToken: string;
    user: { id: string };
    idToken: string;
    refreshToken: string;
  }

  async function signIn(account: string): Promise<Answer> {
    const response = await exchange(await provider.authorize(account));
    expect(response.status).toBe(200);
    return (await response.json()) as Answer;
  }

  test.each(['', ' ', null])('an optional field that is %j counts as left out', async (empty) => {
    const grant = await provider.authorize(tenant.admin.idpSub);
    const response = await exchange({ ...grant, refreshToken: empty });
    expect(response.status).toBe(200);
    const { refreshToken } = (await response.json()) as Answer;
    const others = { code: empty, codeVerifier: empty, redirectUri: empty };
    expect((await exchange({ grantType: 'refresh_token', refreshToken, ...others })).status).toBe(200);
    const noVerifier = { ...(await provider.authorize(tenant.admin.idpSub)), codeVerifier: empty };
    await expectGrantInvalid(await exchange(noVerifier));
  });

  const refresh = (refreshToken: string) => exchange({ grantType: 'refresh_token', refreshToken });

  /** Expects a refusal of the provider's, in the service's words and not in the provider's. */
  async function expectGrantInvalid(response: Response): Promise<void> {
    const text = await response.text();
    expect({ status: response.status, text }).toEqual({ status: 401, text });
    expect(JSON.parse(text)).toMatchObject({ code: 'GRANT_INVALID', status: 401, requestId: expect.any(String) });
    for (const said of [text, JSON.stringify([...response.headers])]) {
      expect(said).not.toContain(provider.clientSecret);
      expect(said).not.toMatch(/invalid_grant|error_description|127\.0\.0\.1|invalid_client|a secret of the provider/);
    }
  }

  async function createUser(email: string, idpSub?: string): Promise<string> {
    const owner = await app.createTenant();
    return (await app.createUser(owner.id, { email, role: 'OPERATOR', idpSub })).id;
  }

  /** An account of the provider's that no user is bound to. */
  function newAccount(claims: Record<string, unknown> = {}): string {
    const account = `account-${randomUUID()}`;
    provider.accounts.set(account, claims);
    return account;
  }

  const subjectOf = async (userId: string) =>
    (await app.sql<{ idp_sub: string | null }>('SELECT idp_sub FROM users WHERE id = $1', [userId]))[0]?.idp_sub;

  describe('200', () => {
    test("a code: our token, the user's context, and what the provider gave", async () => {
      const { admin } = tenant;
      const response = await exchange(await provider.authorize(admin.idpSub));
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const body = (await response.json()) as Answer;
      expect(body).toEqual({
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenType: 'Bearer',
        expiresIn: 900,
        user: {
          id: admin.id,
          tenantId: tenant.id,
          accountId: admin.accountId,
          role: 'ADMIN',
          email: `${admin.idpSub}@test.example`,
        },
        idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: expect.any(String),
        scope: 'openid email',
      });
      const authorization = `Bearer ${body.accessToken}`;
      expect((await app.get('/chat/instances', { authorization })).status).toBe(200);
      expect((await app.get('/chat/instances', { authorization: `Bearer ${body.idToken}` })).status).toBe(401);
    });

    test('a refresh token: the one that replaces it works, the old one does not', async () => {
      const first = await signIn(tenant.operator.idpSub);
      const second = (await (await refresh(first.refreshToken)).json()) as Answer;
      expect(second).toMatchObject({ tokenType: 'Bearer', user: { id: tenant.operator.id } });
      expect(second.refreshToken).not.toBe(first.refreshToken);
      expect((await refresh(second.refreshToken)).status).toBe(200);
      await expectGrantInvalid(await refresh(first.refreshToken));
    });

    test('a refresh that brings no ID token: the user is asked for at the userinfo endpoint', async () => {
      const first = await signIn(tenant.operator.idpSub);
      provider.rewriteTokens = (tokens) => leave(tokens, 'id_token', 'refresh_token', 'scope');
      const before = provider.callsOf(userInfoPath);
      const body = await (await refresh(first.refreshToken)).json();
      expect(provider.callsOf(userInfoPath)).toBe(before + 1);
      expect(Object.keys(body as object)).toEqual(['accessToken', 'tokenType', 'expiresIn', 'user']);
      expect(body).toMatchObject({ user: { id: tenant.operator.id } });
    });

    test('a Bearer header that is wrong, and fields that are not asked for, are ignored', async () => {
      const grant = await provider.authorize(tenant.admin.idpSub);
      const headers = { authorization: 'Bearer nonsense', 'x-forwarded-for': '10.9.9.9' };
      expect((await app.post(path, { ...grant, clientId: 'x', refreshToken: null }, headers)).status).toBe(200);
    });

    test('after the keys were rotated, with the old ones gone', async () => {
      provider.rotateKeys({ keepOld: false });
      await signIn(tenant.admin.idpSub);
    });
  });

  describe('a user who was created with an e-mail address only', () => {
    test.each([
      ['the userinfo endpoint says', false],
      ['the ID token says', true],
    ])('is bound at the first sign-in when %s that it is verified', async (_, inIdToken) => {
      const userId = await createUser(`Ana.${randomUUID()}@test.example`);
      const [{ email } = { email: '' }] = await app.sql<{ email: string }>('SELECT email FROM users WHERE id = $1', [
        userId,
      ]);
      const claims = { email: email.toUpperCase(), email_verified: true };
      const account = newAccount(claims);
      if (inIdToken) {
        provider.rewriteTokens = (tokens) => ({
          ...tokens,
          id_token: provider.sign({ sub: account, aud: provider.clientId, ...claims }),
        });
        provider.faults.set(userInfoPath, answer(500));
      }
      expect((await signIn(account)).user.id).toBe(userId);
      expect(await subjectOf(userId)).toBe(account);
    });

    test('stays bound when the address changes at the provider', async () => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email);
      const account = newAccount({ email, email_verified: true });
      await signIn(account);
      provider.accounts.set(account, {});
      expect((await signIn(account)).user.id).toBe(userId);
    });

    test('signs in five times at once: one subject, one user', async () => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email);
      const account = newAccount({ email, email_verified: true });
      const grants = await Promise.all(Array.from({ length: 5 }, () => provider.authorize(account)));
      const responses = await Promise.all(grants.map((grant) => exchange(grant)));
      const bodies = (await Promise.all(responses.map((response) => response.json()))) as Answer[];
      expect(bodies.map((body) => body.user?.id)).toEqual(Array(5).fill(userId));
      expect(await subjectOf(userId)).toBe(account);
    });

    test('two accounts with that address at once: one of them is bound, the other refused', async () => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email);
      const accounts = [newAccount({ email, email_verified: true }), newAccount({ email, email_verified: true })];
      const grants = await Promise.all(accounts.map((account) => provider.authorize(account)));
      const statuses = (await Promise.all(grants.map((grant) => exchange(grant)))).map((response) => response.status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403]);
      expect(await subjectOf(userId)).toBe(accounts[statuses.indexOf(200)]);
    });
  });

  describe('403', () => {
    const refused = async (account: string) =>
      expectProblem(await exchange(await provider.authorize(account)), 'FORBIDDEN');

    test('an identity that nobody has, with and without an address', async () => {
      await refused(newAccount());
      await refused(newAccount({ email: 'nobody@test.example', email_verified: true }));
    });

    test.each<[string, Record<string, unknown>]>([
      ['is not verified', { email_verified: false }],
      ['is said to be verified by nobody', {}],
      ['is verified in some other way', { email_verified: 1 }],
    ])('an address that %s', async (_, claims) => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email);
      await refused(newAccount({ email, ...claims }));
      expect(await subjectOf(userId)).toBeNull();
    });

    test('an address that only folds to that of a user', async () => {
      const userId = await createUser('kim.fold@test.example');
      // U+212A, the Kelvin sign, is `k` in lower case.
      await refused(newAccount({ email: '\u212Aim.fold@test.example', email_verified: true }));
      expect(await subjectOf(userId)).toBeNull();
    });

    test('an address with the wildcards of a pattern', async () => {
      const userId = await createUser(`wild.card.${randomUUID()}@test.example`);
      await refused(newAccount({ email: 'wild.card.%@test.example', email_verified: true }));
      expect(await subjectOf(userId)).toBeNull();
    });

    test('an address that users of two tenants have', async () => {
      const email = `${randomUUID()}@test.example`;
      const userIds = [await createUser(email), await createUser(email.toUpperCase())];
      await refused(newAccount({ email, email_verified: true }));
      for (const userId of userIds) expect(await subjectOf(userId)).toBeNull();
    });

    test('an address of two users, one of whom is bound', async () => {
      const email = `${randomUUID()}@test.example`;
      await createUser(email, `bound-${email}`);
      const unbound = await createUser(email);
      await refused(newAccount({ email, email_verified: true }));
      expect(await subjectOf(unbound)).toBeNull();
    });

    test('an address whose user has another subject', async () => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email, `bound-${email}`);
      await refused(newAccount({ email, email_verified: true }));
      expect(await subjectOf(userId)).toBe(`bound-${email}`);
    });

    test('a user who was deactivated, bound or not', async () => {
      const email = `${randomUUID()}@test.example`;
      const [bound, unbound] = [
        newAccount({ email, email_verified: true }),
        newAccount({ email, email_verified: true }),
      ];
      const userId = await createUser(email, bound);
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [userId]);
      await refused(bound);
      await app.sql('UPDATE users SET idp_sub = NULL WHERE id = $1', [userId]);
      await refused(unbound);
      expect(await subjectOf(userId)).toBeNull();
    });

    test('a subject that is deactivated is not given to another user of its address', async () => {
      const email = `${randomUUID()}@test.example`;
      const account = newAccount({ email, email_verified: true });
      const left = await createUser(email, account);
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [left]);
      const active = await createUser(email);
      await refused(account);
      expect(await subjectOf(active)).toBeNull();
    });

    test('a user who is deactivated between sign-in and refresh', async () => {
      const { operator } = await app.createTenant();
      const { refreshToken } = await signIn(operator.idpSub);
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [operator.id]);
      await expectProblem(await refresh(refreshToken), 'FORBIDDEN');
    });

    test('a userinfo endpoint that speaks of somebody else', async () => {
      const email = `${randomUUID()}@test.example`;
      const userId = await createUser(email);
      provider.faults.set(userInfoPath, answer(200, { sub: 'somebody else', email, email_verified: true }));
      await refused(newAccount());
      expect(await subjectOf(userId)).toBeNull();
    });
  });

  describe('401 GRANT_INVALID', () => {
    test.each<[string, (grant: CodeGrant) => object]>([
      ['a wrong verifier', (grant) => ({ ...grant, codeVerifier: 'w'.repeat(43) })],
      ['a verifier of the wrong form', (grant) => ({ ...grant, codeVerifier: 'short' })],
      ['no verifier', (grant) => leave(grant, 'codeVerifier')],
      ['another redirect URI', (grant) => ({ ...grant, redirectUri: 'https://evil.example/callback' })],
      ['no redirect URI, where the provider needs it', (grant) => leave(grant, 'redirectUri')],
      ['an unknown code', (grant) => ({ ...grant, code: 'unknown' })],
      ['a code with parameters in it', (grant) => ({ ...grant, code: `${grant.code}&client_id=x` })],
    ])('%s', async (_, change) => {
      await expectGrantInvalid(await exchange(change(await provider.authorize(tenant.admin.idpSub))));
    });

    test('a code used twice', async () => {
      const grant = await provider.authorize(tenant.admin.idpSub);
      expect((await exchange(grant)).status).toBe(200);
      await expectGrantInvalid(await exchange(grant));
    });

    test.each([400, 401, 403, 404])('a refusal with %d in which the provider tells secrets', async (status) => {
      const secret = 'a secret of the provider';
      provider.faults.set(tokenPath, (response) => {
        const headers = { 'content-type': 'application/json', 'www-authenticate': `Basic realm="${secret}"` };
        const error = { error: 'invalid_client', error_description: secret, client_secret: provider.clientSecret };
        response.writeHead(status, headers).end(JSON.stringify(error));
      });
      await expectGrantInvalid(await exchange(await provider.authorize(tenant.admin.idpSub)));
      await expectGrantInvalid(await refresh('r'));
    });

    test('an unknown refresh token', async () => {
      await expectGrantInvalid(await refresh('unknown'));
    });

    test('a wrong client secret of ours', async () => {
      const other = await startBeside({ OIDC_CLIENT_SECRET: 'wrong' });
      await expectGrantInvalid(await exchange(await provider.authorize(tenant.admin.idpSub), other));
      await other.stop({ keepDatabase: true });
    });

    test('a refresh whose access token the userinfo endpoint refuses', async () => {
      const { refreshToken } = await signIn(tenant.operator.idpSub);
      provider.rewriteTokens = (tokens) => ({ ...leave(tokens, 'id_token'), access_token: 'unknown' });
      await expectGrantInvalid(await refresh(refreshToken));
    });

    const own = newPair();
    const ownKey = () => headerWithKey(own, `${provider.issuer}${elsewhere}`);
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
    const idToken = (claims: Record<string, unknown> = {}, header = {}, key?: Parameters<OidcServer['sign']>[2]) =>
      provider.sign({ sub: tenant.admin.idpSub, aud: provider.clientId, ...claims }, header, key);

    test('the ID tokens below would hold but for their one fault', async () => {
      provider.rewriteTokens = (tokens) => ({ ...tokens, id_token: idToken() });
      await signIn(tenant.admin.idpSub);
      provider.rewriteTokens = (tokens) => ({
        ...tokens,
        id_token: idToken({ aud: [provider.clientId, 'other'], azp: provider.clientId }),
      });
      await signIn(tenant.admin.idpSub);
    });

    test.each<[string, () => string | undefined]>([
      ['that is missing', () => undefined],
      ['that is none', () => 'nonsense'],
      ['with alg none', () => unsigned({ alg: 'none', kid: provider.keys.kid })],
      ['with alg none and no kid', () => unsigned({ alg: 'none' })],
      ...publicKeyWritings.map(([writing, write]): [string, () => string] => [
        `with HS256 under the provider's public key ${writing}`,
        () => symmetric(write(provider.keys.publicKey)),
      ]),
      [
        "that brings its own key along, under the provider's kid",
        () => idToken({}, { ...ownKey(), kid: provider.keys.kid }, own.privateKey),
      ],
      ['with HS256 under our client secret', () => symmetric(provider.clientSecret)],
      ['with HS256 under our own secret', () => symmetric(jwtSecret)],
      ['of an algorithm that the provider does not declare', () => idToken({}, { alg: 'RS512' })],
      ['of another key under the same kid', () => idToken({}, {}, newPair().privateKey)],
      ['without a kid, of several keys', () => idToken({}, { kid: undefined })],
      ['of a key for another algorithm', () => idToken({}, { kid: 'spare' })],
      ['for another client', () => idToken({ aud: 'other' })],
      ['for several clients without azp', () => idToken({ aud: [provider.clientId, 'other'] })],
      ['for several clients, issued to another', () => idToken({ aud: [provider.clientId, 'other'], azp: 'other' })],
      ['issued to another client', () => idToken({ azp: 'other' })],
      ['without an audience', () => idToken({ aud: undefined })],
      ['of another issuer', () => idToken({ iss: 'https://evil.example' })],
      ['that has expired', () => idToken({ exp: inSeconds(-31) })],
      ['that never expires', () => idToken({ exp: undefined })],
      ['that is not valid yet', () => idToken({ nbf: inSeconds(60) })],
      ['without a subject', () => idToken({ sub: undefined })],
      ['whose subject is a number', () => idToken({ sub: 7 })],
      ['of the type of an access token', () => idToken({}, { typ: 'at+jwt' })],
      ['of the type of a log-out token', () => idToken({}, { typ: 'logout+jwt' })],
      ['of 20,000 characters', () => idToken({ note: 'a'.repeat(20_000) })],
    ])('an ID token %s', async (_, forge) => {
      provider.rewriteTokens = (tokens) => ({ ...tokens, id_token: forge() });
      await expectGrantInvalid(await exchange(await provider.authorize(tenant.admin.idpSub)));
      expect(provider.callsOf(elsewhere)).toBe(0);
    });

    // The provider's keys are fetched for the first such token. They are not fetched again within 5 s, because the set is new enough to
    // judge by.
    test.each<[string, () => string]>([
      ['that brings its own key along', () => idToken({}, ownKey(), own.privateKey)],
      ['of an unknown kid', () => idToken({}, { kid: 'unknown' })],
    ])('an ID token %s', async (_, forge) => {
      const beside = await startBeside();
      try {
        provider.rewriteTokens = (tokens) => ({ ...tokens, id_token: forge() });
        for (let time = 0; time < 3; time += 1)
          await expectGrantInvalid(await exchange(await provider.authorize(tenant.admin.idpSub), beside));
        expect(provider.callsOf(elsewhere)).toBe(0);
      } finally {
        await beside.stop({ keepDatabase: true });
      }
    });

    function unsigned(header: object): string {
      return `${encode(header)}.${idToken().split('.')[1]}.`;
    }

    function symmetric(secret: string | Buffer): string {
      const signed = `${encode({ alg: 'HS256', kid: provider.keys.kid })}.${idToken().split('.')[1]}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    }
  });

  /** A copy without these fields. */
  function leave(values: object, ...names: string[]): Record<string, unknown> {
    return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  }

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  describe('400', () => {
    test.each(['password', 'client_credentials', 'AUTHORIZATION_CODE', '', '__proto__', 'toString'])(
      'the grant type "%s"',
      async (grantType) => {
        await expectProblem(await exchange({ grantType, code: 'c', refreshToken: 'r' }), 'BAD_REQUEST');
      },
    );

    test('a body that is not JSON', async () => {
      await expectProblem(await exchange('grantType=authorization_code'), 'BAD_REQUEST');
    });
  });

  test('415: a form, as at an OAuth token endpoint', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '10.9.9.8' };
    await expectProblem(await app.post(path, 'grantType=refresh_token', headers), 'UNSUPPORTED_MEDIA_TYPE');
  });

  describe('422', () => {
    const code = { grantType: 'authorization_code', code: 'c' };
    test.each<[unknown, string[]]>([
      [{}, ['grantType']],
      [{ grantType: null }, ['grantType']],
      [{ grantType: 7 }, ['grantType']],
      [{ grantType: ['refresh_token'] }, ['grantType']],
      [[], ['']],
      [{ grantType: 'authorization_code' }, ['code']],
      [{ grantType: 'authorization_code', refreshToken: 'r' }, ['code']],
      [{ ...code, code: '' }, ['code']],
      [{ ...code, code: { $ne: '' } }, ['code']],
      [{ ...code, code: 'c'.repeat(8_193) }, ['code']],
      [{ ...code, code: 7, codeVerifier: 7, redirectUri: [] }, ['code', 'codeVerifier', 'redirectUri']],
      [{ grantType: 'refresh_token' }, ['refreshToken']],
      [{ grantType: 'refresh_token', code: 'c' }, ['refreshToken']],
      [{ grantType: 'refresh_token', refreshToken: true }, ['refreshToken']],
    ])('%j', async (body, paths) => {
      await expectProblem(await exchange(body), 'VALIDATION_FAILED', paths);
    });
  });

  describe('429: the 11th call in 60 s of one address', () => {
    const passing = 10;

    async function expectLimited(response: Response): Promise<void> {
      await expectProblem(response, 'RATE_LIMITED');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(response.headers.get('ratelimit-policy')).toMatch(/"auth-token"; q=10; w=60;/);
    }

    /** @param callOf makes a call that is refused for another reason; its number may change the call, but not its address */
    async function expectEleventhLimited(callOf: (number: number) => Promise<Response>): Promise<void> {
      for (let call = 0; call < passing; call += 1) await expectProblem(await callOf(call), 'VALIDATION_FAILED');
      await expectLimited(await callOf(passing));
    }

    test('as it is', async () => {
      await expectEleventhLimited(() => app.post(path, {}, { 'x-forwarded-for': '10.200.0.1' }));
    });

    test('with another X-Forwarded-For each time, where no proxy is trusted', async () => {
      const other = await startBeside({ TRUST_PROXY: undefined });
      await expectEleventhLimited((call) => other.post(path, {}, { 'x-forwarded-for': `10.201.0.${call}` }));
      await other.stop({ keepDatabase: true });
    });

    test('with another address each time before the one that the proxy saw', async () => {
      await expectEleventhLimited((call) => app.post(path, {}, { 'x-forwarded-for': `10.202.0.${call}, 10.200.0.2` }));
    });

    test('however the path is written', async () => {
      const writings = [path, `${path}/`, '/AUTH/Token', `${path}?grant=${randomUUID()}`];
      await expectEleventhLimited((call) =>
        app.post(writings[call % writings.length]!, {}, { 'x-forwarded-for': '10.200.0.3' }),
      );
      for (const writing of writings)
        await expectLimited(await app.post(writing, {}, { 'x-forwarded-for': '10.200.0.3' }));
    });

    test('with a Redis that cannot be reached from the start on', async () => {
      const other = await startBeside({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
      await expectEleventhLimited(() => other.post(path, {}, { 'x-forwarded-for': '10.200.0.4' }));
      await other.stop({ keepDatabase: true });
    });
  });

  describe('503', () => {
    test.each<[string, Record<string, string | undefined>]>([
      [
        'no provider',
        {
          OIDC_ISSUER_URL: undefined,
          OIDC_CLIENT_ID: undefined,
          OIDC_CLIENT_SECRET: undefined,
          OIDC_AUDIENCE: undefined,
        },
      ],
      ['no secret to sign with', { JWT_SECRET: undefined }],
    ])('with %s set up, and wrong bodies still named', async (_, differences) => {
      const other = await startBeside(differences);
      const problem = await expectProblem(
        await exchange({ grantType: 'refresh_token', refreshToken: 'r' }, other),
        'UNAVAILABLE',
      );
      expect(problem.detail).toMatch(/not configured/);
      await expectProblem(await exchange({ grantType: 'refresh_token' }, other), 'VALIDATION_FAILED', ['refreshToken']);
      await other.stop({ keepDatabase: true });
    });

    const faults: [string, Fault][] = [
      ['answers 500', answer(500, { error: 'server_error', error_description: 'a secret of the provider' })],
      ['answers 429', answer(429)],
      ['answers HTML', (response) => response.setHeader('content-type', 'text/html').end('<html>Sign in</html>')],
      ['answers an empty object', answer(200, {})],
      ['answers a list', answer(200, [])],
      ['redirects', (response) => response.writeHead(307, { location: elsewhere }).end()],
      ['hangs up', (response) => response.destroy()],
      ['answers without an end', (response) => flood(response)],
    ];
    const endpoints = [discoveryPath, jwksPath, tokenPath].flatMap((at) =>
      faults.map(([name, fault]) => [at, name, fault] as const),
    );

    test.each(endpoints)('%s %s', async (at, _, fault) => {
      const grant = await provider.authorize(tenant.admin.idpSub);
      provider.faults.set(at, fault);
      // A new process has nothing in memory.
      const other = await startBeside();
      const response = await exchange(grant, other);
      const problem = await expectProblem(response, 'UNAVAILABLE');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(provider.callsOf(elsewhere)).toBe(0);
      expect(JSON.stringify(problem)).not.toMatch(/a secret of the provider|127\.0\.0\.1|evil/);
      if (at !== tokenPath) {
        // The failed call did not spend the code.
        provider.faults.clear();
        expect((await exchange(grant)).status).toBe(200);
      }
      await other.stop({ keepDatabase: true });
    });

    test('a provider that names another issuer', async () => {
      const metadata = (await (await fetch(`${provider.issuer}${discoveryPath}`)).json()) as object;
      provider.faults.set(discoveryPath, answer(200, { ...metadata, issuer: 'https://evil.example' }));
      const other = await startBeside();
      await expectProblem(await exchange(await provider.authorize(tenant.admin.idpSub), other), 'UNAVAILABLE');
      await other.stop({ keepDatabase: true });
    });

    test.each([
      ['token_endpoint', 'not encrypted', 'http://provider.example/'],
      ['token_endpoint', 'no address', 'nowhere'],
      ['jwks_uri', 'not encrypted', 'http://provider.example/'],
      ['jwks_uri', 'no address', 'nowhere'],
    ])('a provider whose %s is %s', async (name, _, endpoint) => {
      const metadata = (await (await fetch(`${provider.issuer}${discoveryPath}`)).json()) as object;
      provider.faults.set(discoveryPath, answer(200, { ...metadata, [name]: endpoint }));
      const other = await startBeside();
      await expectProblem(await exchange(await provider.authorize(tenant.admin.idpSub), other), 'UNAVAILABLE');
      await other.stop({ keepDatabase: true });
    });

    test('a provider that is down, and signs in again once it is back', async () => {
      const grant = await provider.authorize(tenant.admin.idpSub);
      await provider.close();
      await expectProblem(await exchange(grant), 'UNAVAILABLE');
      await provider.open();
      expect((await exchange(grant)).status).toBe(200);
    });
  });

  function answer(status: number, body: unknown = ''): Fault {
    return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function flood(response: Parameters<Fault>[0]): void {
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  }
}
