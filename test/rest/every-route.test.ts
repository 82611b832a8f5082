// What holds for every REST answer: the request's id, headers that are not sent, paths and methods that do not exist.

import { TestApp, withKey, withToken } from '../support/test-app.js';
import type { TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';
import { rawRequest } from './raw-request.js';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await TestApp.start();
  tenant = await app.createTenant();
});
afterAll(() => app.stop());

const calls: [string, (headers: Record<string, string>) => Promise<Response>][] = [
  ['a success', (headers) => app.get('/health/live', headers)],
  ['a 201', (headers) => app.post('/public/leads', { chat: '5511988887777' }, { ...withKey(tenant), ...headers })],
  ['a 401', (headers) => app.get('/chat/instances', headers)],
  ['a 404', (headers) => app.get('/nowhere', headers)],
  ['a 413', (headers) => app.post('/public/leads', 'a'.repeat(300_000), headers)],
  ['a 422', (headers) => app.post('/public/leads', {}, { ...withKey(tenant), ...headers })],
  [
    'a GraphQL answer',
    (headers) => app.post('/graphql', { query: '{ me { id } }' }, { ...withToken(tenant.admin), ...headers }),
  ],
];

describe.each(calls)('%s', (_, call) => {
  test('carries the x-request-id of the caller', async () => {
    expect((await call({ 'x-request-id': 'req-1.2_3' })).headers.get('x-request-id')).toBe('req-1.2_3');
  });

  test('carries an id of its own where the caller has none', async () => {
    const ids = [await call({}), await call({})].map((response) => response.headers.get('x-request-id'));
    expect(ids[0]).toMatch(/^[\w-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  test.each([
    ['too long', 'a'.repeat(65)],
    ['with blanks', 'a b'],
    ['with markup', '<script>'],
    ['with a quote', '"; drop'],
  ])('does not carry an id that is %s', async (__, id) => {
    expect((await call({ 'x-request-id': id })).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  test('tells nothing of what it is made with', async () => {
    const response = await call({});
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('server')).toBeNull();
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('404', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['POST', '/nowhere'],
    ['GET', '/tenants'],
    ['GET', '/public'],
    ['GET', '/__proto__'],
    ['GET', '/constructor'],
    ['GET', '/../../etc/passwd'],
    ['GET', '/.git/config'],
    ['POST', '/webhooks/chat/gateway'],
    ['GET', '/public/leads'],
    ['PUT', '/public/leads'],
    ['DELETE', '/public/leads'],
    ['PATCH', '/webhooks/leads'],
    ['GET', '/webhooks/chat/gateway/inbound'],
    ['PUT', '/webhooks/chat/gateway/status'],
    ['GET', '/auth/dev/token'],
    ['POST', '/chat/instances'],
    ['POST', '/tenants/00000000-0000-0000-0000-000000000000'],
    ['DELETE', '/tenants/00000000-0000-0000-0000-000000000000'],
    ['POST', '/health/live'],
  ])('%s %s', async (method, path) => {
    const headers = { ...withKey(tenant), ...withToken(tenant.admin), 'content-type': 'application/json' };
    await expectProblem(
      await rawRequest(app, { method, path, headers, body: method === 'GET' ? undefined : '{}' }),
      'NOT_FOUND',
    );
  });
});
