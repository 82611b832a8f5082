// Sign-in through a certified provider in the form of Keycloak, Entra ID, Auth0 and Google: their issuers, the gaps in their discovery
// documents and key sets, and the claims of their tokens. operate-sign-in.md has the recipes.

import { generateKeyPairSync, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { examine } from '../../../src/commands/doctor/examination.js';
import { discoveryPath, jwksPath, OidcServer } from '../../support/oidc-server.js';
import { TestApp, jwtSecret, type TestEnvironment } from '../../support/test-app.js';
import { logFileName, logFolderVariable } from '../../support/test-log.js';

type Json = Record<string, unknown>;

interface Dress {
  /** The path behind the address in the issuer. */
  issuerPath: string;
  /** The discovery document with only the fields that this provider has. */
  discovery: (document: Json) => Json;
  keys: (keys: Json[]) => Json[];
  subject: () => string;
  /** The claims of an ID token besides those of every provider. */
  idClaims: (clientId: string) => Json;
  /** The claims of an access token for an API besides `sub`, `iss` and its times. */
  accessClaims: (audience: string) => Json;
  accessHeader: Json;
  environment: TestEnvironment;
}

const directory = '72f988bf-86f1-41af-91ab-2d7cd011db47';

function pick(document: Json, ...names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, document[name]]));
}

const everyProviders = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'];

function encryptionKey(): Json {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...publicKey.export({ format: 'jwk' }), kid: 'for-encryption', use: 'enc', alg: 'RSA-OAEP' };
}

const dresses: Record<'Keycloak' | 'Entra ID' | 'Auth0' | 'Google', Dress> = {
  Keycloak: {
    issuerPath: '/realms/acme',
    discovery: (document) => ({
      ...document,
      id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'ES256', 'RS256', 'PS512'],
      token_endpoint_auth_methods_supported: [
        'private_key_jwt',
        'client_secret_basic',
        'client_secret_post',
        'tls_client_auth',
        'client_secret_jwt',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
    }),
    keys: (keys) => [encryptionKey(), ...keys],
    subject: randomUUID,
    idClaims: (clientId) => ({
      typ: 'ID',
      azp: clientId,
      sid: randomUUID(),
      acr: '1',
      email_verified: true,
      preferred_username: 'ana',
      groups: ['/leads/admins'],
    }),
    accessClaims: (audience) => ({
      typ: 'Bearer',
      aud: [audience, 'account'],
      azp: 'another-client',
      realm_access: { roles: ['offline_access'] },
      scope: 'openid email',
    }),
    accessHeader: { typ: 'JWT' },
    environment: {},
  },
  'Entra ID': {
    issuerPath: `/${directory}/v2.0`,
    discovery: (document) => ({
      ...pick(document, ...everyProviders, 'response_types_supported', 'subject_types_supported'),
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      tenant_region_scope: 'EU',
    }),
    // The keys name no algorithm.
    keys: (keys) =>
      keys.map((key) => ({ ...key, alg: undefined, x5t: key['kid'], issuer: `https://x/{tenantid}/v2.0` })),
    // The subject differs for each client, and is unknown before the first sign-in.
    subject: () => randomUUID().replaceAll('-', ''),
    idClaims: () => ({
      email_verified: undefined,
      xms_edov: true,
      oid: randomUUID(),
      tid: directory,
      ver: '2.0',
      preferred_username: 'ana@acme.example',
      rh: '0.AXoA',
      uti: 'x',
      nonce: undefined,
    }),
    accessClaims: (audience) => ({
      aud: audience,
      azp: 'another-client',
      azpacr: '1',
      ver: '2.0',
      scp: 'leads',
      tid: directory,
    }),
    accessHeader: { typ: 'JWT' },
    environment: {},
  },
  Auth0: {
    issuerPath: '/',
    discovery: (document) => ({
      ...pick(document, ...everyProviders, 'response_types_supported', 'code_challenge_methods_supported'),
      id_token_signing_alg_values_supported: ['HS256', 'RS256', 'PS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    }),
    keys: (keys) => keys,
    subject: () => `auth0|${randomUUID().replaceAll('-', '').slice(0, 24)}`,
    idClaims: () => ({ email_verified: true, nickname: 'ana', sid: 'x', 'https://acme.example/roles': ['admin'] }),
    accessClaims: (audience) => ({
      aud: [audience, 'https://acme.eu.auth0.com/userinfo'],
      azp: 'another-client',
      scope: 'openid leads',
      permissions: [],
    }),
    accessHeader: { typ: 'JWT' },
    environment: {},
  },
  Google: {
    issuerPath: '',
    discovery: (document) => ({
      ...pick(document, ...everyProviders, 'response_types_supported'),
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
      scopes_supported: ['openid', 'email', 'profile'],
    }),
    keys: (keys) => keys.filter(({ kty }) => kty === 'RSA'),
    subject: () => `1${Array.from({ length: 20 }, () => randomInt(10)).join('')}`,
    idClaims: (clientId) => ({
      azp: clientId,
      email_verified: true,
      hd: 'acme.example',
      at_hash: 'x',
      nonce: undefined,
    }),
    // Only Google can read its access tokens.
    accessClaims: (audience) => ({ aud: audience }),
    accessHeader: { typ: 'JWT' },
    environment: { OIDC_AUTHORIZATION_PARAMETERS: 'access_type=offline&prompt=consent' },
  },
};

/** Lines of the running applications' log that hold a text. */
function findLogLines(text: string): Json[] {
  const file = join(process.env[logFolderVariable] ?? '', logFileName());
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as Json);
}

export function describeDressedProviders(): void {
  describe.each(Object.entries(dresses))('%s', (name, dress) => {
    let provider: OidcServer;
    let app: TestApp;

    beforeAll(async () => {
      provider = await OidcServer.start(dress.issuerPath);
      const read = async (path: string) => (await (await fetch(`${provider.base}${path}`)).json()) as Json;
      const discovery = dress.discovery(await read(discoveryPath));
      const { keys } = (await read(jwksPath)) as { keys: Json[] };
      const dressedKeys = { keys: dress.keys(keys) };
      const answerWith = (json: Json) => (response: { end: (text: string) => unknown }) =>
        response.end(JSON.stringify(json));
      provider.faults.set(discoveryPath, answerWith(discovery));
      provider.faults.set(jwksPath, answerWith(dressedKeys));
      provider.rewriteTokens = (tokens) => ({ ...tokens, id_token: dressed(String(tokens['id_token'])) });
      app = await TestApp.start({ ...provider.environment, ...dress.environment });
      provider.allowRedirect(`${app.url}/callback`);
    });
    afterAll(async () => {
      await app.stop();
      await provider.close();
    });

    /** The provider's claims about people besides `sub` and `email`; a test may change them. */
    let saidOfPeople: Json = {};
    beforeEach(() => {
      saidOfPeople = {};
    });

    /** The ID token with the claims of this provider, signed as it signs. */
    function dressed(idToken: string): string {
      const claims = jwt.decode(idToken, { json: true }) as Json;
      const { email } = provider.accounts.get(String(claims['sub'])) ?? {};
      return provider.sign({ ...claims, email, ...dress.idClaims(provider.clientId), ...saidOfPeople });
    }

    function newAccount(email: string | undefined): string {
      const subject = dress.subject();
      provider.accounts.set(subject, email === undefined ? {} : { email });
      return subject;
    }

    const newEmail = () => `ana-${randomUUID()}@acme.example`;

    async function createUser(email: string, idpSub?: string): Promise<string> {
      const tenant = await app.createTenant();
      return (await app.createUser(tenant.id, { email, role: 'ADMIN', idpSub })).id;
    }

    async function signIn(subject: string): Promise<{ status: number; body: Json }> {
      const response = await app.post('/auth/token', await provider.authorize(subject));
      return { status: response.status, body: (await response.json()) as Json };
    }

    test('a browser is sent to its sign-in, with the parameters that it needs', async () => {
      const config = (await (await app.get('/auth/config')).json()) as {
        issuer: string;
        authorizationEndpoint: string;
      };
      expect(config.issuer).toBe(provider.issuer);
      const { searchParams, pathname } = new URL(config.authorizationEndpoint);
      expect(pathname).toBe(new URL(`${provider.base}/auth`).pathname);
      const expected = new URLSearchParams(dress.environment['OIDC_AUTHORIZATION_PARAMETERS'] ?? '');
      expect(Object.fromEntries(searchParams)).toEqual(Object.fromEntries(expected));
    });

    test('the first sign-in binds the user of the verified address; later ones and renewals find the subject', async () => {
      const email = newEmail();
      const id = await createUser(email);
      const subject = newAccount(email);
      const first = await signIn(subject);
      expect(first).toMatchObject({ status: 200, body: { user: { id, role: 'ADMIN', email } } });
      const authorization = `Bearer ${String(first.body['accessToken'])}`;
      expect((await app.get('/chat/instances', { authorization })).status).toBe(200);
      const { refreshToken } = first.body;
      const renewed = await app.post('/auth/token', { grantType: 'refresh_token', refreshToken });
      expect(await renewed.json()).toMatchObject({ user: { id } });
      // From now on the subject counts, whatever becomes of the address.
      provider.accounts.set(subject, { email: newEmail() });
      expect(await signIn(subject)).toMatchObject({ status: 200, body: { user: { id } } });
    });

    test('a user who was given the subject needs no address', async () => {
      const subject = newAccount(undefined);
      const id = await createUser(newEmail(), subject);
      expect(await signIn(subject)).toMatchObject({ status: 200, body: { user: { id } } });
    });

    test('an address that it does not vouch for binds nobody; the log names the subject', async () => {
      const email = newEmail();
      await createUser(email);
      const subject = newAccount(email);
      saidOfPeople = name === 'Entra ID' ? { xms_edov: undefined } : { email_verified: false, xms_edov: true };
      expect(await signIn(subject)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      expect(findLogLines(subject)).toEqual([
        expect.objectContaining({ subject, msg: expect.stringMatching(/no user/) }),
      ]);
    });

    test('its access tokens for our audience are taken, and no ID token is', async () => {
      const subject = newAccount(undefined);
      await createUser(newEmail(), subject);
      const call = async (token: string) =>
        (await app.get('/chat/instances', { authorization: `Bearer ${token}` })).status;
      const claims = { sub: subject, ...dress.accessClaims(provider.audience) };
      expect(await call(provider.sign(claims, dress.accessHeader))).toBe(200);
      expect(await call(provider.sign({ ...claims, aud: provider.clientId }, dress.accessHeader))).toBe(401);
      expect(
        await call(provider.sign({ ...claims, aud: [provider.audience, provider.clientId] }, dress.accessHeader)),
      ).toBe(401);
      expect(await call(provider.sign({ ...claims, iss: `${provider.issuer}x` }, dress.accessHeader))).toBe(401);
    });

    test('the doctor finds nothing wrong with it', async () => {
      let text = '';
      const environment = {
        NODE_ENV: 'test',
        DATABASE_URL: app.database.url,
        JWT_SECRET: jwtSecret,
        PUBLIC_URL: app.url,
        ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
        ...provider.environment,
        ...dress.environment,
      };
      await examine(['--json'], environment, (part) => (text += part));
      const { findings } = JSON.parse(text) as { findings: { check: string; status: string }[] };
      const ofProvider = findings.filter(({ check }) => check.startsWith('provider'));
      expect(ofProvider).toHaveLength(6);
      expect(ofProvider.filter(({ status }) => status !== 'ok')).toEqual([]);
    });
  });

  test.each([
    ['/contoso.example/v2.0', `/${directory}/v2.0`, 'the name of a directory in place of its id'],
    ['/common/v2.0', '/{tenantid}/v2.0', 'every directory'],
  ])('Entra ID at %s, which names %s, is refused: %s', async (asked, named) => {
    const provider = await OidcServer.start(asked);
    try {
      const document = (await (await fetch(`${provider.base}${discoveryPath}`)).json()) as Json;
      const issuer = provider.issuer.replace(asked, named);
      provider.faults.set(discoveryPath, (response) => response.end(JSON.stringify({ ...document, issuer })));
      const app = await TestApp.start(provider.environment);
      const response = await app.post('/auth/token', await provider.authorize('ana'));
      await app.stop();
      expect(response.status).toBe(503);
    } finally {
      await provider.close();
    }
  });
}
