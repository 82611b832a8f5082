// Pages that call from browsers: the origins that may, by CORS and over a socket, and how administrators learn of the others.

import { request } from 'node:http';
import WebSocket from 'ws';
import { createLogger } from '../../src/platform/observability/logger.js';
import { AllowedOrigins } from '../../src/transport/http/allowed-origins.js';
import { OwnNames } from '../../src/transport/http/own-names.js';
import { TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';

const configured = 'https://app.example';
const loopback = ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8080', 'https://localhost'];
const foreign = ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example:5173'];

export function describeBrowsers(): void {
  let database: TestDatabase;
  let development: TestApp;
  let production: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    const shared = { PROCESS_ROLE: 'api', CORS_ORIGINS: configured };
    development = await TestApp.start({ ...shared, NODE_ENV: 'development' }, database);
    production = await TestApp.start({ ...shared, NODE_ENV: 'production' }, database);
  });
  afterAll(async () => {
    await Promise.all([development, production].map((app) => app.stop({ keepDatabase: true })));
    await database.drop();
  });

  // The test does not use `fetch`, which sets some of these headers as it likes.
  function preflight(app: TestApp, origin: string): Promise<Response> {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    return new Promise((resolve, reject) => {
      request(`${app.url}/graphql`, { method: 'OPTIONS', headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const body = chunks.length === 0 ? null : Buffer.concat(chunks);
          const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
          resolve(new Response(body, { status: answer.statusCode ?? 0, headers: told }));
        });
      })
        .on('error', reject)
        .end();
    });
  }

  /** The status of an upgrade and, where it is refused, the answer's body. */
  function upgrade(
    app: TestApp,
    origin: string,
  ): Promise<{ status: number; type?: string | undefined; body?: string }> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(app.socketUrl, ['graphql-transport-ws'], { headers: { origin } });
      socket.on('open', () => {
        socket.terminate();
        resolve({ status: 101 });
      });
      socket.on('unexpected-response', (_request, answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'], body }));
      });
      socket.on('error', reject);
    });
  }

  const allowedOf = (response: Response) => response.headers.get('access-control-allow-origin');

  describe('a page may call', () => {
    test.each([configured, ...loopback])('from %s in development', async (origin) => {
      const answer = await preflight(development, origin);
      expect([answer.status, allowedOf(answer)]).toEqual([204, origin]);
      const called = await development.get('/chat/instances', { origin });
      expect([called.status, allowedOf(called)]).toEqual([401, origin]);
      expect(called.headers.get('access-control-expose-headers')).toBe(
        'Retry-After,RateLimit,RateLimit-Policy,x-request-id,WWW-Authenticate',
      );
      expect(await upgrade(development, origin)).toEqual({ status: 101 });
    });

    test('from a configured origin in production', async () => {
      expect(allowedOf(await preflight(production, configured))).toBe(configured);
      expect(await upgrade(production, configured)).toEqual({ status: 101 });
    });
  });

  describe('a page may not call, and the answer says what to set', () => {
    const cases = [
      ...foreign.map((origin) => ['development', () => development, origin] as const),
      ...[...foreign, ...loopback].map((origin) => ['production', () => production, origin] as const),
    ];

    test.each(cases)('in %s, %s from %s', async (_, app, origin) => {
      const answer = await preflight(app(), origin);
      expect(allowedOf(answer)).toBeNull();
      const { detail } = await expectProblem(answer, 'FORBIDDEN');
      expect(detail).toContain(`Pages of the origin ${origin} may not call this service`);
      expect(detail).toContain('CORS_ORIGINS');
      expect(allowedOf(await app().get('/chat/instances', { origin }))).toBeNull();
      const refused = await upgrade(app(), origin);
      expect(refused).toMatchObject({ status: 403, type: 'application/problem+json' });
      expect(JSON.parse(refused.body ?? '')).toMatchObject({ status: 403, code: 'FORBIDDEN', detail });
    });
  });

  test('each refused origin is logged once, and a flood of made-up ones takes no memory', () => {
    const lines: string[] = [];
    const log = createLogger('warn', { destination: { write: (line) => void lines.push(line) } });
    const origins = new AllowedOrigins({ origins: [configured], allowLoopback: false, log });
    const ask = (origin: string) => origins.findRefusal({ origin, host: 'leadwire.example' });
    for (let count = 0; count < 5; count += 1) expect(ask('https://evil.example')?.code).toBe('FORBIDDEN');
    expect(lines.filter((line) => line.includes('CORS_ORIGINS') && line.includes('evil.example'))).toHaveLength(1);
    expect(ask('x'.repeat(16_000))?.message.length).toBeLessThan(400);
    expect(lines.join('').length).toBeLessThan(2_000);
    expect(ask('https://leadwire.example')).toBeUndefined();
    expect(ask(configured)).toBeUndefined();
  });

  describe('a page that has its own name lead to the service', () => {
    const rebound = 'evil.example:4000';

    /** @returns status and body of a call under this `Host`, as the page of that name would send it */
    function call(app: TestApp, host: string, path = '/auth/dev/token'): Promise<{ status: number; body: string }> {
      const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
      return new Promise((resolve, reject) => {
        request(`${app.url}${path}`, { method: path === '/health/live' ? 'GET' : 'POST', headers }, (answer) => {
          let body = '';
          answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
        })
          .on('error', reject)
          .end('{"idpSub":"nobody"}');
      });
    }

    test.each(['/auth/dev/token', '/graphql', '/mcp', '/public/leads', '/'])(
      'is refused %s in development',
      async (path) => {
        const { status, body } = await call(development, rebound, path);
        expect([status, body]).toEqual([421, expect.stringContaining('"code":"MISDIRECTED"')]);
        expect(body).toContain('PUBLIC_URL');
      },
    );

    test('is refused a socket', async () => {
      const socket = new WebSocket(development.socketUrl, ['graphql-transport-ws'], {
        headers: { host: rebound, origin: `http://${rebound}` },
      });
      const status = await new Promise((resolve) => {
        socket.on('open', () => resolve(101));
        socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode));
        socket.on('error', () => undefined);
      });
      socket.terminate();
      expect(status).toBe(421);
    });

    test.each(['localhost', 'LOCALHOST:4000', '127.0.0.1:9', '127.9.9.9', '[::1]:4000'])(
      '%s is a name of the service',
      async (host) => {
        expect((await call(development, host)).status).not.toBe(421);
      },
    );

    test.each([
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      'localhost:x',
      'a b',
      '[::2]',
      '2130706433.evil',
    ])('%s is none', async (host) => {
      expect((await call(development, host)).status).toBe(421);
    });

    test('health checks are answered, and the name in PUBLIC_URL is one', async () => {
      expect((await call(development, rebound, '/health/live')).status).toBe(200);
      const names = new OwnNames('https://dev.example/leads');
      expect(names.findRefusal('dev.example:4000')).toBeUndefined();
      expect(names.findRefusal('dev.example.evil:4000')).toMatchObject({ code: 'MISDIRECTED' });
    });

    test('production answers under every name', async () => {
      for (const path of ['/graphql', '/public/leads'])
        expect((await call(production, rebound, path)).status).not.toBe(421);
    });
  });
}
