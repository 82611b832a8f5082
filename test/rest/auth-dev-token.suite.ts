// POST /auth/dev/token. Its rate limit is in rate-limit.suite.ts, the use of a token in bearer-token.suite.ts.

import { TestApp, jwtSecret, withToken, type TestEnvironment } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';

const path = '/auth/dev/token';

export function describeAuthDevToken(): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const start = (environment: TestEnvironment = {}) => TestApp.start({ PROCESS_ROLE: 'api', ...environment }, database);

  describe('in the test environment, with JWT_SECRET', () => {
    let app: TestApp;

    // Each test starts on a fresh count of the route's 30 calls in 60 s.
    beforeEach(async () => {
      app = await start();
    });
    afterEach(() => app.stop({ keepDatabase: true }));

    describe('200', () => {
      test.each([
        ['ADMIN', 'admin'],
        ['OPERATOR', 'operator'],
      ] as const)('a token and the context of an %s', async (role, which) => {
        const tenant = await app.createTenant();
        const user = tenant[which];
        const response = await app.post(path, { idpSub: user.idpSub });
        expect(response.status).toBe(200);
        expect(response.headers.get('cache-control')).toBe('no-store');
        const body = (await response.json()) as { accessToken: string };
        expect(body).toEqual({
          accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          tokenType: 'Bearer',
          expiresIn: 900,
          user: {
            id: user.id,
            tenantId: tenant.id,
            accountId: user.accountId,
            role,
            email: `${user.idpSub}@test.example`,
          },
        });
        expect((await app.get('/chat/instances', withToken({ ...user, token: body.accessToken }))).status).toBe(200);
      });

      test('a Bearer header that is wrong is ignored', async () => {
        const { admin } = await app.createTenant();
        expect((await app.post(path, { idpSub: admin.idpSub }, { authorization: 'Bearer nonsense' })).status).toBe(200);
      });
    });

    describe('403', () => {
      test('an identity that nobody has', async () => {
        await expectProblem(await app.post(path, { idpSub: 'nobody' }), 'FORBIDDEN');
      });

      test('a user who was deactivated', async () => {
        const { operator } = await app.createTenant();
        await app.sql('UPDATE users SET is_active = false WHERE id = $1', [operator.id]);
        await expectProblem(await app.post(path, { idpSub: operator.idpSub }), 'FORBIDDEN');
      });
    });

    describe('422', () => {
      test('each wrong body', async () => {
        const wrong: [object, string[]][] = [
          [{}, ['idpSub']],
          [{ idpSub: null }, ['idpSub']],
          [{ idpSub: '' }, ['idpSub']],
          [{ idpSub: ' ' }, ['idpSub']],
          [{ idpSub: 7 }, ['idpSub']],
          [{ idpSub: ['a'] }, ['idpSub']],
          [{ idpSub: 'a'.repeat(256) }, ['idpSub']],
        ];
        for (const [body, paths] of wrong) await expectProblem(await app.post(path, body), 'VALIDATION_FAILED', paths);
      });
    });
  });

  describe('expiresIn', () => {
    test('is JWT_TTL_SECONDS', async () => {
      const app = await start({ JWT_TTL_SECONDS: '120' });
      const { admin } = await app.createTenant();
      expect(await (await app.post(path, { idpSub: admin.idpSub })).json()).toMatchObject({ expiresIn: 120 });
      await app.stop({ keepDatabase: true });
    });
  });

  describe('404', () => {
    test.each<[string, TestEnvironment]>([
      ['in production', { NODE_ENV: 'production', JWT_SECRET: jwtSecret }],
      ['with NODE_ENV unset', { NODE_ENV: undefined, JWT_SECRET: jwtSecret }],
      ['with NODE_ENV empty', { NODE_ENV: '', JWT_SECRET: jwtSecret }],
      ['without JWT_SECRET', { JWT_SECRET: undefined }],
      ['with JWT_SECRET empty', { JWT_SECRET: '' }],
    ])('%s, however it is asked, as on a path that there is not', async (_, environment) => {
      const app = await start(environment);
      const { admin } = await app.createTenant();
      const unknown = await expectProblem(await app.post('/auth/dev/tokens', { idpSub: admin.idpSub }), 'NOT_FOUND');
      for (const body of [{ idpSub: admin.idpSub }, { idpSub: 'nobody' }, {}]) {
        for (const writing of [path, `${path}/`, path.toUpperCase(), `${path}?idpSub=${admin.idpSub}`]) {
          const problem = await expectProblem(await app.post(writing, body), 'NOT_FOUND');
          expect({ ...problem, requestId: '' }).toEqual({ ...unknown, requestId: '' });
        }
      }
      await app.stop({ keepDatabase: true });
    });

    test('development is not production', async () => {
      const app = await start({ NODE_ENV: 'development' });
      const { admin } = await app.createTenant();
      expect((await app.post(path, { idpSub: admin.idpSub })).status).toBe(200);
      await app.stop({ keepDatabase: true });
    });
  });
}
