// `npm run doctor`: each check against real servers that are well, away, silent or wrong.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { examine } from '../../src/commands/doctor/examination.js';
import { ScriptedGateway } from '../providers/scripted-gateway.js';
import { compileCache } from '../faults/service-process.js';
import { discoveryPath, jwksPath, OidcServer, tokenPath } from '../support/oidc-server.js';
import { freePort, RedisServer, redisServerInstalled } from '../support/redis-server.js';
import { S3Server } from '../support/s3-server.js';
import { slow } from '../support/slow.js';
import { TestApp, type TestEnvironment } from '../support/test-app.js';
import { createTestDatabase, runOnServer, type TestDatabase } from '../support/test-database.js';
import { runEnvironment } from '../support/run-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const whenRedis = redisServerInstalled() ? describe : describe.skip;
const patienceMs = 60_000;

interface Report {
  ok: boolean;
  version: string;
  findings: { check: string; status: string; found: string; advice?: string }[];
}

const pushVariables = {
  WEB_PUSH_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url'),
  WEB_PUSH_CONTACT: 'mailto:admin@test.example',
};

export function describeDoctor(): void {
  let app: TestApp;
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    app = await TestApp.start();
    ({ database } = app);
    folder = await mkdtemp(join(tmpdir(), 'leadwire-doctor-test-'));
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const environmentOf = (changes: TestEnvironment): TestEnvironment => ({
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    JWT_SECRET: 'a secret of the doctor’s tests, long enough',
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    TRUST_PROXY: 'false',
    PUBLIC_URL: app.url,
    ...changes,
  });

  async function diagnose(changes: TestEnvironment = {}, timeLimitMs?: number): Promise<Report & { code: number }> {
    let text = '';
    const write = (part: string) => void (text += part);
    const code = await examine(['--json'], environmentOf(changes), write, timeLimitMs);
    return { code, ...(JSON.parse(text) as Report) };
  }

  /** The findings of one check, each as `status: found advice`. */
  const saidBy = ({ findings }: Report, check: string) =>
    findings
      .filter((finding) => finding.check === check)
      .map(({ status, found, advice }) => [`${status}:`, found, advice].filter((part) => part !== undefined).join(' '));

  const failedIn = ({ findings }: Report) =>
    findings.filter(({ status }) => status === 'failed').map(({ check }) => check);

  describe('where all is well', () => {
    test('nothing fails, every check says so once, and its secrets are not shown', async () => {
      const report = await diagnose();
      expect(failedIn(report)).toEqual([]);
      expect(report).toMatchObject({ code: 0, ok: true, version });
      for (const check of [
        'node',
        'configuration',
        'database',
        'database-sessions',
        'database-migrations',
        'database-privileges',
        'database-listen',
        'database-clock',
        'encryption-key',
        'media-store',
        'public-url',
        'web-push',
      ])
        expect([check, ...saidBy(report, check)]).toEqual([check, expect.stringMatching(/^ok: .*\.$/)]);
      // Databases of tests do not wait for the disk.
      expect(saidBy(report, 'database-standbys')).toEqual([
        expect.stringMatching(/^ok: The primary is /),
        expect.stringMatching(/^warning: .* does not survive a crash of the primary: fsync is off\./),
      ]);
      expect(saidBy(report, 'database-connections')).toEqual([expect.stringMatching(/processes with up to 16 each/)]);
    });

    test('nothing is changed: no file, no table', async () => {
      const fresh = await createTestDatabase('template1');
      const dataDir = join(folder, 'not-yet-there');
      try {
        const report = await diagnose({ DATABASE_URL: fresh.url, DATA_DIR: dataDir });
        expect(failedIn(report)).toEqual([]);
        expect(saidBy(report, 'database-migrations')).toEqual([expect.stringMatching(/^ok: The database is new/)]);
        expect(saidBy(report, 'encryption-key')).toEqual(['ok: Nothing is encrypted yet.']);
        expect(saidBy(report, 'media-store')).toEqual([`ok: The folder ${join(dataDir, 'media')} can be made.`]);
        const tables = await query(fresh.url, `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`);
        expect(tables).toEqual([]);
        expect(await readdir(folder)).not.toContain('not-yet-there');
      } finally {
        await fresh.drop();
      }
    });

    test('the command itself: lines of text by npm, and an exit code', async () => {
      const { code, stdout, stderr } = await run(['npm', 'run', '--silent', 'doctor']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^ok {7}node: Leadwire \S+ runs on Node [\d.]+\.$/m);
      expect(stdout).toMatch(/\n\d+ ok, \d+ warnings, 0 failed\n$/);
    });

    test('an unknown option shows the usage', async () => {
      const { code, stdout, stderr } = await run([process.execPath, 'dist/commands/doctor.js', '--fix']);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Unknown option '--fix'.*\n\nUsage: npm run doctor/s);
    });
  });

  describe('the configuration', () => {
    test('each wrong variable has a finding; what does not need it is still checked', async () => {
      const report = await diagnose({ ENCRYPTION_KEY: 'short', OIDC_ISSUER_URL: 'id.example', PORTT: '1' });
      expect(report).toMatchObject({ code: 1, ok: false });
      expect(saidBy(report, 'configuration')).toEqual([
        expect.stringMatching(/^failed: OIDC_ISSUER_URL .*Correct OIDC_ISSUER_URL\.$/),
        expect.stringMatching(/^failed: ENCRYPTION_KEY .*Correct ENCRYPTION_KEY\.$/),
        expect.stringMatching(/^warning: PORTT .*Rename it to PORT/),
      ]);
      expect(saidBy(report, 'encryption-key')).toEqual(['warning: It was not checked. Correct ENCRYPTION_KEY first.']);
      expect(saidBy(report, 'provider')).toEqual(['warning: It was not checked. Correct OIDC_ISSUER_URL first.']);
      expect(saidBy(report, 'database')).toEqual([expect.stringMatching(/^ok: /)]);
    });

    test('without any variable each that is required is named, and nothing else breaks', async () => {
      let text = '';
      expect(await examine([], {}, (part) => (text += part))).toBe(1);
      for (const name of ['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TRUST_PROXY'])
        expect(text).toMatch(new RegExp(`^failed +configuration: ${name} is required`, 'm'));
    });
  });

  describe('the database', () => {
    const secret = 'hidden-password';
    const withDatabase = async (change: (url: URL) => unknown) => {
      const url = new URL(database.url);
      await change(url);
      return diagnose({ DATABASE_URL: url.href });
    };

    test.each<[string, (url: URL) => unknown, RegExp]>([
      [
        'nothing listens',
        async (url) => Object.assign(url, { port: String(await freePort()), password: secret }),
        /ECONNREFUSED.* Start PostgreSQL/,
      ],
      ['it does not exist', (url) => (url.pathname = '/lost'), /"lost" does not exist\. Create the database/],
      ['the host does not exist', (url) => (url.hostname = 'nowhere.invalid'), /Correct the host/],
    ])('%s: one sentence, and its other checks wait', async (_, change, sentence) => {
      const report = await withDatabase(change);
      expect(failedIn(report)).toEqual(['database']);
      expect(saidBy(report, 'database')).toEqual([expect.stringMatching(sentence)]);
      expect(saidBy(report, 'database-listen')).toEqual(['warning: It was not checked. See to `database` first.']);
      expect(JSON.stringify(report)).not.toContain(secret);
    });

    slow('a server that says nothing is given up, and the rest is checked', async () => {
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(
        0,
        '127.0.0.1',
      );
      await once(silent, 'listening');
      try {
        const { port } = silent.address() as AddressInfo;
        const report = await diagnose({ DATABASE_URL: `postgresql://someone@127.0.0.1:${port}/leads` }, 4_000);
        expect(saidBy(report, 'database')).toEqual([
          expect.stringMatching(/^failed: There was no answer within 4 s\. Check the address/),
        ]);
        expect(saidBy(report, 'public-url')).toEqual(['ok: Leadwire answers there.']);
      } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
      }
    });

    test('another ENCRYPTION_KEY than the one in use', async () => {
      await app.createTenant();
      const report = await diagnose({ ENCRYPTION_KEY: 'f'.repeat(64) });
      expect(failedIn(report)).toEqual(['encryption-key']);
    });

    test('migrations that are missing, and those of a newer version', async () => {
      const copy = await createTestDatabase();
      try {
        const newest = `(SELECT max(migration_name) FROM _prisma_migrations)`;
        await query(copy.url, `DELETE FROM _prisma_migrations WHERE migration_name = ${newest}`);
        const older = await diagnose({ DATABASE_URL: copy.url });
        expect(failedIn(older)).toEqual([]);
        expect(saidBy(older, 'database-migrations')).toEqual([expect.stringMatching(/^warning: 1 migration is not/)]);
        await query(
          copy.url,
          `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
           VALUES ('next', '', '29990101000000_next_after_29980101000000', now())`,
        );
        const newer = await diagnose({ DATABASE_URL: copy.url });
        expect(failedIn(newer)).toEqual(['database-migrations']);
      } finally {
        await copy.drop();
      }
    });

    test('a user who may create nothing, and one with few connections', async () => {
      const copy = await createTestDatabase();
      const name = `doctor_${randomBytes(6).toString('hex')}`;
      const serverUrl = process.env['LEADWIRE_TEST_SERVER_URL'] ?? '';
      try {
        await runOnServer(serverUrl, [`CREATE ROLE ${name} LOGIN PASSWORD 'pw-of-doctor' CONNECTION LIMIT 12`]);
        const url = new URL(copy.url);
        Object.assign(url, { username: name, password: 'pw-of-doctor' });
        const report = await diagnose({ DATABASE_URL: url.href });
        expect(failedIn(report)).toEqual(expect.arrayContaining(['database-privileges', 'database-connections']));
        expect(saidBy(report, 'database-privileges')).toEqual([expect.stringMatching(/may not create schemas.*OWNER/)]);
        expect(saidBy(report, 'database-connections')).toEqual([
          expect.stringMatching(/12 connections are room for 0/),
        ]);
      } finally {
        await copy.drop();
        await runOnServer(serverUrl, [`DROP ROLE IF EXISTS ${name}`]);
      }
    });
  });

  whenRedis('Redis', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await RedisServer.start();
    });
    afterAll(() => redis.stop());

    const said = async (environment: TestEnvironment = {}) =>
      saidBy(await diagnose({ REDIS_URL: redis.url, ...environment }, 4_000), 'redis');

    test('that is well', async () => {
      expect(await said()).toEqual([
        expect.stringMatching(/^ok: Redis \d.* answers\.$/),
        expect.stringMatching(/^ok: /),
      ]);
    });

    test('that is away, of another password, and no Redis at all', async () => {
      expect(await said({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })).toEqual([
        expect.stringMatching(/^failed: .* Start Redis/),
      ]);
      const wrong = await said({ REDIS_URL: redis.url.replace('//', '//someone:a-wrong-password@') });
      expect(wrong).toEqual([expect.stringMatching(/^failed: .*(?:WRONGPASS|NOAUTH).* Correct user and password/)]);
      expect(JSON.stringify(wrong)).not.toContain('a-wrong-password');
    });

    test('that forgets keys when it is full', async () => {
      await redis.command('CONFIG', 'SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
      expect((await said())[1]).toMatch(/^warning: With its policy allkeys-lru .*noeviction/);
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      expect((await said())[1]).toMatch(/^ok: /);
    });

    test('that is a replica', async () => {
      await redis.command('REPLICAOF', '127.0.0.1', String(await freePort()));
      expect((await said())[0]).toMatch(/^failed: It is a replica/);
      await redis.command('REPLICAOF', 'NO', 'ONE');
    });

    slow('that stands still', async () => {
      redis.pause();
      expect((await said())[0]).toMatch(/^failed: /);
      redis.resume();
    });
  });

  describe('the provider', () => {
    let provider: OidcServer;
    beforeEach(async () => {
      provider = await OidcServer.start();
      provider.allowRedirect(`${app.url}/callback`);
    });
    afterEach(() => provider.close());

    const examined = (environment: TestEnvironment = {}) => diagnose({ ...provider.environment, ...environment });
    const rewriteDiscovery = async (change: (document: Record<string, unknown>) => Record<string, unknown>) => {
      const document = (await (await fetch(`${provider.issuer}${discoveryPath}`)).json()) as Record<string, unknown>;
      const body = JSON.stringify(change(document));
      provider.faults.set(discoveryPath, (response) => response.writeHead(200).end(body));
    };

    test('that is well: its keys, our client, its secret and the redirect address', async () => {
      const report = await examined();
      expect(failedIn(report)).toEqual([]);
      expect(saidBy(report, 'provider-keys')).toEqual(['ok: 2 of its 2 keys verify ID tokens.']);
      expect(saidBy(report, 'provider-pkce')).toEqual(['ok: It offers the code flow with PKCE (S256).']);
      expect(saidBy(report, 'provider-redirect')).toEqual([`ok: It knows the redirect address ${app.url}/callback.`]);
      expect(saidBy(report, 'provider-client')).toEqual([
        expect.stringMatching(/^ok: It takes the client .* secret\.$/),
      ]);
      expect(saidBy(report, 'provider-clock')).toEqual([expect.stringMatching(/^ok: /)]);
    });

    test('without one, production warns', async () => {
      expect(saidBy(await diagnose(), 'provider')).toEqual([expect.stringMatching(/^warning: OIDC_ISSUER_URL is not/)]);
    });

    test('another issuer', async () => {
      await rewriteDiscovery((document) => ({ ...document, issuer: `${provider.issuer}/` }));
      const report = await examined();
      expect(failedIn(report)).toEqual(['provider']);
      expect(saidBy(report, 'provider')[0]).toMatch(/but the provider names .*slash at the end included/);
      expect(saidBy(report, 'provider-keys')).toEqual(['warning: It was not checked. See to `provider` first.']);
    });

    test('no discovery document, and nothing at all', async () => {
      provider.faults.set(discoveryPath, (response) => response.writeHead(404).end());
      expect(saidBy(await examined(), 'provider')[0]).toMatch(/^failed: .*answered 404\. Open /);
      await provider.close();
      expect(saidBy(await examined(), 'provider')[0]).toMatch(/^failed: The discovery document cannot be used/);
    });

    test('keys that cannot be used', async () => {
      provider.faults.set(jwksPath, (response) => response.writeHead(200).end('{"keys":[]}'));
      expect(failedIn(await examined())).toEqual(['provider-keys']);
    });

    test('PKCE without S256; a provider that does not say is tried', async () => {
      await rewriteDiscovery((document) => ({ ...document, code_challenge_methods_supported: ['plain'] }));
      expect(failedIn(await examined())).toEqual(['provider-pkce']);
      await rewriteDiscovery((document) => ({ ...document, code_challenge_methods_supported: undefined }));
      expect(failedIn(await examined())).toEqual([]);
    });

    test('a redirect address that it does not know', async () => {
      const report = await examined({ PUBLIC_URL: `http://localhost:${app.app.port}` });
      expect(failedIn(report)).toEqual(['provider-redirect']);
      expect(saidBy(report, 'provider-redirect')[0]).toContain(`Register http://localhost:${app.app.port}/callback`);
    });

    test('scopes that our client may not ask for', async () => {
      const location = `${app.url}/callback?error=invalid_scope&state=doctor`;
      provider.faults.set('/auth', (response) => response.writeHead(303, { location }).end());
      const report = await examined();
      expect(saidBy(report, 'provider-redirect')).toEqual([
        expect.stringMatching(/^failed: .*invalid_scope\. Correct OIDC_SCOPES\.$/),
      ]);
    });

    test('a provider that shows a page in any case does not say whether it knows the address', async () => {
      provider.faults.set('/auth', (response) => response.writeHead(200).end('<html>'));
      const report = await examined();
      expect(saidBy(report, 'provider-redirect')).toEqual([
        expect.stringMatching(/^warning: It did not say .*Register/),
      ]);
    });

    test('another secret, which is not shown', async () => {
      const report = await examined({ OIDC_CLIENT_SECRET: 'not-its-secret' });
      expect(failedIn(report)).toEqual(['provider-client']);
      expect(saidBy(report, 'provider-client')[0]).toMatch(/\(invalid_client\)/);
      expect(JSON.stringify(report)).not.toContain('not-its-secret');
    });

    test('a token endpoint that is down', async () => {
      provider.faults.set(tokenPath, (response) => response.writeHead(500).end());
      expect(failedIn(await examined())).toEqual(['provider-client']);
    });

    test.each([
      [5, 'warning', 'ahead of'],
      [-60, 'failed', 'behind'],
    ])('a clock that is off by %i s', async (seconds, status, where) => {
      const document = await (await fetch(`${provider.issuer}${discoveryPath}`)).text();
      provider.faults.set(discoveryPath, (response) => {
        const date = new Date(Date.now() + seconds * 1_000).toUTCString();
        response.writeHead(200, { date }).end(document);
      });
      expect(saidBy(await examined(), 'provider-clock')[0]).toMatch(new RegExp(`^${status}: .* ${where} this machine`));
    });
  });

  describe('the gateway', () => {
    const said = async (status: number, token?: string) => {
      const gateway = await ScriptedGateway.start((_, response) => response.writeHead(status).end('{}'));
      try {
        const report = await diagnose({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: token });
        return { said: saidBy(report, 'gateway'), requests: gateway.requests };
      } finally {
        await gateway.close();
      }
    };

    test('is asked for an instance that it does not have, with the token; nothing is sent', async () => {
      const { said: sentences, requests } = await said(404, 'token-of-the-gateway');
      expect(sentences).toEqual(['ok: It answers, and does not refuse the token.']);
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /instances/leadwire-doctor']);
      expect(requests[0]?.headers.authorization).toBe('Bearer token-of-the-gateway');
    });

    test.each([
      [401, /^failed: It refuses the token \(401\)\./],
      [503, /^warning: It answers 503\./],
    ])('answers %i', async (status, sentence) => {
      expect((await said(status)).said).toEqual([expect.stringMatching(sentence)]);
    });

    test('is away', async () => {
      const report = await diagnose({
        GATEWAY_URL: `http://127.0.0.1:${await freePort()}`,
        GATEWAY_TOKEN: 'hidden-token',
      });
      expect(failedIn(report)).toEqual(['gateway']);
      expect(JSON.stringify(report)).not.toContain('hidden-token');
    });
  });

  describe('the store of files', () => {
    const bucket = { bucket: 'files', region: 'eu-central-1', accessKeyId: 'key-id', secretAccessKey: 'key-secret' };
    const keys = { AWS_ACCESS_KEY_ID: 'key-id', AWS_SECRET_ACCESS_KEY: 'key-secret' };

    test('a folder below a file cannot be made', async () => {
      const report = await diagnose({ MEDIA_STORE: `file:${join(root, 'package.json', 'media')}` });
      expect(failedIn(report)).toEqual(['media-store']);
    });

    (process.getuid?.() === 0 ? test.skip : test)('a folder that may not be written', async () => {
      const locked = join(folder, 'locked');
      await mkdir(locked);
      await chmod(locked, 0o500);
      expect(failedIn(await diagnose({ MEDIA_STORE: `file:${locked}` }))).toEqual(['media-store']);
    });

    test('a bucket is written, read and left as it was; a wrong key and a wrong bucket are named', async () => {
      const s3 = await S3Server.start(bucket);
      const store = (name: string) => `s3://${name}?endpoint=${s3.url}&region=${bucket.region}`;
      try {
        const well = await diagnose({ ...keys, MEDIA_STORE: store('files') });
        expect(saidBy(well, 'media-store')[0]).toBe('ok: Objects of the bucket can be written, read and removed.');
        expect(s3.objects.size).toBe(0);
        const refused = await diagnose({ ...keys, AWS_SECRET_ACCESS_KEY: 'another-key', MEDIA_STORE: store('files') });
        expect(failedIn(refused)).toEqual(['media-store']);
        expect(JSON.stringify(refused)).not.toContain('another-key');
        expect(failedIn(await diagnose({ ...keys, MEDIA_STORE: store('lost') }))).toEqual(['media-store']);
      } finally {
        await s3.close();
      }
    });
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['without a key', {}, /^ok: .*browsers are not notified while closed\.$/],
    ['with one', pushVariables, /^ok: Browsers subscribe to notifications with the key /],
    ['over plain http', { ...pushVariables, PUBLIC_URL: 'http://leadwire.example' }, /^warning: .*https only/],
  ])('push %s', async (_, variables, sentence) => {
    expect(saidBy(await diagnose(variables), 'web-push')).toEqual([expect.stringMatching(sentence)]);
  });

  describe('PUBLIC_URL', () => {
    test.each<[string, () => string | Promise<string | undefined> | undefined, RegExp]>([
      ['that is not set', () => undefined, /^warning: PUBLIC_URL is not set/],
      ['where nothing listens', async () => `http://127.0.0.1:${await freePort()}`, /^warning: .*does not answer/],
      ['whose host does not exist', () => 'https://nowhere.invalid', /^failed: .*does not answer/],
      ['that leads elsewhere', () => `${app.url}/elsewhere`, /^failed: .*answers 404/],
    ])('%s', async (_, url, sentence) => {
      expect(saidBy(await diagnose({ PUBLIC_URL: await url() }), 'public-url')).toEqual([
        expect.stringMatching(sentence),
      ]);
    });

    test('another version answers there', async () => {
      const other = await ScriptedGateway.start((_, response) => response.end('{"status":"ok","version":"0.0.1"}'));
      try {
        const report = await diagnose({ PUBLIC_URL: other.url });
        expect(saidBy(report, 'public-url')).toEqual([expect.stringMatching(/^warning: Leadwire 0\.0\.1 answers/)]);
      } finally {
        await other.close();
      }
    });
  });

  function run([file = '', ...args]: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { HOME } = process.env;
    const env = { ...compileCache, ...runEnvironment, HOME, ...environmentOf({}) };
    return new Promise((settle) => {
      execFile(file, args, { cwd: root, env, timeout: patienceMs }, (error, stdout, stderr) => {
        settle({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
      });
    });
  }
}

async function query(url: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
}
