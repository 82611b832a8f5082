// The Bearer tokens that count: every route that takes one asks the same code, so one route stands for all.

import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, jwtSecret, type TestTenant, type TestUser } from '../support/test-app.js';
import { expectProblem } from './problem.js';

export function describeBearerToken(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
  });

  const call = (authorization: string) => app.get('/chat/instances', { authorization });

  function claimsOf(user: TestUser): jwt.JwtPayload {
    return jwt.decode(user.token, { json: true }) ?? {};
  }

  /** A token like our own, except for these claims, header fields and this secret. */
  function forge(claims: object = {}, header: Record<string, unknown> = {}, secret = jwtSecret): string {
    const payload = Object.entries({ ...claimsOf(tenant.admin), ...claims }).filter(([, value]) => value !== undefined);
    const signed = [{ alg: 'HS256', typ: 'at+jwt', ...header }, Object.fromEntries(payload)].map(encode).join('.');
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

  describe('200', () => {
    test.each([
      ['as issued', () => `Bearer ${tenant.admin.token}`],
      ['made like ours', () => `Bearer ${forge()}`],
      ['behind several blanks', () => `Bearer   ${tenant.admin.token}`],
      ['under the scheme in lower case', () => `bearer ${tenant.admin.token}`],
    ])('a token %s', async (_, authorization) => {
      expect((await call(authorization())).status).toBe(200);
    });
  });

  describe('401', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    test.each<[string, () => string]>([
      ['that has expired', () => forge({ iat: inSeconds(-1_000), exp: inSeconds(-1) })],
      ['that never expires', () => forge({ exp: undefined })],
      ['whose expiry is text', () => forge({ exp: String(inSeconds(600)) })],
      ['that is not valid yet', () => forge({ nbf: inSeconds(600) })],
      ['of another secret', () => forge({}, {}, 'another secret of more than thirty-two characters')],
      ['of an empty secret', () => forge({}, {}, '')],
      [
        'with alg none and no signature',
        () => `${[{ alg: 'none', typ: 'at+jwt' }, claimsOf(tenant.admin)].map(encode).join('.')}.`,
      ],
      ['with alg none and a signature', () => forge({}, { alg: 'none' })],
      ['with alg None', () => forge({}, { alg: 'None' })],
      [
        'with alg HS512',
        () =>
          jwt.sign(claimsOf(tenant.admin), jwtSecret, { algorithm: 'HS512', header: { alg: 'HS512', typ: 'at+jwt' } }),
      ],
      [
        'with alg RS256',
        () =>
          jwt.sign(claimsOf(tenant.admin), privateKey, { algorithm: 'RS256', header: { alg: 'RS256', typ: 'at+jwt' } }),
      ],
      ['whose kid is the path of an empty file', () => forge({}, { kid: '../../../../dev/null' }, '')],
      [
        'that brings its own secret along',
        () => forge({}, { jwk: { kty: 'oct', k: Buffer.from('own').toString('base64url') } }, 'own'),
      ],
      ['of the type JWT', () => forge({}, { typ: 'JWT' })],
      ['without a type', () => forge({}, { typ: undefined })],
      ['of another issuer', () => forge({ iss: 'https://elsewhere.example' })],
      ['without an issuer', () => forge({ iss: undefined })],
      ['for another audience', () => forge({ aud: 'another service' })],
      ['without an audience', () => forge({ aud: undefined })],
      ['without a subject', () => forge({ sub: undefined })],
      ['whose subject is no UUID', () => forge({ sub: "' OR 1=1 --" })],
      ['without a tenant', () => forge({ tid: undefined })],
      ['of a user who does not exist', () => forge({ sub: randomUUID() })],
      ['of a user in a tenant that is not theirs', () => forge({ tid: randomUUID() })],
      ['with its last character gone', () => tenant.admin.token.slice(0, -1)],
      ['with other claims under its signature', () => swapClaims(tenant.admin.token, tenant.operator.token)],
      ['of 10,000 characters', () => forge({ note: 'a'.repeat(7_000) })],
      ['that is only dots', () => '..'],
      ['that is no token', () => 'nonsense'],
    ])('a token %s', async (_, token) => {
      await expectProblem(await call(`Bearer ${token()}`), 'UNAUTHENTICATED');
    });

    test.each([
      ['without a scheme', () => tenant.admin.token],
      ['under the scheme Basic', () => `Basic ${tenant.admin.token}`],
      ['with two tokens', () => `Bearer ${tenant.admin.token} ${tenant.admin.token}`],
      ['that is empty', () => ''],
      ["that holds the tenant's key", () => `Bearer ${tenant.apiKey}`],
    ])('an Authorization header %s', async (_, authorization) => {
      await expectProblem(await call(authorization()), 'UNAUTHENTICATED');
    });

    test('no Authorization header', async () => {
      await expectProblem(await app.get('/chat/instances'), 'UNAUTHENTICATED');
    });

    test("a tenant's key where a user is asked for", async () => {
      await expectProblem(await app.get('/chat/instances', { 'x-tenant-key': tenant.apiKey }), 'UNAUTHENTICATED');
    });

    test('a token of a user who was deactivated after it was issued', async () => {
      const { operator } = await app.createTenant();
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [operator.id]);
      await expectProblem(await call(`Bearer ${operator.token}`), 'UNAUTHENTICATED');
    });

    test('a token of a user whose tenant was deactivated after it was issued', async () => {
      const { id, operator } = await app.createTenant();
      await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [id]);
      await expectProblem(await call(`Bearer ${operator.token}`), 'UNAUTHENTICATED');
    });

    describe('where there is no JWT_SECRET', () => {
      let other: TestApp;
      beforeAll(async () => {
        other = await TestApp.start({ JWT_SECRET: undefined }, app.database);
      });
      afterAll(() => other.stop({ keepDatabase: true }));

      test.each(['', 'undefined', 'null', jwtSecret])('any token, made with "%s"', async (secret) => {
        const tokens = [forge({}, {}, secret), forge({}, { alg: 'none' }, secret), tenant.admin.token];
        for (const token of tokens) {
          const response = await other.get('/chat/instances', { authorization: `Bearer ${token}` });
          await expectProblem(response, 'UNAUTHENTICATED');
        }
      });
    });

    const told = async (authorization?: string) => {
      const response = authorization === undefined ? await app.get('/chat/instances') : await call(authorization);
      const { detail } = await expectProblem(response, 'UNAUTHENTICATED');
      return { detail, challenge: response.headers.get('www-authenticate') };
    };
    const invalid = (detail: string) => ({
      detail,
      challenge: `Bearer error="invalid_token", error_description="${detail}"`,
    });

    test('the refusal says whether the token is missing, malformed, expired or wrong', async () => {
      expect(await told()).toEqual({ detail: 'A Bearer token is required', challenge: 'Bearer' });
      expect(await told('Basic dTpw')).toEqual(
        invalid('The Authorization header holds no Bearer token: send Authorization: Bearer <token>'),
      );
      expect(await told(`Bearer ${forge({ exp: 1 })}`)).toEqual(
        invalid('The access token has expired: sign in again, or refresh it'),
      );
      for (const token of [forge({}, {}, 'x'.repeat(40)), forge({ sub: randomUUID() }), 'nonsense'])
        expect(await told(`Bearer ${token}`)).toEqual(invalid('The access token is not valid'));
    });

    test('only the holder of a genuine token learns that it has expired', async () => {
      const forged = [
        forge({ exp: 1 }, {}, 'x'.repeat(40)),
        forge({ exp: 1 }, { alg: 'none' }),
        forge({ exp: 1, aud: 'x' }),
      ];
      for (const token of forged)
        expect(await told(`Bearer ${token}`)).toEqual(invalid('The access token is not valid'));
    });

    test('GraphQL over HTTP says the same', async () => {
      const ask = async (headers: Record<string, string>) => {
        const response = await app.post('/graphql', { query: '{ me { id } }' }, headers);
        const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
        expect(errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
        return { detail: errors[0]?.message, challenge: response.headers.get('www-authenticate') };
      };
      expect(await ask({})).toEqual({ detail: 'A Bearer token is required', challenge: 'Bearer' });
      expect(await ask({ authorization: `Bearer ${forge({ exp: 1 })}` })).toEqual(
        invalid('The access token has expired: sign in again, or refresh it'),
      );
      expect(await ask({ authorization: 'Bearer nonsense' })).toEqual(invalid('The access token is not valid'));
    });
  });

  function swapClaims(token: string, other: string): string {
    const [header, , signature] = token.split('.');
    return [header, other.split('.')[1], signature].join('.');
  }
}
