// The rate limits of the whole application with their defaults: the callers by whom requests are counted, and the form of a 429. Windows,
// Redis and its outages are tested with the limits themselves.

import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { withTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';

const globalLimit = 100;
const devTokenLimit = 30;

export function describeRateLimit(): void {
  let database: TestDatabase;
  let app: TestApp;
  let tenant: TestTenant;

  withTestDatabase((made) => (database = made));

  // Each test starts a process that has counted nothing.
  beforeEach(async () => {
    app = await TestApp.start({ PROCESS_ROLE: 'api', THROTTLE_LIMIT: undefined }, database);
    tenant = await app.createTenant();
  });
  afterEach(() => app.stop({ keepDatabase: true }));

  type Call = () => Promise<Response>;

  async function statusesOf(count: number, call: Call): Promise<number[]> {
    const responses = await Promise.all(Array.from({ length: count }, call));
    return responses.map((response) => response.status);
  }

  async function expectLimited(response: Response): Promise<void> {
    await expectProblem(response, 'RATE_LIMITED');
    const retryAfter = response.headers.get('retry-after');
    expect(retryAfter).toMatch(/^[1-9]\d?$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  }

  /** The number of requests that the global limit leaves to the caller of this one. */
  function remaining(response: Response): number {
    return Number(/"global"; r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  }

  const leads: Call = () => app.post('/public/leads', { chat: '5511988887777' }, withKey(tenant));
  const instances = (user = tenant.operator) => app.get('/chat/instances', withToken(user));
  const anonymous: Call = () => app.get('/chat/instances');

  describe('the global limit', () => {
    test('the leads of a tenant: 100 pass, the 101st is refused', async () => {
      expect((await statusesOf(globalLimit, leads)).filter((status) => status >= 400)).toEqual([]);
      await expectLimited(await leads());
    });

    test('a user: 100 pass, the 101st is refused', async () => {
      expect(await statusesOf(globalLimit, () => instances())).toEqual(Array(globalLimit).fill(200));
      await expectLimited(await instances());
    });

    test('an address: 100 pass, the 101st is refused', async () => {
      const before = remaining(await anonymous());
      expect(await statusesOf(before, anonymous)).toEqual(Array(before).fill(401));
      await expectLimited(await anonymous());
    });

    test('one caller at the limit takes nothing from the others', async () => {
      const other = await app.createTenant();
      await statusesOf(globalLimit + 1, leads);
      await expectLimited(await leads());
      expect((await app.post('/public/leads', { chat: '5511988887777' }, withKey(other))).status).toBe(201);
      expect((await instances(tenant.operator)).status).toBe(200);
      expect((await instances(tenant.admin)).status).toBe(200);
      expect((await anonymous()).status).toBe(401);
    });

    test('two users of one tenant are counted each for themselves', async () => {
      await statusesOf(globalLimit + 1, () => instances(tenant.operator));
      await expectLimited(await instances(tenant.operator));
      expect(remaining(await instances(tenant.admin))).toBe(globalLimit - 1);
    });

    test.each([
      ['an unknown key', { 'x-tenant-key': `lw_${'E'.repeat(43)}` }],
      ['a wrong token', { authorization: 'Bearer nonsense' }],
      ['a forged X-Forwarded-For', { 'x-forwarded-for': '203.0.113.7' }],
    ])('%s is counted for the address', async (_, headers) => {
      const before = remaining(await anonymous());
      expect(remaining(await app.get('/chat/instances', headers))).toBe(before - 1);
      await statusesOf(before - 1, () => app.get('/chat/instances', headers));
      await expectLimited(await app.get('/chat/instances', headers));
      await expectLimited(await anonymous());
    });

    test('every answer says what is left, and a refusal too', async () => {
      const first = await leads();
      expect(first.headers.get('ratelimit')).toMatch(/^"global"; r=99; t=\d+$/);
      expect(first.headers.get('ratelimit-policy')).toMatch(/^"global"; q=100; w=60; pk=:[\w+/]+=*:$/);
      expect(first.headers.get('retry-after')).toBeNull();
      expect(remaining(await leads())).toBe(98);
      await statusesOf(globalLimit - 2, leads);
      const refused = await leads();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('ratelimit')).toMatch(/^"global"; r=0; t=\d+$/);
      expect(refused.headers.get('ratelimit-policy')).toMatch(/^"global"; q=100; w=60; pk=:[\w+/]+=*:$/);
    });

    test('a refused call has no effect', async () => {
      await statusesOf(globalLimit, leads);
      await expectLimited(await app.post('/public/leads', { chat: '14155550100' }, withKey(tenant)));
      expect(await app.sql('SELECT chat FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([
        { chat: '5511988887777' },
      ]);
    });

    test('GraphQL is counted with REST, and refuses in its own shape', async () => {
      const graphql = () => app.post('/graphql', { query: '{ me { id } }' }, withToken(tenant.operator));
      await statusesOf(globalLimit - 1, () => instances());
      expect((await graphql()).status).toBe(200);
      const refused = await graphql();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
      await expectLimited(await instances());
    });

    test('health is not limited', async () => {
      await statusesOf(globalLimit + 1, anonymous);
      await expectLimited(await anonymous());
      expect((await app.get('/health/live')).status).toBe(200);
      expect((await app.get('/health/ready')).status).toBe(200);
    });
  });

  describe('POST /auth/dev/token', () => {
    const signIn: Call = () => app.post('/auth/dev/token', { idpSub: tenant.admin.idpSub });

    test('30 pass, the 31st is refused', async () => {
      expect(await statusesOf(devTokenLimit, signIn)).toEqual(Array(devTokenLimit).fill(200));
      const refused = await signIn();
      await expectLimited(refused);
      expect(refused.headers.get('ratelimit-policy')).toMatch(/"dev-token"; q=30; w=60/);
    });

    test('what was refused for other reasons counts too, whatever caller it names', async () => {
      let nr = 0;
      const guess: Call = () => app.post('/auth/dev/token', { idpSub: `guess ${(nr += 1)}` });
      expect(await statusesOf(devTokenLimit, guess)).toEqual(Array(devTokenLimit).fill(403));
      await expectLimited(await guess());
      await expectLimited(await signIn());
    });

    test('a token or a key opens no bucket of its own', async () => {
      await statusesOf(devTokenLimit, signIn);
      await expectLimited(await app.post('/auth/dev/token', { idpSub: 'x' }, withToken(tenant.admin)));
      await expectLimited(await app.post('/auth/dev/token', { idpSub: 'x' }, withKey(tenant)));
    });

    test('other routes are not held back by it', async () => {
      await statusesOf(devTokenLimit + 1, signIn);
      await expectLimited(await signIn());
      expect((await anonymous()).status).toBe(401);
    });
  });
}
