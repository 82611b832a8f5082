// GET /auth/config: the data that a browser needs to sign in. How long the provider's discovery is remembered is in test/features/auth.

import { discoveryPath, OidcServer } from '../support/oidc-server.js';
import { jwtSecret, TestApp, type TestEnvironment } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';

const path = '/auth/config';
const withoutProvider = { issuer: null, authorizationEndpoint: null, clientId: null, scopes: [] };

export function describeAuthConfig(): void {
  let database: TestDatabase;
  let provider: OidcServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await OidcServer.start();
  });
  afterEach(() => provider.faults.clear());
  afterAll(async () => {
    await provider.close();
    await database.drop();
  });

  async function withApp(environment: TestEnvironment, work: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await TestApp.start({ PROCESS_ROLE: 'api', ...environment }, database);
    try {
      await work(app);
    } finally {
      await app.stop({ keepDatabase: true });
    }
  }

  const read = async (app: TestApp, headers: Record<string, string> = {}) => {
    const response = await app.get(path, headers);
    return { status: response.status, body: await response.json() };
  };

  const ofProvider = () => ({
    issuer: provider.issuer,
    authorizationEndpoint: `${provider.issuer}/auth`,
    clientId: provider.clientId,
    scopes: ['openid', 'email'],
    devSignIn: true,
  });

  describe('200', () => {
    test.each<[string, TestEnvironment, boolean]>([
      ['in the test environment', {}, true],
      ['in development', { NODE_ENV: 'development' }, true],
      ['in production', { NODE_ENV: 'production', JWT_SECRET: jwtSecret }, false],
      ['without JWT_SECRET', { JWT_SECRET: undefined }, false],
    ])('without a provider, %s', (_, environment, devSignIn) =>
      withApp(environment, async (app) => {
        expect(await read(app)).toEqual({ status: 200, body: { ...withoutProvider, devSignIn } });
      }),
    );

    test('a sign-in without a provider may be repeated later, and is no outage', () =>
      withApp({}, async (app) => {
        const grant = { grantType: 'refresh_token', refreshToken: 'x' };
        const refused = await app.post('/auth/token', grant);
        await expectProblem(refused, 'UNAVAILABLE');
        expect(refused.headers.get('retry-after')).toBe('600');
        expect((await app.get('/health/ready')).status).toBe(200);
      }));

    test('a provider without JWT_SECRET, with which nobody can sign in', () =>
      withApp({ ...provider.environment, JWT_SECRET: undefined }, async (app) => {
        expect(await read(app)).toEqual({ status: 200, body: { ...withoutProvider, devSignIn: false } });
      }));

    test('the provider, for everybody, to be kept for a minute, without the client’s secret', () =>
      withApp(provider.environment, async (app) => {
        const response = await app.get(path);
        const text = await response.text();
        expect([response.status, JSON.parse(text)]).toEqual([200, ofProvider()]);
        expect(text).not.toContain(provider.clientSecret);
        expect(response.headers.get('cache-control')).toBe('public, max-age=60');
        expect(response.headers.get('vary')).toContain('Origin');
      }));

    test('the scopes of OIDC_SCOPES, each once', () =>
      withApp({ ...provider.environment, OIDC_SCOPES: ' openid  email offline_access openid' }, async (app) => {
        expect((await read(app)).body).toMatchObject({ scopes: ['openid', 'email', 'offline_access'] });
      }));

    test('a credential sent along is ignored, a wrong one too', () =>
      withApp({ FAILED_AUTH_LIMIT: '1' }, async (app) => {
        const wrong = { authorization: 'Bearer nonsense', 'x-tenant-key': 'lw_nonsense' };
        for (let count = 0; count < 3; count += 1) expect((await read(app, wrong)).status).toBe(200);
      }));

    test.each([
      ['http://id.example/authorize', null],
      ['no address', null],
      [7, null],
      [undefined, null],
      ['https://id.example/authorize?policy=leads', 'https://id.example/authorize?policy=leads'],
    ])('where the provider names %s as its endpoint, %s is told, and sign-in goes on', async (named, told) => {
      const document = (await (await fetch(`${provider.issuer}${discoveryPath}`)).json()) as object;
      const changed = JSON.stringify({ ...document, authorization_endpoint: named });
      provider.faults.set(discoveryPath, (response) => response.end(changed));
      await withApp(provider.environment, async (app) => {
        expect((await read(app)).body).toEqual({ ...ofProvider(), authorizationEndpoint: told });
        const { admin } = await app.createTenant();
        expect((await app.post('/auth/token', await provider.authorize(admin.idpSub))).status).toBe(200);
      });
    });

    test('many calls at a time ask the provider once, also while it is away', async () => {
      const away = await OidcServer.start();
      await withApp(away.environment, async (app) => {
        const calls = await Promise.all(Array.from({ length: 50 }, () => read(app)));
        expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
        expect(away.callsOf(discoveryPath)).toBe(1);
        await away.close();
        expect((await read(app)).status).toBe(200);
      });
    });
  });

  describe('429', () => {
    test('counted by address, as other calls without a user', () =>
      withApp({ THROTTLE_LIMIT: '2' }, async (app) => {
        for (let count = 0; count < 2; count += 1) {
          const response = await app.get(path);
          expect([response.status, response.headers.get('ratelimit')]).toEqual([200, expect.stringContaining('r=')]);
        }
        await expectProblem(await app.get(path), 'RATE_LIMITED');
      }));
  });

  describe('503', () => {
    test('a provider that was never reached, which is asked no more often than once in 5 s', async () => {
      provider.faults.set(discoveryPath, (response) => response.writeHead(500).end());
      const before = provider.callsOf(discoveryPath);
      await withApp(provider.environment, async (app) => {
        const startedAtMs = performance.now();
        for (let round = 0; round < 3; round += 1) {
          for (const response of await Promise.all(Array.from({ length: 20 }, () => app.get(path)))) {
            expect([response.headers.get('retry-after'), response.headers.get('cache-control')]).toEqual([
              '5',
              'no-store',
            ]);
            await expectProblem(response, 'UNAVAILABLE');
          }
        }
        const windows = Math.ceil((performance.now() - startedAtMs) / 5_000);
        expect(provider.callsOf(discoveryPath) - before).toBeLessThanOrEqual(windows + 1);
      });
    });
  });

  describe('404', () => {
    test('of a worker', () =>
      withApp({ PROCESS_ROLE: 'worker' }, async (app) => {
        await expectProblem(await app.get(path), 'NOT_FOUND');
      }));
  });

  test('405 by another method', () =>
    withApp({}, async (app) => {
      const answer = await app.post(path, {});
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }));
}
