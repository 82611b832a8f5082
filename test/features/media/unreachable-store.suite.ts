// A store of files that cannot be reached: uploads are refused, messages come in as usual, and administrators are told.

import { png } from './sample-files.js';
import { S3Server } from '../../support/s3-server.js';
import { TestApp, withKey, withToken, type TestTenant } from '../../support/test-app.js';
import { readMessage, until } from '../messages/sending-harness.js';

const bucket = 'leadwire-test';
const region = 'sa-east-1';
const credentials = { accessKeyId: 'test-key', secretAccessKey: 'a secret of the test server' };

export function describeUnreachableStore(): void {
  let store: S3Server;
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    store = await S3Server.start({ bucket, region, ...credentials });
    app = await TestApp.start({
      MEDIA_STORE: `s3://${bucket}?endpoint=${encodeURIComponent(store.url)}&region=${region}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      METRICS_PORT: '0',
    });
    tenant = await app.createTenant();
  });
  beforeEach(() => (store.busyAnswers = 0));
  afterAll(async () => {
    await app.stop();
    await store.close();
  });

  const upload = () =>
    fetch(`${app.url}/media`, {
      method: 'POST',
      headers: { ...withToken(tenant.operator), 'content-type': 'image/png' },
      body: new Uint8Array(png()),
    });
  const failures = async (operation: string) => {
    const text = await (await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`)).text();
    const [, count] =
      new RegExp(`^leadwire_media_store_failures_total\\{operation="${operation}"\\} (\\d+)$`, 'm').exec(text) ?? [];
    return Number(count);
  };

  test('uploads answer 503, which is counted; readiness stays 200, and uploads work again with the store', async () => {
    expect(await failures('put')).toBe(0);
    store.busyAnswers = Number.POSITIVE_INFINITY;
    const refused = await upload();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await failures('put')).toBe(1);
    expect((await app.get('/health/ready')).status).toBe(200);
    store.busyAnswers = 0;
    expect((await upload()).status).toBe(201);
  });

  test('a read that fails is counted', async () => {
    const { id } = (await (await upload()).json()) as { id: string };
    const before = await failures('read');
    store.busyAnswers = Number.POSITIVE_INFINITY;
    expect((await fetch(app.app.services.mediaAddresses.of(tenant.id, id))).status).toBe(503);
    expect(await failures('read')).toBe(before + 1);
  });

  test('a message with a file is taken in, and its file is tried again', async () => {
    store.busyAnswers = Number.POSITIVE_INFINITY;
    const base64 = png().toString('base64');
    const data = {
      key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id: '3EB0AA' },
      messageType: 'imageMessage',
      message: { imageMessage: { mimetype: 'image/png' }, base64 },
    };
    const call = { event: 'messages.upsert', instance: tenant.instance.name, data };
    const answer = await app.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    expect(answer.status).toBe(200);
    const { results } = (await answer.json()) as { results: { messageId: string }[] };
    const id = results[0]?.messageId ?? '';
    const waiting = await until(
      async () => (await readMessage(app, tenant, id)).media,
      (media) => media?.error != null,
    );
    expect(waiting).toMatchObject({ state: 'PENDING', url: null });
    store.busyAnswers = 0;
    await app.sql('UPDATE media_files SET due_at = now() WHERE id = $1', [id]);
    // The bytes that came with the call have waited for the store, so no gateway is asked.
    const stored = await until(
      async () => (await readMessage(app, tenant, id)).media,
      (media) => media?.state === 'STORED',
      60_000,
    );
    expect(stored?.size).toBe(png().length);
  });
}
