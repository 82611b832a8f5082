// POST /public/leads: the suite of both lead endpoints, and the effects of each endpoint on the other.

import { TestApp, withKey } from '../support/test-app.js';
import { describeLeadEndpoint, someNumber, type LeadAnswer } from './lead-endpoint.js';

export function describePublicLeads(): void {
  describe('POST /public/leads', () => {
    describeLeadEndpoint({ path: '/public/leads', defaultSource: 'public' });
  });

  describe('both lead endpoints', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start();
    });
    afterAll(() => app.stop());

    test.each([
      ['/public/leads', '/webhooks/leads'],
      ['/webhooks/leads', '/public/leads'],
    ])('a lead posted to %s is found by %s', async (first, second) => {
      const tenant = await app.createTenant();
      const chat = someNumber();
      const created = (await (await app.post(first, { chat, name: 'Ana' }, withKey(tenant))).json()) as LeadAnswer;
      const again = await app.post(second, { chat: `+${chat}`, name: 'Bia' }, withKey(tenant));
      expect(again.status).toBe(200);
      expect(await again.json()).toEqual({ ...created, created: false });
    });
  });
}
