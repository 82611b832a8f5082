// Meta's `user_preferences`: stop and resume, in the order of their times.

import { createHmac, randomUUID } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import { DeleteLeadDocument, OptOutsDocument } from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { serviceOperator, type TestApp, type TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber } from '../messages/sending-harness.js';
import { hoursFromNow, logOf, optOutOf, setKeywords } from './consent-harness.js';

const appSecret = '0123456789abcdef0123456789abcdef';

export function describePreferences(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let lineId: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    const { accountId } = tenant.admin;
    const input = { accountId, instanceName: randomUUID(), provider: 'cloud', webhookSecret: appSecret };
    const { chatInstances } = app.app.services;
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    ({ id: lineId } = await chatInstances.create(serviceOperator, input, place));
  });

  async function report(...preferences: object[]) {
    const value = { metadata: { phone_number_id: '42' }, user_preferences: preferences };
    const changes = [{ field: 'user_preferences', value }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
    const answer = await app.post(`/webhooks/chat/cloud/${lineId}`, body, { 'x-hub-signature-256': signature });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { results: object[] }).results;
  }

  const preference = (wa_id: string, value: string, hours = 0) => ({
    wa_id,
    detail: 'User requested it',
    category: 'marketing_messages',
    value,
    timestamp: String(hoursFromNow(hours)),
  });

  test('stop opts out without an answer, resume opts in; the ledger has the calls', async () => {
    await setKeywords(app, tenant, { optOutReply: 'You get no more messages.' });
    const number = plainNumber();
    const leadId = await createLead(app, tenant, number);
    const stop = preference(number, 'stop', -2);
    expect(await report(stop)).toEqual([{ outcome: 'applied' }]);
    await report(stop);
    expect(await optOutOf(app, tenant, leadId)).toMatchObject({ source: 'PREFERENCE', keyword: null, message: null });
    expect(await app.sql('SELECT 1 FROM messages WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    await report(preference(number, 'resume', -1));
    expect(await optOutOf(app, tenant, leadId)).toBeNull();
    expect(await logOf(app, tenant, leadId)).toMatchObject([
      { action: 'OPT_IN', source: 'PREFERENCE', webhookDeliveryId: expect.any(String) },
      { action: 'OPT_OUT', source: 'PREFERENCE', webhookDeliveryId: expect.any(String) },
    ]);
  });

  test('their times decide, in one call and over several', async () => {
    const number = plainNumber();
    const leadId = await createLead(app, tenant, number);
    await report(preference(number, 'resume', -1), preference(number, 'stop', -2));
    expect(await optOutOf(app, tenant, leadId)).toBeNull();
    await report(preference(number, 'stop', -3));
    expect(await optOutOf(app, tenant, leadId)).toBeNull();
    expect((await logOf(app, tenant, leadId)).map(({ isSuperseded }) => isSuperseded)).toEqual([true, false, false]);
    await report(preference(number, 'stop'));
    expect(await optOutOf(app, tenant, leadId)).not.toBeNull();
  });

  test('a person who was erased since does not come back', async () => {
    const number = plainNumber();
    const id = await createLead(app, tenant, number);
    await query(app, tenant.operator, DeleteLeadDocument, { id });
    expect(await report(preference(number, 'stop', -2))).toMatchObject([{ outcome: 'ignored' }]);
    expect(await app.sql('SELECT 1 FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });

  test('a person who is not known becomes a lead that has opted out', async () => {
    await report(preference(plainNumber(), 'stop'));
    const { leads } = await query(app, tenant.operator, OptOutsDocument, { filter: { optedOut: true } });
    expect(leads.edges.map(({ node }) => node.optOut?.source)).toEqual(['PREFERENCE']);
  });

  test.each([
    [{ value: 'pause' }, { outcome: 'ignored', reason: 'a preference that is not handled: pause' }],
    [{ category: 'calls' }, { outcome: 'ignored', reason: 'a preference that is not handled: calls' }],
    [
      { wa_id: undefined },
      { outcome: 'refused', errors: [{ path: 'entry.0.changes.0.value.user_preferences.0.wa_id' }] },
    ],
    [
      { value: undefined },
      { outcome: 'refused', errors: [{ path: 'entry.0.changes.0.value.user_preferences.0.value' }] },
    ],
  ])('%j changes nothing', async (differences, result) => {
    const number = plainNumber();
    const leadId = await createLead(app, tenant, number);
    expect(await report({ ...preference(number, 'stop'), ...differences })).toMatchObject([result]);
    expect(await optOutOf(app, tenant, leadId)).toBeNull();
  });
}
