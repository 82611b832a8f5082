// `npm run tenant`: the command in production, on databases that begin empty. Most cases run it in this process; some run the built command
// as a process of its own.

import { execFile, spawn, type ExecFileException } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { runTenantCommand } from '../../src/commands/tenant-command.js';
import { compileCache } from '../faults/service-process.js';
import { freePort } from '../support/redis-server.js';
import { noteSecret } from '../support/test-log.js';
import { TestApp, jwtSecret, type TestEnvironment } from '../support/test-app.js';
import { runOnServer, type TestDatabase } from '../support/test-database.js';
import { runEnvironment } from '../support/run-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = 'dist/commands/tenant.js';
// The limit is far longer than a run takes: a command that something holds open for good is ended, and its test fails.
const patienceMs = 60_000;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export function describeTenant(): void {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  async function createEmptyDatabase(): Promise<TestDatabase> {
    const url = new URL(process.env['LEADWIRE_TEST_SERVER_URL'] ?? '');
    const serverUrl = url.href;
    const name = `test_${randomBytes(8).toString('hex')}`;
    await runOnServer(serverUrl, [`CREATE DATABASE ${name}`]);
    url.pathname = `/${name}`;
    return { url: url.href, drop: () => runOnServer(serverUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]) };
  }

  // An environment without NODE_ENV counts as production.
  const environmentOf = (environment: TestEnvironment): TestEnvironment => ({
    DATABASE_URL: database.url,
    JWT_SECRET: jwtSecret,
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    TRUST_PROXY: 'false',
    ...environment,
  });

  /** Runs the file as a process of its own. */
  function execute(file: string, args: string[], environment: TestEnvironment): Promise<Outcome> {
    const env = { ...compileCache, ...runEnvironment, ...environmentOf(environment) };
    return new Promise((settle, fail) => {
      execFile(file, args, { cwd: root, env, timeout: patienceMs }, (error, stdout, stderr) => {
        const { code = null } = (error ?? { code: 0 }) as Pick<ExecFileException, 'code'>;
        if (typeof code === 'number') settle({ code, stdout, stderr });
        else fail(new Error(`it did not end by itself:\n${stdout}${stderr}`, { cause: error }));
      });
    });
  }

  const runBuilt = (args: string[], environment: TestEnvironment = {}) =>
    execute(process.execPath, [script, ...args], environment);

  async function run(args: string[], environment: TestEnvironment = {}): Promise<Outcome> {
    const said = { stdout: '', stderr: '' };
    const code = await runTenantCommand(args, {
      environment: environmentOf(environment),
      print: (text) => void (said.stdout += text),
      complain: (text) => void (said.stderr += text),
    });
    return { code, ...said };
  }

  /** Creates a tenant with an ADMIN, unless the case names one. */
  const create = (args: string[], environment: TestEnvironment = {}, how = run) => {
    const admin = args.some((arg) => arg.startsWith('--admin-')) ? [] : ['--admin-email', 'boss@tenant.example'];
    return how(['create', ...args, ...admin], environment);
  };

  async function created(
    args: string[],
    environment: TestEnvironment = {},
    how = run,
  ): Promise<Record<string, string>> {
    const { code, stdout, stderr } = await create(args, environment, how);
    if (code !== 0) throw new Error(stderr);
    return Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ')),
    ) as Record<string, string>;
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const apiKey = expect.stringMatching(/^lw_[\w-]{43}$/);
  const refused = (stderr: string) => ({ code: 1, stdout: '', stderr });

  describe('on an empty database', () => {
    let platform: Record<string, string>;
    let app: TestApp;

    beforeAll(async () => {
      const admin = ['--admin-email', 'ana@acme.example', '--admin-idp-sub', 'acme-ana'];
      platform = await created(['--name', 'Acme', ...admin], {}, runBuilt);
      app = await TestApp.start({}, database);
    });
    afterAll(() => app.stop({ keepDatabase: true }));

    const entriesOf = (tenantId: string | undefined) =>
      query(
        `SELECT action, actor_kind AS actor, actor_id IS NULL AS nobody FROM audit_entries WHERE tenant_id = $1 ORDER BY id`,
        [tenantId],
      );
    const byCommand = (action: string) => ({ action, actor: 'COMMAND', nobody: true });

    test('the first tenant is the platform tenant, and all that was made is told', () => {
      expect(platform).toStrictEqual({
        tenant: uuid,
        name: 'Acme',
        slug: 'acme',
        'platform tenant': 'yes',
        admin: 'ana@acme.example',
        'admin subject': 'acme-ana',
        'api key': apiKey,
      });
    });

    test('without a provider, the way to the first sign-in is said apart from what scripts read', async () => {
      const hint = /^There is no identity provider yet\..* --tenant hinted --email boss@tenant\.example\n$/m;
      expect((await create(['--name', 'Hinted'])).stderr).toMatch(hint);
      const provider = { OIDC_ISSUER_URL: 'https://id.example', OIDC_CLIENT_ID: 'leadwire' };
      expect((await create(['--name', 'Provided'], provider)).stderr).toBe('');
    });

    test('its ADMIN signs in and acts for the platform', async () => {
      const headers = { authorization: `Bearer ${await app.signIn('acme-ana')}` };
      const answer = await app.post(
        '/graphql',
        { query: '{ me { tenantId role email } tenants { edges { node { id } } } }' },
        headers,
      );
      expect(await answer.json()).toMatchObject({
        data: {
          me: { tenantId: platform['tenant'], role: 'ADMIN', email: 'ana@acme.example' },
          tenants: { edges: expect.arrayContaining([{ node: { id: platform['tenant'] } }]) },
        },
      });
    });

    test('its log says that a command created it and its ADMIN, and showed the key', async () => {
      const actions = ['TENANT_CREATED', 'USER_CREATED', 'API_KEY_READ'];
      expect(await entriesOf(platform['tenant'])).toEqual(actions.map(byCommand));
    });

    test('beside a running server: the next tenant is not the platform, and its key opens the endpoints at once', async () => {
      const wanted = {
        name: 'Second & Sons',
        slug: 'second',
        'webhook source label': 'fair',
        'default country': 'BR',
      };
      const limit = ['--rate-max', '20', '--rate-duration-ms', '1000'];
      const second = await created([
        '--name',
        wanted.name,
        '--slug',
        'second',
        ...limit,
        '--webhook-source-label',
        'fair',
        '--default-country',
        'br',
      ]);
      expect(second).toStrictEqual({
        ...wanted,
        tenant: uuid,
        'platform tenant': 'no',
        admin: 'boss@tenant.example',
        'chat rate limit': '20 in 1000 ms',
        'api key': apiKey,
      });
      for (const tenant of [platform, second]) {
        const headers = { 'x-tenant-key': tenant['api key'] ?? '' };
        const answer = await app.post('/public/leads', { chat: '5511988887777' }, headers);
        expect(answer.status).toBe(201);
      }
      expect(await entriesOf(second['tenant'])).toEqual(
        ['TENANT_CREATED', 'USER_CREATED', 'API_KEY_READ'].map(byCommand),
      );
      const leads = await query('SELECT source FROM leads WHERE tenant_id = $1', [second['tenant']]);
      expect(leads).toEqual([{ source: 'fair' }]);
    });

    test.each([
      ['Açaí do João', 'acai-do-joao'],
      ['  ¡Ünïcode — 2nd!  ', 'unicode-2nd'],
      [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
    ])('the slug is made from the name: %s', async (name, slug) => {
      expect(await created(['--name', name])).toMatchObject({ name: name.trim(), slug });
    });

    test('with words of consent of its own; those that are left out are the usual ones', async () => {
      const words = ['--opt-out-keywords', 'Não quero, SAIR', '--opt-in-keywords', '', '--opt-out-reply', 'Até logo'];
      const own = await created(['--name', 'Own words', ...words]);
      const told = { 'opt-out keywords': 'Não quero, SAIR', 'opt-in keywords': 'none', 'opt-out reply': 'Até logo' };
      expect(own).toMatchObject(told);
      const one = await created(['--name', 'One list', '--opt-in-keywords', 'VOLTEI']);
      const rows = await query(
        `SELECT opt_out_keywords AS out, opt_in_keywords AS back, opt_out_reply AS reply, consent_keys AS keys FROM tenants
         WHERE id = ANY($1) ORDER BY id`,
        [[own['tenant'], one['tenant']]],
      );
      expect(rows).toEqual([
        { out: ['Não quero', 'SAIR'], back: [], reply: 'Até logo', keys: ['NAO QUERO', 'SAIR'] },
        {
          out: expect.arrayContaining(['STOP']),
          back: ['VOLTEI'],
          reply: null,
          keys: expect.arrayContaining(['STOP', 'VOLTEI']),
        },
      ]);
    });

    test('a word of consent that opts out by default cannot opt in, and nothing is created', async () => {
      const sentence = '--opt-in-keywords: is one of --opt-out-keywords too\n';
      expect(await create(['--name', 'Both', '--opt-in-keywords', 'VOLTAR,stop'])).toEqual(refused(sentence));
      expect(await query("SELECT id FROM tenants WHERE slug = 'both'")).toEqual([]);
    });

    describe('what is taken is refused, and nothing is created', () => {
      test.each([
        ['the slug', ['--name', 'ACME'], '--slug: acme is taken\n'],
        [
          "the ADMIN's subject",
          ['--name', 'Third', '--admin-email', 'eve@third.example', '--admin-idp-sub', 'acme-ana'],
          '--admin-idp-sub: is taken\n',
        ],
      ])('%s', async (_, args, sentence) => {
        const count = 'SELECT count(*)::int AS tenants FROM tenants';
        const before = await query(count);
        expect(await create(args)).toEqual(refused(sentence));
        expect(await query(count)).toEqual(before);
      });
    });
  });

  test('two commands on an empty database make one platform tenant', async () => {
    const fresh = await createEmptyDatabase();
    try {
      const environment = { DATABASE_URL: fresh.url };
      const both = await Promise.all(['One', 'Two'].map((name) => created(['--name', name], environment, runBuilt)));
      expect(both.filter((tenant) => tenant['platform tenant'] === 'yes')).toHaveLength(1);
    } finally {
      await fresh.drop();
    }
  });

  describe('sign-in-link', () => {
    let app: TestApp;
    let acme: Record<string, string>;
    const publicUrl = { PUBLIC_URL: 'https://leads.example.com' };
    const link = (args: string[], environment: TestEnvironment = publicUrl) =>
      run(['sign-in-link', ...args], environment);
    const forBoss = (tenant = acme['slug'] ?? '') => ['--tenant', tenant, '--email', 'boss@tenant.example'];

    beforeAll(async () => {
      acme = await created(['--name', 'Linked']);
      app = await TestApp.start({}, database);
    });
    afterAll(() => app.stop({ keepDatabase: true }));

    async function printed(args: string[], environment?: TestEnvironment): Promise<Record<string, string>> {
      const { code, stdout, stderr } = await link(args, environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const lines = stdout.trimEnd().split('\n');
      return Object.fromEntries(lines.map((line) => /^(.*?): (.*)$/.exec(line)?.slice(1) as [string, string]));
    }

    test('an address of the console that signs the first ADMIN in, once', async () => {
      const { link: address = '', ...rest } = await printed(forBoss());
      expect(rest).toEqual({
        tenant: acme['tenant'],
        admin: 'boss@tenant.example',
        'new admin': 'no',
        'counts once until': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
      const { origin, pathname, search, hash } = new URL(address);
      expect([origin, pathname, search]).toEqual(['https://leads.example.com', '/sign-in-link', '']);
      const token = hash.slice(1);
      noteSecret(token);
      const first = await app.post('/auth/link', { token });
      expect(first.status).toBe(200);
      expect(await first.json()).toMatchObject({ user: { tenantId: acme['tenant'], role: 'ADMIN' } });
      expect((await app.post('/auth/link', { token })).status).toBe(401);
    });

    test('an address that nobody has makes no ADMIN by itself', async () => {
      const args = ['--tenant', acme['slug'] ?? '', '--email', 'bos@tenant.example'];
      const sentence = '--email: no user of the tenant has bos@tenant.example. To make an ADMIN of it, add --create\n';
      expect(await link(args)).toEqual(refused(sentence));
      const users = await app.sql('SELECT email FROM users WHERE email = $1', ['bos@tenant.example']);
      expect(users).toEqual([]);
    });

    test('another address is an ADMIN of the tenant from then on with --create', async () => {
      const args = ['--tenant', acme['slug'] ?? '', '--email', 'eve@tenant.example', '--create'];
      expect(await printed(args)).toMatchObject({ 'new admin': 'yes', admin: 'eve@tenant.example' });
      expect(await printed(args)).toMatchObject({ 'new admin': 'no' });
    });

    test('an unknown tenant is a sentence that names those that are there', async () => {
      const { code, stdout, stderr } = await link(['--tenant', 'lost', '--email', 'a@b.example']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^--tenant: there is none of this slug\. There are: [a-z0-9-]+(, [a-z0-9-]+)*( and others)?\n$/,
      );
    });

    test.each<[string, string[] | undefined, TestEnvironment, string]>([
      ['no tenant', ['--email', 'a@b.example'], publicUrl, '--tenant: is required'],
      ['no address', ['--tenant', 'linked'], publicUrl, '--email: is required'],
      ['a wrong address', ['--tenant', 'linked', '--email', 'boss'], publicUrl, '--email: has to be an e-mail address'],
      ['without PUBLIC_URL', undefined, {}, 'PUBLIC_URL is required: the link begins with it.'],
      [
        'without the console',
        undefined,
        { ...publicUrl, CONSOLE: 'off' },
        'CONSOLE is off: the link leads to the console.',
      ],
      [
        'beside a provider',
        undefined,
        { ...publicUrl, OIDC_ISSUER_URL: 'https://id.example', OIDC_CLIENT_ID: 'leadwire' },
        'OIDC_ISSUER_URL is set: users sign in through that provider, and no link counts beside it.',
      ],
    ])('%s is a sentence', async (_, args, environment, sentence) => {
      expect(await link(args ?? forBoss('linked'), environment)).toEqual(refused(`${sentence}\n`));
    });

    test('an option of the other command shows the usage', async () => {
      const { code, stderr } = await link([...forBoss('linked'), '--name', 'x']);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^--name is no option of sign-in-link\.\n\nUsage: /);
    });
  });

  describe('what is wrong', () => {
    const email = ['--admin-email', 'ana.example'];
    test.each([
      ['an address', ['--name', 'Wrong', ...email], '--admin-email: has to be an e-mail address\n'],
      [
        'a slug',
        ['--name', 'Wrong', '--slug', 'No Slug'],
        '--slug: has to be 1 to 63 lower-case letters, digits and inner hyphens\n',
      ],
      ['no name', email, '--name: is required\n'],
      ['a blank name', ['--name', ' '], '--name: is required\n'],
      ['a name without letters', ['--name', '株式会社'], '--slug: is required: none can be made from this name\n'],
      ['a subject without an address', ['--name', 'Wrong', '--admin-idp-sub', 'x'], '--admin-email: is required\n'],
      ['half a limit', ['--name', 'Wrong', '--rate-max', '5'], '--rate-duration-ms: is required\n'],
      [
        'a word of consent',
        ['--name', 'Wrong', '--opt-out-keywords', 'SAIR,!'],
        '--opt-out-keywords: has to have a letter or a digit besides a final . or !\n',
      ],
      ['the other half', ['--name', 'Wrong', '--rate-duration-ms', '500'], '--rate-max: is required\n'],
    ])('%s is named by its option, before the database is touched', async (_, args, sentence) => {
      const untouched = { DATABASE_URL: 'postgresql://127.0.0.1:1/nowhere' };
      expect(await create(args, untouched)).toEqual(refused(sentence));
    });

    test('every wrong option has a sentence', async () => {
      const { code, stderr } = await create([
        '--name',
        'n'.repeat(201),
        ...email,
        '--rate-max',
        'many',
        '--rate-duration-ms=-1',
      ]);
      const options = stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ')[0]);
      expect({ code, options }).toEqual({
        code: 1,
        options: ['--name', '--rate-max', '--rate-duration-ms', '--admin-email'],
      });
    });
  });

  describe('what is not understood shows the usage', () => {
    test.each([
      ['no command', [], 'A command is missing.'],
      ['another command', ['delete'], 'There is no command delete.'],
      ['an unknown option', ['create', '--title', 'x'], `Unknown option '--title'`],
      ['an option without its value', ['create', '--name'], `Option '--name <value>' argument missing`],
      [
        'a name without quotes',
        ['create', '--name', 'Acme', 'Corp'],
        'What is Corp? A value with blanks needs quotes.',
      ],
    ])('%s', async (_, args, sentence) => {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.startsWith(sentence)).toBe(true);
      expect(stderr).toContain('\nUsage: npm run tenant -- create --name <text>');
    });

    test.each([['--help'], ['help'], ['create --help']])('%s', async (line) => {
      const { code, stdout, stderr } = await run(line.split(' '), { DATABASE_URL: '' });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const option of [
        'name',
        'slug',
        'admin-email',
        'admin-idp-sub',
        'rate-max',
        'rate-duration-ms',
        'webhook-source-label',
        'default-country',
        'opt-out-keywords',
        'opt-in-keywords',
        'opt-out-reply',
      ])
        expect(stdout).toMatch(new RegExp(`^  --${option} <\\S+>  +\\S`, 'm'));
    });

    test.each([
      ['what is not understood', ['delete'], 2],
      ['a refusal', ['create', '--name', ' '], 1],
    ])('%s ends the process with its code', async (_, args, code) => {
      expect(await runBuilt(args)).toEqual(await run(args));
      expect(await run(args)).toMatchObject({ code, stdout: '' });
    });

    test('through npm', async () => {
      const { code, stdout } = await execute('npm', ['run', '--silent', 'tenant', '--', '--help'], {});
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: /);
    });
  });

  test('a reader that leaves before the end is no failure', async () => {
    const child = spawn(process.execPath, [script, '--help'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const errors: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 0, stderr: '' });
  });

  describe('what the environment lacks', () => {
    test('every missing variable has a sentence', async () => {
      const outcome = await create(['--name', 'Lost'], { DATABASE_URL: '', JWT_SECRET: '', ENCRYPTION_KEY: 'short' });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/^ENCRYPTION_KEY .*\.$/m);
      expect(outcome.stderr).toMatch(/^DATABASE_URL is required in production\.$/m);
      expect(outcome.stderr).toMatch(/^JWT_SECRET is required in production\.$/m);
    });

    test('in development too it takes a database that is named', async () => {
      const outcome = await create(['--name', 'Lost'], { NODE_ENV: 'development', DATABASE_URL: '' });
      expect(outcome).toEqual(refused('DATABASE_URL is required.\n'));
    });

    test('another ENCRYPTION_KEY than the one that is in use is a sentence, and nothing is created', async () => {
      const outcome = await create(['--name', 'Other key'], { ENCRYPTION_KEY: 'f'.repeat(64) });
      expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('ENCRYPTION_KEY') });
      expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
    });

    test.each([
      [
        'nothing listens',
        async () => `postgresql://leadwire:hidden@localhost:${await freePort()}/leadwire`,
        /ECONNREFUSED/,
      ],
      [
        'there is no such database',
        async () => database.url.replace(/\/test_/, '/lost_'),
        /database "lost_\w+" does not exist/,
      ],
    ])('a database that cannot be opened is one sentence: %s', async (_, url, reason) => {
      const { code, stdout, stderr } = await create(['--name', 'Lost'], { DATABASE_URL: await url() });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^The database of DATABASE_URL cannot be opened: .*\.\n$/);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/hidden|\bat /);
    });
  });
}
