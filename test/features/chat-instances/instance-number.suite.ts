// The number of an instance's own line, as each gateway reports it, and what a change of it says.

import { createHmac, randomInt } from 'node:crypto';
import { query } from '../../support/graphql-client.js';
import {
  ChatInstanceStateDocument,
  ConnectChatInstanceDocument,
  CreateChatInstanceDocument,
  UpdateChatInstanceDocument,
  type CreateChatInstanceInput,
} from '../../support/operations.js';
import { ScriptedGateway, answering } from '../../providers/scripted-gateway.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { appSecret } from '../channel-templates/meta-harness.js';

export function describeInstanceNumber(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let gateway: ScriptedGateway;
  let answer: object;

  beforeAll(async () => {
    gateway = await ScriptedGateway.start((request, response) => answering(200, answer)(request, response));
    app = await sharedApp();
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });
  afterAll(async () => {
    await gateway.close();
  });

  async function create(input: Partial<CreateChatInstanceInput>): Promise<string> {
    const whole = { accountId: tenant.admin.accountId, instanceName: 'line', baseUrl: gateway.url, ...input };
    return (await query(app, tenant.admin, CreateChatInstanceDocument, { input: whole })).createChatInstance.id;
  }

  const numberOf = async (id: string) =>
    (await query(app, tenant.operator, ChatInstanceStateDocument, { id })).chatInstance?.number;
  const post = async (body: object) => {
    const response = await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
    expect(response.status).toBeLessThan(300);
  };
  const eventsOf = async (id: string) =>
    (await app.sql("SELECT FROM events WHERE instance_id = $1 AND type = 'CHAT_INSTANCE_STATUS_CHANGED'", [id])).length;
  const changesOf = (id: string) =>
    app.sql<object>(
      "SELECT actor_kind AS actor, before, after FROM audit_entries WHERE target_id = $1 AND action = 'CHAT_INSTANCE_NUMBER_CHANGED'",
      [id],
    );

  const opened = (wuid: string, at = '2026-11-20T10:15:45.120Z') => ({
    event: 'connection.update',
    instance: 'line',
    data: { instance: 'line', wuid, state: 'open', statusReason: 200 },
    date_time: at,
    sender: wuid,
  });
  const written = (sender: string) => ({
    event: 'messages.upsert',
    instance: 'line',
    data: {
      key: {
        remoteJid: `491550${randomInt(100_000, 1_000_000)}@s.whatsapp.net`,
        fromMe: false,
        id: `ID${randomInt(1e9)}`,
      },
      pushName: 'Ana',
      message: { conversation: 'Oi' },
      messageType: 'conversation',
      messageTimestamp: 1_795_180_545,
    },
    sender,
  });

  describe('Evolution', () => {
    test('says it when the line is open; another number is told at once and stands in the audit log', async () => {
      const id = await create({ provider: 'evolution' });
      expect(await numberOf(id)).toBeNull();
      await post(opened('5541999112233:7@s.whatsapp.net'));
      expect(await numberOf(id)).toBe('5541999112233');
      expect(await changesOf(id)).toEqual([]);
      const before = await eventsOf(id);
      await post(opened('5541999112233@s.whatsapp.net', '2026-11-20T10:16:45.120Z'));
      expect(await eventsOf(id)).toBe(before);
      await post(opened('5541988887777@s.whatsapp.net', '2026-11-20T10:17:45.120Z'));
      expect(await numberOf(id)).toBe('5541988887777');
      expect(await eventsOf(id)).toBe(before + 1);
      expect(await changesOf(id)).toEqual([
        { actor: 'SYSTEM', before: { number: '5541999112233' }, after: { number: '5541988887777' } },
      ]);
    });

    test('an earlier report that arrives later changes nothing', async () => {
      const id = await create({ provider: 'evolution' });
      await post(opened('5541999112233@s.whatsapp.net', '2026-11-20T10:15:45.120Z'));
      await post(opened('5541988887777@s.whatsapp.net', '2026-11-20T10:14:45.120Z'));
      expect(await numberOf(id)).toBe('5541999112233');
    });

    test('says it beside each message, which fills an unknown number and never changes a known one', async () => {
      const id = await create({ provider: 'evolution' });
      await post(written('5541999112233@s.whatsapp.net'));
      expect(await numberOf(id)).toBe('5541999112233');
      // The event of the message shows its instance.
      const created = "SELECT instance_id AS id FROM events WHERE tenant_id = $1 AND type LIKE 'MESSAGE_%'";
      expect(await app.sql(created, [tenant.id])).toEqual([{ id }]);
      expect(await eventsOf(id)).toBe(0);
      await post(written('5541988887777@s.whatsapp.net'));
      expect(await numberOf(id)).toBe('5541999112233');
    });

    test.each(['201234567890123@lid', 'x', '', null, 5])(
      'a sender that is no number (%p) leaves it unknown',
      async (sender) => {
        const id = await create({ provider: 'evolution' });
        await post(written(sender as string));
        expect(await numberOf(id)).toBeNull();
      },
    );
  });

  test('WAHA says it with the session, also where it is asked', async () => {
    const id = await create({ provider: 'waha', token: 'key' });
    const session = { event: 'session.status', session: 'line', timestamp: Date.now() };
    await post({ ...session, me: null, payload: { name: 'line', status: 'STARTING' } });
    expect(await numberOf(id)).toBeNull();
    await post({
      ...session,
      timestamp: Date.now() + 1,
      me: { id: '5541999112233@c.us' },
      payload: { name: 'line', status: 'WORKING' },
    });
    expect(await numberOf(id)).toBe('5541999112233');
    answer = { name: 'line', status: 'WORKING', me: { id: '5541988887777@c.us', pushName: 'Loja' } };
    await query(app, tenant.admin, ConnectChatInstanceDocument, { id });
    expect(await numberOf(id)).toBe('5541988887777');
  });

  test('the neutral protocol may say it with the state', async () => {
    const id = await create({});
    for (const [number, expected] of [
      ['about 5', null],
      [undefined, null],
      ['+5541999112233', '5541999112233'],
    ] as const) {
      answer = { status: 'CONNECTED', ...(number !== undefined && { number }) };
      await query(app, tenant.admin, ConnectChatInstanceDocument, { id });
      expect(await numberOf(id)).toBe(expected);
    }
  });

  const metaLine = {
    provider: 'cloud',
    token: 'token',
    webhookSecret: appSecret,
    metadata: { phoneNumberId: '106540352242922' },
  };

  test('Meta says it in each call, and not for another number of the account', async () => {
    const id = await create(metaLine);
    const call = async (phoneNumberId: string, shown: string) => {
      const metadata = { display_phone_number: shown, phone_number_id: phoneNumberId };
      const statuses = [
        { id: `wamid.${randomInt(1e9)}`, status: 'sent', timestamp: '1795180545', recipient_id: '4915501' },
      ];
      const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses } }];
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '2', changes }] });
      const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
      const response = await app.post(`/webhooks/chat/cloud/${id}`, body, { 'x-hub-signature-256': signature });
      expect(response.status).toBe(200);
    };
    await call('999', '15550109998');
    expect(await numberOf(id)).toBeNull();
    await call('106540352242922', '15550109999');
    expect(await numberOf(id)).toBe('15550109999');
  });

  test('Meta shows it in the answer about the number', async () => {
    const id = await create(metaLine);
    answer = { id: '106540352242922', display_phone_number: '+55 41 99911-2233', verified_name: 'Loja' };
    await query(app, tenant.admin, ConnectChatInstanceDocument, { id });
    expect(await numberOf(id)).toBe('5541999112233');
  });

  test('an instance that becomes another line forgets it', async () => {
    const id = await create({ provider: 'evolution' });
    await post(opened('5541999112233@s.whatsapp.net'));
    await query(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { isDefault: true } });
    expect(await numberOf(id)).toBe('5541999112233');
    await query(app, tenant.admin, UpdateChatInstanceDocument, { id, input: { instanceName: 'other' } });
    expect(await numberOf(id)).toBeNull();
  });
}
