// An identity provider that is away while operators sign in: they are told to retry, and signed-in operators go on. The same codes work
// once the provider is back. Tests in test/features/auth and test/rest cover its keys and its other answers.

import { until } from '../features/messages/sending-harness.js';
import { OidcServer, type CodeGrant } from '../support/oidc-server.js';
import { steadyPort } from '../support/redis-server.js';
import { TestApp, withKey, type TestTenant } from '../support/test-app.js';
import { readLog } from '../support/test-log.js';
import { SteadyCaller, readInbox } from './steady-caller.js';

const operatorCount = 12;

export function describeIdentityProviderOutages(): void {
  let provider: OidcServer;
  let app: TestApp;
  let tenant: TestTenant;
  let lastAddress = 0;

  beforeAll(async () => {
    provider = await OidcServer.start('', await steadyPort());
    app = await TestApp.start({ ...provider.environment, TRUST_PROXY: 'loopback' });
    tenant = await app.createTenant();
  });

  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  /** Signs in from a new address: the endpoint has a limit for each address. */
  function signIn(grant: CodeGrant): Promise<Response> {
    lastAddress += 1;
    return app.post('/auth/token', grant, { 'x-forwarded-for': `10.0.${lastAddress >> 8}.${lastAddress & 255}` });
  }

  async function readMe(token: string): Promise<unknown> {
    const response = await app.post('/graphql', { query: '{ me { role } }' }, { authorization: `Bearer ${token}` });
    return response.json();
  }

  const answered = (role: string) => ({ data: { me: { role } } });

  test('a wrong or unreachable OIDC_ISSUER_URL keeps no process from starting, and readiness and the log say so', async () => {
    const wrong = `${provider.issuer}/realms/none`;
    const environment = { ...provider.environment, OIDC_ISSUER_URL: wrong };
    const api = await TestApp.start({ ...environment, PROCESS_ROLE: 'api' }, app.database);
    const worker = await TestApp.start({ ...environment, PROCESS_ROLE: 'worker' }, app.database);
    const readiness = async (url: string) => {
      const response = await fetch(`${url}/health/ready`);
      return { code: response.status, ...((await response.json()) as { status: string; degraded?: string[] }) };
    };
    try {
      const told = await until(
        () => readiness(api.url),
        ({ degraded }) => degraded !== undefined,
      );
      expect(told).toEqual({ code: 200, status: 'ok', degraded: ['identity-provider'] });
      // The log may come after the answer.
      const sentence = 'the identity provider of OIDC_ISSUER_URL cannot be used: discovery failed';
      const log = await until(readLog, (written) => written.includes(`"msg":"${sentence}"`));
      expect(log).toContain(`${wrong}/.well-known/openid-configuration answered 404`);
      expect(await readiness(app.url)).toEqual({ code: 200, status: 'ok' });
      expect(await readiness(worker.url)).toEqual({ code: 200, status: 'ok' });
    } finally {
      await worker.stop({ keepDatabase: true });
      await api.stop({ keepDatabase: true });
    }
  });

  test('twelve operators sign in meanwhile: 503 with Retry-After, their codes are not spent, and nobody else notices', async () => {
    const providerToken = await provider.issueApiToken(tenant.operator.idpSub);
    // The service knows the provider's keys from here on.
    expect(await readMe(providerToken)).toEqual(answered('OPERATOR'));
    const grants: CodeGrant[] = [];
    for (let index = 0; index < operatorCount; index += 1)
      grants.push(await provider.authorize(tenant.operator.idpSub));

    const readers = [app.url, app.url].map((url) => new SteadyCaller(() => readInbox(url, tenant), 10));
    await provider.close();
    const refused = await Promise.all(grants.map(signIn));
    for (const response of refused) {
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(await readMe(providerToken)).toEqual(answered('OPERATOR'));
    expect(await readMe(tenant.admin.token)).toEqual(answered('ADMIN'));
    const lead = await app.post('/public/leads', { chat: '4915100000001' }, withKey(tenant));
    expect(lead.status).toBe(201);

    await provider.open();
    for (const grant of grants) {
      const response = await until(
        () => signIn(grant),
        ({ status }) => status !== 503,
      );
      expect(response.status).toBe(200);
      const { accessToken } = (await response.json()) as { accessToken: string };
      expect(await readMe(accessToken)).toEqual(answered('OPERATOR'));
    }
    await Promise.all(readers.map((reader) => reader.finish()));
    for (const { log } of readers) expect([...log.outcomes().keys()]).toEqual(['200']);
  });
}
