// Notifications on their whole way: a message comes in, a worker encrypts and signs, and a browser's push service gets it.

import { query } from '../../support/graphql-client.js';
import { KeepPushDeviceDocument, PushDevicesDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { hear } from '../leads/conversation-harness.js';
import { plainNumber, until } from '../messages/sending-harness.js';
import { PlayedPushService, signerOf } from './push-service.js';

export function describePushSending(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let service: PlayedPushService;

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    service = await PlayedPushService.start();
  });
  afterAll(() => service.close());

  test('only the browser can read it, and the service signs it with the key that browsers subscribe with', async () => {
    const browser = service.subscribe();
    await query(app, tenant.operator, KeepPushDeviceDocument, { input: browser.input });
    const { leadId } = await hear(app, tenant, plainNumber());
    const [post] = await until(
      () => service.postsOf(browser),
      (posts) => posts.length > 0,
    );
    expect(service.told(browser)).toEqual([expect.objectContaining({ kind: 'message', leadId, count: 1 })]);
    expect(post?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      topic: leadId.replaceAll('-', ''),
      ttl: '3600',
      urgency: 'high',
    });
    const { pushPublicKey } = await query(app, tenant.operator, PushDevicesDocument, {});
    const { claims, key } = signerOf(post!);
    expect(key).toBe(pushPublicKey);
    expect(claims).toMatchObject({ aud: service.url, sub: 'mailto:admin@test.example' });
    const stranger = service.subscribe();
    expect(() => stranger.decrypt(post!.body)).toThrow();
  });

  test.each([404, 410])('a browser whose address answers %d is forgotten', async (status) => {
    const browser = service.subscribe();
    service.statuses.set(new URL(browser.endpoint).pathname, status);
    await query(app, tenant.admin, KeepPushDeviceDocument, { input: browser.input });
    await hear(app, tenant, plainNumber());
    const devices = async () => (await query(app, tenant.admin, PushDevicesDocument, {})).pushDevices;
    await until(devices, ({ length }) => length === 0);
    expect(service.postsOf(browser)).toHaveLength(1);
  });
}
