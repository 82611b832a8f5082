// API keys of tenants: a rotation's effect on every process, the one refusal of keys that open nothing, who is shown a key, and the audit
// log. GET /tenants/:id itself is in tenants.suite.ts.

import { randomBytes } from 'node:crypto';
import { jest } from '../support/jest.js';
import { ApiKeyService } from '../../src/features/tenants/api-key.service.js';
import { SecretBox } from '../../src/platform/secret-box.js';
import { until } from '../features/messages/sending-harness.js';
import type { GraphqlAnswer } from '../support/graphql-client.js';
import { platformOf, sharedApp } from '../support/shared-app.js';
import { TestApp, withKey, withToken, type TestTenant, type TestUser } from '../support/test-app.js';
import { expectProblem } from './problem.js';

/** The time in ms within which every process follows a rotation. */
const followMs = 5_000;
const graceSeconds = 3_600;

export function describeApiKey(): void {
  let app: TestApp;
  /** Another process of the same service. */
  let other: TestApp;
  let platform: TestTenant;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    other = await TestApp.start({}, app.database);
    platform = await platformOf(app);
  });
  beforeEach(async () => {
    tenant = await createTenant();
  });
  afterAll(async () => {
    await other.stop({ keepDatabase: true });
  });

  /** Creates a tenant whose tokens do not come from the endpoint, which gives 30 a minute. */
  async function createTenant(): Promise<TestTenant> {
    const created = await app.createTenant();
    for (const user of [created.admin, created.operator])
      user.token = (await app.app.services.auth.issueDevToken({ idpSub: user.idpSub })).accessToken;
    return created;
  }

  const rotateDocument = `mutation ($id: ID!, $grace: Int) {
  rotateTenantApiKey(id: $id, graceSeconds: $grace) { id apiKey }
}`;
  const setActiveDocument = `mutation ($id: ID!, $isActive: Boolean!) {
  updateTenant(id: $id, input: { isActive: $isActive }) { isActive }
}`;

  interface Rotation {
    rotateTenantApiKey: { id: string; apiKey: string };
  }

  async function ask<Data = unknown>(
    user: TestUser | undefined,
    query: string,
    variables: object = {},
  ): Promise<GraphqlAnswer<Data>> {
    const response = await app.post('/graphql', { query, variables }, user === undefined ? {} : withToken(user));
    return (await response.json()) as GraphqlAnswer<Data>;
  }

  const codesOf = ({ errors = [] }: GraphqlAnswer<unknown>) => errors.map((error) => error.extensions.code);

  /** @returns the new key */
  async function rotate(grace = 0, user = tenant.admin): Promise<string> {
    const { data, errors } = await ask<Rotation>(user, rotateDocument, { id: tenant.id, grace });
    expect(errors).toBeUndefined();
    return data!.rotateTenantApiKey.apiKey;
  }

  async function shownKey(): Promise<string> {
    const response = await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin));
    return ((await response.json()) as { apiKey: string }).apiKey;
  }

  /** Tells whether a key opens the endpoints of a process, which answer 401 to a wrong key. */
  async function opens(apiKey: string, at = app): Promise<boolean> {
    const { status } = await at.post('/public/leads', { chat: '5511988887777' }, { 'x-tenant-key': apiKey });
    if (status !== 401 && status >= 300) throw new Error(`the call was answered with ${status}`);
    return status !== 401;
  }

  async function openings(apiKey: string): Promise<boolean[]> {
    return [await opens(apiKey), await opens(apiKey, other)];
  }

  /** Waits until a key ends. A process that has seen the key pass may accept it for a while, but not longer than promised. */
  async function expectEnds(apiKey: string, at: TestApp): Promise<void> {
    await until(
      () => opens(apiKey, at),
      (isOpen) => !isOpen,
      followMs,
    );
  }

  interface KeyRow {
    id: string;
    hash: Buffer;
    expiresAt: Date | null;
    /** The seconds until the key ends; null for the current one. */
    secondsLeft: number | null;
  }

  /** The tenant's keys that are in force, the oldest first. */
  function keyRows(): Promise<KeyRow[]> {
    return app.sql<KeyRow>(
      `SELECT id, hash, expires_at AS "expiresAt", extract(epoch FROM expires_at - clock_timestamp())::float AS "secondsLeft"
     FROM tenant_api_keys
     WHERE tenant_id = $1 AND (expires_at IS NULL OR expires_at > clock_timestamp()) ORDER BY id`,
      [tenant.id],
    );
  }

  const endGraceNow = () =>
    app.sql(
      'UPDATE tenant_api_keys SET expires_at = clock_timestamp() WHERE tenant_id = $1 AND expires_at IS NOT NULL',
      [tenant.id],
    );

  interface LogEntry {
    actorKind: string;
    actorId: string | null;
    action: string;
    targetKind: string;
    targetId: string;
    before: unknown;
    after: unknown;
    requestId: string | null;
  }

  const logDocument = `{ auditLog(first: 200) { edges { node {
  actorKind actorId action targetKind targetId before after requestId
} } } }`;

  /** The audit entries about keys of `subject` that the ADMIN of `reader` reads, the oldest first. */
  async function keyEntries(reader = tenant, subject = tenant): Promise<LogEntry[]> {
    const { data } = await ask<{ auditLog: { edges: { node: LogEntry }[] } }>(reader.admin, logDocument);
    const entries = data!.auditLog.edges.map((edge) => edge.node).toReversed();
    return entries.filter(
      ({ action, actorKind, targetId }) =>
        action.startsWith('API_KEY_') && actorKind !== 'COMMAND' && targetId === subject.id,
    );
  }

  describe('a rotation without grace', () => {
    test('ends the key at once where it was made, and within 5 s on every other process', async () => {
      expect(await openings(tenant.apiKey)).toEqual([true, true]);
      const next = await rotate();
      expect(await opens(tenant.apiKey)).toBe(false);
      expect(await openings(next)).toEqual([true, true]);
      await expectEnds(tenant.apiKey, other);
      expect(await openings(next)).toEqual([true, true]);
      expect(await openings(tenant.apiKey)).toEqual([false, false]);
    });

    test.each([
      ['is left out', '$id: ID!', 'id: $id'],
      ['is null', '$id: ID!', 'id: $id, graceSeconds: null'],
      ['is a variable that is null', '$id: ID!, $grace: Int', 'id: $id, graceSeconds: $grace'],
    ])('is meant where the grace %s', async (_case, parameters, args) => {
      const query = `mutation (${parameters}) { rotateTenantApiKey(${args}) { apiKey } }`;
      const { data, errors } = await ask<Rotation>(tenant.admin, query, { id: tenant.id, grace: null });
      expect(errors).toBeUndefined();
      expect(await keyRows()).toEqual([expect.objectContaining({ expiresAt: null })]);
      expect([await opens(tenant.apiKey), await opens(data!.rotateTenantApiKey.apiKey)]).toEqual([false, true]);
    });

    test('leaves one key in force, the one that is shown', async () => {
      const [before] = await keyRows();
      const next = await rotate();
      const rows = await keyRows();
      expect(rows).toEqual([expect.objectContaining({ expiresAt: null })]);
      expect(rows[0]?.id).not.toBe(before?.id);
      expect(await shownKey()).toBe(next);
    });

    test('ends the keys of earlier rotations with grace too', async () => {
      const second = await rotate(graceSeconds);
      expect([await opens(tenant.apiKey), await opens(second)]).toEqual([true, true]);
      const third = await rotate();
      expect([await opens(tenant.apiKey), await opens(second), await opens(third)]).toEqual([false, false, true]);
      for (const ended of [tenant.apiKey, second]) await expectEnds(ended, other);
      expect(await keyRows()).toHaveLength(1);
    });
  });

  describe('a rotation with grace', () => {
    test('keeps both keys until its end, on every process', async () => {
      expect(await openings(tenant.apiKey)).toEqual([true, true]);
      const next = await rotate(graceSeconds);
      expect(next).not.toBe(tenant.apiKey);
      expect([await openings(tenant.apiKey), await openings(next)].flat()).toEqual([true, true, true, true]);
      const [replaced, current] = await keyRows();
      expect(replaced?.secondsLeft).toBeGreaterThan(graceSeconds - 600);
      expect(replaced?.secondsLeft).toBeLessThanOrEqual(graceSeconds);
      expect(current?.expiresAt).toBeNull();

      await endGraceNow();
      for (const at of [app, other]) await expectEnds(tenant.apiKey, at);
      expect(await openings(next)).toEqual([true, true]);
    });

    test('shows the new key from the first moment on, and does not prolong an earlier one', async () => {
      const second = await rotate(60);
      const [first] = await keyRows();
      expect(await shownKey()).toBe(second);
      const third = await rotate(graceSeconds);
      expect(await shownKey()).toBe(third);
      const rows = await keyRows();
      expect(rows.map((row) => row.expiresAt === null)).toEqual([false, false, true]);
      expect(rows[0]?.expiresAt).toEqual(first?.expiresAt);
      expect(rows[1]?.secondsLeft).toBeGreaterThan(60);
    });

    test.each([-1, 604_801, 1.5, 'a week'])('of %p seconds is refused, and nothing changes', async (grace) => {
      const before = await keyRows();
      const answer = await ask(tenant.admin, rotateDocument, { id: tenant.id, grace });
      expect(codesOf(answer)).toEqual(['VALIDATION_FAILED']);
      expect((await keyRows()).map((row) => row.id)).toEqual(before.map((row) => row.id));
      expect(await opens(tenant.apiKey)).toBe(true);
    });
  });

  describe('ten rotations at once', () => {
    test.each([
      ['without grace: one key is left', 0, 1],
      ['with grace: every key works, one of them is the current one', graceSeconds, 11],
    ])('%s', async (_, grace, working) => {
      const admins = [tenant.admin, platform.admin];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_unused, index) =>
          ask<Rotation>(admins[index % 2], rotateDocument, { id: tenant.id, grace }),
        ),
      );
      expect(answers.flatMap(codesOf)).toEqual([]);
      const rows = await keyRows();
      expect(rows).toHaveLength(working);
      expect(rows.filter((row) => row.expiresAt === null)).toHaveLength(1);
      expect(new Set(rows.map((row) => row.hash.toString('hex'))).size).toBe(working);
      const current = await shownKey();
      expect(answers.map((answer) => answer.data?.rotateTenantApiKey.apiKey)).toContain(current);
      expect(await openings(current)).toEqual([true, true]);
      expect(await opens(tenant.apiKey)).toBe(grace > 0);
      const rotations = (await keyEntries()).filter((entry) => entry.action === 'API_KEY_ROTATED');
      expect(rotations).toHaveLength(10);
    });
  });

  describe('a deactivated tenant', () => {
    const setActive = async (isActive: boolean) =>
      expect(await ask(platform.admin, setActiveDocument, { id: tenant.id, isActive })).toEqual({
        data: { updateTenant: { isActive } },
      });

    test('its key opens nothing within 5 s on every process, and does again once it is back', async () => {
      expect(await openings(tenant.apiKey)).toEqual([true, true]);
      await setActive(false);
      for (const at of [app, other]) await expectEnds(tenant.apiKey, at);
      await setActive(true);
      expect(await openings(tenant.apiKey)).toEqual([true, true]);
    });

    test('a key that it is given meanwhile opens nothing either', async () => {
      await setActive(false);
      const next = await rotate(0, platform.admin);
      expect(await openings(next)).toEqual([false, false]);
    });
  });

  describe('a key that opens nothing', () => {
    const endpoints = [
      '/public/leads',
      '/webhooks/leads',
      '/webhooks/chat/gateway/inbound',
      '/webhooks/chat/gateway/status',
    ];
    const requestId = 'one-and-the-same';

    /** The answer of every endpoint, byte for byte, with the headers except those that count and date requests. */
    async function refusals(headers: Record<string, string>): Promise<unknown[]> {
      return Promise.all(
        endpoints.map(async (endpoint) => {
          const response = await app.post(
            endpoint,
            { chat: '4915112345678' },
            { ...headers, 'x-request-id': requestId },
          );
          const { date: _date, ratelimit: _rateLimit, ...kept } = Object.fromEntries(response.headers);
          return { status: response.status, headers: kept, body: await response.text() };
        }),
      );
    }

    const withUnknownKey = async () => {
      const headers = { 'x-tenant-key': unknownKey() };
      await expectProblem(await app.post(endpoints[0]!, { chat: '4915112345678' }, headers), 'UNAUTHENTICATED');
      return refusals(headers);
    };

    async function rotatedKey(): Promise<string> {
      await rotate();
      return tenant.apiKey;
    }

    async function keyWhoseGraceEnded(): Promise<string> {
      await rotate(graceSeconds);
      await endGraceNow();
      return tenant.apiKey;
    }

    async function keyOfDeactivatedTenant(): Promise<string> {
      await ask(platform.admin, setActiveDocument, { id: tenant.id, isActive: false });
      return tenant.apiKey;
    }

    const unknownKey = () => `lw_${randomBytes(32).toString('base64url')}`;

    test.each<[string, () => string | Promise<string>]>([
      ['that is malformed', () => 'nonsense'],
      ['that is very long', () => `lw_${'a'.repeat(8_000)}`],
      ['that differs by its last character', () => tenant.apiKey.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
      ['in other letter case', () => tenant.apiKey.toUpperCase()],
      ['that is named twice', () => `${tenant.apiKey}, ${tenant.apiKey}`],
      ['that is the id of its row', async () => (await keyRows())[0]!.id],
      ['that is its own hash', async () => `lw_${(await keyRows())[0]!.hash.toString('base64url')}`],
      ['that is the token of its ADMIN', () => tenant.admin.token],
      ['that was rotated', rotatedKey],
      ['whose grace has ended', keyWhoseGraceEnded],
      ['of a deactivated tenant', keyOfDeactivatedTenant],
    ])('%s is refused on every endpoint with the very answer that an unknown one gets', async (_, make) => {
      const apiKey = await make();
      expect(await refusals({ 'x-tenant-key': apiKey })).toEqual(await withUnknownKey());
      const traces = await app.sql(
        'SELECT id FROM webhook_deliveries WHERE tenant_id = $1 UNION SELECT id FROM leads WHERE tenant_id = $1',
        [tenant.id],
      );
      expect(traces).toEqual([]);
    });

    test('that is empty is refused on every endpoint with the very answer that no key gets', async () => {
      expect(await refusals({ 'x-tenant-key': '' })).toEqual(await refusals({}));
    });

    test('costs the same look-up whether it is unknown, was rotated or is of a deactivated tenant', async () => {
      const query = jest.spyOn(app.app.services.database, 'query');
      const lookUps = () =>
        query.mock.calls.filter(([statement]) => typeof statement === 'object' && statement.name === 'find-api-key');
      const costs: number[] = [];
      for (const make of [unknownKey, rotatedKey, keyOfDeactivatedTenant]) {
        tenant = await createTenant();
        const apiKey = await make();
        query.mockClear();
        expect(await opens(apiKey)).toBe(false);
        costs.push(lookUps().length);
      }
      query.mockRestore();
      expect(costs).toEqual([1, 1, 1]);
    });
  });

  describe('a key in use', () => {
    let nowMs: number;
    let keys: ApiKeyService;
    let query: ReturnType<typeof spyOnQueries>;

    const spyOnQueries = () => jest.spyOn(app.app.services.database, 'query');
    const lookUps = () =>
      query.mock.calls.filter(([statement]) => typeof statement === 'object' && statement.name === 'find-api-key')
        .length;

    beforeEach(() => {
      nowMs = 0;
      const { database, audit } = app.app.services;
      const secretBox = new SecretBox(randomBytes(32));
      keys = new ApiKeyService({ database, secretBox, audit, nowMs: () => nowMs });
      query = spyOnQueries();
    });
    afterEach(() => {
      query.mockRestore();
    });

    test('is looked up once for all calls that come together', async () => {
      const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(tenant.apiKey)));
      expect(new Set(found.map((principal) => principal?.tenantId))).toEqual(new Set([tenant.id]));
      expect(lookUps()).toBe(1);
    });

    test('is read again before its three seconds end, and no call waits for it', async () => {
      await keys.find(tenant.apiKey);
      nowMs = 2_500;
      expect([keys.findFresh(tenant.apiKey), keys.findFresh(tenant.apiKey)]).toEqual([
        expect.objectContaining({ tenantId: tenant.id }),
        expect.objectContaining({ tenantId: tenant.id }),
      ]);
      expect(lookUps()).toBe(2);
      await query.mock.results.at(-1)?.value;
      nowMs = 4_000;
      expect(keys.findFresh(tenant.apiKey)?.tenantId).toBe(tenant.id);
    });

    test('that was taken back passes for three seconds at most, however often it is used', async () => {
      await keys.find(tenant.apiKey);
      await rotate();
      nowMs = 2_500;
      keys.findFresh(tenant.apiKey);
      await query.mock.results.at(-1)?.value;
      await until(
        () => Promise.resolve(keys.findFresh(tenant.apiKey)),
        (found) => found === undefined,
        followMs,
      );
      nowMs = 3_000;
      expect(await keys.find(tenant.apiKey)).toBeUndefined();
    });

    test('is looked up again where keys change during a look-up', async () => {
      const before = keys.find(tenant.apiKey);
      nowMs = 1;
      keys.readAgain();
      const after = keys.find(tenant.apiKey);
      expect(lookUps()).toBe(2);
      expect([(await before)?.tenantId, (await after)?.tenantId]).toEqual([tenant.id, tenant.id]);
      expect(keys.findFresh(tenant.apiKey)?.tenantId).toBe(tenant.id);
    });
  });

  /** The operations that answer with a key. */
  const paths: [string, (user: TestUser) => Promise<GraphqlAnswer<unknown>>][] = [
    ['tenant(id)', (user) => ask(user, 'query ($id: ID!) { tenant(id: $id) { apiKey } }', { id: tenant.id })],
    [
      'user(id).tenant',
      (user) => ask(user, 'query ($id: ID!) { user(id: $id) { tenant { apiKey } } }', { id: user.id }),
    ],
    ['users.tenant', (user) => ask(user, '{ users { edges { node { tenant { apiKey } } } } }')],
    [
      'updateTenant',
      (user) =>
        ask(user, 'mutation ($id: ID!) { updateTenant(id: $id, input: { name: "Ana" }) { apiKey } }', {
          id: tenant.id,
        }),
    ],
    ['rotateTenantApiKey', (user) => ask(user, rotateDocument, { id: tenant.id })],
  ];

  describe('who is shown a key', () => {
    const keysIn = (answer: unknown) => JSON.stringify(answer).match(/lw_[\w-]{43}/g) ?? [];

    test.each(paths)('an ADMIN by %s: the current one, audited', async (_, read) => {
      const answer = await read(tenant.admin);
      expect(codesOf(answer)).toEqual([]);
      const readings = (await keyEntries()).filter((entry) => entry.action === 'API_KEY_READ');
      expect([...new Set(keysIn(answer))]).toEqual([await shownKey()]);
      expect(readings).toHaveLength(1);
    });

    test('an ADMIN by a query that fails, again and again: each call is audited once', async () => {
      const failing = `query ($id: ID!) { tenant(id: $id) { apiKey } messages(leadId: $id) { totalCount } }`;
      for (let call = 1; call <= 4; call += 1) {
        const { errors } = await ask(tenant.admin, failing, { id: tenant.id });
        expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
        // The answer does not wait for the field beside the one that failed, so the test waits for its audit entry.
        const readings = await until(
          async () => (await keyEntries()).filter((entry) => entry.action === 'API_KEY_READ'),
          (found) => found.length >= call,
        );
        expect(readings).toHaveLength(call);
        await new Promise((resolve) => setTimeout(resolve, call === 2 ? 1_100 : 0));
      }
    });

    test.each(paths)('an OPERATOR by %s: FORBIDDEN', async (_, read) => {
      const answer = await read(tenant.operator);
      expect(new Set(codesOf(answer))).toEqual(new Set(['FORBIDDEN']));
      expect(keysIn(answer)).toEqual([]);
      expect(await keyEntries()).toEqual([]);
      expect(await shownKey()).toBe(tenant.apiKey);
    });

    test('an ADMIN of the platform tenant by createTenant and tenants: each key, each reading audited', async () => {
      const created = await ask<{ createTenant: { id: string; apiKey: string } }>(
        platform.admin,
        'mutation ($slug: String!) { createTenant(input: { name: "New", slug: $slug }) { id apiKey } }',
        { slug: `new-${randomBytes(6).toString('hex')}` },
      );
      const { id, apiKey } = created.data!.createTenant;
      expect(await openings(apiKey)).toEqual([true, true]);
      const listed = await ask(platform.admin, '{ tenants(first: 2) { edges { node { id apiKey } } } }');
      expect(listed).toEqual({
        data: {
          tenants: {
            edges: [{ node: { id, apiKey } }, { node: { id: tenant.id, apiKey: tenant.apiKey } }],
          },
        },
      });
      const entries = await app.sql(
        `SELECT actor_kind AS "actorKind", actor_id AS "actorId" FROM audit_entries
       WHERE tenant_id = $1 AND action = 'API_KEY_READ'`,
        [id],
      );
      const byPlatform = { actorKind: 'PLATFORM', actorId: null };
      expect(entries).toEqual([byPlatform, byPlatform]);
    });
  });

  describe('who may neither read nor rotate', () => {
    const readDocument = 'query ($id: ID!) { tenant(id: $id) { apiKey } }';
    const nothingThere = { data: { tenant: null } };
    let stranger: TestTenant;

    beforeAll(async () => {
      stranger = await createTenant();
    });

    test.each<[string, () => TestUser | undefined, number, string | undefined, string]>([
      ['an OPERATOR of the tenant', () => tenant.operator, 403, 'FORBIDDEN', 'FORBIDDEN'],
      ['an OPERATOR of another tenant', () => stranger.operator, 403, 'FORBIDDEN', 'FORBIDDEN'],
      ['an OPERATOR of the platform tenant', () => platform.operator, 403, 'FORBIDDEN', 'FORBIDDEN'],
      ['an ADMIN of another tenant', () => stranger.admin, 404, undefined, 'NOT_FOUND'],
      ['nobody', () => undefined, 401, 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
    ])('%s: nothing is shown, changed or audited', async (_, who, restStatus, readCode, rotateCode) => {
      const user = who();
      const before = await keyRows();
      const rest = await app.get(`/tenants/${tenant.id}`, user === undefined ? {} : withToken(user));
      expect(rest.status).toBe(restStatus);
      const read = await ask(user, readDocument, { id: tenant.id });
      expect(readCode === undefined ? read : codesOf(read)).toEqual(readCode === undefined ? nothingThere : [readCode]);
      const rotations = [];
      for (const grace of [0, graceSeconds]) rotations.push(await ask(user, rotateDocument, { id: tenant.id, grace }));
      expect(rotations.flatMap(codesOf)).toEqual([rotateCode, rotateCode]);
      expect([await rest.text(), JSON.stringify([read, rotations])].join()).not.toMatch(/lw_/);
      expect((await keyRows()).map((row) => [row.id, row.expiresAt])).toEqual(
        before.map((row) => [row.id, row.expiresAt]),
      );
      expect(await opens(tenant.apiKey)).toBe(true);
      expect(await keyEntries()).toEqual([]);
      expect(await keyEntries(stranger, tenant)).toEqual([]);
    });

    test('the key itself', async () => {
      await expectProblem(await app.get(`/tenants/${tenant.id}`, withKey(tenant)), 'UNAUTHENTICATED');
      const body = { query: rotateDocument, variables: { id: tenant.id } };
      const answer = (await (await app.post('/graphql', body, withKey(tenant))).json()) as GraphqlAnswer<Rotation>;
      expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
      expect(await opens(tenant.apiKey)).toBe(true);
    });
  });

  describe('the audit log', () => {
    const about = () => ({ targetKind: 'TENANT', targetId: tenant.id, before: null });
    const byAdmin = () => ({ actorKind: 'USER', actorId: tenant.admin.id });

    test('says who read and who rotated, in which request, and never the key', async () => {
      const read = await app.get(`/tenants/${tenant.id}`, { ...withToken(tenant.admin), 'x-request-id': 'reading' });
      const body = { query: rotateDocument, variables: { id: tenant.id, grace: 60 } };
      const headers = { ...withToken(tenant.admin), 'x-request-id': 'rotating' };
      const rotated = (await (await app.post('/graphql', body, headers)).json()) as { data: Rotation };
      expect(read.status).toBe(200);
      expect(await keyEntries()).toEqual([
        { ...about(), ...byAdmin(), action: 'API_KEY_READ', after: null, requestId: 'reading' },
        { ...about(), ...byAdmin(), action: 'API_KEY_ROTATED', after: { graceSeconds: 60 }, requestId: 'rotating' },
        { ...about(), ...byAdmin(), action: 'API_KEY_READ', after: null, requestId: 'rotating' },
      ]);
      const rows = await app.sql<{ row: string }>('SELECT e::text AS row FROM audit_entries e WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const hashes = (await keyRows()).map((row) => row.hash.toString('hex'));
      for (const secret of [tenant.apiKey, rotated.data.rotateTenantApiKey.apiKey, ...hashes])
        expect(rows.map(({ row }) => row).join('\n')).not.toContain(secret);
    });

    test('of a rotation whose answer does not show the key holds no reading', async () => {
      await ask(tenant.admin, 'mutation ($id: ID!) { rotateTenantApiKey(id: $id) { id } }', { id: tenant.id });
      expect(await keyEntries()).toEqual([
        expect.objectContaining({ ...byAdmin(), action: 'API_KEY_ROTATED', after: { graceSeconds: 0 } }),
      ]);
    });

    test('tells the tenant that the platform acted, and the platform who it was', async () => {
      await app.get(`/tenants/${tenant.id}`, withToken(platform.admin));
      await rotate(0, platform.admin);
      const actions = ['API_KEY_READ', 'API_KEY_ROTATED', 'API_KEY_READ'];
      const entriesBy = (actor: object) =>
        actions.map((action) => expect.objectContaining({ ...about(), ...actor, action }));
      expect(await keyEntries()).toEqual(entriesBy({ actorKind: 'PLATFORM', actorId: null }));
      expect(await keyEntries(platform, tenant)).toEqual(entriesBy({ actorKind: 'USER', actorId: platform.admin.id }));
    });

    test('comes first: where no entry can be written, no key is shown and none replaced', async () => {
      const before = await keyRows();
      await app.sql('ALTER TABLE audit_entries ADD CONSTRAINT refuses CHECK (false) NOT VALID');
      try {
        const problem = await (await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin))).json();
        const answers = await Promise.all(paths.map(([, read]) => read(tenant.admin)));
        expect(problem).toMatchObject({ status: 500, code: 'INTERNAL' });
        for (const answer of answers) expect(codesOf(answer)).toContain('INTERNAL');
        expect(JSON.stringify([problem, answers])).not.toMatch(/lw_/);
      } finally {
        await app.sql('ALTER TABLE audit_entries DROP CONSTRAINT refuses');
      }
      expect((await keyRows()).map((row) => [row.id, row.expiresAt])).toEqual(
        before.map((row) => [row.id, row.expiresAt]),
      );
      expect(await opens(tenant.apiKey)).toBe(true);
    });
  });

  test('a rotation without grace leaves nothing of the keys that it ends', async () => {
    for (let count = 0; count < 20; count += 1) {
      await app.post('/graphql', { query: rotateDocument, variables: { id: tenant.id } }, withToken(tenant.admin));
      expect(await app.sql('SELECT FROM tenant_api_keys WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    }
  });

  test('two rotations in one request show a key each, the second the one that counts', async () => {
    const field = 'rotateTenantApiKey(id: $id) { apiKey }';
    const query = `mutation ($id: ID!) { first: ${field} second: ${field} }`;
    const answer = await app.post('/graphql', { query, variables: { id: tenant.id } }, withToken(tenant.admin));
    const { data } = (await answer.json()) as { data: Record<'first' | 'second', { apiKey: string }> };
    const current = (await (await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin))).json()) as {
      apiKey: string;
    };
    expect(data.second.apiKey).toBe(current.apiKey);
    expect(data.first.apiKey).not.toBe(current.apiKey);
  });
}
