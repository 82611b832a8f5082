// Meta's Cloud API on /webhooks/chat/cloud/:instanceId: the handshake, the signature, batches, and the limits of its callers.

import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stateOf } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, serviceOperator, withToken, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';

const appSecret = '0123456789abcdef0123456789abcdef';

export function describeWebhooksCloud(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let instanceId: string;
  let verifyToken: string;

  interface Answer {
    accepted: number;
    results: { messageId?: string; leadId?: string; duplicate?: boolean; outcome?: string }[];
  }

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    const input = { accountId: tenant.admin.accountId, instanceName: 'cloud', webhookSecret: appSecret };
    const answer = await graphql(
      `
        mutation ($input: CreateChatInstanceInput!) {
          createChatInstance(input: $input) {
            id
            webhookVerifyToken
          }
        }
      `,
      { input },
    );
    const { id, webhookVerifyToken } = answer['createChatInstance'] ?? {};
    instanceId = id ?? '';
    verifyToken = webhookVerifyToken ?? '';
  });

  async function graphql(query: string, variables: object): Promise<Record<string, Record<string, string>>> {
    const answer = await app.post('/graphql', { query, variables }, withToken(tenant.admin));
    const { data, errors } = (await answer.json()) as {
      data?: Record<string, Record<string, string>>;
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    return data ?? {};
  }

  const path = (id = instanceId) => `/webhooks/chat/cloud/${id}`;
  const sign = (body: string, secret = appSecret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  function post(body: unknown, headers: Record<string, string> = {}, id = instanceId): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return app.post(path(id), text, { 'x-hub-signature-256': sign(text), ...headers });
  }

  async function accepted(body: unknown): Promise<Answer> {
    const response = await post(body);
    const answer = (await response.json()) as Answer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  function recorded(name: string): unknown {
    return JSON.parse(readFileSync(new URL(`../providers/payloads/cloud/${name}.json`, import.meta.url), 'utf8'));
  }

  /** A call with these messages and statuses. */
  const call = (value: object, field = 'messages') => ({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field, value: { metadata: { phone_number_id: '42' }, ...value } }] }],
  });
  const text = (id: string, from = '5511988887777') => ({
    id,
    from,
    timestamp: '1795180545',
    type: 'text',
    text: { body: 'Oi' },
  });

  test('a picture has no address yet, and its message is shown all the same', async () => {
    const image = { id: '400000000000005', mime_type: 'image/jpeg', sha256: 'x' };
    const { results } = await accepted(call({ messages: [{ ...text('wamid.picture'), type: 'image', image }] }));
    const query = 'query ($leadId: ID!) { messages(leadId: $leadId) { edges { node { media { url mimeType } } } } }';
    const { messages } = await graphql(query, { leadId: results[0]?.leadId });
    expect(messages?.['edges']).toEqual([{ node: { media: { url: null, mimeType: 'image/jpeg' } } }]);
  });

  describe('the handshake', () => {
    const ask = (query: Record<string, string>, id?: string) =>
      app.get(`${path(id)}?${new URLSearchParams(query).toString()}`);
    const good = () => ({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '1158201444' });

    test('gives the challenge back as text', async () => {
      const answer = await ask(good());
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
        200,
        'text/plain; charset=utf-8',
        '1158201444',
      ]);
    });

    test.each([
      ['another token', { 'hub.verify_token': 'x' }],
      ['another mode', { 'hub.mode': 'unsubscribe' }],
    ])('%s: 403', async (_, change) => {
      await expectProblem(await ask({ ...good(), ...change }), 'FORBIDDEN');
    });

    test.each([
      ['an instance that nobody has', () => randomUUID()],
      ['an instance without a webhook secret', () => tenant.instance.id],
      ['no id', () => 'x'],
    ])('%s: 404', async (_, id) => {
      await expectProblem(await ask(good(), id()), 'NOT_FOUND');
      await expectProblem(await post(call({ messages: [text('x')] }), {}, id()), 'NOT_FOUND');
    });
  });

  describe('the signature', () => {
    const body = () => JSON.stringify(call({ messages: [text(randomUUID())] }));

    test.each<[string, (body: string) => Record<string, string>]>([
      ['missing', () => ({ 'x-hub-signature-256': '' })],
      ['of another secret', (sent) => ({ 'x-hub-signature-256': sign(sent, 'another app secret of any length') })],
      ['of another body', () => ({ 'x-hub-signature-256': sign('{}') })],
      ['under the name of ours', (sent) => ({ 'x-hub-signature-256': '', 'x-signature': sign(sent) })],
    ])('%s: 401, and nothing is kept', async (_, headers) => {
      const sent = body();
      const count = async () =>
        (await app.sql('SELECT 1 FROM webhook_deliveries WHERE tenant_id = $1', [tenant.id])).length;
      const before = await count();
      await expectProblem(await post(sent, headers(sent)), 'SIGNATURE_INVALID');
      expect(await count()).toBe(before);
    });

    test('a tenant’s own API key is not asked for, and opens nothing', async () => {
      const sent = body();
      const headers = { 'x-tenant-key': tenant.apiKey, 'x-hub-signature-256': '' };
      await expectProblem(await post(sent, headers), 'SIGNATURE_INVALID');
    });
  });

  describe('what it reports', () => {
    test('messages and statuses of a batch, each with its result, each once', async () => {
      const batch = call({
        contacts: [{ wa_id: '5511988887777', profile: { name: 'Ana' } }],
        messages: [text('wamid.1'), text('wamid.2'), text('wamid.1'), { id: 7 }],
        statuses: [{ id: 'wamid.9', status: 'read', timestamp: '1795180545', recipient_id: '5511988887777' }],
      });
      const first = await accepted(batch);
      expect(first).toMatchObject({
        accepted: 4,
        results: [
          { duplicate: false },
          { duplicate: false },
          { duplicate: true },
          { outcome: 'refused' },
          { outcome: 'parked' },
        ],
      });
      const again = await accepted(batch);
      expect(again.results.slice(0, 3)).toMatchObject([{ duplicate: true }, { duplicate: true }, { duplicate: true }]);
      const names = await app.sql('SELECT name FROM leads WHERE id = $1', [first.results[0]?.leadId]);
      expect(names).toEqual([{ name: 'Ana' }]);
    });

    test('an echo of the phone, and its statuses', async () => {
      const { results } = await accepted(recorded('echoes'));
      const [echo] = results.filter(({ messageId }) => messageId !== undefined);
      expect(await stateOf(app, echo?.messageId ?? '')).toMatchObject({ status: 'SENT' });
    });

    test('an echo of the phone is never taken for a send whose answer was lost, however alike', async () => {
      const { results } = await accepted(call({ messages: [text('wamid.p1', '5511922221111')] }));
      const leadId = results[0]?.leadId ?? '';
      const sendId = randomUUID();
      await app.sql(
        `WITH sent AS (
           INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
           VALUES ($1, $2, $3, $4, 'OUTBOUND', 'SENDING', 'text', 'Oi'))
         INSERT INTO send_attempts (tenant_id, message_id, number, granted_at) VALUES ($1, $2, 1, now())`,
        [tenant.id, sendId, leadId, instanceId],
      );
      const written = { id: 'wamid.p2', from: '15550109999', to: '5511922221111', type: 'text', text: { body: 'Oi' } };
      const timestamp = `${Math.ceil(Date.now() / 1_000)}`;
      const echo = call({ message_echoes: [{ ...written, timestamp }] }, 'smb_message_echoes');
      expect((await accepted(echo)).results).toMatchObject([{ leadId, duplicate: false }]);
      expect(await stateOf(app, sendId)).toMatchObject({ status: 'SENDING', externalId: null });
    });

    test('a sender without a number is one lead, known by the id', async () => {
      const message = { ...text('wamid.b1'), from: undefined, from_user_id: 'BR.123456789' };
      const first = await accepted(call({ messages: [message] }));
      const second = await accepted(call({ messages: [{ ...message, id: 'wamid.b2' }] }));
      expect(second.results[0]?.leadId).toBe(first.results[0]?.leadId);
    });

    test('the number of a sender without one, learned from a status: the two leads are one, with all messages', async () => {
      const hidden = { ...text('wamid.h1', undefined), from: undefined, from_user_id: 'BR.55' };
      const numbered = await accepted(call({ messages: [text('wamid.h2', '5511944443333')] }));
      const { results } = await accepted(call({ messages: [hidden] }));
      const sent = 'wamid.h3';
      await app.sql(
        `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, external_id)
         VALUES ($1, $2, $3, $4, 'OUTBOUND', 'SENT', 'text', $5)`,
        [tenant.id, randomUUID(), results[0]?.leadId, instanceId, sent],
      );
      const status = { id: sent, status: 'delivered', timestamp: '1795180545', recipient_id: '5511944443333' };
      await accepted(call({ statuses: [status] }));
      await accepted(call({ statuses: [status] }));
      const leads = await app.sql('SELECT DISTINCT lead_id FROM messages WHERE external_id = ANY($1)', [
        ['wamid.h1', 'wamid.h2', 'wamid.h3'],
      ]);
      expect(leads).toEqual([{ lead_id: numbered.results[0]?.leadId }]);
      expect((await accepted(call({ messages: [{ ...hidden, id: 'wamid.h4' }] }))).results[0]?.leadId).toBe(
        numbered.results[0]?.leadId,
      );
    });

    test('for another phone number than the instance’s own is ignored', async () => {
      const instance = { accountId: tenant.admin.accountId, instanceName: 'other', webhookSecret: appSecret };
      const { chatInstances } = app.app.services;
      const input = { ...instance, metadata: { phoneNumberId: '43' } };
      const { id } = await chatInstances.create(serviceOperator, input, { tenantId: tenant.id, status: 'CONNECTED' });
      const answer = (await (await post(call({ messages: [text('wamid.o1')] }), {}, id)).json()) as Answer;
      expect(answer.results).toMatchObject([{ outcome: 'ignored' }]);
    });

    test('a call of a megabyte is taken, where other paths end at 256 KiB', async () => {
      const message = { ...text('wamid.big'), text: { body: 'a'.repeat(60_000) } };
      const many = Array.from({ length: 16 }, (_, index) => ({ ...message, id: `wamid.big-${index}` }));
      expect((await accepted(call({ messages: many }))).accepted).toBe(16);
    });

    test('stands in the journal as it came, and runs again', async () => {
      await accepted(call({ messages: [text('wamid.journal')] }));
      const [entry] = await app.sql<{ id: string; dialect: string; route: string }>(
        'SELECT id, dialect, route FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
        [tenant.id],
      );
      expect(entry).toMatchObject({ dialect: 'cloud', route: path() });
      const { replayWebhookDelivery } = await graphql(
        'mutation ($id: ID!) { replayWebhookDelivery(id: $id) { outcome } }',
        { id: entry?.id },
      );
      expect(replayWebhookDelivery).toEqual({ outcome: 'PROCESSED' });
    });
  });

  describe('who is counted', () => {
    const limits = { THROTTLE_LIMIT: '5', FAILED_AUTH_LIMIT: '3' };

    test('unsigned calls count for their address at that instance, unknown instances for their address, and neither harms another instance', async () => {
      const strict = await TestApp.start(limits, app.database);
      try {
        const input = {
          accountId: tenant.admin.accountId,
          instanceName: 'wrong-secret',
          webhookSecret: appSecret.toUpperCase(),
        };
        const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
        const { id: otherId } = await app.app.services.chatInstances.create(serviceOperator, input, place);
        const body = JSON.stringify(call({ messages: [text('wamid.counted')] }));
        const send = (id: string, signature: string) =>
          strict.post(path(id), body, { 'x-hub-signature-256': signature });
        const statusesOf = async (ids: string[], signature = sign(body)) => {
          const statuses = [];
          for (const id of ids) statuses.push((await send(id, signature)).status);
          return statuses;
        };
        expect(await statusesOf([instanceId])).toEqual([200]);
        expect(await statusesOf(Array<string>(4).fill(otherId))).toEqual([401, 401, 401, 429]);
        // The network goes on calling for a deleted instance, which counts as one failure a minute.
        const deleted = randomUUID();
        expect(await statusesOf(Array<string>(6).fill(deleted))).toEqual(Array(6).fill(404));
        expect(await statusesOf([randomUUID(), randomUUID(), randomUUID()])).toEqual([404, 404, 429]);
        await expectProblem(await send(randomUUID(), sign(body)), 'RATE_LIMITED');
        expect(await statusesOf([instanceId])).toEqual([200]);
      } finally {
        await strict.stop({ keepDatabase: true });
      }
    });

    test('what signed calls say counts for its sender or its message, from whatever address', async () => {
      const strict = await TestApp.start({ ...limits, TRUST_PROXY: '1' }, app.database);
      try {
        const send = (value: object, address: string) => {
          const body = JSON.stringify(call(value));
          return strict.post(path(), body, { 'x-hub-signature-256': sign(body), 'x-forwarded-for': address });
        };
        const messages = [text('wamid.signed')];
        const statuses = [
          { id: 'wamid.sent', status: 'delivered', timestamp: '1795180545', recipient_id: '5511988887777' },
        ];
        for (let count = 0; count < 5; count += 1) {
          expect((await send({ messages }, `203.0.113.${count}`)).status).toBe(200);
          expect((await send({ statuses }, `203.0.113.${count}`)).status).toBe(200);
        }
        await expectProblem(await send({ messages }, '203.0.113.9'), 'RATE_LIMITED');
        await expectProblem(await send({ statuses }, '203.0.113.9'), 'RATE_LIMITED');
        const others = { messages: [...messages, text('wamid.other', '4915112345678')] };
        const answer = (await (await send(others, '203.0.113.9')).json()) as Answer;
        expect(answer.results).toMatchObject([{ outcome: 'refused', code: 'RATE_LIMITED' }, { duplicate: false }]);
      } finally {
        await strict.stop({ keepDatabase: true });
      }
    });
  });
}
