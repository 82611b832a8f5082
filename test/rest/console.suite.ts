// The console's files: which paths are pages, in which encoding a file is sent, how long it may be kept, and what its pages may load.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { openConsole } from '../../src/transport/http/console-files.js';
import { until } from '../features/messages/sending-harness.js';
import { TestApp, type TestEnvironment } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectProblem } from './problem.js';
import { rawRequest } from './raw-request.js';

const id = '0197f3a2-5b5e-7c43-9c1d-0123456789ab';
const html = '<!doctype html><title>Leadwire</title><script type="module" src="/assets/main-1a2b3c.js"></script>';
const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`;
const guide = '# Numbers\n\ncurl -s {{address}}/public/leads\n';
const font = Buffer.from([0, 1, 2, 3]);

const pages = [
  '/',
  '/sign-in',
  '/callback?code=abc&state=def',
  '/inbox',
  `/inbox/${id}`,
  '/inbox?status=waiting',
  '/leads',
  `/leads/${id}`,
  ...['bulk', 'templates', 'dashboards', 'instances', 'calls'].flatMap((name) => [`/${name}`, `/${name}/${id}`]),
  '/docs',
  '/docs/build-a-client',
  ...['', '/users', '/keys', '/webhooks', '/sources', '/audit'].map((name) => `/settings${name}`),
];

const policy = (files = '') =>
  `default-src 'self'; connect-src 'self'; img-src 'self' blob: data:${files}; media-src 'self' blob:${files}; ` +
  `style-src 'self'; script-src 'self'; worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export function describeConsole(): void {
  let database: TestDatabase;
  let folder: string;
  let app: TestApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'assets', 'fonts'), { recursive: true });
    await writeBuilt('index.html', html);
    await writeBuilt('assets/main-1a2b3c.js', script);
    await writeFile(join(folder, 'assets', 'fonts', 'text-4d5e6f.woff2'), font);
    await writeFile(join(folder, 'secret.txt'), 'not of the console');
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs', 'numbers.md'), guide);
    await writeFile(join(folder, 'docs', 'llms.txt'), '- [Numbers]({{address}}/docs/numbers.md): How.\n');
    await writeFile(join(folder, 'docs', 'draft.html'), 'not published');
    database = await createTestDatabase();
    app = await start();
  });
  afterAll(async () => {
    await app.stop({ keepDatabase: true });
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function writeBuilt(name: string, content: string): Promise<void> {
    await writeFile(join(folder, name), content);
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content));
    await writeFile(join(folder, `${name}.gz`), gzipSync(content));
  }

  function start(environment: TestEnvironment = {}, consoleFolder = folder): Promise<TestApp> {
    return TestApp.start({ PROCESS_ROLE: 'api', ...environment }, database, { consoleFolder });
  }

  /** The test does not use `fetch`, which would decode the body and set headers of its own. */
  function ask(path: string, headers: Record<string, string> = {}, method = 'GET', of = app): Promise<Answer> {
    return new Promise((resolve, reject) => {
      request(`${of.url}${path}`, { method, headers, agent: false }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
  }

  describe.each(pages)('the page %s', (path) => {
    test('GET is the document, which is asked for again each time', async () => {
      const { status, headers, body } = await ask(path);
      expect({ status, body: body.toString() }).toEqual({ status: 200, body: html });
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    });

    test('HEAD is its head', async () => {
      const { status, headers, body } = await ask(path, {}, 'HEAD');
      expect({ status, length: body.length, told: headers['content-length'] }).toEqual({
        status: 200,
        length: 0,
        told: String(html.length),
      });
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is no page', async (method) => {
      await expectProblem(await rawRequest(app, { method, path: path.split('?')[0]! }), 'NOT_FOUND');
    });
  });

  describe('what is not the console’s stays as it is', () => {
    test.each([
      '/leads/new',
      `/leads/${id}/notes`,
      `/inbox/${id}/messages`,
      '/settings/other',
      '/sign-in/again',
      '/console',
      '/index.html',
      '/secret.txt',
      '/assets',
      '/assets/',
      '/assets/none.js',
      '/assets/main-1a2b3c.js.br',
      '/assets/main-1a2b3c.js/',
      '/assets/fonts',
      '/assets/../secret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/..%2fsecret.txt',
      '//inbox',
      '/__proto__',
      '/docs/none.md',
      '/docs/draft.html',
      '/docs/numbers.md/',
      '/docs/../secret.txt',
      '/docs/llms.txt',
      '/numbers.md',
    ])('GET %s is 404', async (path) => {
      const answer = await rawRequest(app, { method: 'GET', path });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      await expectProblem(answer, 'NOT_FOUND');
    });

    test('REST paths beside its pages', async () => {
      expect((await rawRequest(app, { method: 'GET', path: '/leads/import' })).status).toBe(405);
      await expectProblem(await app.get('/leads/export.csv'), 'UNAUTHENTICATED');
      await expectProblem(await app.post('/leads/import', ''), 'UNAUTHENTICATED');
      expect((await app.get('/auth/config')).headers.get('content-type')).toMatch('application/json');
      expect((await app.get('/openapi.json')).headers.get('content-type')).toMatch('application/json');
    });

    test.each(['/leads/import', `/leads/${id}`])('a preflight of %s is answered by CORS', async (path) => {
      const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' };
      const { status, headers } = await ask(path, preflight, 'OPTIONS');
      expect([status, headers['access-control-allow-origin']]).toEqual([204, preflight.origin]);
    });
  });

  describe('a path that nothing has', () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8' };

    test.each(['/no/such/page', '/leads/new', '/settings/other', '/docs/none.md', '/assets/none.js'])(
      'GET %s shows a browser the console, which says so',
      async (path) => {
        const { status, headers, body } = await ask(path, { ...browser, host: `localhost:${app.app.port}` });
        expect({ status, body: body.toString() }).toEqual({ status: 404, body: html });
        expect(headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy(),
          'cache-control': 'no-store',
        });
        expect((await ask(path, browser, 'HEAD')).status).toBe(404);
      },
    );

    test.each([undefined, '*/*', 'application/json', 'application/problem+json', 'application/json, text/html;q=0.5'])(
      'is a problem to a caller that accepts %s',
      async (accept) => {
        const { status, headers } = await ask('/no/such/page', accept === undefined ? {} : { accept });
        expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
      },
    );

    test('is a problem where it is posted to, and where the path takes other methods', async () => {
      expect((await ask('/no/such/page', browser, 'POST')).headers['content-type']).toContain('problem+json');
      const { status, headers } = await ask('/leads/import', browser);
      expect([status, headers['content-type']]).toEqual([405, 'application/problem+json; charset=utf-8']);
    });

    test('of a process without the console is a problem', async () => {
      const without = await start({ CONSOLE: 'off' });
      const { status, headers } = await ask('/no/such/page', browser, 'GET', without);
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
      await without.stop({ keepDatabase: true });
    });
  });

  describe('guides', () => {
    test('are text, with the address that the reader used in their examples', async () => {
      const { status, headers, body } = await ask('/docs/numbers.md', { host: 'leads.example:8443' });
      expect([status, body.toString()]).toEqual([200, '# Numbers\n\ncurl -s http://leads.example:8443/public/leads\n']);
      expect(headers).toMatchObject({
        'content-type': 'text/markdown; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      const list = await ask('/llms.txt', { host: 'leads.example:8443' });
      expect(list.body.toString()).toBe('- [Numbers](http://leads.example:8443/docs/numbers.md): How.\n');
      expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    });

    test('name PUBLIC_URL where it is configured', async () => {
      const named = await start({ PUBLIC_URL: 'https://leads.example' });
      const { body } = await ask('/docs/numbers.md', { host: '10.0.0.7:4000' }, 'GET', named);
      expect(body.toString()).toContain('curl -s https://leads.example/public/leads');
      await named.stop({ keepDatabase: true });
    });

    test('take over no host that a shell would read otherwise', async () => {
      for (const host of ['a;reboot', 'a$(reboot)', 'a b', `a'`]) {
        const { status, body } = await ask('/docs/numbers.md', { host });
        expect([status, body.toString()]).toEqual([
          200,
          '# Numbers\n\ncurl -s https://leadwire.example/public/leads\n',
        ]);
      }
    });

    test('are 304 where they have not changed, for each address', async () => {
      const { headers } = await ask('/docs/numbers.md', { host: 'one.example' });
      const known = { 'if-none-match': headers['etag']! };
      expect((await ask('/docs/numbers.md', { host: 'one.example', ...known })).status).toBe(304);
      expect((await ask('/docs/numbers.md', { host: 'two.example', ...known })).status).toBe(200);
      const head = await ask('/docs/numbers.md', { host: 'one.example' }, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
    });
  });

  describe('encodings', () => {
    const decoders: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

    test.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0.5, gzip', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip', 'gzip'],
      ['*', 'br'],
      ['deflate', undefined],
      ['identity', undefined],
      ['', undefined],
      [undefined, undefined],
    ])('to a caller that accepts %s', async (accepted, encoding) => {
      for (const [path, content] of [
        ['/inbox', html],
        ['/assets/main-1a2b3c.js', script],
      ] as const) {
        const { status, headers, body } = await ask(
          path,
          accepted === undefined ? {} : { 'accept-encoding': accepted },
        );
        expect([status, headers['content-encoding']]).toEqual([200, encoding]);
        expect(headers['vary']).toBe('Accept-Encoding');
        expect(headers['content-length']).toBe(String(body.length));
        expect((encoding === undefined ? body : decoders[encoding]!(body)).toString()).toBe(content);
      }
    });

    test('a file without copies is sent as it is', async () => {
      const { headers, body } = await ask('/assets/fonts/text-4d5e6f.woff2', { 'accept-encoding': 'gzip, br' });
      expect(headers['content-encoding']).toBeUndefined();
      expect([headers['content-type'], body]).toEqual(['font/woff2', font]);
    });
  });

  describe('caches', () => {
    test('assets are kept for a year', async () => {
      const { headers } = await ask('/assets/main-1a2b3c.js');
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
      });
    });

    test('a document that has not changed is 304, in the encoding that the caller has', async () => {
      const accepting = { 'accept-encoding': 'br' };
      const { headers } = await ask('/inbox', accepting);
      const etag = headers['etag']!;
      const again = await ask('/leads', { ...accepting, 'if-none-match': `"other", ${etag}` });
      expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
      expect(again.headers['content-security-policy']).toContain("default-src 'self'");
      expect((await ask('/inbox', { 'if-none-match': etag })).status).toBe(200);
      expect((await ask('/inbox', { ...accepting, 'if-none-match': '"other"' })).status).toBe(200);
    });

    test('processes of one build name a file alike', async () => {
      const other = await start();
      expect((await ask('/', {}, 'GET', other)).headers['etag']).toBe((await ask('/')).headers['etag']);
      await other.stop({ keepDatabase: true });
    });
  });

  describe('what browsers are told', () => {
    test.each(['/inbox', '/assets/main-1a2b3c.js'])(
      'by %s: no inline code, no frame, no other origin',
      async (path) => {
        const { headers } = await ask(path, { host: `localhost:${app.app.port}` });
        expect(headers).toMatchObject({
          'content-security-policy': policy(),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
          'cross-origin-resource-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': expect.stringContaining('camera=()'),
          'x-request-id': expect.stringMatching(/\S/),
        });
        expect(headers['access-control-allow-origin']).toBeUndefined();
      },
    );

    test('a page under another name than that of files may show them all the same', async () => {
      const named = await start({ PUBLIC_URL: 'https://leads.example' });
      const told = async (host: string) =>
        (await ask('/inbox', { host }, 'GET', named)).headers['content-security-policy'];
      expect(await told('leads.example')).toBe(policy());
      expect(await told('10.0.0.7:4000')).toBe(policy(' https://leads.example'));
      await named.stop({ keepDatabase: true });
    });

    test('in production without PUBLIC_URL files have the page’s own origin', async () => {
      const production = await start({ NODE_ENV: 'production' });
      const { headers } = await ask('/', {}, 'GET', production);
      expect(headers['content-security-policy']).toBe(policy());
      await production.stop({ keepDatabase: true });
    });
  });

  test('neither the rate limit nor wrong credentials keep anybody from a page', async () => {
    const limited = await start({ THROTTLE_LIMIT: '1', FAILED_AUTH_LIMIT: '1' });
    const wrong = { authorization: 'Bearer nonsense', 'x-tenant-key': 'lw_nonsense' };
    for (const path of ['/', '/assets/main-1a2b3c.js', '/', '/assets/main-1a2b3c.js']) {
      const { status, headers } = await ask(path, wrong, 'GET', limited);
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
    expect((await limited.get('/auth/config')).status).toBe(200);
    await expectProblem(await limited.get('/assets/none.js'), 'RATE_LIMITED');
    await limited.stop({ keepDatabase: true });
  });

  test('requests are counted under two labels, however many files and records there are', async () => {
    const measured = await start({ METRICS_PORT: '0' });
    const paths = [
      '/',
      '/inbox',
      '/docs/numbers.md',
      '/llms.txt',
      `/leads/${id}`,
      '/assets/main-1a2b3c.js',
      '/assets/none.js',
      '/assets/a/b/c.js',
    ];
    for (const path of paths) await ask(path, {}, 'GET', measured);
    await measured.get('/leads/export.csv');
    const routes = async () => {
      const text = await (await fetch(`http://127.0.0.1:${measured.app.metricsPort}/metrics`)).text();
      const found = text.matchAll(/^leadwire_http_requests_total\{route="([^"]*)",status="(\d+)".* (\d+)$/gm);
      return Object.fromEntries([...found].map(([, route, status, count]) => [`${route} ${status}`, Number(count)]));
    };
    const expected = { 'console 200': 5, '/assets/* 200': 1, '/assets/* 404': 2, '/leads/export.csv 401': 1 };
    expect(await until(routes, (counted) => Object.keys(counted).length >= 4)).toEqual(expected);
    await measured.stop({ keepDatabase: true });
  });

  describe('where it is not served', () => {
    test('a process without the built console starts, and its pages say how to build it', async () => {
      const folderOfNone = join(folder, 'none');
      const bare = await start({}, folderOfNone);
      for (const path of ['/', '/inbox', `/leads/${id}`]) {
        const { status, headers, body } = await ask(path, {}, 'GET', bare);
        expect([status, headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
        expect(body.toString()).toMatch(/was not built.*npm run build/);
        expect(headers['cache-control']).toBe('no-store');
      }
      await expectProblem(await bare.get('/assets/main-1a2b3c.js'), 'NOT_FOUND');
      expect((await bare.get('/health/ready')).status).toBe(200);
      await bare.stop({ keepDatabase: true });
    });

    test('a start without it is in the log, one with it is not', async () => {
      const warnings: unknown[] = [];
      const log = { warn: (...words: unknown[]) => void warnings.push(words) };
      for (const place of [folder, join(folder, 'none'), join(folder, 'secret.txt')])
        openConsole({ folder: place, mediaOrigin: () => undefined, publicUrl: undefined, log });
      expect(warnings).toEqual(
        ['none', 'secret.txt'].map((name) => [
          { folder: join(folder, name) },
          expect.stringContaining('was not built'),
        ]),
      );
    });

    test.each<[string, TestEnvironment]>([
      ['with CONSOLE=off', { CONSOLE: 'off' }],
      ['by a worker', { PROCESS_ROLE: 'worker' }],
    ])('%s its paths are as any other', async (_, environment) => {
      const without = await start(environment);
      for (const path of ['/', '/inbox', '/assets/main-1a2b3c.js', '/docs/numbers.md', '/llms.txt'])
        await expectProblem(await without.get(path), 'NOT_FOUND');
      await without.stop({ keepDatabase: true });
    });
  });
}
