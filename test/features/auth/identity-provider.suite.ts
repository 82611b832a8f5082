// The identity provider's client, with a time limit and a clock that the tests set.

import { createHmac, randomBytes } from 'node:crypto';
import {
  IdentityProvider,
  type IdentityProviderOptions,
} from '../../../src/clients/identity-provider/identity-provider.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import {
  discoveryPath,
  jwksPath,
  newPair,
  OidcServer,
  tokenPath,
  userInfoPath,
  type Fault,
} from '../../support/oidc-server.js';
import { slow } from '../../support/slow.js';
import { publicKeyWritings } from './forged-key.js';

const minuteMs = 60_000;
const hang: Fault = () => undefined;
const fail: Fault = (response) => response.writeHead(500).end();

export function describeIdentityProvider(): void {
  let server: OidcServer;
  let nowMs: number;

  beforeEach(async () => {
    server = await OidcServer.start();
    nowMs = 1_000;
  });
  afterEach(() => server.close());

  function createClient(options: Partial<IdentityProviderOptions> = {}): IdentityProvider {
    return new IdentityProvider({
      issuer: server.issuer,
      clientId: server.clientId,
      clientSecret: server.clientSecret,
      audience: server.audience,
      scopes: ['openid', 'email'],
      timeoutMs: 20_000,
      nowMs: () => nowMs,
      log: createLogger('silent'),
      ...options,
    });
  }

  const forge = (header: Record<string, unknown> = {}) =>
    server.sign({ sub: 'ana', aud: server.audience }, { typ: 'at+jwt', ...header });

  async function subjectOf(client: IdentityProvider, token: string): Promise<string | undefined> {
    return (await client.verifyAccessToken(token))?.subject;
  }

  /** Polls until a background effect holds; fails after a minute. */
  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const endMs = Date.now() + 60_000;
    while (!(await holds())) {
      if (Date.now() > endMs) throw new Error('it did not come to pass within a minute');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  describe('the time limit', () => {
    test.each([discoveryPath, jwksPath, tokenPath])('%s hangs: UNAVAILABLE', async (path) => {
      const client = createClient({ timeoutMs: 300 });
      const grant = await server.authorize('ana');
      server.faults.set(path, hang);
      await expect(client.exchangeCode(grant)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    });

    slow('the userinfo endpoint hangs: UNAVAILABLE, in the time that the sign-in has left', async () => {
      const client = createClient({ timeoutMs: 4_000 });
      const session = await client.exchangeCode(await server.authorize('ana'));
      server.faults.set(userInfoPath, hang);
      await expect(session.findVerifiedEmail()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(session.findVerifiedEmail()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(server.callsOf(userInfoPath)).toBe(1);
    });

    test('an answer that begins and never ends: UNAVAILABLE', async () => {
      const client = createClient({ timeoutMs: 300 });
      server.faults.set(jwksPath, (response) => response.writeHead(200).write('{"keys":['));
      await expect(subjectOf(client, forge())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });

  describe('client authentication', () => {
    const offering = async (methods: string[] | undefined) => {
      const metadata = (await (await fetch(`${server.issuer}${discoveryPath}`)).json()) as object;
      const body = JSON.stringify({ ...metadata, token_endpoint_auth_methods_supported: methods });
      server.faults.set(discoveryPath, (response) => response.writeHead(200).end(body));
    };
    const seen = (): Promise<[string | undefined, URLSearchParams]> =>
      new Promise((resolve) => {
        server.faults.set(tokenPath, (response) => {
          const chunks: Buffer[] = [];
          response.req.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.req.on('end', () => {
            resolve([response.req.headers.authorization, new URLSearchParams(Buffer.concat(chunks).toString())]);
            response.writeHead(400).end();
          });
        });
      });
    const refresh = (client: IdentityProvider) =>
      expect(client.refresh('r')).rejects.toMatchObject({ code: 'GRANT_INVALID' });

    test.each([[undefined], [['client_secret_post', 'client_secret_basic']]])(
      'Basic where %j is offered',
      async (methods) => {
        await offering(methods);
        const request = seen();
        await refresh(createClient());
        const [authorization, body] = await request;
        expect(Buffer.from(authorization!.replace('Basic ', ''), 'base64').toString()).toBe(
          'lead%3Awire:a+secret%2Fwith%2Bodd%25characters',
        );
        expect(Object.fromEntries(body)).toEqual({ grant_type: 'refresh_token', refresh_token: 'r' });
      },
    );

    test('in the body where that is all there is', async () => {
      await offering(['client_secret_post']);
      const request = seen();
      await refresh(createClient());
      const [authorization, body] = await request;
      expect(authorization).toBeUndefined();
      expect(body.get('client_id')).toBe(server.clientId);
      expect(body.get('client_secret')).toBe(server.clientSecret);
    });

    test('a public client names itself only', async () => {
      const request = seen();
      await refresh(createClient({ clientSecret: undefined }));
      const [authorization, body] = await request;
      expect(authorization).toBeUndefined();
      expect(Object.fromEntries(body)).toEqual({
        grant_type: 'refresh_token',
        refresh_token: 'r',
        client_id: server.clientId,
      });
    });

    test('UNAVAILABLE where the provider takes no secret of ours', async () => {
      await offering(['private_key_jwt']);
      await expect(createClient().refresh('r')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(server.callsOf(tokenPath)).toBe(0);
    });
  });

  describe('the answer of the token endpoint', () => {
    test('may have null in place of what it leaves out', async () => {
      server.rewriteTokens = (tokens) => ({ ...tokens, refresh_token: null, scope: null });
      const { subject, refreshToken, scope } = await createClient().exchangeCode(await server.authorize('ana'));
      expect({ subject, refreshToken, scope }).toEqual({ subject: 'ana', refreshToken: undefined, scope: undefined });
    });

    test('may have an ID token with a nonce, which the client that asked for it compares', async () => {
      const idToken = server.sign({ sub: 'ana', aud: server.clientId, nonce: 'n' });
      server.rewriteTokens = (tokens) => ({ ...tokens, id_token: idToken });
      expect(await createClient().exchangeCode(await server.authorize('ana'))).toMatchObject({
        subject: 'ana',
        idToken,
      });
    });

    test('has to be for a Bearer token', async () => {
      server.rewriteTokens = (tokens) => ({ ...tokens, token_type: 'mac' });
      const exchanged = createClient().exchangeCode(await server.authorize('ana'));
      await expect(exchanged).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });

  test('a provider that is away is looked for at once, degraded meanwhile, and no longer once it has been reached', async () => {
    const client = createClient();
    server.faults.set(discoveryPath, (response) => response.destroy());
    client.startChecking();
    client.stopChecking();
    await until(() => client.isDegraded);
    server.faults.clear();
    nowMs += minuteMs;
    expect(await subjectOf(client, forge())).toBe('ana');
    expect(client.isDegraded).toBe(false);
  });

  describe('what is kept in memory', () => {
    test('many at once ask once', async () => {
      const client = createClient();
      expect(await Promise.all(Array.from({ length: 20 }, () => subjectOf(client, forge())))).toEqual(
        Array(20).fill('ana'),
      );
      expect([server.callsOf(discoveryPath), server.callsOf(jwksPath)]).toEqual([1, 1]);
    });

    test('discovery is asked again after an hour, not before', async () => {
      const client = createClient();
      await subjectOf(client, forge());
      nowMs += 59 * minuteMs;
      await subjectOf(client, forge());
      expect(server.callsOf(discoveryPath)).toBe(1);
      nowMs += 2 * minuteMs;
      await subjectOf(client, forge());
      await until(() => server.callsOf(discoveryPath) === 2);
    });

    test('a key that the provider has taken back falls out by itself', async () => {
      const client = createClient();
      const old = forge();
      await subjectOf(client, old);
      server.rotateKeys({ keepOld: false });
      nowMs += 11 * minuteMs;
      expect(await subjectOf(client, old)).toBe('ana');
      await until(async () => (await subjectOf(client, old)) === undefined);
    });

    test('keys are used for an hour while the provider is down, not longer, and again once it is back', async () => {
      const client = createClient();
      await subjectOf(client, forge());
      await server.close();
      nowMs += 59 * minuteMs;
      expect(await subjectOf(client, forge())).toBe('ana');
      nowMs += 2 * minuteMs;
      await expect(subjectOf(client, forge())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await server.open();
      nowMs += 6_000;
      expect(await subjectOf(client, forge())).toBe('ana');
    });

    test('a failure cools down for 5 s: nothing is asked meanwhile', async () => {
      const client = createClient();
      server.faults.set(discoveryPath, fail);
      await expect(subjectOf(client, forge())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      server.faults.clear();
      nowMs += 4_000;
      await expect(subjectOf(client, forge())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(server.callsOf(discoveryPath)).toBe(1);
      nowMs += 1_001;
      // The keys failed at the same moment, for want of the metadata.
      expect(await subjectOf(client, forge())).toBe('ana');
    });
  });

  test('a key that names no algorithm is good for those only that the provider declares', async () => {
    const { keys } = (await (await fetch(`${server.issuer}${jwksPath}`)).json()) as { keys: Record<string, unknown>[] };
    const body = JSON.stringify({ keys: keys.map((key) => ({ ...key, alg: undefined })) });
    server.faults.set(jwksPath, (response) => response.writeHead(200).end(body));
    const client = createClient();
    expect(await subjectOf(client, forge())).toBe('ana');
    for (const alg of ['RS512', 'PS256']) expect(await subjectOf(client, forge({ alg }))).toBeUndefined();
  });

  describe('keys and algorithms that the provider declares and that prove nothing', () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const answerWith = (path: string, body: object) =>
      server.faults.set(path, (response) => response.writeHead(200).end(JSON.stringify(body)));
    const read = async (path: string) =>
      (await (await fetch(`${server.issuer}${path}`)).json()) as Record<string, unknown>;

    function symmetric(secret: string | Buffer, kid: string): string {
      const signed = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${forge().split('.')[1]}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    }

    beforeEach(async () => {
      const algorithms = { id_token_signing_alg_values_supported: ['none', 'HS256', 'HS384', 'HS512', 'RS256'] };
      answerWith(discoveryPath, { ...(await read(discoveryPath)), ...algorithms });
    });

    test('none, and HS256 under its public key, which names no algorithm', async () => {
      const { keys } = (await read(jwksPath)) as { keys: object[] };
      answerWith(jwksPath, { keys: keys.map((key) => ({ ...key, alg: undefined })) });
      const client = createClient();
      const { kid, publicKey } = server.keys;
      const unsigned = ['none', 'None', 'NONE'].map((alg) => `${encode({ alg, kid })}.${forge().split('.')[1]}.`);
      const confused = publicKeyWritings.map(([, write]) => symmetric(write(publicKey), kid));
      for (const token of [...unsigned, ...confused]) expect(await subjectOf(client, token)).toBeUndefined();
      expect(await subjectOf(client, forge())).toBe('ana');
    });

    test('a symmetric key, one for encryption, broken ones and strange ones beside the good one', async () => {
      const [secret, encryption] = [randomBytes(32), newPair()];
      const { keys } = (await read(jwksPath)) as { keys: object[] };
      const useless = [
        { kty: 'oct', kid: 'symmetric', k: secret.toString('base64url'), alg: 'HS256', use: 'sig' },
        { ...encryption.publicKey.export({ format: 'jwk' }), kid: encryption.kid, use: 'enc' },
        { kty: 'RSA', kid: 'broken', n: '!', e: 'AQAB', use: 'sig' },
        { kty: 'EC', kid: 'strange', crv: 'P-1', x: 'AA', y: 'AA' },
        { kty: 'something else', kid: 'else' },
      ];
      answerWith(jwksPath, { keys: [...useless, ...keys] });
      const client = createClient();
      expect(await subjectOf(client, forge())).toBe('ana');
      expect(await subjectOf(client, symmetric(secret, 'symmetric'))).toBeUndefined();
      const encrypted = server.sign(
        { sub: 'ana', aud: server.audience },
        { typ: 'at+jwt', kid: encryption.kid },
        encryption.privateKey,
      );
      expect(await subjectOf(client, encrypted)).toBeUndefined();
      for (const kid of ['broken', 'strange', 'else']) expect(await subjectOf(client, forge({ kid }))).toBeUndefined();
    });
  });

  describe('an unknown kid', () => {
    test('from a caller fetches the keys once a minute', async () => {
      const client = createClient();
      for (let count = 0; count < 100; count += 1)
        expect(await subjectOf(client, forge({ kid: `bogus-${count}` }))).toBeUndefined();
      expect(server.callsOf(jwksPath)).toBe(2);
      nowMs += minuteMs;
      for (let count = 0; count < 100; count += 1) await subjectOf(client, forge({ kid: `bogus-${count}` }));
      expect(server.callsOf(jwksPath)).toBe(3);
    });

    test('made up by strangers does not hold up a sign-in after a rotation, which lets every other token in too', async () => {
      const client = createClient();
      for (let count = 0; count < 10; count += 1) await subjectOf(client, forge({ kid: `bogus-${count}` }));
      server.rotateKeys({ keepOld: false });
      expect(await subjectOf(client, forge())).toBeUndefined();
      expect(await client.exchangeCode(await server.authorize('ana'))).toMatchObject({ subject: 'ana' });
      expect(await subjectOf(client, forge())).toBe('ana');
    });

    test('made up by strangers holds a rotation up for a minute at most', async () => {
      const client = createClient();
      await subjectOf(client, forge({ kid: 'bogus' }));
      server.rotateKeys({ keepOld: false });
      expect(await subjectOf(client, forge())).toBeUndefined();
      nowMs += minuteMs;
      expect(await subjectOf(client, forge())).toBe('ana');
    });

    test('while the keys cannot be fetched is refused, and the known ones go on', async () => {
      const client = createClient();
      await subjectOf(client, forge());
      server.faults.set(jwksPath, fail);
      expect(await subjectOf(client, forge({ kid: 'bogus' }))).toBeUndefined();
      expect(await subjectOf(client, forge())).toBe('ana');
    });
  });

  describe('the provider signs with a new key', () => {
    const signIn = async (client: IdentityProvider) => client.exchangeCode(await server.authorize('ana'));
    const bringIn = (client: IdentityProvider) => expect(signIn(client)).resolves.toMatchObject({ subject: 'ana' });

    test('twice within a minute: sign-ins and refreshes go on after 5 s; before, a key that the set of just now lacks is no good', async () => {
      const client = createClient();
      await bringIn(client);
      server.rotateKeys({ keepOld: false });
      await bringIn(client);
      nowMs += 4_000;
      server.rotateKeys({ keepOld: false });
      await expect(signIn(client)).rejects.toMatchObject({ code: 'GRANT_INVALID' });
      nowMs += 1_001;
      const { refreshToken } = await signIn(client);
      nowMs += 5_001;
      server.rotateKeys({ keepOld: false });
      expect(await client.refresh(refreshToken ?? '')).toMatchObject({ subject: 'ana' });
    });

    test('while strangers make kids up: they cause two fetches a minute, and hold no sign-in up', async () => {
      const client = createClient();
      const bogus = async () => {
        for (let count = 0; count < 20; count += 1) await subjectOf(client, forge({ kid: `bogus-${count}` }));
      };
      await bogus();
      expect(server.callsOf(jwksPath)).toBe(2);
      for (let rotation = 0; rotation < 3; rotation += 1) {
        server.rotateKeys({ keepOld: false });
        await bringIn(client);
        await bogus();
        nowMs += 6_000;
      }
      // The keys are fetched once for each rotation.
      expect(server.callsOf(jwksPath)).toBe(5);
    });

    test('while a fetch is under way that began before: the keys are fetched once more', async () => {
      const client = createClient();
      await bringIn(client);
      const old = await (await fetch(`${server.issuer}${jwksPath}`)).text();
      let answer: (() => void) | undefined;
      server.faults.set(jwksPath, (response) => (answer = () => response.writeHead(200).end(old)));
      const stranger = subjectOf(client, forge({ kid: 'bogus' }));
      await until(() => answer !== undefined);
      server.rotateKeys({ keepOld: false });
      const tokenCalls = server.callsOf(tokenPath);
      const session = signIn(client);
      await until(() => server.callsOf(tokenPath) > tokenCalls);
      server.faults.clear();
      answer?.();
      expect(await session).toMatchObject({ subject: 'ana' });
      expect(await stranger).toBeUndefined();
    });
  });
}
