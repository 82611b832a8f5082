// GET /health/live and /health/ready, and the answers to callers while the database is away.

import { readFileSync } from 'node:fs';
import { until } from '../features/messages/sending-harness.js';
import { createTestDatabase, runOnServer } from '../support/test-database.js';
import { TestApp, withKey, withToken } from '../support/test-app.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { expectProblem } from './problem.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export function describeHealth(): void {
  describe('200', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start({ THROTTLE_LIMIT: '1' });
    });
    afterAll(() => app.stop());

    test.each(['/health/live', '/health/ready'])('%s needs nothing, and is not rate limited', async (path) => {
      for (let i = 0; i < 10; i += 1) {
        const response = await app.get(path);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({ status: 'ok', ...(path === '/health/live' && { version }) });
        expect(response.headers.get('ratelimit')).toBeNull();
      }
    });

    test.each(['/health/live', '/health/ready'])('%s does not look at credentials', async (path) => {
      expect((await app.get(path, { authorization: 'Bearer nonsense', 'x-tenant-key': 'nonsense' })).status).toBe(200);
    });

    test.each(['PROCESS_ROLE=api', 'PROCESS_ROLE=worker'])('a process with %s answers too', async (variable) => {
      const [name = '', role] = variable.split('=');
      const process = await TestApp.start({ [name]: role }, app.database);
      expect((await process.get('/health/live')).status).toBe(200);
      expect((await process.get('/health/ready')).status).toBe(200);
      await process.stop({ keepDatabase: true });
    });
  });

  describe('503', () => {
    test('while the database takes no changes, as a primary that has lost its role, callers may retry', async () => {
      const database = await createTestDatabase();
      const name = new URL(database.url).pathname.slice(1);
      const setTo = (mode: string) =>
        runOnServer(process.env['LEADWIRE_TEST_SERVER_URL'] ?? '', [
          `ALTER DATABASE ${name} SET default_transaction_read_only = ${mode}`,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
        ]);
      const app = await TestApp.start({}, database);
      const tenant = await app.createTenant();
      const lead = (chat: string) => app.post('/public/leads', { chat }, withKey(tenant));
      const ready = async () => (await app.get('/health/ready')).status;
      expect((await lead('5511988887777')).status).toBe(201);

      await setTo('on');
      await until(ready, (status) => status === 503);
      const refused = await lead('5511988887778');
      await expectProblem(refused, 'UNAVAILABLE');
      expect(refused.headers.get('retry-after')).toBe('1');
      const operate = (query: string) => app.post('/graphql', { query }, withToken(tenant.admin));
      const changed = await operate(
        `mutation { updateTenant(id: "${tenant.id}", input: { pushesText: true }) { id } }`,
      );
      expect([changed.status, changed.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await changed.json()).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
      // A key is shown once its entry in the audit log is written.
      const shown = await operate(`{ tenant(id: "${tenant.id}") { apiKey } }`);
      expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await shown.json()).toMatchObject({ data: { tenant: null } });

      // Readings go on, and a part of an answer is no failure of the call.
      expect((await operate('{ inbox { totalCount } }')).status).toBe(200);
      const partial = await operate(`{ me { id } tenant(id: "${tenant.id}") { apiKey } }`);
      expect([partial.status, partial.headers.get('retry-after')]).toEqual([200, null]);
      expect(await partial.json()).toMatchObject({
        data: { me: { id: expect.any(String) as string }, tenant: null },
        errors: [{ extensions: { code: 'UNAVAILABLE' } }],
      });

      await setTo('off');
      await until(ready, (status) => status === 200);
      await until(
        async () => (await lead('5511988887778')).status,
        (status) => status === 201,
      );
      await app.stop();
    });

    test('while the database is away, ready says so, live does not, callers may retry; then all is well again', async () => {
      const database = await createTestDatabase();
      const proxy = await DatabaseProxy.to(database);
      const app = await TestApp.start({}, proxy.database);
      const tenant = await app.createTenant();
      const lead = { chat: '5511988887777' };
      expect((await app.post('/public/leads', lead, withKey(tenant))).status).toBe(201);

      proxy.cut();
      const ready = await app.get('/health/ready');
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await ready.json()).toEqual({ status: 'unavailable', down: ['database'] });
      expect((await app.get('/health/live')).status).toBe(200);
      for (const response of [
        await app.post('/public/leads', lead, withKey(tenant)),
        await app.get('/chat/instances', withToken(tenant.admin)),
        await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin)),
      ]) {
        await expectProblem(response, 'UNAVAILABLE');
        expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }

      proxy.restore();
      await until(
        () => app.get('/health/ready'),
        ({ status }) => status === 200,
      );
      expect((await app.post('/public/leads', lead, withKey(tenant))).status).toBe(200);
      expect((await app.get('/chat/instances', withToken(tenant.admin))).status).toBe(200);
      await app.stop();
      await proxy.close();
    });
  });
}
