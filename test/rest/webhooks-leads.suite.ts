// POST /webhooks/leads: the suite of both lead endpoints. It takes no signature, whatever the chat webhooks ask for.

import { TestApp, withKey } from '../support/test-app.js';
import { describeLeadEndpoint, someNumber } from './lead-endpoint.js';

export function describeWebhooksLeads(): void {
  describe('POST /webhooks/leads', () => {
    describeLeadEndpoint({ path: '/webhooks/leads', defaultSource: 'webhook' });
  });

  describe('with CHAT_WEBHOOK_SECRET set', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start({ CHAT_WEBHOOK_SECRET: 'a shared secret' });
    });
    afterAll(() => app.stop());

    test.each(['/webhooks/leads', '/public/leads'])('%s still needs no signature', async (path) => {
      const tenant = await app.createTenant();
      expect((await app.post(path, { chat: someNumber() }, withKey(tenant))).status).toBe(201);
    });
  });
}
