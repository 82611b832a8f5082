// Rules for every HTTP answer: the request's id, headers that are sent and that are not, paths and methods that do not exist.

import { securityHeaders, strictTransport } from '../../src/transport/http/security-headers.js';
import { plainNumber } from '../features/messages/sending-harness.js';
import { withTenant } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';
import { rawRequest } from './raw-request.js';

export function describeEveryRoute(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenant((made) => ({ app, tenant } = made));

  const calls: [string, (headers: Record<string, string>) => Promise<Response>][] = [
    ['a success', (headers) => app.get('/health/live', headers)],
    ['a 201', (headers) => app.post('/public/leads', { chat: '5511988887777' }, { ...withKey(tenant), ...headers })],
    ['a 401', (headers) => app.get('/chat/instances', headers)],
    ['a 404', (headers) => app.get('/nowhere', headers)],
    ['a 413', (headers) => app.post('/public/leads', 'a'.repeat(300_000), { ...withKey(tenant), ...headers })],
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
    });
  });

  describe('an offer of another protocol is ignored', () => {
    const offer = { connection: 'Upgrade, HTTP2-Settings', 'http2-settings': 'AAMAAABkAAQAAP__' };

    test.each(['h2c', 'h2c, websocket', 'TLS/1.0', 'websocket'])('%s', async (upgrade) => {
      const headers = { ...offer, upgrade, 'content-type': 'application/json' };
      const post = (path: string, body: object, credential: Record<string, string>) =>
        rawRequest(app, { path, headers: { ...headers, ...credential }, body: JSON.stringify(body) });
      expect(await post('/public/leads', { chat: plainNumber() }, withKey(tenant))).toMatchObject({ status: 201 });
      const asked = await post('/graphql', { query: '{ me { id } }' }, withToken(tenant.admin));
      expect([asked.status, JSON.parse(await asked.text())]).toMatchObject([200, { data: { me: {} } }]);
      if (upgrade === 'websocket') return;
      expect((await rawRequest(app, { method: 'GET', path: '/health/live', headers })).status).toBe(200);
    });
  });

  describe('what browsers are told', () => {
    /** The headers of a route that differ from those of all others. */
    const exceptions: Record<string, Record<string, unknown>> = {
      'GET /openapi.json': { 'cache-control': 'public, max-age=300' },
      'GET /auth/config': { 'cache-control': 'public, max-age=60' },
      'GET /graphql as a page': {
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'nonce-/),
      },
    };

    const told = ({ headers }: Response) =>
      Object.fromEntries(
        [...securityHeaders.map(([name]) => name), strictTransport[0]].map((name) => [name, headers.get(name)]),
      );
    const expected = (name: string) => ({
      ...Object.fromEntries(securityHeaders),
      [strictTransport[0]]: null,
      ...exceptions[name],
    });

    interface RouteCall {
      name: string;
      method: string;
      path: string;
      accept?: string;
    }

    const further = ['GET /graphql', 'POST /graphql', 'OPTIONS /graphql', 'GET /nowhere', 'HEAD /health/ready'];

    /** Every route that /openapi.json knows, and the further ones that it leaves out. */
    async function listRoutes(): Promise<RouteCall[]> {
      const { paths } = (await (await app.get('/openapi.json')).json()) as { paths: Record<string, object> };
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        ['get', 'post', 'put', 'patch', 'delete']
          .filter((method) => method in methods)
          .map((method) => `${method.toUpperCase()} ${path}`),
      );
      const routes = [...described, ...further].map((name) => {
        const [method = '', path = ''] = name.split(' ');
        return { name, method, path: path.replaceAll(/\{\w+\}/g, 'x') };
      });
      return [...routes, { name: 'GET /graphql as a page', method: 'GET', path: '/graphql', accept: 'text/html' }];
    }

    test.each(['without credentials', 'as an ADMIN with the key'])('by every route, %s', async (who) => {
      const credentials = who === 'without credentials' ? {} : { ...withKey(tenant), ...withToken(tenant.admin) };
      const routes = await listRoutes();
      expect(routes.length).toBeGreaterThan(15);
      const answers = await Promise.all(
        routes.map(async ({ name, method, path, accept = '*/*' }) => {
          const headers = { accept, 'content-type': 'application/json', ...credentials };
          const body = method === 'POST' ? { body: '{}' } : {};
          return [name, told(await fetch(`${app.url}${path}`, { method, headers, ...body }))];
        }),
      );
      expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(routes.map(({ name }) => [name, expected(name)])));
    });

    test('to come back by https where they came by it, as proxies that are trusted say', async () => {
      const proxied = await TestApp.start({ TRUST_PROXY: 'loopback' }, app.database);
      const read = async (from: TestApp, headers: Record<string, string>) =>
        (await from.get('/health/live', headers)).headers.get(strictTransport[0]);
      const secure = { 'x-forwarded-proto': 'https' };
      expect(await read(proxied, secure)).toBe('max-age=31536000');
      expect(await read(proxied, { 'x-forwarded-proto': 'http' })).toBeNull();
      expect(await read(proxied, {})).toBeNull();
      expect(await read(app, secure)).toBeNull();
      await proxied.stop({ keepDatabase: true });
    });
  });

  describe('404', () => {
    test.each([
      ['GET', '/nowhere'],
      ['POST', '/nowhere'],
      ['GET', '/tenants'],
      ['GET', '/public'],
      ['GET', '/__proto__'],
      ['GET', '/constructor'],
      ['GET', '/../../etc/passwd'],
      ['GET', '/.git/config'],
      ['POST', '/webhooks/chat/gateway'],
      ['POST', '/webhooks/chat/gateway/no%20event'],
    ])('%s %s', async (method, path) => {
      const headers = { ...withKey(tenant), ...withToken(tenant.admin), 'content-type': 'application/json' };
      await expectProblem(
        await rawRequest(app, { method, path, headers, body: method === 'GET' ? undefined : '{}' }),
        'NOT_FOUND',
      );
    });
  });

  describe('405', () => {
    interface Refusal {
      status: number;
      code: string;
      detail: string;
    }

    /** The methods of each path that /openapi.json knows. */
    async function listPaths(): Promise<[path: string, methods: string[]][]> {
      const { paths } = (await (await app.get('/openapi.json')).json()) as { paths: Record<string, object> };
      return Object.entries(paths).map(([path, operations]) => [
        path.replaceAll(/\{\w+\}/g, 'x'),
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method.toLowerCase() in operations),
      ]);
    }

    test.each(['without credentials', 'as an ADMIN with the key'])('names what each path takes, %s', async (who) => {
      const credentials = who === 'without credentials' ? {} : { ...withKey(tenant), ...withToken(tenant.admin) };
      const paths = (await listPaths()).filter(([path]) => path !== '/mcp');
      expect(paths.length).toBeGreaterThan(12);
      for (const [path, taken] of paths)
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !taken.includes(one))) {
          const answer = await fetch(`${app.url}${path}`, { method, headers: credentials });
          const { status, code, detail } = (await answer.json()) as Refusal;
          const allow = taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
          expect({
            method,
            path,
            status,
            code,
            detail,
            allow: answer.headers.get('allow')?.split(', ').sort(),
          }).toEqual({
            method,
            path,
            status: 405,
            code: 'BAD_REQUEST',
            detail: expect.stringMatching(`^This path does not take ${method}: it takes `),
            allow: allow.sort(),
          });
        }
    });

    test.each(['/Public/Leads', '/public/leads/', '/webhooks/leads?dryRun=true'])(
      'for the writing %s',
      async (path) => {
        const answer = await app.get(path, withKey(tenant));
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      },
    );
  });

  describe('an answer ends with a line feed', () => {
    test.each<[string, () => Promise<Response>]>([
      ['a health check', () => app.get('/health/ready')],
      ['a lead', () => app.post('/public/leads', { chat: '5511988887777' }, withKey(tenant))],
      ['a dry run', () => app.post('/public/leads?dryRun=true', { chat: '5511988887777' }, withKey(tenant))],
      ['the instances', () => app.get('/chat/instances', withToken(tenant.admin))],
      ['a tenant', () => app.get(`/tenants/${tenant.id}`, withToken(tenant.admin))],
      ['how to sign in', () => app.get('/auth/config')],
      ['a 401', () => app.post('/public/leads', {})],
      ['a 404', () => app.get('/nowhere')],
      ['a 405', () => app.get('/public/leads')],
      ['a 422', () => app.post('/public/leads', {}, withKey(tenant))],
    ])('%s', async (_, call) => {
      const answer = await call();
      const text = await answer.text();
      expect(text).toMatch(/^[[{].*[\]}]\n$/s);
      const length = answer.headers.get('content-length');
      if (length !== null) expect(Number(length)).toBe(Buffer.byteLength(text));
    });
  });

  describe('a key that opens nothing', () => {
    test.each<[string, () => Record<string, string>, RegExp]>([
      ['missing', () => ({}), /^The header x-tenant-key is missing: /],
      ['blank', () => ({ 'x-tenant-key': ' ' }), /^The header x-tenant-key is missing: /],
      ['wrong', () => ({ 'x-tenant-key': 'lw_wrong' }), /^The x-tenant-key is not valid/],
      ['sent as a Bearer token', () => ({ authorization: `Bearer ${tenant.apiKey}` }), /^A Bearer token does not open/],
      ['a token of a user', () => withToken(tenant.admin), /^A Bearer token does not open/],
    ])('has a sentence when it is %s', async (_, headers, sentence) => {
      for (const path of ['/public/leads', '/webhooks/leads', '/webhooks/chat/gateway/inbound']) {
        const problem = await expectProblem(
          await app.post(path, { chat: '5511988887777' }, headers()),
          'UNAUTHENTICATED',
        );
        expect(problem.detail).toMatch(sentence);
        expect(JSON.stringify(problem)).not.toContain(tenant.apiKey);
      }
    });
  });
}
