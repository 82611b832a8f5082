// POST /auth/link: what a link opens, for whom, how often and how long. Beside an identity provider it opens nothing.

import { randomUUID } from 'node:crypto';
import { OidcServer } from '../support/oidc-server.js';
import {
  serviceOperator,
  TestApp,
  withToken,
  type TestEnvironment,
  type TestTenant,
  type TestUser,
} from '../support/test-app.js';
import { noteSecret } from '../support/test-log.js';
import { expectProblem } from './problem.js';

const path = '/auth/link';

export function describeSignInLink(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let email: string;

  beforeAll(async () => {
    app = await TestApp.start({ TRUST_PROXY: 'loopback' });
    tenant = await app.createTenant();
  });
  beforeEach(() => {
    email = `root-${randomUUID()}@test.example`;
  });
  afterAll(() => app.stop());

  async function createLink(address = email, of = tenant) {
    const link = await app.app.services.signInLinks.create(serviceOperator, of.id, {
      email: address,
      mayCreateUser: true,
    });
    noteSecret(link.token);
    return link;
  }

  let lastAddress = 0;

  /** Each call comes from an address of its own: the route's limit is tested by itself. */
  function use(token: unknown, at = app): Promise<Response> {
    lastAddress += 1;
    return at.post(path, { token }, { 'x-forwarded-for': `10.1.${lastAddress >> 8}.${lastAddress & 255}` });
  }

  async function signIn(token: string): Promise<TestUser> {
    const response = await use(token);
    expect(response.status).toBe(200);
    const { accessToken, user } = (await response.json()) as { accessToken: string; user: TestUser };
    return { ...user, token: accessToken };
  }

  const isSignedIn = async (user: TestUser, at = app) => (await at.get('/chat/instances', withToken(user))).status;
  const expectRefused = async (response: Response, reason: RegExp) => {
    const text = await response.clone().text();
    await expectProblem(response, 'UNAUTHENTICATED');
    expect((JSON.parse(text) as { detail: string }).detail).toMatch(reason);
  };

  describe('200', () => {
    test('a new ADMIN of the tenant, for an hour, without a refresh token', async () => {
      const { token, isNewUser } = await createLink();
      expect(isNewUser).toBe(true);
      const response = await use(token);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const body = (await response.json()) as { accessToken: string };
      expect(body).toEqual({
        accessToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 3_600,
        user: { id: expect.any(String), tenantId: tenant.id, accountId: expect.any(String), role: 'ADMIN', email },
      });
      const authorization = `Bearer ${body.accessToken}`;
      expect((await app.get(`/tenants/${tenant.id}`, { authorization })).status).toBe(200);
    });

    test('another link for the same ADMIN, whatever the letter case', async () => {
      const first = await signIn((await createLink()).token);
      const again = await createLink(email.toUpperCase());
      expect(again.isNewUser).toBe(false);
      expect((await signIn(again.token)).id).toBe(first.id);
    });

    test('the log of the tenant says who made it and who used it, and no row has it', async () => {
      const { token } = await createLink();
      const { id } = await signIn(token);
      const entries = await app.sql(
        `SELECT action, actor_kind AS actor FROM audit_entries WHERE tenant_id = $1 AND target_id = $2 ORDER BY id`,
        [tenant.id, id],
      );
      expect(entries).toEqual([
        { action: 'USER_CREATED', actor: 'COMMAND' },
        { action: 'SIGN_IN_LINK_CREATED', actor: 'COMMAND' },
        { action: 'SIGN_IN_LINK_USED', actor: 'USER' },
      ]);
      const rows = await app.sql<{ row: string; hash: Buffer }>(
        'SELECT l::text AS row, hash FROM sign_in_links l WHERE user_id = $1',
        [id],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(token);
      expect(rows[0]?.hash.includes(Buffer.from(token, 'base64url'))).toBe(false);
    });
  });

  describe('401', () => {
    test('the second time; of two at once one gets in', async () => {
      const { token } = await createLink();
      const answers = await Promise.all([use(token), use(token)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
      await expectRefused(await use(token), /was used already/);
    });

    test('after ten minutes', async () => {
      const { token, expiresAt } = await createLink();
      const [row] = await app.sql<{ seconds: number; expiresAt: Date }>(
        `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds, expires_at AS "expiresAt" FROM sign_in_links
         WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
        [email],
      );
      expect(row).toEqual({ seconds: 600, expiresAt });
      await app.sql(
        'UPDATE sign_in_links SET expires_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)',
        [email],
      );
      await expectRefused(await use(token), /has expired/);
    });

    test('once a newer one was made, and one that nobody made', async () => {
      const { token } = await createLink();
      await createLink();
      await expectRefused(await use(token), /is not known/);
      await expectRefused(await use('q0kZ3m7Wc1xV9tYb5nLr2sDf8hJg4pKa6uEoiTzXyQM'), /is not known/);
    });

    test.each([
      ['was deactivated', 'is_active = false'],
      ['is an OPERATOR by now', "role = 'OPERATOR'"],
      ['has signed in through a provider', `idp_sub = 'sub-' || id`],
    ])('a user who %s; the session that was there ends', async (_, change) => {
      const session = await signIn((await createLink()).token);
      const { token } = await createLink();
      await app.sql(`UPDATE users SET ${change} WHERE id = $1`, [session.id]);
      await expectRefused(await use(token), /may not sign in by it any more/);
      const beside = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
      // A user who has become an OPERATOR stays signed in, as one.
      expect(await isSignedIn(session, beside)).toBe(change.startsWith('role') ? 200 : 401);
      await beside.stop({ keepDatabase: true });
    });
  });

  test.each([
    ['of an OPERATOR', () => `${tenant.operator.idpSub}@test.example`, /OPERATOR/],
    ['of an ADMIN who signs in through the provider', () => `${tenant.admin.idpSub}@test.example`, /provider/],
  ])('there is none for the address %s', async (_, address, reason) => {
    await expect(createLink(address())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(reason),
    });
  });

  test.each([[{}], [{ token: '' }], [{ token: 7 }], [{ token: 'a'.repeat(101) }], [{ token: 'a', more: 1 }]])(
    '422: %j',
    async (body) => {
      const response = await app.post(path, body, { 'x-forwarded-for': `10.2.0.${(lastAddress += 1) & 255}` });
      await expectProblem(response, 'VALIDATION_FAILED');
    },
  );

  test('429: 10 from an address in 60 s, the right one included', async () => {
    const limited = await start();
    const { token } = await createLink();
    for (let nr = 0; nr < 10; nr += 1) expect((await limited.post(path, { token: `guess-${nr}` })).status).toBe(401);
    await expectProblem(await limited.post(path, { token }), 'RATE_LIMITED');
    await limited.stop({ keepDatabase: true });
    expect((await use(token)).status).toBe(200);
  });

  describe('beside an identity provider', () => {
    let provider: OidcServer;
    beforeAll(async () => {
      provider = await OidcServer.start();
    });
    afterAll(() => provider.close());

    test('there is no such path, and tokens of links count no more', async () => {
      const session = await signIn((await createLink()).token);
      const { token } = await createLink();
      const withProvider = await start({ ...provider.environment, FAILED_AUTH_LIMIT: '1' });
      await expectProblem(await withProvider.post(path, { token }), 'NOT_FOUND');
      const paths = (await (await withProvider.get('/openapi.json')).json()) as { paths: object };
      expect(paths.paths).not.toHaveProperty([path]);
      // The session's token is no guess either, so its holder is not locked out.
      for (let nr = 0; nr < 3; nr += 1) expect(await isSignedIn(session, withProvider)).toBe(401);
      await withProvider.stop({ keepDatabase: true });
      expect(await isSignedIn(session)).toBe(200);
    });
  });

  test('without JWT_SECRET there is no such path', async () => {
    const without = await start({ JWT_SECRET: undefined });
    await expectProblem(await without.post(path, { token: 'x' }), 'NOT_FOUND');
    await without.stop({ keepDatabase: true });
  });

  const start = (environment: TestEnvironment = {}) =>
    TestApp.start({ PROCESS_ROLE: 'api', ...environment }, app.database);
}
