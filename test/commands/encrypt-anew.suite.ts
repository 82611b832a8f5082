// Replacing `ENCRYPTION_KEY` step by step while processes go on. Both keys together read everything, the command encrypts it again, and
// then the old key is of no use.

import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { encryptAnew } from '../../src/commands/key-replacement.js';
import { sealedColumns } from '../../src/commands/sealed-columns.js';
import { createEndpoint } from '../features/outgoing-webhooks/endpoint-harness.js';
import { reasonOf } from '../../src/platform/observability/fault.js';
import { compileCache } from '../faults/service-process.js';
import { query } from '../support/graphql-client.js';
import {
  CreateLeadSourceDocument,
  RotateWebhookEndpointSecretDocument,
  type CreateLeadSourceInput,
} from '../support/operations.js';
import { TestApp, jwtSecret, serviceOperator, withToken, type TestTenant } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { runEnvironment } from '../support/run-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [oldKey, newKey, otherKey] = [0, 1, 2].map(() => randomBytes(32).toString('hex')) as [string, string, string];
const appSecret = 'the-secret-of-an-app-at-Meta-long-enough';
const googleKey = 'the-key-that-Google-sends';
const ofGoogle = { column_id: 'PHONE_NUMBER', string_value: '+5511988887777' };
const wrongKey = 'A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one it was stored with.\n';

export function describeEncryptAnew(): void {
  let database: TestDatabase;
  let tenant: TestTenant;
  let instanceId: string;
  let oldVerifyToken: string;
  let metaSourceId: string;
  let googleSourceId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    await withApp({ ENCRYPTION_KEY: oldKey }, async (app) => {
      tenant = await app.createTenant();
      const { chatInstances, metaWebhooks } = app.app.services;
      const instance = {
        accountId: tenant.admin.accountId,
        instanceName: 'meta',
        token: 'token',
        webhookSecret: appSecret,
      };
      const { id } = await chatInstances.create(serviceOperator, instance, {
        tenantId: tenant.id,
        status: 'CONNECTED',
      });
      instanceId = id;
      oldVerifyToken = metaWebhooks.verifyTokenOf(id);
      const endpoint = await createEndpoint(app, tenant, 'https://hooks.example');
      await query(app, tenant.admin, RotateWebhookEndpointSecretDocument, { id: endpoint.id, graceSeconds: 604_800 });
      const create = async (input: CreateLeadSourceInput) =>
        (await query(app, tenant.admin, CreateLeadSourceDocument, { input })).createLeadSource.id;
      metaSourceId = await create({ kind: 'META', name: 'meta', appSecret, accessToken: 'a-token' });
      googleSourceId = await create({ kind: 'GOOGLE', name: 'google', key: googleKey });
      const hmac = { header: 'x-sig', algorithm: 'sha256', encoding: 'hex', secret: 'the-secret-of-a-form' };
      await create({ kind: 'FORM', name: 'form', hmac });
    });
  });
  afterAll(() => database.drop());

  interface Keys extends Record<string, string | undefined> {
    ENCRYPTION_KEY: string;
    ENCRYPTION_KEY_PREVIOUS?: string;
  }

  async function withApp(keys: Keys, work: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await TestApp.start(keys, database);
    try {
      await work(app);
    } finally {
      await app.stop({ keepDatabase: true });
    }
  }

  const environmentOf = (keys: Keys) => ({
    DATABASE_URL: database.url,
    JWT_SECRET: jwtSecret,
    TRUST_PROXY: 'false',
    ...keys,
  });

  async function encryptInThisProcess(keys: Keys): Promise<{ stdout: string; stderr: string }> {
    let stdout = '';
    const failure = encryptAnew(environmentOf(keys), (line) => void (stdout += line));
    const stderr = await failure.then(
      () => '',
      (error: unknown) => `${reasonOf(error)}\n`,
    );
    return { stdout, stderr };
  }

  async function encryptInOneOfItsOwn(keys: Keys): Promise<{ stdout: string; stderr: string }> {
    const env = { ...compileCache, ...runEnvironment, ...environmentOf(keys) };
    const run = promisify(execFile)(process.execPath, ['dist/commands/encrypt-anew.js'], { cwd: root, env });
    return run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }));
  }

  const count = (keys: number, tokens: number, secrets: number, endpoints = tokens) => ({
    stdout:
      `tenant_api_keys.ciphertext: ${keys}\nerasure_keys.ciphertext: 0\nchat_instances.token_ciphertext: ${tokens}\n` +
      `chat_instances.webhook_secret_ciphertext: ${secrets}\n` +
      `webhook_endpoints.secret_ciphertext: ${endpoints}\nwebhook_endpoints.previous_secret_ciphertext: ${endpoints}\n` +
      ['key', 'app_secret', 'access_token', 'hmac_secret']
        .map((name) => `lead_sources.${name}_ciphertext: ${endpoints}\n`)
        .join('') +
      'Everything is encrypted with ENCRYPTION_KEY: ENCRYPTION_KEY_PREVIOUS is not needed any more.\n',
    stderr: '',
  });

  /** Uses every secret that is stored encrypted. */
  async function expectSecretsRead(app: TestApp): Promise<void> {
    const shown = await app.get(`/tenants/${tenant.id}`, withToken(tenant.admin));
    expect(await shown.json()).toMatchObject({ apiKey: tenant.apiKey });
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] });
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
    const call = await app.post(`/webhooks/chat/cloud/${instanceId}`, body, { 'x-hub-signature-256': signature });
    expect(call.status).toBe(200);
    const lead = { google_key: googleKey, lead_id: '1', is_test: true, user_column_data: [ofGoogle] };
    expect((await app.post(`/webhooks/leads/google/${googleSourceId}`, lead)).status).toBe(200);
    const notice = JSON.stringify({ object: 'page', entry: [] });
    const ofMeta = { 'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(notice).digest('hex')}` };
    expect((await app.post(`/webhooks/leads/meta/${metaSourceId}`, notice, ofMeta)).status).toBe(200);
  }

  async function handshake(app: TestApp, verifyToken: string): Promise<number> {
    const parameters = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '42' };
    return (await app.get(`/webhooks/chat/cloud/${instanceId}?${new URLSearchParams(parameters).toString()}`)).status;
  }

  test('knows every column that holds something encrypted', async () => {
    await withApp({ ENCRYPTION_KEY: oldKey }, async (app) => {
      const columns = await app.sql<{ name: string }>(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name LIKE '%ciphertext' ORDER BY name`,
      );
      const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
      expect(columns.map(({ name }) => name)).toEqual(known.toSorted());
    });
  });

  test('a key that opens nothing changes nothing, and says so', async () => {
    expect(await encryptInOneOfItsOwn({ ENCRYPTION_KEY: newKey })).toEqual({ stdout: '', stderr: wrongKey });
    expect(await encryptInThisProcess({ ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: otherKey })).toEqual({
      stdout: '',
      stderr: wrongKey,
    });
    expect(await encryptInThisProcess({ ENCRYPTION_KEY: oldKey, ENCRYPTION_KEY_PREVIOUS: otherKey })).toEqual(
      count(0, 0, 0),
    );
  });

  test('a process with both keys reads what either encrypted, until the old one is needed no more', async () => {
    const both = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_PREVIOUS: oldKey };
    await withApp(both, async (app) => {
      await expectSecretsRead(app);
      const newVerifyToken = app.app.services.metaWebhooks.verifyTokenOf(instanceId);
      expect(newVerifyToken).not.toBe(oldVerifyToken);
      expect(await handshake(app, oldVerifyToken)).toBe(200);
      expect(await handshake(app, newVerifyToken)).toBe(200);
      expect(await encryptInOneOfItsOwn(both)).toEqual(count(1, 1, 1));
      expect(await encryptInThisProcess(both)).toEqual(count(0, 0, 0));
      await expectSecretsRead(app);
    });
    await withApp(both, async (app) => {
      const erasedAt = new Date('2026-11-20T10:00:00.000Z');
      const note = 'INSERT INTO erased_identities (tenant_id, digest, erased_at) VALUES ($1, $2, $3)';
      await app.sql(note, [tenant.id, Buffer.alloc(32), erasedAt]);
      const keep = async (days: string) =>
        (await encryptInThisProcess({ ...both, WEBHOOK_RETENTION_DAYS: days })).stdout.split('\n').at(-2);
      expect(await keep('3000')).toMatch(
        /^Everything .*\. Keep ENCRYPTION_KEY_PREVIOUS until 2035-02-07T10:00:00\.000Z\. Until then/,
      );
      const age = (days: number) =>
        app.sql('UPDATE erased_identities SET erased_at = now() - make_interval(days => $1)', [days]);
      await age(89);
      expect(await keep('30')).toContain('Keep ENCRYPTION_KEY_PREVIOUS until ');
      await age(92);
      expect(await keep('30')).toBe(
        'Everything is encrypted with ENCRYPTION_KEY: ENCRYPTION_KEY_PREVIOUS is not needed any more.',
      );
    });
    await withApp({ ENCRYPTION_KEY: newKey }, async (app) => {
      await expectSecretsRead(app);
      expect(await handshake(app, oldVerifyToken)).toBe(403);
    });
    await withApp({ ENCRYPTION_KEY: oldKey }, async (app) => {
      await expect(app.app.services.apiKeys.checkEncryptionKey()).rejects.toThrow(wrongKey.trim());
    });
  });
}
