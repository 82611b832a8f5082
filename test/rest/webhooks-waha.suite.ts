// WAHA's calls on the chat paths and on the path of each event, over the wire: signed by the instance's secret.

import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, TestApp, withKey, withToken, type TestTenant } from '../support/test-app.js';
import { createLead, stateOf } from '../features/messages/sending-harness.js';
import { signatureOf, webhookSecret } from '../features/webhooks/journal-harness.js';
import { expectProblem } from './problem.js';

const endpoints = [
  '/webhooks/chat/gateway/inbound',
  '/webhooks/chat/gateway/status',
  '/webhooks/chat/gateway/message-any',
];

const secret = 'eight888';

interface Call {
  event: string;
  session: string;
  payload: Record<string, unknown>;
}

interface Answer {
  accepted: number;
  results: { messageId?: string; leadId?: string; duplicate?: boolean; outcome?: string; reason?: string }[];
}

const hmacOf = (body: string, key = secret) => createHmac('sha512', key).update(body).digest('hex');

export function describeWebhooksWaha(): void {
  let app: TestApp;
  let tenant: TestTenant;
  /** A session with a secret. */
  const signedSession = 'signed';

  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    await createSigned(tenant);
  });

  async function createSigned(of: TestTenant, webhookKey = secret): Promise<string> {
    const accountId = of.admin.accountId;
    const input = { accountId, instanceName: signedSession, provider: 'waha', webhookSecret: webhookKey };
    const place = { tenantId: of.id, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  function recorded(name: string, of = tenant): Call {
    const url = new URL(`../providers/payloads/waha/${name}.json`, import.meta.url);
    return { ...(JSON.parse(readFileSync(url, 'utf8')) as Call), session: of.instance.name };
  }

  /** A text, with an id of its own. */
  function text(body: string, change: Record<string, unknown> = {}, chat = '5511988887777@c.us'): Call {
    const call = recorded('message-bare');
    const fromMe = change['fromMe'] === true;
    const id = `${fromMe}_${chat}_3EB0${randomUUID().replaceAll('-', '').toUpperCase()}`;
    call.payload = { ...call.payload, id, from: chat, body, ...change };
    return call;
  }

  const hexOf = (call: Call) => String(call.payload['id']).split('_').at(-1) ?? '';

  async function accepted(body: unknown, path = endpoints[0] ?? '', of = tenant): Promise<Answer> {
    const response = await app.post(path, body, withKey(of));
    const answer = (await response.json()) as Answer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  const post = (body: string, headers: Record<string, string>, at = app) =>
    at.post(endpoints[0] ?? '', body, { ...withKey(tenant), 'content-type': 'application/json', ...headers });

  async function lastCall() {
    const [entry] = await app.sql<{ dialect: string | null; outcome: string; reason: string; headers: object }>(
      'SELECT dialect, outcome, reason, headers FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1',
      [tenant.id],
    );
    return entry;
  }

  const messageFields =
    'direction origin status body externalId editedAt deletedAt replyTo { id } reactions { emoji fromLead }';

  async function messageOf(id: string | undefined): Promise<Record<string, unknown> | undefined> {
    const body = { query: `query ($id: ID!) { message(id: $id) { ${messageFields} } }`, variables: { id } };
    const answer = await app.post('/graphql', body, withToken(tenant.admin));
    return ((await answer.json()) as { data?: { message: Record<string, unknown> } }).data?.message;
  }

  describe('messages', () => {
    test.each(endpoints)('on %s: the message of a lead, once, under either event', async (path) => {
      const call = text('Oi! Ainda tem?');
      const first = await accepted(call, path);
      expect(first).toMatchObject({ accepted: 1, results: [{ duplicate: false }] });
      const again = { ...call, event: 'message' };
      expect((await accepted(again, path)).results).toEqual([{ ...first.results[0], duplicate: true }]);
      expect(await messageOf(first.results[0]?.messageId)).toMatchObject({
        direction: 'INBOUND',
        origin: 'LEAD',
        body: 'Oi! Ainda tem?',
        externalId: hexOf(call),
      });
    });

    test('under two ids that share the network’s own: once', async () => {
      const call = text('Oi');
      const first = await accepted(call);
      const hidden = { ...call.payload, id: `false_103000000000077@lid_${hexOf(call)}`, from: '103000000000077@lid' };
      expect((await accepted({ ...call, payload: hidden })).results).toEqual([
        { ...first.results[0], duplicate: true },
      ]);
    });

    test('what was written on the phone is OUTBOUND, and its status follows', async () => {
      const leadId = await createLead(app, tenant, '4915100000501');
      const call = text('Do celular', { fromMe: true }, '4915100000501@c.us');
      const { messageId } = (await accepted(call)).results[0] ?? {};
      expect(await messageOf(messageId)).toMatchObject({ direction: 'OUTBOUND', origin: 'PHONE', status: 'SENT' });
      const ack = recorded('ack-read');
      const outcomes = [];
      for (const level of [2, 1, 3, 4]) {
        const payload = { ...ack.payload, id: call.payload['id'], ack: level };
        outcomes.push((await accepted({ ...ack, payload })).results[0]?.outcome);
      }
      expect(outcomes).toEqual(['applied', 'ignored', 'applied', 'ignored']);
      expect(await stateOf(app, messageId ?? '')).toMatchObject({ status: 'READ' });
      expect(await app.sql('SELECT unread_count FROM leads WHERE id = $1', [leadId])).toEqual([{ unread_count: 0 }]);
    });

    test('a reaction, an edit, an answer and a revocation are about their message', async () => {
      const call = text('Ist die Wohnung frei?');
      const { messageId } = (await accepted(call)).results[0] ?? {};
      const chat = { id: `false_5511988887777@c.us_X1`, from: '5511988887777@c.us' };
      const change = (event: string, payload: object) => accepted({ ...recorded('reaction'), event, payload });
      const reaction = (emoji: string, timestamp: number) =>
        change('message.reaction', { ...chat, timestamp, reaction: { text: emoji, messageId: call.payload['id'] } });
      expect((await reaction('👍', 1_795_180_546)).results).toMatchObject([{ change: 'REACTION', outcome: 'applied' }]);
      expect((await messageOf(messageId))?.['reactions']).toMatchObject([{ emoji: '👍', fromLead: true }]);
      await reaction('', 1_795_180_547);
      expect((await messageOf(messageId))?.['reactions']).toEqual([]);
      await change('message.edited', { ...chat, body: 'Ist das Haus frei?', editedMessageId: hexOf(call) });
      expect(await messageOf(messageId)).toMatchObject({ body: 'Ist das Haus frei?', editedAt: expect.any(String) });
      const answer = text('Ja', { fromMe: true, replyTo: { id: hexOf(call) } });
      const { messageId: answerId } = (await accepted(answer)).results[0] ?? {};
      expect((await messageOf(answerId))?.['replyTo']).toMatchObject({ id: messageId });
      await change('message.revoked', { after: chat, before: null, revokedMessageId: hexOf(call) });
      expect(await messageOf(messageId)).toMatchObject({ body: null, deletedAt: expect.any(String) });
    });

    test('a hidden number makes a lead without a number; the number, once it is seen, is the same person’s', async () => {
      const hidden = text('Oi', {}, '103000000000501@lid');
      const { leadId } = (await accepted(hidden)).results[0] ?? {};
      const leads = () => app.sql('SELECT chat, name FROM leads WHERE id = $1', [leadId]);
      expect(await leads()).toEqual([{ chat: null, name: 'Hidden number 0501' }]);
      const _data = { Info: { SenderAlt: '5511977770501@s.whatsapp.net' } };
      const seen = await accepted(text('Oi de novo', { _data }, '103000000000501@lid'));
      expect(seen.results).toMatchObject([{ leadId, duplicate: false }]);
      expect(await leads()).toMatchObject([{ chat: '5511977770501' }]);
    });

    test('STOP opts out', async () => {
      const { leadId } = (await accepted(text('stop!', {}, '5511988880601@c.us'))).results[0] ?? {};
      expect(await app.sql('SELECT 1 FROM opt_outs WHERE lead_id = $1', [leadId])).toHaveLength(1);
    });

    test('groups, newsletters and other events are ignored with a reason, and journalled', async () => {
      for (const name of ['message-group', 'message-newsletter', 'message-status', 'presence']) {
        const { results } = await accepted(recorded(name));
        expect(results).toEqual([{ outcome: 'ignored', reason: expect.any(String) }]);
        expect(await lastCall()).toMatchObject({ dialect: 'waha', outcome: 'processed' });
      }
    });

    test('a session that the tenant does not have is refused by name', async () => {
      const call = { ...text('x'), session: 'nobody' };
      await expectProblem(await app.post(endpoints[0] ?? '', call, withKey(tenant)), 'VALIDATION_FAILED', ['instance']);
      expect(await lastCall()).toMatchObject({ dialect: 'waha', outcome: 'refused' });
    });
  });

  test.each([
    ['session-stopped', 'DISCONNECTED', 'the session was stopped'],
    ['session-starting', 'CONNECTING', null],
    ['session-scan-qr-code', 'CONNECTING', null],
    ['session-passkey-required', 'CONNECTING', null],
    ['session-working', 'CONNECTED', null],
    ['session-failed', 'ERROR', expect.stringContaining('restart it')],
  ])('%s → %s', async (name, status, lastError) => {
    const fresh = await app.createTenant();
    const { results } = await accepted(recorded(name, fresh), undefined, fresh);
    expect(results).toEqual([{ outcome: 'applied' }]);
    const [instance] = await app.sql('SELECT status, last_error FROM chat_instances WHERE id = $1', [
      fresh.instance.id,
    ]);
    expect(instance).toEqual({ status, last_error: lastError });
  });

  describe('the signature', () => {
    const call = () => JSON.stringify({ ...text('Oi'), session: signedSession });

    test('a right one is taken, in either case of letters', async () => {
      for (const change of [(hmac: string) => hmac, (hmac: string) => hmac.toUpperCase()]) {
        const body = call();
        const hmac = change(hmacOf(body));
        expect((await post(body, { 'x-webhook-hmac': hmac })).status).toBe(200);
        expect((await lastCall())?.headers).toMatchObject({ 'x-webhook-hmac': hmac });
      }
    });

    test.each<[string, (body: string) => Record<string, string>, RegExp]>([
      ['none', () => ({}), /X-Webhook-Hmac is missing/],
      ['that of another body', () => ({ 'x-webhook-hmac': hmacOf('{}') }), /does not match/],
      ['that of another secret', (body) => ({ 'x-webhook-hmac': hmacOf(body, 'another8') }), /does not match/],
      ['one in the other header', (body) => ({ 'x-signature': `sha512=${hmacOf(body)}` }), /is missing/],
    ])('%s is refused, and journalled', async (_what, headersOf, sentence) => {
      const body = call();
      await expectProblem(await post(body, headersOf(body)), 'SIGNATURE_INVALID');
      expect(await lastCall()).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(sentence) });
      const id = (JSON.parse(body) as Call).payload['id'];
      expect(await app.sql('SELECT 1 FROM messages WHERE external_id = $1', [String(id).split('_').at(-1)])).toEqual(
        [],
      );
    });

    test('a secret that was sent as the signature is not kept', async () => {
      await expectProblem(await post(call(), { 'x-webhook-hmac': secret }), 'SIGNATURE_INVALID');
      expect(JSON.stringify(await lastCall())).not.toContain(secret);
    });

    test('is wanted of no session without a secret', async () => {
      expect((await accepted(text('Oi'))).accepted).toBe(1);
    });

    test("WAHA's vector: the signature is right, and what is missing in the body is told", async () => {
      const body = '{"event":"message","session":"default","engine":"WEBJS"}';
      const vector =
        '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89';
      const of = await app.createTenant();
      const input = {
        accountId: of.admin.accountId,
        instanceName: 'default',
        provider: 'waha',
        webhookSecret: 'my-secret-key',
      };
      const place = { tenantId: of.id, status: 'CONNECTED' } as const;
      await app.app.services.chatInstances.create(serviceOperator, input, place);
      const send = (hmac: string) =>
        app.post(endpoints[0] ?? '', body, {
          ...withKey(of),
          'content-type': 'application/json',
          'x-webhook-hmac': hmac,
        });
      await expectProblem(await send(vector), 'VALIDATION_FAILED', ['payload']);
      await expectProblem(await send(vector.replace('2', '3')), 'SIGNATURE_INVALID');
    });

    test('while CHAT_WEBHOOK_SECRET is set, that of the instance stands in for it; without one the call is refused', async () => {
      const strict = await TestApp.start({ CHAT_WEBHOOK_SECRET: webhookSecret }, app.database);
      try {
        const body = call();
        expect((await post(body, { 'x-webhook-hmac': hmacOf(body) }, strict)).status).toBe(200);
        await expectProblem(await post(body, { 'x-signature': signatureOf(body) }, strict), 'SIGNATURE_INVALID');
        const unsigned = JSON.stringify(text('Oi'));
        await expectProblem(await post(unsigned, {}, strict), 'SIGNATURE_INVALID');
        expect((await post(unsigned, { 'x-signature': signatureOf(unsigned) }, strict)).status).toBe(200);
      } finally {
        await strict.stop({ keepDatabase: true });
      }
    });
  });

  describe('the secret of an instance', () => {
    interface Answered {
      data?: { instance: { id: string; webhookVerifyToken: string | null } };
      errors?: { extensions: { errors?: { path: string }[] } }[];
    }
    const ask = async (document: string, variables: object) => {
      const answer = await app.post('/graphql', { query: document, variables }, withToken(tenant.admin));
      return (await answer.json()) as Answered;
    };
    const create = async (input: object) => {
      const document =
        'mutation ($input: CreateChatInstanceInput!) { instance: createChatInstance(input: $input) { id webhookVerifyToken } }';
      const variables = { input: { accountId: tenant.admin.accountId, instanceName: randomUUID(), ...input } };
      return ask(document, variables);
    };

    test.each([
      ['waha', 8, true],
      ['waha', 7, false],
      ['cloud', 16, true],
      ['cloud', 15, false],
      ['gateway', 8, false],
    ])('of the provider %s, with %d characters: %s', async (provider, length, isTaken) => {
      const { errors } = await create({ provider, webhookSecret: 'x'.repeat(length) });
      if (isTaken) expect(errors).toBeUndefined();
      else expect(errors?.[0]?.extensions.errors).toMatchObject([{ path: 'webhookSecret' }]);
    });

    test('lets no call of Meta in, and is asked for again where the provider changes', async () => {
      const { data } = await create({ provider: 'waha', webhookSecret: secret });
      const { id = '', webhookVerifyToken } = data?.instance ?? {};
      expect(webhookVerifyToken).toBeNull();
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] });
      const signed = { 'x-hub-signature-256': signatureOf(body, secret), 'content-type': 'application/json' };
      const path = `/webhooks/chat/cloud/${id}`;
      await expectProblem(await app.post(path, body, signed), 'NOT_FOUND');
      const document =
        'mutation ($id: ID!, $input: UpdateChatInstanceInput!) { instance: updateChatInstance(id: $id, input: $input) { id } }';
      const change = (input: object) => ask(document, { id, input: { provider: 'cloud', ...input } });
      const paths = (answer: Answered) => answer.errors?.[0]?.extensions.errors?.map((error) => error.path);
      expect(paths(await change({}))).toEqual(['webhookSecret']);
      expect(paths(await change({ webhookSecret: secret }))).toEqual(['webhookSecret']);
      expect(paths(await change({ webhookSecret: '0123456789abcdef' }))).toBeUndefined();
    });
  });
}
