// An opt-out outlives the erasure of its person, and no earlier data comes back.

import { randomInt, randomUUID } from 'node:crypto';
import { lockTenantLimit } from '../../../src/features/outbox/outbox.sql.js';
import { query } from '../../support/graphql-client.js';
import { jest } from '../../support/jest.js';
import {
  CreateLeadDocument,
  DeleteLeadDocument,
  OptInLeadDocument,
  OptOutLeadDocument,
  ReplayWebhookDeliveryDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { createTemplate, operatorOf, recipientsOf } from '../bulk-sends/bulk-harness.js';
import { leadOf, lid, phone, transact, untilSomebodyWaits } from '../leads/lead-harness.js';
import { hoursFromNow, logOf, optOutOf, write } from './consent-harness.js';

export function describeErasedOptOuts(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  afterEach(() => jest.restoreAllMocks());

  const erase = (id: string) => query(app, tenant.operator, DeleteLeadDocument, { id });

  async function post(chat: string): Promise<string> {
    const answer = await app.post('/public/leads', { chat }, withKey(tenant));
    return ((await answer.json()) as { id: string }).id;
  }

  /** Creates a person who wrote STOP and was erased. @returns the number */
  async function erasedAfterStop(): Promise<string> {
    const number = plainNumber();
    const { leadId } = await write(app, tenant, number, { text: 'STOP' });
    await erase(leadId);
    return number;
  }

  const ways: Record<string, (number: string) => Promise<string>> = {
    'is posted': post,
    writes: async (number) => (await write(app, tenant, number, { text: 'Oi' })).leadId,
    'is created by a user': async (chat) =>
      (await query(app, tenant.operator, CreateLeadDocument, { input: { chat } })).createLead.lead.id,
  };

  test.each(Object.keys(ways))('a person who had opted out, and %s again, is opted out', async (way) => {
    const number = await erasedAfterStop();
    const leadId = (await ways[way]?.(number)) ?? '';
    expect(await optOutOf(app, tenant, leadId)).toMatchObject({ source: 'ERASURE', keyword: null, message: null });
    expect(await logOf(app, tenant, leadId)).toMatchObject([
      { action: 'OPT_OUT', source: 'ERASURE', keyword: null, reason: null, message: null, user: null },
    ]);
    const [kept] = await app.sql<{ digest: Buffer }>('SELECT digest FROM erased_identities WHERE tenant_id = $1', [
      tenant.id,
    ]);
    expect(kept?.digest).toHaveLength(32);
  });

  test('another writing of the number is the same person, and another person and tenant are not', async () => {
    const number = '5511988887777';
    const { leadId } = await write(app, tenant, number, { text: 'SAIR' });
    await erase(leadId);
    expect(await optOutOf(app, tenant, await post('551188887777'))).toMatchObject({ source: 'ERASURE' });
    expect(await optOutOf(app, tenant, await post(plainNumber()))).toBeNull();
    tenant = await app.createTenant();
    expect(await optOutOf(app, tenant, await post(number))).toBeNull();
  });

  /** Posts leads at once. @returns the numbers that the general path of intake took */
  async function takenByGeneralPath(...numbers: string[]): Promise<string[]> {
    const receive = jest.spyOn(app.app.services.leadIntake, 'receive');
    await Promise.all(numbers.map(post));
    const taken = receive.mock.calls.flatMap(([tx, postings]) => (tx.tenantId === tenant.id ? postings : []));
    receive.mockRestore();
    return taken.map(({ chat }) => chat).toSorted();
  }

  test('beside such a person, other new numbers take the fast path of intake', async () => {
    const [first, second] = [await erasedAfterStop(), await erasedAfterStop()];
    const stranger = plainNumber();
    await takenByGeneralPath(stranger);
    const others = Array.from({ length: 4 }, () => plainNumber());
    expect(await takenByGeneralPath(...others, first)).toEqual([first]);
    for (const chat of [stranger, ...others]) expect(await optOutOf(app, tenant, await post(chat))).toBeNull();
    expect(await optOutOf(app, tenant, await post(first))).toMatchObject({ source: 'ERASURE' });
    expect(await takenByGeneralPath(stranger, first)).toEqual([]);
    // The process knows by now how opt-outs of the tenant are kept; one that is erased from now on counts at once.
    const third = await erasedAfterStop();
    expect(await takenByGeneralPath(second, third, plainNumber())).toEqual([second, third].toSorted());
    for (const chat of [second, third])
      expect(await optOutOf(app, tenant, await post(chat))).toMatchObject({ source: 'ERASURE' });
  });

  test('a tenant that has erased nobody of this kind has no path but the fast one', async () => {
    const { leadId } = await write(app, tenant, plainNumber(), { text: 'Oi' });
    await erase(leadId);
    expect(await takenByGeneralPath(plainNumber(), plainNumber())).toEqual([]);
  });

  test('who opts in again stays in, also over the next erasure', async () => {
    const number = await erasedAfterStop();
    const leadId = await post(number);
    await query(app, tenant.operator, OptInLeadDocument, { id: leadId, reason: 'asked by telephone' });
    expect(await optOutOf(app, tenant, leadId)).toBeNull();
    await erase(leadId);
    expect(await optOutOf(app, tenant, await post(number))).toBeNull();
    const again = await post(number);
    await query(app, tenant.operator, OptOutLeadDocument, { id: again, reason: 'asked by letter' });
    await erase(again);
    expect(await optOutOf(app, tenant, await post(number))).toMatchObject({ source: 'ERASURE' });
  });

  test('a call that a gateway repeats after the erasure brings nobody back, and a new one is a new person', async () => {
    const number = plainNumber();
    const old = { text: 'Oi', messageId: randomUUID(), timestamp: hoursFromNow(-72) };
    const { leadId } = await write(app, tenant, number, old);
    await erase(leadId);
    const body = { instance: tenant.instance.name, from: number, ...old };
    const repeated = await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
    expect([repeated.status, await repeated.json()]).toEqual([
      200,
      { accepted: 1, results: [{ outcome: 'ignored', reason: 'a person who was erased' }] },
    ]);
    const again = await post(number);
    expect(again).not.toBe(leadId);
    // The number is known by now, so the fast path takes the call.
    await app.post('/webhooks/chat/gateway/inbound', { ...body, messageId: randomUUID() }, withKey(tenant));
    expect(await app.sql('SELECT FROM messages WHERE tenant_id = $1', [tenant.id])).toEqual([]);
    await write(app, tenant, number, { text: 'Estou de volta', timestamp: hoursFromNow(0) + 2 });
    expect(await app.sql('SELECT body FROM messages WHERE tenant_id = $1', [tenant.id])).toEqual([
      { body: 'Estou de volta' },
    ]);
  });

  test.each([
    ['a message', '/webhooks/chat/gateway/inbound', (from: string) => ({ messageId: randomUUID(), from, text: 'Oi' })],
    ['a lead', '/webhooks/leads', (chat: string) => ({ chat, name: 'Ana' })],
  ])('a replay of %s from before the erasure brings nobody back', async (_what, path, bodyOf) => {
    const number = plainNumber();
    await app.post(path, bodyOf(number), withKey(tenant));
    const [lead] = await app.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id]);
    const [call] = await app.sql<{ id: string }>('SELECT id FROM webhook_deliveries WHERE tenant_id = $1', [tenant.id]);
    await erase(lead?.id ?? '');
    await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: call?.id ?? '' });
    expect(await app.sql('SELECT FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });

  test('a claim that is under way ends before a known lead is opted out so, and later claims see the opt-out', async () => {
    const number = await erasedAfterStop();
    const hidden = `1${randomInt(1e13, 9e13)}`;
    const leadId = await leadOf(app, tenant, lid(hidden));
    let learned: Promise<string> | undefined;
    let isLearned = false;
    // A claim holds this lock until it commits.
    await transact(app, tenant, async (tx) => {
      await tx.query(lockTenantLimit, [tenant.id]);
      learned = leadOf(app, tenant, lid(hidden), phone(number)).finally(() => (isLearned = true));
      await Promise.race([untilSomebodyWaits(app), learned]);
      expect(isLearned).toBe(false);
      expect(await optOutOf(app, tenant, leadId)).toBeNull();
    });
    expect(await learned).toBe(leadId);
    expect(await optOutOf(app, tenant, leadId)).toMatchObject({ source: 'ERASURE' });
  });

  test('a known lead that gets the number of such a person is opted out: what waits is canceled, and an event says so', async () => {
    const number = await erasedAfterStop();
    const hidden = `1${randomInt(1e13, 9e13)}`;
    const leadId = await leadOf(app, tenant, lid(hidden));
    const another = plainNumber();
    await app.sql('UPDATE leads SET chat = $2 WHERE id = $1', [leadId, another]);
    const templateId = await createTemplate(app, tenant);
    const sendAt = new Date(Date.now() + 86_400_000);
    const wanted = { templateId, recipients: recipientsOf([leadId]), idempotencyKey: randomUUID(), sendAt };
    const { id } = await app.app.services.bulkSends.send(operatorOf(tenant), wanted);
    expect(await leadOf(app, tenant, lid(hidden), phone(number))).toBe(leadId);
    expect(await optOutOf(app, tenant, leadId)).toMatchObject({ source: 'ERASURE' });
    expect(await app.sql('SELECT status, error_code AS code FROM messages WHERE bulk_send_id = $1', [id])).toEqual([
      { status: 'CANCELED', code: 'OPTED_OUT' },
    ]);
    const events = await app.sql(
      "SELECT data FROM events WHERE tenant_id = $1 AND lead_id = $2 AND type = 'LEAD_UPDATED' AND data IS NOT NULL",
      [tenant.id, leadId],
    );
    expect(events).toContainEqual({
      data: { change: 'OPT_OUT', fields: ['optOut'], source: 'ERASURE', userId: null },
    });
  });
}
