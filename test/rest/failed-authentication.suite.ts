// Guessing over the wire: how many wrong credentials are answered as such, who still passes, and that no answer tells whether
// a tenant, a user or a key exists. Counting, windows and Redis are in test/transport/failed-authentication.suite.ts.

import { randomBytes } from 'node:crypto';
import { jest } from '../support/jest.js';
import jwt from 'jsonwebtoken';
import {
  TestApp,
  jwtSecret,
  withKey,
  withToken,
  type TestEnvironment,
  type TestTenant,
  type TestUser,
} from '../support/test-app.js';
import { withTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';

const limit = 20;

export function describeFailedAuthentication(): void {
  let database: TestDatabase;
  let app: TestApp;
  let tenant: TestTenant;

  withTestDatabase((made) => (database = made));

  /** Starts a process that has counted nothing, with the default limit of failures unless told. */
  async function start(environment: TestEnvironment = {}): Promise<void> {
    app = await TestApp.start({ PROCESS_ROLE: 'api', FAILED_AUTH_LIMIT: undefined, ...environment }, database);
    tenant = await app.createTenant();
  }

  afterEach(async () => {
    jest.restoreAllMocks();
    await app.stop({ keepDatabase: true });
  });

  type Headers = Record<string, string>;

  const lead = { chat: '5511988887777' };
  const wrongKey = (): Headers => ({ 'x-tenant-key': `lw_${randomBytes(32).toString('base64url')}` });
  const wrongToken = (): Headers => ({ authorization: `Bearer ${randomBytes(32).toString('base64url')}` });
  const postLead = (headers: Headers) => app.post('/public/leads', lead, headers);
  const getInstances = (headers: Headers) => app.get('/chat/instances', headers);

  async function statusesOf(count: number, call: () => Promise<Response>): Promise<number[]> {
    const statuses: number[] = [];
    for (let nr = 0; nr < count; nr += 1) statuses.push((await call()).status);
    return statuses;
  }

  const times = (count: number, status: number) => Array<number>(count).fill(status);

  /** Uses up the failures of one address, and one more. */
  async function exhaust(headers: Headers = {}): Promise<void> {
    const guess = () => postLead({ ...headers, ...wrongKey() });
    expect(await statusesOf(limit + 1, guess)).toEqual([...times(limit, 401), 429]);
  }

  async function expectLimited(response: Response, name = 'failed-auth-address'): Promise<void> {
    const { headers } = response;
    const problem = await expectProblem(response, 'RATE_LIMITED');
    const retryAfter = headers.get('retry-after');
    expect(retryAfter).toMatch(/^[1-9]\d?$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit')).toBe(`"${name}"; r=0; t=${retryAfter}`);
    expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${name}"; q=${limit}; w=60; pk=:[\\w+/=]+:$`));
    expect(problem.detail).toBe(`Too many failed authentications: try again in ${retryAfter} s`);
  }

  /** The status, the headers except the date, and the body of an answer to a request of this id. */
  async function exactly(call: (headers: Headers) => Promise<Response>): Promise<unknown> {
    const response = await call({ 'x-request-id': 'same' });
    const passing = /^(date|ratelimit)$/;
    const headers = [...response.headers].filter(([name]) => !passing.test(name));
    return { status: response.status, headers, body: await response.text() };
  }

  /** Gives the tenant another key. @returns the key before */
  async function rotate({ id, apiKey, admin }: TestTenant): Promise<string> {
    const query = 'mutation ($id: ID!) { rotateTenantApiKey(id: $id) { id } }';
    const response = await app.post('/graphql', { query, variables: { id } }, withToken(admin));
    expect(await response.json()).toEqual({ data: { rotateTenantApiKey: { id } } });
    return apiKey;
  }

  /** A deactivated tenant. This process has seen its key pass (`isFamiliar`), or has never seen it. */
  async function deactivated(isFamiliar: boolean): Promise<TestTenant> {
    const off = await app.createTenant();
    if (isFamiliar) expect((await postLead(withKey(off))).status).toBe(201);
    await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [off.id]);
    if (isFamiliar) await untilRefused(off);
    return off;
  }

  // A process may let a key pass for 3 s after it last read it.
  async function untilRefused(off: TestTenant): Promise<void> {
    const deadline = Date.now() + 60_000;
    while ((await postLead(withKey(off))).status !== 401) {
      if (Date.now() > deadline) throw new Error('the key of a deactivated tenant still passes');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  function signed(user: TestUser, claims: object): string {
    const payload = { ...jwt.decode(user.token, { json: true }), ...claims };
    return jwt.sign(payload, jwtSecret, { algorithm: 'HS256', header: { alg: 'HS256', typ: 'at+jwt' } });
  }

  describe('one address', () => {
    beforeEach(() => start());

    test.each<[string, () => Promise<Response>]>([
      ['unknown keys', () => postLead(wrongKey())],
      ['malformed keys', () => postLead({ 'x-tenant-key': randomBytes(4).toString('hex') })],
      ['forged tokens', () => getInstances(wrongToken())],
    ])('%s: 20 are answered 401, the 21st 429', async (_, call) => {
      expect(await statusesOf(limit, call)).toEqual(times(limit, 401));
      await expectLimited(await call());
      await expectLimited(await call());
    });

    test('tokens of ours that have expired are no guesses: a caller with one is told to sign in again', async () => {
      const expired = () => getInstances({ authorization: `Bearer ${signed(tenant.admin, { exp: 1 })}` });
      expect(await statusesOf(2 * limit, expired)).toEqual(times(2 * limit, 401));
      await exhaust();
      await expectProblem(await expired(), 'UNAUTHENTICATED');
    });

    test('keys and tokens are counted together, on every route', async () => {
      const half = limit / 2;
      expect(await statusesOf(half, () => postLead(wrongKey()))).toEqual(times(half, 401));
      expect(await statusesOf(half, () => getInstances(wrongToken()))).toEqual(times(half, 401));
      await expectLimited(await getInstances(wrongToken()));
      await expectLimited(await app.post('/webhooks/chat/gateway/inbound', {}, wrongKey()));
      await expectLimited(await app.get('/no/such/path', wrongKey()));
    });

    test('GraphQL refuses in its own shape', async () => {
      await exhaust();
      const refused = await app.post('/graphql', { query: '{ me { id } }' }, wrongToken());
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(refused.headers.get('ratelimit')).toMatch(/^"failed-auth-address"; r=0/);
      expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
    });

    test('guesses at once: 20 are answered 401, all others 429', async () => {
      const answers = await Promise.all(Array.from({ length: 80 }, () => postLead(wrongKey())));
      const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([countOf(401), countOf(429)]).toEqual([limit, 60]);
    });

    test('a limited guess costs no look-up', async () => {
      await exhaust();
      const lookUp = jest.spyOn(app.app.services.auth, 'findByApiKey');
      await expectLimited(await postLead(wrongKey()));
      expect(lookUp).not.toHaveBeenCalled();
    });

    test('what is no credential is no failure', async () => {
      const noCredentials: Headers[] = [{}, { 'x-tenant-key': '' }, { authorization: 'Basic dTpw' }];
      for (const headers of noCredentials) {
        expect(await statusesOf(limit, () => postLead(headers))).toEqual(times(limit, 401));
      }
      await exhaust();
      await expectProblem(await postLead({}), 'UNAUTHENTICATED');
    });

    test('what succeeds, or fails for another reason, is no failure', async () => {
      await statusesOf(limit, () => postLead(withKey(tenant)));
      await statusesOf(limit, () => app.get(`/tenants/${tenant.id}`, withToken(tenant.operator)));
      await statusesOf(limit, () => app.post('/public/leads', {}, withKey(tenant)));
      await exhaust();
    });

    test('a look-up that fails is no failure of the caller', async () => {
      await app.sql('ALTER TABLE tenant_api_keys RENAME TO keys_away');
      expect(await statusesOf(limit + 5, () => postLead(wrongKey()))).toEqual(times(limit + 5, 500));
      await app.sql('ALTER TABLE keys_away RENAME TO tenant_api_keys');
      await exhaust();
    });
  });

  describe('two credentials on one request are judged each by itself', () => {
    beforeEach(() => start());

    test('a wrong key beside a valid token: the 21st is refused', async () => {
      const call = () => app.get('/no/such/path', { ...withToken(tenant.admin), ...wrongKey() });
      expect(await statusesOf(limit, call)).toEqual(times(limit, 404));
      await expectLimited(await call());
    });

    test('a wrong token beside a good key is counted, and keeps nobody from what takes keys', async () => {
      const call = () => app.get('/no/such/path', { ...withKey(tenant), ...wrongToken() });
      expect(await statusesOf(2 * limit, call)).toEqual(times(2 * limit, 404));
      await expectLimited(await getInstances(wrongToken()));
    });

    test('both wrong count twice', async () => {
      const call = () => getInstances({ ...wrongKey(), ...wrongToken() });
      expect(await statusesOf(limit / 2, call)).toEqual(times(limit / 2, 401));
      await expectLimited(await call());
    });
  });

  describe('from a limited address', () => {
    beforeEach(() => start());

    test('a key that passed here before passes still', async () => {
      expect((await postLead(withKey(tenant))).status).toBe(201);
      await exhaust();
      expect((await postLead(withKey(tenant))).status).toBe(200);
    });

    test('a valid token passes, seen before or not', async () => {
      expect((await getInstances(withToken(tenant.admin))).status).toBe(200);
      await exhaust();
      expect((await getInstances(withToken(tenant.admin))).status).toBe(200);
      expect((await getInstances(withToken(tenant.operator))).status).toBe(200);
      const me = await app.post('/graphql', { query: '{ me { id } }' }, withToken(tenant.operator));
      expect(await me.json()).toEqual({ data: { me: { id: tenant.operator.id } } });
    });

    test('health answers', async () => {
      await exhaust();
      expect((await app.get('/health/live', wrongKey())).status).toBe(200);
      expect((await app.get('/health/ready', wrongKey())).status).toBe(200);
    });

    test('a key that was not seen here before gets the answer of an unknown one', async () => {
      const rotated = await rotate(await app.createTenant());
      const off = await deactivated(false);
      await exhaust();
      const bodies = new Set<string>();
      for (const key of [tenant.apiKey, rotated, off.apiKey, 'malformed', `lw_${'E'.repeat(43)}`]) {
        const response = await postLead({ 'x-tenant-key': key, 'x-request-id': 'same' });
        expect(response.status).toBe(429);
        bodies.add((await response.text()).replace(/in \d+ s/, 'in N s'));
      }
      expect(bodies.size).toBe(1);
    });
  });

  describe('what a 401 tells', () => {
    const keyRoutes = [
      '/public/leads',
      '/webhooks/leads',
      '/webhooks/chat/gateway/inbound',
      '/webhooks/chat/gateway/status',
    ];
    // The limit is higher, because the cases fail more often than one address may.
    beforeEach(() => start({ FAILED_AUTH_LIMIT: '1000000' }));

    test('the same for every key that is not good, and another sentence for none', async () => {
      const familiar = await app.createTenant();
      expect((await postLead(withKey(familiar))).status).toBe(201);
      const keys = {
        malformed: 'malformed',
        'rotated, seen before': await rotate(familiar),
        'rotated, not seen before': await rotate(await app.createTenant()),
        'of a deactivated tenant, seen before': (await deactivated(true)).apiKey,
        'of a deactivated tenant, not seen before': (await deactivated(false)).apiKey,
      };
      for (const path of keyRoutes) {
        const answerTo = (headers: Headers) => exactly((id) => app.post(path, lead, { ...id, ...headers }));
        const expected = await answerTo(wrongKey());
        expect(expected).toMatchObject({ status: 401, body: expect.stringContaining('"UNAUTHENTICATED"') });
        const withoutKey = await answerTo({});
        expect(withoutKey).toMatchObject({ status: 401, body: expect.stringContaining('x-tenant-key is missing') });
        expect([path, await answerTo({ 'x-tenant-key': '' })]).toEqual([path, withoutKey]);
        for (const [name, key] of Object.entries(keys)) {
          expect([path, name, await answerTo({ 'x-tenant-key': key })]).toEqual([path, name, expected]);
        }
      }
    });

    test.each<[string, (headers: Headers) => Promise<Response>]>([
      ['GET /chat/instances', (headers) => app.get('/chat/instances', headers)],
      ['GET /tenants/:id', (headers) => app.get(`/tenants/${tenant.id}`, headers)],
      ['POST /graphql', (headers) => app.post('/graphql', { query: '{ leads { edges { cursor } } }' }, headers)],
    ])('%s: the same for every token that is not good, but that a genuine one has expired', async (_, call) => {
      const gone = await app.createTenant();
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [gone.operator.id]);
      const off = await deactivated(false);
      const tokens = {
        'of a user who does not exist': signed(tenant.admin, { sub: '019a0000-0000-7000-8000-000000000000' }),
        'of a tenant that does not exist': signed(tenant.admin, { tid: '019a0000-0000-7000-8000-000000000000' }),
        'of a user who was deactivated': gone.operator.token,
        'of a deactivated tenant': off.admin.token,
      };
      const expected = await exactly((id) => call({ ...id, ...wrongToken() }));
      expect(expected).toMatchObject({ body: expect.stringContaining('"UNAUTHENTICATED"') });
      const expired = await exactly((id) =>
        call({ ...id, authorization: `Bearer ${signed(tenant.admin, { exp: 1 })}` }),
      );
      expect(JSON.stringify(expired)).toContain('The access token has expired');
      for (const [name, token] of Object.entries(tokens)) {
        const answer = await exactly((id) => call({ ...id, authorization: `Bearer ${token}` }));
        expect([name, answer]).toEqual([name, expected]);
      }
    });
  });

  describe('X-Forwarded-For', () => {
    const from = (address: string): Headers => ({ 'x-forwarded-for': address });

    test('opens no bucket of its own when no proxy is trusted', async () => {
      await start();
      let nr = 0;
      const spoofed = () => postLead({ ...from(`203.0.113.${(nr += 1)}`), ...wrongKey() });
      expect(await statusesOf(limit, spoofed)).toEqual(times(limit, 401));
      await expectLimited(await spoofed());
      await expectLimited(await postLead(wrongKey()));
    });

    test('tells the callers of a trusted proxy apart', async () => {
      await start({ TRUST_PROXY: '1' });
      await exhaust(from('203.0.113.1'));
      await expectLimited(await postLead({ ...from('203.0.113.1'), ...wrongKey() }));
      // The proxy adds the caller's address behind the addresses that the caller wrote.
      await expectLimited(await postLead({ ...from('203.0.113.2, 203.0.113.1'), ...wrongKey() }));
      await expectProblem(await postLead({ ...from('203.0.113.2'), ...wrongKey() }), 'UNAUTHENTICATED');
      expect((await postLead({ ...from('203.0.113.2'), ...withKey(tenant) })).status).toBe(201);
    });

    test('one guess is limited wherever it comes from', async () => {
      await start({ TRUST_PROXY: '1' });
      const guess = wrongKey();
      let nr = 0;
      const spread = () => postLead({ ...from(`203.0.113.${(nr += 1)}`), ...guess });
      expect(await statusesOf(limit, spread)).toEqual(times(limit, 401));
      await expectLimited(await spread(), 'failed-auth-guess');
      await expectProblem(await postLead({ ...from('203.0.113.99'), ...wrongKey() }), 'UNAUTHENTICATED');
    });
  });

  describe('signing in', () => {
    beforeEach(() => start());

    const stale = (): Headers => ({ authorization: `Bearer ${signed(tenant.admin, { exp: 1 })}` });
    const signIn = (headers: Headers, path = '/auth/dev/token') =>
      app.post(path, { idpSub: tenant.admin.idpSub }, headers);

    test('a stale token in the header is ignored, and not counted', async () => {
      expect(await statusesOf(limit + 1, () => signIn(stale()))).toEqual(times(limit + 1, 200));
      expect((await signIn(stale(), '/auth/dev/token/')).status).toBe(200);
      expect((await signIn(stale(), '/AUTH/dev/token')).status).toBe(200);
      await exhaust();
      expect((await signIn({ ...stale(), ...wrongKey() })).status).toBe(200);
    });

    test('POST /auth/token: a stale token in the header is neither refused nor counted', async () => {
      await exhaust();
      const body = { grantType: 'refresh_token', refreshToken: 'r' };
      await expectProblem(await app.post('/auth/token', body, { ...stale(), ...wrongKey() }), 'UNAVAILABLE');
    });

    test('a key that is sent along is not tried: no answer tells a good one from a guess', async () => {
      const answers = [];
      for (const headers of [withKey(tenant), wrongKey(), {}]) {
        const response = await app.post('/auth/dev/token', { idpSub: 'x' }, headers);
        answers.push([response.status, response.headers.get('ratelimit-policy')]);
      }
      expect(answers[0]).toEqual([403, expect.stringContaining('"global"')]);
      expect(new Set(answers.map(String)).size).toBe(1);
    });
  });

  test('FAILED_AUTH_LIMIT sets the limit', async () => {
    await start({ FAILED_AUTH_LIMIT: '2' });
    expect(await statusesOf(3, () => postLead(wrongKey()))).toEqual([401, 401, 429]);
  });
}
