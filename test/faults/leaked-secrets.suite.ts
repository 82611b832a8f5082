// A dump of the database, Redis and the log hold no secret. Each test runs an operation with secrets through a process of the service, both
// with success and with failure. It then searches every row of every table and the process's whole output, at the log's finest level.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { ConfigError, loadConfig } from '../../src/config/config.js';
import { SecretBox } from '../../src/platform/secret-box.js';
import { answering, ScriptedGateway, type Script } from '../providers/scripted-gateway.js';
import { plainNumber, until } from '../features/messages/sending-harness.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { OidcServer, tokenPath, userInfoPath, type CodeGrant, type Fault } from '../support/oidc-server.js';
import { RedisServer, redisServerInstalled, steadyPort } from '../support/redis-server.js';
import { slow } from '../support/slow.js';
import { TestApp, withKey, withToken, type TestEnvironment, type TestTenant } from '../support/test-app.js';
import { noteSecret } from '../support/test-log.js';
import { ServiceProcess } from './service-process.js';

const configured = {
  JWT_SECRET: `jwt ${randomBytes(24).toString('hex')}`,
  JWT_SECRET_PREVIOUS: `previous jwt ${randomBytes(24).toString('hex')}`,
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  CHAT_WEBHOOK_SECRET: `webhook "${randomBytes(24).toString('base64')}"`,
  GATEWAY_TOKEN: `gateway ${randomBytes(24).toString('base64url')}`,
  METRICS_TOKEN: `metrics ${randomBytes(24).toString('base64url')}`,
};

/** Secrets that no place may hold, by name. */
const secrets = new Map<string, string>();
/** Personal data that the database may hold and the log must not: numbers, and texts that people write. */
const personal = new Map<string, string>();

export function describeLeakedSecrets(): void {
  const words = keepOutOfLog('message text', `Oi ${randomBytes(12).toString('hex')}`);

  let provider: OidcServer;
  let gateway: ScriptedGateway;
  let gatewayAnswer: Script;
  let redis: RedisServer | undefined;
  /** Sets the tests up and reads the database; its log is not searched. */
  let api: TestApp;
  let service: ServiceProcess;
  /** The position in the log at which this test begins. */
  let logStart: number;
  let tenant: TestTenant;

  beforeAll(async () => {
    provider = await OidcServer.start('', await steadyPort());
    gateway = await ScriptedGateway.start((request, response) => gatewayAnswer(request, response));
    redis = redisServerInstalled() ? await RedisServer.start() : undefined;
    api = await TestApp.start({ ...configured, PROCESS_ROLE: 'api' });
    service = await startService();
    for (const [name, value] of Object.entries({ ...configured, clientSecret: provider.clientSecret }))
      keep(name, value);
    keep('password of the database', decodeURIComponent(new URL(api.database.url).password) || randomUUID());
    // The first one is the platform tenant.
    await createTenant();
  });

  beforeEach(async () => {
    logStart = service.log.length;
    tenant = await createTenant();
    provider.faults.clear();
    provider.rewriteTokens = keepTokens;
  });

  afterEach(async () => {
    const log = await ownLog();
    expect(await traces(log)).toEqual([]);
    expect(tracesIn(placesOf(log), personal)).toEqual([]);
  });

  afterAll(async () => {
    await service.end('SIGTERM');
    await api.stop();
    await redis?.stop();
    await gateway.close();
    await provider.close();
  });

  function startService(environment: TestEnvironment = {}, database = api.database): Promise<ServiceProcess> {
    return ServiceProcess.start(database, {
      ...configured,
      ...provider.environment,
      GATEWAY_URL: gateway.url,
      REDIS_URL: redis?.url,
      TRUST_PROXY: 'loopback',
      FAILED_AUTH_LIMIT: '1000000',
      LOG_LEVEL: 'trace',
      ...environment,
    });
  }

  /** Returns the service's log since the test began. The line of a final request proves that all earlier lines have arrived. */
  async function ownLog(): Promise<string> {
    const requestId = randomUUID();
    await get('/health/live', { 'x-request-id': requestId });
    const read = () => service.log.slice(logStart);
    return until(read, (log) => log.includes(requestId));
  }

  function keep(name: string, secret: string): string {
    if (secret.length < 7) throw new Error(`the ${name} is too short to be told from other text`);
    secrets.set(`${name} ${secrets.size}`, secret);
    noteSecret(secret);
    return secret;
  }

  function keepOutOfLog(name: string, text: string): string {
    personal.set(`${name} ${personal.size}`, text);
    return text;
  }

  function newNumber(): string {
    return keepOutOfLog('number', plainNumber());
  }

  /** Keeps a token and its signature: a leaked signature is as bad as a leaked token. The claims are no secret. */
  function keepToken(name: string, token: string): string {
    keep(name, token);
    const [, , signature] = token.split('.');
    if (signature !== undefined) keep(`signature of the ${name}`, signature);
    return token;
  }

  /** Keeps the provider's tokens, which the service passes on or uses. */
  function keepTokens(tokens: Record<string, unknown>): Record<string, unknown> {
    for (const name of ['access_token', 'refresh_token', 'id_token'])
      if (typeof tokens[name] === 'string') keepToken(`provider's ${name}`, tokens[name]);
    return tokens;
  }

  /** The encodings in which a secret is as good as plain. */
  function writingsOf(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const inJson = JSON.stringify(secret).slice(1, -1);
    const inUrls = [encodeURIComponent(secret), new URLSearchParams({ '': secret }).toString().slice(1)];
    const inText = [secret, inJson, JSON.stringify(inJson).slice(1, -1), ...inUrls];
    return [...new Set([...inText, bytes.toString('hex'), ...inBase64(bytes)])];
  }

  // Within a longer text, Base64 has three encodings of the same bytes, depending on where they begin. The outermost digits also hold bits
  // of their neighbours.
  function inBase64(bytes: Buffer): string[] {
    return [0, 1, 2].flatMap((shift) => {
      const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
      const inner = [Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6)] as const;
      return (['base64', 'base64url'] as const).map((encoding) => shifted.toString(encoding).slice(...inner));
    });
  }

  /**
   * Every row of every table as text, and each of its values in plain form, bytes as UTF-8; by table. Partitions count with their table.
   */
  async function dump(): Promise<Map<string, string>> {
    const tables = await api.sql<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND NOT c.relispartition
       AND (c.relkind = 'p' OR c.relkind = 'r' AND pg_relation_size(c.oid) > 0)`,
    );
    const read = async ({ name }: { name: string }): Promise<[string, string]> => {
      const rows = await api.sql<{ row: string; record: object }>(
        `SELECT t::text AS row, to_jsonb(t) AS record FROM ${name} AS t`,
      );
      return [name, rows.flatMap(({ row, record }) => [row, ...textsOf(record)]).join('\n')];
    };
    return new Map(await Promise.all(tables.map(read)));
  }

  function textsOf(value: unknown): string[] {
    if (typeof value === 'object' && value !== null) return Object.entries(value).flat().flatMap(textsOf);
    if (typeof value !== 'string') return [];
    return value.startsWith('\\x') ? [Buffer.from(value.slice(2), 'hex').toString('utf8')] : [value];
  }

  /** Lists the secrets that were found, with their places. */
  async function traces(log: string, wanted = secrets): Promise<string[]> {
    const places = [...(await dump()), ...placesOf(log)];
    for (const key of ((await redis?.command('KEYS', '*')) ?? []) as string[]) places.push([`Redis: ${key}`, key]);
    return tracesIn(places, wanted);
  }

  type Place = [name: string, text: string];

  function placesOf(log: string): Place[] {
    return log.split('\n').map((line) => [`the log: ${line}`, line]);
  }

  function tracesIn(places: readonly Place[], wanted: ReadonlyMap<string, string>): string[] {
    const writings = [...wanted].map(([name, secret]) => [name, writingsOf(secret)] as const);
    // Nearly all places hold none. One expression looks for all forms in a fifth of the time that a search for each takes.
    const any = new RegExp(writings.flatMap(([, forms]) => forms.map(RegExp.escape)).join('|'));
    const suspects = places.filter(([, text]) => any.test(text));
    return suspects.flatMap(([place, text]) =>
      writings.filter(([, forms]) => forms.some((form) => text.includes(form))).map(([name]) => `${name} in ${place}`),
    );
  }

  interface Endpoint {
    url: string;
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}, { url }: Endpoint = service) {
    return fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  const get = (path: string, headers: Record<string, string>, { url }: Endpoint = service) =>
    fetch(`${url}${path}`, { headers });

  let lastAddress = 0;

  /** Each call comes from an address of its own: the route lets ten a minute pass. */
  async function exchange(body: unknown, headers: Record<string, string> = {}, path = '/auth/token') {
    lastAddress += 1;
    const response = await post(path, body, { 'x-forwarded-for': `10.7.0.${lastAddress}`, ...headers });
    const answer = (await response.json()) as { accessToken?: string; refreshToken?: string };
    if (answer.accessToken !== undefined) keepToken('access token', answer.accessToken);
    return { status: response.status, ...answer };
  }

  async function newGrant(account = tenant.admin.idpSub): Promise<CodeGrant> {
    const grant = await provider.authorize(account);
    keep('code', grant.code);
    keep('code verifier', grant.codeVerifier);
    return grant;
  }

  /** Creates a tenant with signed-in users, each from an address of its own. */
  async function createTenant(): Promise<TestTenant> {
    const created = await api.createTenant();
    keep('API key', created.apiKey);
    for (const user of [created.admin, created.operator])
      user.token = (await exchange({ idpSub: user.idpSub }, {}, '/auth/dev/token')).accessToken ?? '';
    return created;
  }

  const renewal = (refreshToken: string | undefined) => ({ grantType: 'refresh_token', refreshToken });

  async function statusesOf(calls: Promise<{ status: number }>[]): Promise<number[]> {
    return (await Promise.all(calls)).map(({ status }) => status);
  }

  /** Makes PostgreSQL refuse every new row of a table, with an error that quotes the row. */
  async function whileRefusing<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
    await api.sql(`ALTER TABLE ${table} ADD CONSTRAINT refuses CHECK (false) NOT VALID`);
    try {
      return await work();
    } finally {
      await api.sql(`ALTER TABLE ${table} DROP CONSTRAINT refuses`);
    }
  }

  interface GraphqlBody {
    data?: Record<string, { id?: string; apiKey?: string } | null> | null;
    errors?: { extensions: { code: string } }[];
  }

  async function graphql(
    query: string,
    variables: object = {},
    headers = withToken(tenant.admin),
  ): Promise<GraphqlBody> {
    const answer = (await (await post('/graphql', { query, variables }, headers)).json()) as GraphqlBody;
    for (const record of Object.values(answer.data ?? {}))
      if (record?.apiKey !== undefined) keep('API key', record.apiKey);
    return answer;
  }

  const codesOf = ({ errors = [] }: GraphqlBody) => errors.map((error) => error.extensions.code);

  describe('signing in', () => {
    test('with codes and refresh tokens that are good, spent, wrong or in a body that cannot be read', async () => {
      const grant = await newGrant();
      const first = await exchange(grant, {}, `/auth/token?code=${grant.code}`);
      const second = await exchange(renewal(first.refreshToken));
      expect([first.status, second.status]).toEqual([200, 200]);
      const unspent = await newGrant();
      const form = new URLSearchParams({ code: unspent.code, code_verifier: unspent.codeVerifier }).toString();
      const refused = await statusesOf([
        exchange(grant),
        exchange(renewal(first.refreshToken)),
        exchange({ ...(await newGrant()), codeVerifier: keep('wrong verifier', 'w'.repeat(43)) }),
        exchange({ ...(await newGrant()), redirectUri: 'https://evil.example/callback' }),
        exchange(JSON.stringify(unspent).slice(0, -1)),
        exchange(form, { 'content-type': 'application/x-www-form-urlencoded' }),
        exchange({ ...unspent, grantType: unspent.code }),
        exchange({ ...unspent, code: { value: unspent.code }, codeVerifier: [unspent.codeVerifier] }),
        exchange({ grantType: 'refresh_token', refreshToken: [second.refreshToken] }),
      ]);
      expect(refused).toEqual([401, 401, 401, 401, 400, 415, 400, 422, 422]);
    });

    test('for the first time, which is audited, and as nobody', async () => {
      const email = `${randomUUID()}@test.example`;
      await api.createUser(tenant.id, { email, role: 'OPERATOR' });
      const [account, nobody] = [randomUUID(), randomUUID()];
      provider.accounts.set(account, { email, email_verified: true });
      const statuses = await statusesOf([exchange(await newGrant(account)), exchange(await newGrant(nobody))]);
      expect(statuses).toEqual([200, 403]);
      const bound = await api.sql("SELECT FROM audit_entries WHERE tenant_id = $1 AND action = 'USER_BOUND'", [
        tenant.id,
      ]);
      expect(bound).toHaveLength(1);
    });

    test('through a provider that quotes what it was sent', async () => {
      const quote =
        (status: number): Fault =>
        (response) => {
          const chunks: Buffer[] = [];
          response.req.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.req.on('end', () => {
            const sent = Buffer.concat(chunks).toString();
            const error = new URLSearchParams(sent).get('code') ?? 'invalid_grant';
            const error_description = `${response.req.headers.authorization} ${sent}`;
            response.writeHead(status, { 'content-type': 'application/json', 'x-quote': error_description });
            response.end(JSON.stringify({ error, error_description }));
          });
        };
      const { refreshToken } = await exchange(await newGrant());
      const statuses: number[] = [];
      for (const status of [400, 401, 429, 500, 307]) {
        provider.faults.set(tokenPath, quote(status));
        const grant = { ...(await newGrant()), code: keep('code', randomBytes(24).toString('hex')) };
        statuses.push(...(await statusesOf([exchange(grant), exchange(renewal(refreshToken))])));
      }
      expect(statuses).toEqual([401, 401, 401, 401, 503, 503, 503, 503, 503, 503]);
    });

    test('through a provider whose tokens do not hold, or cannot be used', async () => {
      const forged = keepToken('forged ID token', provider.sign({ sub: tenant.admin.idpSub, aud: 'other' }));
      const broken = keep('broken access token', `${randomBytes(24).toString('hex')}\nX`);
      const rewritings: Record<string, unknown>[] = [
        { id_token: forged },
        { id_token: [forged] },
        { id_token: undefined },
        { access_token: undefined },
        { access_token: broken },
      ];
      const statuses: number[] = [];
      for (const rewriting of rewritings) {
        const grant = await newGrant(randomUUID());
        provider.rewriteTokens = (tokens) => ({ ...keepTokens(tokens), ...rewriting });
        statuses.push((await exchange(grant)).status);
      }
      expect(statuses).toEqual([401, 503, 401, 503, 503]);
    });

    test('through a provider that is down before the grant, or after it', async () => {
      const [early, late] = [await newGrant(), await newGrant(randomUUID())];
      await provider.close();
      expect((await exchange(early)).status).toBe(503);
      await provider.open();
      provider.faults.set(userInfoPath, (response) => response.destroy());
      expect((await exchange(late)).status).toBe(503);
    });

    test('without a provider, as a known and as an unknown identity', async () => {
      const statuses = await statusesOf([
        exchange({ idpSub: tenant.admin.idpSub }, withToken(tenant.admin), '/auth/dev/token'),
        exchange({ idpSub: 'nobody' }, withToken(tenant.admin), '/auth/dev/token'),
      ]);
      expect(statuses).toEqual([200, 403]);
    });
  });

  describe('Bearer tokens', () => {
    /** @returns true if a socket accepts the token */
    async function passesSocket(token: string, endpoint: Endpoint = service): Promise<boolean> {
      const url = `${endpoint.url.replace('http', 'ws')}/graphql?access_token=${token}`;
      const connectionParams = { authorization: `Bearer ${token}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      try {
        const { value } = await client.iterate({ query: '{ me { id } }' }).next();
        return (value as GraphqlBody).data?.['me'] != null;
      } catch {
        return false;
      } finally {
        await client.dispose();
      }
    }

    const tokens: [string, () => string | Promise<string>, boolean][] = [
      ['as issued', () => tenant.admin.token, true],
      ['of the provider', () => provider.issueApiToken(tenant.admin.idpSub), true],
      ['of the provider, under an unknown kid', () => provider.sign({ aud: provider.audience }, { kid: 'x' }), false],
      ['without its last character', () => tenant.admin.token.slice(0, -1), false],
      ["that is the tenant's key", () => tenant.apiKey, false],
    ];

    test.each(tokens)('%s, over REST, GraphQL and a socket', async (_, make, isGood) => {
      const token = keepToken('token', await make());
      const headers = { authorization: `Bearer ${token}` };
      expect((await get(`/chat/instances?access_token=${token}`, headers)).status).toBe(isGood ? 200 : 401);
      expect(codesOf(await graphql('{ me { id } }', {}, headers))).toEqual(isGood ? [] : ['UNAUTHENTICATED']);
      expect(await passesSocket(token)).toBe(isGood);
    });

    test('under another scheme, and in the place of a key', async () => {
      const { token } = tenant.admin;
      const statuses = await statusesOf([
        get('/chat/instances', { authorization: `Basic ${Buffer.from(`ana:${token}`).toString('base64')}` }),
        get('/chat/instances', { authorization: token, cookie: `session=${token}` }),
        post('/public/leads', { chat: newNumber() }, { 'x-tenant-key': token }),
      ]);
      expect(statuses).toEqual([401, 401, 401]);
    });

    slow('and keys while the database is away', async () => {
      const proxy = await DatabaseProxy.to(api.database);
      const far = await startService({ PROCESS_ROLE: 'api' }, proxy.database);
      proxy.cut();
      const statuses = await statusesOf([
        get(`/tenants/${tenant.id}`, withToken(tenant.admin), far),
        post('/public/leads', { chat: newNumber() }, withKey(tenant), far),
        post('/auth/dev/token', { idpSub: tenant.admin.idpSub }, {}, far),
      ]);
      expect(statuses).toEqual([503, 503, 503]);
      expect(await passesSocket(tenant.operator.token, far)).toBe(false);
      await far.end('SIGKILL');
      await proxy.close();
      expect(far.log).toMatch(/a request found a dependency down/);
      expect(await traces(far.log)).toEqual([]);
    });
  });

  describe('API keys', () => {
    const rotate = (grace: number) =>
      graphql('mutation ($id: ID!, $grace: Int) { rotateTenantApiKey(id: $id, graceSeconds: $grace) { apiKey } }', {
        id: tenant.id,
        grace,
      });
    const read = () => graphql('query ($id: ID!) { tenant(id: $id) { apiKey } }', { id: tenant.id });

    test('made, read, rotated and used', async () => {
      expect((await get(`/tenants/${tenant.id}?key=${tenant.apiKey}`, withToken(tenant.admin))).status).toBe(200);
      const keys: (string | undefined)[] = [tenant.apiKey, (await read()).data?.['tenant']?.apiKey];
      for (const grace of [3_600, 60]) keys.push((await rotate(grace)).data?.['rotateTenantApiKey']?.apiKey);
      const isNew = [...new Set(keys)];
      expect(isNew).toHaveLength(3);
      for (const key of isNew)
        expect((await post('/public/leads', { chat: newNumber() }, { 'x-tenant-key': key! })).status).toBe(201);
      expect(codesOf(await rotate(0))).toEqual([]);
      for (const key of isNew)
        expect((await post('/public/leads', { chat: newNumber() }, { 'x-tenant-key': key! })).status).toBe(401);
    });

    test('of a tenant that is created over GraphQL', async () => {
      const [first] = await api.sql<{ sub: string }>(
        "SELECT idp_sub AS sub FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE t.is_platform AND role = 'ADMIN'",
      );
      const { accessToken } = await exchange({ idpSub: first?.sub }, {}, '/auth/dev/token');
      const headers = { authorization: `Bearer ${accessToken}` };
      const document = 'mutation ($slug: String!) { createTenant(input: { name: "New", slug: $slug }) { id apiKey } }';
      const created = await graphql(document, { slug: tenant.slug.replace('t-', 'n-') }, headers);
      expect(created.data?.['createTenant']?.apiKey).toMatch(/^lw_/);
      expect(codesOf(await graphql(document, { slug: tenant.slug }, headers))).toEqual(['CONFLICT']);
    });

    test.each(['audit_entries', 'tenant_api_keys'])('while PostgreSQL refuses rows of %s', async (table) => {
      await whileRefusing(table, async () => {
        const answers = [await rotate(0), await rotate(60), ...(table === 'audit_entries' ? [await read()] : [])];
        for (const answer of answers) expect(codesOf(answer)).toEqual(['INTERNAL']);
      });
      expect(await ownLog()).toMatch(/a request failed/);
    });

    test('of which one was encrypted under another ENCRYPTION_KEY', async () => {
      const [row] = await api.sql<{ id: string }>('SELECT id FROM tenant_api_keys WHERE tenant_id = $1', [tenant.id]);
      const box = new SecretBox(randomBytes(32)).seal(tenant.apiKey, row!.id);
      await api.sql('UPDATE tenant_api_keys SET ciphertext = $2 WHERE tenant_id = $1', [tenant.id, box]);
      expect((await get(`/tenants/${tenant.id}`, withToken(tenant.admin))).status).toBe(500);
      expect(codesOf(await read())).toEqual(['INTERNAL']);
      expect(await ownLog()).toMatch(/cannot be decrypted/);
    });

    slow('in a process that starts with another ENCRYPTION_KEY, and ends', async () => {
      const ENCRYPTION_KEY = keep('other ENCRYPTION_KEY', randomBytes(32).toString('hex'));
      const starting = startService({ ENCRYPTION_KEY });
      const log = await starting.then(async (other) => `${other.log}${(await other.end('SIGKILL')).signal}`, String);
      expect(log).toMatch(/ENCRYPTION_KEY is not the one/);
      expect(log).not.toMatch(/could not be stopped/);
      expect(await traces(log)).toEqual([]);
    });
  });

  describe('webhooks', () => {
    const inbound = '/webhooks/chat/gateway/inbound';
    const message = () => JSON.stringify({ messageId: randomUUID(), from: newNumber(), text: words });
    const sign = (body: string, secret = configured.CHAT_WEBHOOK_SECRET) =>
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const deliver = (path: string, body: string, headers: Record<string, string> = {}) =>
      post(path, body, { ...withKey(tenant), 'x-signature': sign(body), ...headers });

    test('accepted, repeated, refused and malformed', async () => {
      const body = message();
      const report = JSON.stringify({ messageId: randomUUID(), status: 'DELIVERED' });
      const broken = body.slice(0, -1);
      const many = JSON.stringify({ messages: [JSON.parse(message()), {}] });
      const lead = JSON.stringify({ chat: newNumber(), campaign: 'spring' });
      const accepted = [];
      for (const [path, sent] of [
        [inbound, body],
        [inbound, body],
        [inbound, many],
        ['/webhooks/chat/gateway/status', report],
        ['/webhooks/leads', lead],
        ['/public/leads', lead],
      ] as const)
        accepted.push((await deliver(path, sent)).status);
      expect(accepted).toEqual([200, 200, 200, 200, 201, 200]);
      const refused = await statusesOf([
        deliver(inbound, body, { 'x-signature': '' }),
        deliver(inbound, body, { 'x-signature': sign(body, 'wrong') }),
        deliver(inbound, broken),
        deliver(inbound, '{}'),
        deliver(inbound, body, { 'content-type': 'text/plain' }),
        deliver(inbound, body, { 'content-encoding': 'gzip' }),
        deliver(inbound, JSON.stringify({ text: 'a'.repeat(300_000) })),
        deliver('/webhooks/leads', '{"chat":"1"}'),
        deliver('/webhooks/leads', broken),
        deliver(inbound, body, { 'x-tenant-key': `${tenant.apiKey}, ${tenant.apiKey}` }),
      ]);
      expect(refused).toEqual([401, 401, 400, 422, 415, 400, 413, 422, 400, 401]);
      const journal = await api.sql<{ outcome: string }>(
        'SELECT outcome FROM webhook_deliveries WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(new Set(journal.map((row) => row.outcome))).toEqual(new Set(['processed', 'partial', 'refused']));
    });

    test('with the key of the gateway that the Evolution API puts into each call, good and cut off', async () => {
      const apikey = keep('key of the Evolution API', randomBytes(16).toString('hex'));
      const key = { remoteJid: `${newNumber()}@s.whatsapp.net`, fromMe: false, id: randomUUID() };
      const data = { key, message: { conversation: words }, messageTimestamp: 1_773_027_345 };
      const body = JSON.stringify({ event: 'messages.upsert', instance: tenant.instance.name, apikey, data });
      const cut = body.slice(0, body.indexOf(apikey) + apikey.length);
      expect(await statusesOf([deliver(inbound, body), deliver(inbound, cut)])).toEqual([200, 400]);
    });

    test.each(['webhook_deliveries', 'messages'])('while PostgreSQL refuses rows of %s', async (table) => {
      expect(await whileRefusing(table, async () => (await deliver(inbound, message())).status)).toBe(500);
      expect(await ownLog()).toMatch(/a request failed/);
    });
  });

  test('GraphQL that cannot be read, is not valid, is refused or fails', async () => {
    const { token } = tenant.admin;
    const codes = [];
    for (const [query, variables] of [
      [`{ tenant(id: "${tenant.apiKey}") { apiKey `, {}],
      [`{ tenant(id: "${tenant.apiKey}") { secret } }`, {}],
      ['query ($id: ID!) { tenant(id: $id) { apiKey } }', { id: [tenant.apiKey] }],
      ['query ($id: ID!) { lead(id: $id) { id } }', { id: token }],
      ['query ($after: String) { leads(after: $after) { edges { node { id } } } }', { after: token }],
      ['mutation ($id: ID!) { rotateTenantApiKey(id: $id) { id } }', { id: tenant.apiKey }],
      [`mutation ($id: ID!) { sendMessage(input: { leadId: $id, body: "${words}" }) { id } }`, { id: token }],
      ['subscription { messageReceived { id } }', { token }],
    ] as const)
      codes.push(codesOf(await graphql(query, variables)).join());
    expect(codes).toEqual([
      'BAD_REQUEST',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      '',
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'BAD_REQUEST',
    ]);
    const query = `query Lead${tenant.apiKey.replaceAll('-', '_')} { me { id } }`;
    const byGet = await get(`/graphql?${new URLSearchParams({ query }).toString()}`, {
      ...withToken(tenant.admin),
      'apollo-require-preflight': 'true',
    });
    expect(byGet.status).toBe(200);
  });

  describe('sending', () => {
    const accept: Script = (request, response) =>
      answering(200, { messageId: request.headers['idempotency-key'] })(request, response);

    interface FirstAttempt {
      outcome: string | null;
      /** The credentials that the gateway received; undefined if it received no call. */
      authorization: string | undefined;
    }

    /** Sends one message. */
    async function attemptOnce(): Promise<FirstAttempt> {
      const lead = (await (await post('/public/leads', { chat: newNumber() }, withKey(tenant))).json()) as {
        id: string;
      };
      const document = `mutation ($leadId: ID!) { sendMessage(input: { leadId: $leadId, body: "${words}" }) { id } }`;
      const id = (await graphql(document, { leadId: lead.id })).data?.['sendMessage']?.id;
      const read = async () => {
        const sql = 'SELECT outcome FROM send_attempts WHERE message_id = $1 AND number = 1';
        return (await api.sql<{ outcome: string | null }>(sql, [id]))[0]?.outcome ?? null;
      };
      const outcome = await until(read, (seen) => seen !== null);
      const request = gateway.requests.find(({ headers }) => headers['idempotency-key'] === id);
      return { outcome, authorization: request?.headers.authorization };
    }

    const giveOwnToken = (token: string) =>
      api.sql('UPDATE chat_instances SET base_url = $2, token_ciphertext = $3 WHERE id = $1', [
        tenant.instance.id,
        gateway.url,
        new SecretBox(Buffer.from(configured.ENCRYPTION_KEY, 'hex')).seal(token, tenant.instance.id),
      ]);

    const answers: [string, Script, string][] = [
      ['accepts', accept, 'accepted'],
      ['refuses the token', answering(401, { error: { code: 'unauthorized', message: 'Who is it?' } }), 'permanent'],
      ['is overloaded', answering(503, 'busy'), 'temporary'],
      ['answers rubbish', answering(200, '<html>'), 'unknown'],
      ['points elsewhere', answering(307, '', { location: 'http://127.0.0.1:9/elsewhere' }), 'permanent'],
      ['hangs up', (_request, response) => void response.destroy(), 'unknown'],
    ];

    test.each(answers)('to a gateway that %s', async (_, script, outcome) => {
      gatewayAnswer = script;
      expect(await attemptOnce()).toEqual({ outcome, authorization: `Bearer ${configured.GATEWAY_TOKEN}` });
      const own = keep("instance's token", randomBytes(24).toString('hex'));
      await giveOwnToken(own);
      expect(await attemptOnce()).toEqual({ outcome, authorization: `Bearer ${own}` });
    });

    test('with a token that cannot stand in a header', async () => {
      gatewayAnswer = accept;
      await giveOwnToken(keep("instance's token", `${randomBytes(24).toString('hex')}\nX`));
      expect((await attemptOnce()).outcome).toMatch(/^(?:temporary|permanent)$/);
    });

    test('with a token that was encrypted for another instance', async () => {
      const own = keep("instance's token", randomBytes(24).toString('hex'));
      const box = new SecretBox(Buffer.from(configured.ENCRYPTION_KEY, 'hex')).seal(own, randomUUID());
      await api.sql('UPDATE chat_instances SET token_ciphertext = $2 WHERE id = $1', [tenant.instance.id, box]);
      expect(await attemptOnce()).toEqual({ outcome: 'permanent', authorization: undefined });
      expect(await ownLog()).toMatch(/a gateway credential cannot be decrypted/);
    });
  });

  describe('connecting an instance', () => {
    const newCode = (name: string) => keep(name, randomBytes(12).toString('hex'));
    const quoting: Script = (request, response) =>
      answering(200, { status: 'ERROR', lastError: `I do not know ${request.headers.authorization}` })(
        request,
        response,
      );
    const answers: [string, () => Script, string | undefined][] = [
      [
        'gives codes to scan and to type',
        () => answering(200, { status: 'CONNECTING', qr: newCode('QR code'), pairingCode: newCode('pairing code') }),
        undefined,
      ],
      ['quotes the token in why the instance is out', () => quoting, undefined],
      ['gives codes and no state', () => answering(200, { qr: newCode('QR code') }), 'UNAVAILABLE'],
      [
        'refuses the token',
        () => answering(401, { error: { code: 'unauthorized', message: 'Who is it?' } }),
        'CONFLICT',
      ],
      ['hangs up', () => (_request, response) => void response.destroy(), 'UNAVAILABLE'],
    ];

    test.each(answers)('at a gateway that %s', async (_, make, code) => {
      gatewayAnswer = make();
      for (const name of ['connectChatInstance', 'disconnectChatInstance']) {
        const { id } = tenant.instance;
        const answer = await graphql(`mutation ($id: ID!) { ${name}(id: $id) { status } }`, { id });
        expect(codesOf(answer)).toEqual(code === undefined ? [] : [code]);
      }
    });
  });

  test('posting to a webhook endpoint that quotes what it was sent, and with a secret that is for another endpoint', async () => {
    gatewayAnswer = ({ headers }, response) =>
      answering(500, { quote: headers })({ method: '', path: '', headers, body: null }, response);
    const create = `mutation ($url: String!) {
    createWebhookEndpoint(input: { url: $url, eventTypes: [LEAD_CREATED] }) { secret endpoint { id } }
  }`;
    const rotate = 'mutation ($id: ID!) { rotateWebhookEndpointSecret(id: $id) { secret endpoint { id } } }';
    const readMade = ({ data }: GraphqlBody) =>
      Object.values(data ?? {})[0] as unknown as { secret: string; endpoint: { id: string } };
    const made = readMade(await graphql(create, { url: `${gateway.url}/hooks` }));
    const rotated = readMade(await graphql(rotate, { id: made.endpoint.id }));
    for (const { secret } of [made, rotated]) keep('secret of a webhook endpoint', secret.slice('whsec_'.length));
    await post('/public/leads', { chat: newNumber(), name: words }, withKey(tenant));
    const errors = (error: string) =>
      until(
        () =>
          api.sql<{ id: string }>('SELECT id FROM endpoint_deliveries WHERE tenant_id = $1 AND last_error ~ $2', [
            tenant.id,
            error,
          ]),
        (rows) => rows.length > 0,
      );
    await errors('answered 500');
    const box = new SecretBox(Buffer.from(configured.ENCRYPTION_KEY, 'hex')).seal(rotated.secret, randomUUID());
    await api.sql('UPDATE webhook_endpoints SET secret_ciphertext = $2 WHERE tenant_id = $1', [tenant.id, box]);
    await api.sql('UPDATE endpoint_deliveries SET due_at = now(), lease_until = NULL WHERE tenant_id = $1', [
      tenant.id,
    ]);
    await errors('secret cannot be read');
    expect(await ownLog()).toMatch(/the secret of a webhook endpoint cannot be decrypted/);
  });

  test('lead sources: a Graph API that quotes the token, and calls with keys and signatures, right and wrong', async () => {
    gatewayAnswer = ({ headers }, response) =>
      answering(400, { error: { code: 190, message: `I do not know ${headers.authorization}` } })(
        { method: '', path: '', headers, body: null },
        response,
      );
    const made = (name: string) => keep(name, randomBytes(16).toString('hex'));
    const [appSecret, key, formSecret] = [made('app secret'), made('google_key'), made('secret of a form')];
    const create = async (input: object) => {
      const mutation = 'mutation ($input: CreateLeadSourceInput!) { createLeadSource(input: $input) { id path } }';
      const { data } = await graphql(mutation, { input });
      return (data?.['createLeadSource'] ?? {}) as unknown as { id: string; path: string };
    };
    const accessToken = made('token of Meta');
    const meta = await create({
      kind: 'META',
      name: 'meta',
      appSecret,
      accessToken,
      key: made('verify token'),
      baseUrl: gateway.url,
    });
    const google = await create({ kind: 'GOOGLE', name: 'google', key });
    const hmac = { header: 'x-sig', algorithm: 'sha256', encoding: 'hex', secret: formSecret };
    const form = await create({ kind: 'FORM', name: 'form', hmac });
    const notice = JSON.stringify({
      object: 'page',
      entry: [{ changes: [{ field: 'leadgen', value: { leadgen_id: '1', form_id: '2' } }] }],
    });
    const signature = createHmac('sha256', appSecret).update(notice).digest('hex');
    expect((await post(meta.path, notice, { 'x-hub-signature-256': `sha256=${signature}` })).status).toBe(200);
    const phone = [{ column_id: 'PHONE_NUMBER', string_value: `+${newNumber()}` }];
    const lead = { lead_id: '1', user_column_data: phone, nested: { google_key: key } };
    expect((await post(google.path, { ...lead, google_key: key })).status).toBe(200);
    expect((await post(google.path, { ...lead, google_key: made('another key'), lead_id: '2' })).status).toBe(401);
    expect((await post(google.path, { google_key: key })).status).toBe(422);
    expect((await post(form.path, { phone: `+${newNumber()}` }, { 'x-sig': made('wrong signature') })).status).toBe(
      401,
    );
    await graphql(
      'mutation ($id: ID!, $input: UpdateLeadSourceInput!) { updateLeadSource(id: $id, input: $input) { id } }',
      {
        id: google.id,
        input: { key: made('next google_key') },
      },
    );
    await until(
      () => api.sql('SELECT FROM lead_source_leads WHERE tenant_id = $1 AND error IS NOT NULL', [tenant.id]),
      (rows) => rows.length > 0,
    );
  });

  test('a configuration that is refused: its sentences name the variables and quote no secret', async () => {
    const wrong = {
      DATABASE_URL: `mysql://ana:${keep('password', randomBytes(8).toString('hex'))}@db.example/leadwire`,
      REDIS_URL: `http://:${keep('password', randomBytes(8).toString('hex'))}@redis.example`,
      JWT_SECRET: keep('short JWT_SECRET', randomBytes(8).toString('hex')),
      JWT_SECRET_PREVIOUS: keep('short JWT_SECRET_PREVIOUS', randomBytes(8).toString('hex')),
      ENCRYPTION_KEY: keep('short ENCRYPTION_KEY', randomBytes(8).toString('hex')),
      CHAT_WEBHOOK_SECRET: keep('short CHAT_WEBHOOK_SECRET', '~qZ^!w%'),
      OTEL_EXPORTER_OTLP_HEADERS: `x-key: ${keep('header of traces', randomBytes(8).toString('hex'))}`,
      METRICS_TOKEN: keep('short METRICS_TOKEN', randomBytes(4).toString('hex')),
      GATEWAY_URL: `https://ana:${keep('password', randomBytes(8).toString('hex'))}@gateway.example`,
      OIDC_ISSUER_URL: `https://ana:${keep('password', randomBytes(8).toString('hex'))}@id.example`,
    };
    let sentences = '';
    try {
      loadConfig(wrong);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      sentences = String(error);
    }
    for (const name of Object.keys(wrong)) expect(sentences).toContain(name);
    expect(await traces(sentences)).toEqual([]);
  });

  describe('what others put where it does not belong', () => {
    const inbound = '/webhooks/chat/gateway/inbound';

    test.each<[string, () => string]>([
      ['the secret', () => configured.CHAT_WEBHOOK_SECRET],
      ['the secret behind the prefix', () => `sha256=${configured.CHAT_WEBHOOK_SECRET}`],
      ["the tenant's key", () => tenant.apiKey],
    ])('a webhook whose x-signature is %s', async (_, wrong) => {
      const body = JSON.stringify({ messageId: randomUUID(), from: newNumber(), text: words });
      expect((await post(inbound, body, { ...withKey(tenant), 'x-signature': wrong() })).status).toBe(401);
    });

    test.each(['apikey', 'apiKey', 'api_key'])('a call of the Evolution API with its key as %s', async (field) => {
      const apikey = keep('key of the Evolution API', randomBytes(16).toString('hex'));
      const body = JSON.stringify({ event: 'messages.upsert', instance: 'x', data: {}, [field]: apikey });
      const signature = `sha256=${createHmac('sha256', configured.CHAT_WEBHOOK_SECRET).update(body).digest('hex')}`;
      await post(inbound, body, { ...withKey(tenant), 'x-signature': signature });
    });

    test('a gateway that quotes the token it refuses', async () => {
      gatewayAnswer = (request, response) => {
        const error = { code: 'unauthorized', message: `Malformed access token ${request.headers.authorization}` };
        answering(401, { error })(request, response);
      };
      const answer = await post('/public/leads', { chat: newNumber() }, withKey(tenant));
      const { id: leadId } = (await answer.json()) as { id: string };
      const document = `mutation ($leadId: ID!) { sendMessage(input: { leadId: $leadId, body: "${words}" }) { id } }`;
      const id = (await graphql(document, { leadId })).data?.['sendMessage']?.id;
      const read = () => api.sql<{ status: string }>('SELECT status FROM messages WHERE id = $1', [id]);
      await until(read, ([row]) => row?.status === 'FAILED');
    });
  });

  describe('numbers and what people write', () => {
    const document =
      'mutation ($leadId: ID!, $body: String!) { sendMessage(input: { leadId: $leadId, body: $body }) { id } }';

    test('in the path of a call, and in what others say of it', async () => {
      const number = newNumber();
      const written = keepOutOfLog('number', `+49 ${number.slice(2, 5)} ${number.slice(5, 10)}-${number.slice(10)}`);
      const paths = [`/leads/${number}`, `/webhooks/chat/gateway/${number}`, `/leads/${encodeURIComponent(written)}`];
      for (const path of paths) expect((await post(path, {}, withKey(tenant))).status).toBeGreaterThanOrEqual(400);
      gatewayAnswer = ({ body }, response) => {
        const error = { code: 'rejected', message: `Not sent: ${JSON.stringify(body)}` };
        answering(400, { error })({ method: '', path: '', headers: {}, body }, response);
      };
      const lead = (await (await post('/public/leads', { chat: number }, withKey(tenant))).json()) as { id: string };
      const id = (await graphql(document, { leadId: lead.id, body: words })).data?.['sendMessage']?.id;
      const read = () => api.sql<{ error: string }>('SELECT error_message AS error FROM messages WHERE id = $1', [id]);
      expect((await until(read, ([row]) => row?.error != null))[0]?.error).toContain(number);
    });

    test('while PostgreSQL refuses rows', async () => {
      const lead = (await (await post('/public/leads', { chat: newNumber() }, withKey(tenant))).json()) as {
        id: string;
      };
      const template = 'mutation ($body: String!) { createTemplate(input: { name: $body, body: $body }) { id } }';
      const statuses: unknown[] = [];
      for (const table of ['messages', 'events', 'webhook_deliveries', 'leads', 'templates'])
        await whileRefusing(table, async () => {
          const touched = await post('/public/leads', { chat: newNumber(), name: words }, withKey(tenant));
          const sent = await graphql(document, { leadId: lead.id, body: words });
          const created = await graphql(template, { body: `${words} ${table}` });
          statuses.push([touched.status, codesOf(sent).join(), codesOf(created).join()]);
        });
      expect(statuses).toEqual([
        [201, 'INTERNAL', ''],
        [500, 'INTERNAL', 'INTERNAL'],
        [500, '', ''],
        [500, 'INTERNAL', ''],
        [201, '', 'INTERNAL'],
      ]);
    });
  });

  describe('a line of the log', () => {
    type Line = Record<string, unknown>;
    const linesOf = (log: string) =>
      log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
    const failed = async () => linesOf(await ownLog()).filter(({ msg }) => msg === 'a request failed');

    test('names the request, the tenant and who asks, over REST and GraphQL', async () => {
      const requestId = randomUUID();
      const named = { 'x-request-id': requestId };
      await whileRefusing('lead_touches', () =>
        post('/public/leads', { chat: newNumber() }, { ...withKey(tenant), ...named }),
      );
      const create = 'mutation { createTemplate(input: { name: "x", body: "x" }) { id } }';
      await whileRefusing('templates', () => graphql(create, {}, { ...withToken(tenant.admin), ...named }));
      const principals = [expect.stringMatching(/^key [\w-]{36}$/), `user ${tenant.admin.id}`];
      expect(await failed()).toEqual(
        principals.map((principal) => expect.objectContaining({ requestId, tenantId: tenant.id, principal })),
      );
      const requests = linesOf(await ownLog()).filter(
        (line) => line['requestId'] === requestId && line['msg'] === 'request',
      );
      expect(requests).toEqual([
        expect.objectContaining({ path: '/public/leads', status: 500, tenantId: tenant.id, principal: principals[0] }),
        expect.objectContaining({ path: '/graphql', status: 200, tenantId: tenant.id, principal: principals[1] }),
      ]);
    });

    test('names them for an operation of a socket, and its answer names the request too', async () => {
      const client = createClient({
        url: `${service.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: withToken(tenant.operator),
      });
      const create = 'mutation { createTemplate(input: { name: "y", body: "y" }) { id } }';
      const { value } = await whileRefusing('templates', () => client.iterate({ query: create }).next());
      await client.dispose();
      const [error] = (value as { errors: { extensions: { code: string; requestId: string } }[] }).errors;
      const line = {
        tenantId: tenant.id,
        principal: `user ${tenant.operator.id}`,
        requestId: error?.extensions.requestId,
      };
      expect(error?.extensions).toEqual({ code: 'INTERNAL', requestId: expect.stringMatching(/^[\w-]{36}$/) });
      expect(await failed()).toEqual([expect.objectContaining(line)]);
    });
  });

  // Proves the search of the tests above: it finds a planted secret in every place and every encoding.
  describe('the search', () => {
    const planted = `planted "\\ ${randomBytes(24).toString('base64')}`;
    const find = (log = '') => traces(log, new Map([['planted', planted]]));

    const writings: [string, (secret: string) => string][] = [
      ['plain', (secret) => secret],
      ['in JSON within JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
      ['in a URL', (secret) => `?secret=${encodeURIComponent(secret)}`],
      ['in hexadecimal digits', (secret) => Buffer.from(`key=${secret}`).toString('hex')],
      ...['', 'a', 'ab', 'abc'].map((before): [string, (secret: string) => string] => [
        `in Base64, behind "${before}"`,
        (secret) => Buffer.from(`${before}${secret}:c`).toString('base64'),
      ]),
      ['in URL-safe Base64', (secret) => Buffer.from(`a:${secret}`).toString('base64url')],
    ];

    test.each(writings)('finds a secret %s, in text, in jsonb, in bytes and in the log', async (_, write) => {
      const text = write(planted);
      expect(await find()).toEqual([]);
      await api.sql('CREATE TABLE planted_text AS SELECT $1::text AS planted', [text]);
      await api.sql('CREATE TABLE planted_jsonb AS SELECT $1::jsonb AS planted', [JSON.stringify({ text })]);
      await api.sql('CREATE TABLE planted_bytes AS SELECT $1::bytea AS planted', [Buffer.from(text)]);
      const tables = ['bytes', 'jsonb', 'text'].map((kind) => `planted in public.planted_${kind}`);
      expect((await find(text)).toSorted()).toEqual([...tables, `planted in the log: ${text}`]);
      await api.sql('DROP TABLE planted_text, planted_jsonb, planted_bytes');
    });

    test('reads every table, and the whole log', async () => {
      expect([...(await dump()).keys()]).toEqual(
        expect.arrayContaining([
          'public.tenant_api_keys',
          'public.audit_entries',
          'public.send_attempts',
          'pgboss.job',
        ]),
      );
      const source = randomUUID();
      const headers = { ...withKey(tenant), 'x-request-id': source };
      expect((await post('/public/leads', { chat: newNumber(), source }, headers)).status).toBe(201);
      const places = await traces(await ownLog(), new Map([['source', source]]));
      expect(places).toContainEqual(expect.stringMatching(/^source in the log: .*"status":201/));
      expect(places.filter((place) => place.startsWith('source in public.')).toSorted()).toEqual([
        'source in public.lead_touches',
        'source in public.leads',
        'source in public.webhook_deliveries',
      ]);
    });
  });
}
