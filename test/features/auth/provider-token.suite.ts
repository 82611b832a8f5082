// The identity provider's own access tokens as Bearer, over the wire: which count, and that strangers cannot make the service ask for keys
// more than twice a minute.

import { createHmac, randomBytes } from 'node:crypto';
import { slow } from '../../support/slow.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { jwksPath, newPair, OidcServer } from '../../support/oidc-server.js';
import { expectProblem } from '../../rest/problem.js';
import { headerWithKey, publicKeyWritings } from './forged-key.js';

export function describeProviderToken(): void {
  let provider: OidcServer;
  let app: TestApp;
  let tenant: TestTenant;

  async function start(): Promise<void> {
    provider = await OidcServer.start();
    app = await TestApp.start(provider.environment);
    tenant = await app.createTenant();
  }

  async function stop(): Promise<void> {
    await app.stop();
    await provider.close();
  }

  const call = (token: string, to = app) => to.get('/chat/instances', { authorization: `Bearer ${token}` });
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  /** A token like the provider's own, except for these claims, header fields and this key. */
  function forge(
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key = provider.keys.privateKey,
  ): string {
    return provider.sign(
      { sub: tenant.admin.idpSub, aud: provider.audience, ...claims },
      { typ: 'at+jwt', ...header },
      key,
    );
  }

  function resign(header: object, secret?: string | Buffer): string {
    const signed = `${encode({ typ: 'at+jwt', kid: provider.keys.kid, ...header })}.${forge().split('.')[1]}`;
    return `${signed}.${secret === undefined ? '' : createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  describe('200', () => {
    beforeAll(start);
    afterAll(stop);

    test('a token as the provider issues it: its user and role', async () => {
      const token = await provider.issueApiToken(tenant.operator.idpSub);
      expect((await call(token)).status).toBe(200);
      await expectProblem(await app.get(`/tenants/${tenant.id}`, { authorization: `Bearer ${token}` }), 'FORBIDDEN');
    });

    test.each<[string, () => string]>([
      ['made like it', () => forge()],
      ['under the long name of its type', () => forge({}, { typ: 'application/at+jwt' })],
      ['of the type JWT', () => forge({}, { typ: 'JWT' })],
      ['without a type', () => forge({}, { typ: undefined })],
      ['for several audiences', () => forge({ aud: ['other', provider.audience] })],
    ])('a token %s', async (_, token) => {
      expect((await call(token())).status).toBe(200);
    });

    test('our own tokens beside it', async () => {
      expect((await call(tenant.admin.token)).status).toBe(200);
    });
  });

  describe('401', () => {
    beforeAll(start);
    afterAll(stop);

    test.each<[string, () => string]>([
      ['with alg none', () => resign({ alg: 'none' })],
      ['with alg none and a signature', () => resign({ alg: 'none' }, 'x')],
      ...publicKeyWritings.map(([writing, write]): [string, () => string] => [
        `with HS256 under the provider's public key ${writing}`,
        () => resign({ alg: 'HS256' }, write(provider.keys.publicKey)),
      ]),
      ['with HS256 under our client secret', () => resign({ alg: 'HS256' }, provider.clientSecret)],
      ['of an algorithm that the provider does not declare', () => forge({}, { alg: 'PS256' })],
      ['of an unknown kid', () => forge({}, { kid: 'unknown' })],
      ['without a kid, of several keys', () => forge({}, { kid: undefined })],
      ['of another key under the same kid', () => forge({}, {}, newPair().privateKey)],
      ['of a key for another algorithm', () => forge({}, { kid: 'spare' })],
      ['for another audience', () => forge({ aud: 'other' })],
      ['for our client, as an ID token is', () => forge({ aud: provider.clientId }, { typ: 'JWT' })],
      [
        'for our client too, of no type that tells it from an ID token',
        () => forge({ aud: [provider.clientId, provider.audience] }, { typ: 'JWT' }),
      ],
      ['without an audience', () => forge({ aud: undefined })],
      ['of another issuer', () => forge({ iss: 'https://evil.example' })],
      ['of our own issuer', () => forge({ iss: 'leadwire', aud: 'leadwire' })],
      ['without an issuer', () => forge({ iss: undefined })],
      ['that has expired', () => forge({ exp: inSeconds(-31) })],
      ['that never expires', () => forge({ exp: undefined })],
      ['that is not valid yet', () => forge({ nbf: inSeconds(60) })],
      ['of the type of a log-out token', () => forge({}, { typ: 'logout+jwt' })],
      ['of the type of a DPoP proof', () => forge({}, { typ: 'dpop+jwt' })],
      ['bound to a key of its holder', () => forge({ cnf: { jkt: 'x' } })],
      ['without a subject', () => forge({ sub: undefined })],
      ['of a subject that nobody has', () => forge({ sub: 'nobody' })],
      [
        'of 11,000 characters that is not signed with the key',
        () => forge({ note: 'a'.repeat(8_000) }, {}, newPair().privateKey),
      ],
      [
        'with other claims under its signature',
        () =>
          [forge().split('.')[0], forge({ sub: tenant.operator.idpSub }).split('.')[1], forge().split('.')[2]].join(
            '.',
          ),
      ],
    ])('a token %s', async (_, token) => {
      await expectProblem(await call(token()), 'UNAUTHENTICATED');
    });

    test.each([
      ['a kid of its own', false],
      ["the provider's kid", true],
    ])('a token that brings its own key along, under %s: the key is not asked for', async (_, underKnownKid) => {
      const own = newPair();
      const elsewhere = '/elsewhere';
      const header = headerWithKey(own, `${provider.issuer}${elsewhere}`);
      const token = forge({}, { ...header, ...(underKnownKid ? { kid: provider.keys.kid } : {}) }, own.privateKey);
      await expectProblem(await call(token), 'UNAUTHENTICATED');
      expect(provider.callsOf(elsewhere)).toBe(0);
    });

    test('an ID token, also where the audience is our client', async () => {
      const environment = { ...provider.environment, PROCESS_ROLE: 'api', OIDC_AUDIENCE: provider.clientId };
      const other = await TestApp.start(environment, app.database);
      const idToken = provider.sign({ sub: tenant.admin.idpSub, aud: provider.clientId });
      await expectProblem(await call(idToken, other), 'UNAUTHENTICATED');
      expect((await call(forge({ aud: provider.clientId }), other)).status).toBe(200);
      await other.stop({ keepDatabase: true });
    });

    test('one that has expired says so and is no guess; a forged one is', async () => {
      const strict = await TestApp.start({ ...provider.environment, FAILED_AUTH_LIMIT: '2' }, app.database);
      const tell = async (token: string) => (await expectProblem(await call(token, strict), 'UNAUTHENTICATED')).detail;
      const expired = () => forge({ exp: inSeconds(-31), jti: randomBytes(8).toString('hex') });
      try {
        for (let count = 0; count < 5; count += 1) expect(await tell(expired())).toContain('has expired');
        expect(await tell(forge({ exp: inSeconds(-31), aud: 'another' }))).toBe('The access token is not valid');
        expect(await tell(forge({ exp: inSeconds(-31) }, {}, newPair().privateKey))).toBe(
          'The access token is not valid',
        );
        expect((await call(forge({ aud: 'another' }), strict)).status).toBe(429);
      } finally {
        await strict.stop({ keepDatabase: true });
      }
    });

    test('a token of a user who was deactivated', async () => {
      const { operator } = await app.createTenant();
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [operator.id]);
      await expectProblem(await call(forge({ sub: operator.idpSub })), 'UNAUTHENTICATED');
    });

    test.each(['OIDC_AUDIENCE', 'all'])('a good token, without %s', async (name) => {
      const names = name === 'all' ? Object.keys(provider.environment) : [name];
      const unset = Object.fromEntries(names.map((each) => [each, undefined]));
      const environment = { ...provider.environment, PROCESS_ROLE: 'api', ...unset };
      const other = await TestApp.start(environment, app.database);
      await expectProblem(await call(forge(), other), 'UNAUTHENTICATED');
      await other.stop({ keepDatabase: true });
    });
  });

  describe('the keys, not fetched yet', () => {
    beforeEach(start);
    afterEach(stop);

    slow('1,000 random kids: two fetches of the keys at most, and valid users are not held up', async () => {
      const good = forge();
      const statuses: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const bogus = Array.from(
          { length: 50 },
          () =>
            `${encode({ alg: 'RS256', typ: 'at+jwt', kid: randomBytes(8).toString('hex') })}.${good.split('.')[1]}.AAAA`,
        );
        const answers = await Promise.all([...bogus, good].map((token) => call(token)));
        statuses.push(...answers.slice(0, -1).map((answer) => answer.status));
        expect(answers.at(-1)?.status).toBe(200);
      }
      expect(statuses).toEqual(Array(1_000).fill(401));
      expect(provider.callsOf(jwksPath)).toBe(2);
    });

    test('a rotation is followed, with the old key for as long as the provider keeps it', async () => {
      const old = forge();
      expect((await call(old)).status).toBe(200);
      provider.rotateKeys({ keepOld: true });
      expect((await call(forge())).status).toBe(200);
      expect((await call(old)).status).toBe(200);
    });

    test('a provider that is down: the keys in memory are used', async () => {
      const good = forge();
      expect((await call(good)).status).toBe(200);
      await provider.close();
      expect((await call(forge({ sub: tenant.operator.idpSub }))).status).toBe(200);
      await expectProblem(await call(forge({}, { kid: 'unknown' })), 'UNAUTHENTICATED');
    });

    test('503: a provider that was never reached, while our own tokens go on', async () => {
      await provider.close();
      await expectProblem(await call(forge()), 'UNAVAILABLE');
      expect((await call(tenant.admin.token)).status).toBe(200);
    });
  });
}
