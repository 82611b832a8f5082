// tryWebhook: the judgment of a call by the routes' own checks, and without a trace.

import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import { TryWebhookDocument, type TryWebhookQuery, type TryWebhookQueryVariables } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { changingNothing } from '../../support/table-checksums.js';
import { TestApp, serviceOperator, withKey, withToken, type TestTenant } from '../../support/test-app.js';

const secret = 'a webhook secret of 32 characters';
const appSecret = '0123456789abcdef0123456789abcdef';

type Verdict = TryWebhookQuery['tryWebhook'];

export function describeCallDryRun(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let cloudId: string;

  const createCloudInstance = async (owner: TestTenant) => {
    const input = {
      accountId: owner.admin.accountId,
      instanceName: `cloud-${randomUUID()}`,
      isDefault: false,
      webhookSecret: appSecret,
      metadata: { phoneNumberId: '42' },
    };
    return (
      await app.app.services.chatInstances.create(serviceOperator, input, { tenantId: owner.id, status: 'CONNECTED' })
    ).id;
  };

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api', CHAT_WEBHOOK_SECRET: secret });
    tenant = await app.createTenant({ defaultCountry: 'BR' });
    cloudId = await createCloudInstance(tenant);
  });

  const inbound = '/webhooks/chat/gateway/inbound';
  const statusPath = '/webhooks/chat/gateway/status';
  const hmac = (body: string, key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

  function judge({ route, headers, body }: { route: string; headers?: object; body: unknown }): Promise<Verdict> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const variables = { route, body: text, ...(headers && { headers }) } as TryWebhookQueryVariables;
    return changingNothing(app, async () => (await query(app, tenant.admin, TryWebhookDocument, variables)).tryWebhook);
  }
  /** Makes a dry run of a call with the right signature. */
  function judgeSigned(route: string, body: unknown, headers: object = {}): Promise<Verdict> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return judge({ route, headers: { 'X-Signature': hmac(text, secret), ...headers }, body: text });
  }
  function post(route: string, body: unknown): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return app.post(route, text, { ...withKey(tenant), 'x-signature': hmac(text, secret) });
  }
  const message = (more: object = {}) => ({ messageId: randomUUID(), from: '5511988887777', text: 'Oi', ...more });

  describe('signature', () => {
    test('a missing one is refused, and the expected one is accepted when it is sent', async () => {
      const body = JSON.stringify(message());
      const missing = await judge({ route: inbound, body });
      expect(missing).toMatchObject({
        status: 401,
        code: 'SIGNATURE_INVALID',
        detail: 'x-signature is missing',
        dialect: 'NEUTRAL',
        signature: { header: 'x-signature', expected: hmac(body, secret), given: null, differs: 'MISSING' },
        items: [],
        errors: [],
      });
      const { expected } = missing.signature!;
      const right = await judge({ route: inbound, headers: { 'x-signature': expected }, body });
      expect(right).toMatchObject({
        status: 200,
        code: null,
        signature: { expected, given: expected, differs: null, detail: null },
      });
      const real = await app.post(inbound, body, { ...withKey(tenant), 'x-signature': expected });
      expect(real.status).toBe(200);
    });

    test('says in which way a wrong one differs', async () => {
      const body = JSON.stringify(message(), null, 2);
      const given = hmac(`${body}\n`, secret);
      const verdict = await judge({ route: inbound, headers: { 'x-signature': given }, body });
      expect(verdict).toMatchObject({
        status: 401,
        code: 'SIGNATURE_INVALID',
        detail: 'x-signature does not match the body',
        signature: { given, differs: 'BODY', detail: expect.stringContaining('a line feed at its end') },
      });
      const other = await judge({ route: statusPath, headers: { 'X-SIGNATURE': hmac(body, 'another') }, body });
      expect(other.signature?.differs).toBe('SECRET');
    });

    test('JSON.stringify of the body may be signed on the gateway’s paths', async () => {
      const value = message();
      const headers = { 'x-signature': hmac(JSON.stringify(value), secret) };
      const verdict = await judge({ route: inbound, headers, body: JSON.stringify(value, null, 4) });
      expect(verdict).toMatchObject({ status: 200, signature: { differs: null } });
    });

    test('is none on the paths of leads', async () => {
      const verdict = await judge({
        route: '/public/leads',
        headers: { 'x-signature': 'x' },
        body: { chat: '5511977770000' },
      });
      expect(verdict).toMatchObject({ status: 201, signature: null });
    });

    test('is none where no secret is configured', async () => {
      const open = await sharedApp({ PROCESS_ROLE: 'api' });
      const owner = await open.createTenant();
      const variables = { route: inbound, headers: {}, body: JSON.stringify(message()) };
      const { tryWebhook } = await query(open, owner.admin, TryWebhookDocument, variables);
      expect(tryWebhook).toMatchObject({ status: 200, signature: null });
    });

    test('the former secret is accepted while it is, and the expected one is of the current', async () => {
      const environment = {
        PROCESS_ROLE: 'api',
        CHAT_WEBHOOK_SECRET: secret,
        CHAT_WEBHOOK_SECRET_PREVIOUS: 'the former secret of 32 letters',
      };
      const rotating = await TestApp.start(environment);
      try {
        const owner = await rotating.createTenant();
        const body = JSON.stringify(message());
        const headers = { 'x-signature': hmac(body, environment.CHAT_WEBHOOK_SECRET_PREVIOUS) };
        const { tryWebhook } = await query(rotating, owner.admin, TryWebhookDocument, {
          route: inbound,
          headers,
          body,
        });
        expect(tryWebhook).toMatchObject({ status: 200, signature: { expected: hmac(body, secret), differs: null } });
      } finally {
        await rotating.stop();
      }
    });
  });

  describe('Meta', () => {
    const call = readFileSync(new URL('../../providers/payloads/cloud/text.json', import.meta.url), 'utf8');
    const route = () => `/webhooks/chat/cloud/${cloudId}`;

    test('the app secret of the instance signs the bytes alone', async () => {
      const headers = { 'x-hub-signature-256': hmac(call, appSecret) };
      const verdict = await judge({ route: route(), headers, body: call });
      expect(verdict).toMatchObject({
        status: 200,
        dialect: 'CLOUD',
        signature: { header: 'x-hub-signature-256', expected: hmac(call, appSecret), differs: null },
      });
      expect(verdict.items.length).toBeGreaterThan(0);
      const minified = JSON.stringify(JSON.parse(call));
      const changed = await judge({ route: route(), headers, body: minified === call ? `${call} ` : minified });
      expect(changed).toMatchObject({ status: 401, code: 'SIGNATURE_INVALID', dialect: 'CLOUD', items: [] });
      expect(JSON.stringify([verdict, changed])).not.toContain(appSecret);
    });

    test('another tenant’s instance looks like none: no signature is shown for it', async () => {
      const foreign = await createCloudInstance(await app.createTenant());
      for (const id of [foreign, randomUUID(), 'x', tenant.instance.id])
        expect(await judge({ route: `/webhooks/chat/cloud/${id}`, body: call })).toMatchObject({
          status: 404,
          code: 'NOT_FOUND',
          dialect: null,
          signature: null,
          items: [],
        });
    });
  });

  describe('the key', () => {
    test('is the tenant’s own where none is given, and checked where one is', async () => {
      const other = await app.createTenant();
      const body = { chat: '5511977770001' };
      const statusWith = async (headers: object) => {
        const { status, code } = await judge({ route: '/webhooks/leads', headers, body });
        return [status, code];
      };
      expect(await statusWith({})).toEqual([201, null]);
      expect(await statusWith({ 'X-Tenant-Key': tenant.apiKey })).toEqual([201, null]);
      for (const key of ['', 'x', `lw_${'A'.repeat(43)}`, other.apiKey])
        expect(await statusWith({ 'x-tenant-key': key })).toEqual([401, 'UNAUTHENTICATED']);
    });

    test.each([
      ['empty', { 'x-tenant-key': '' }],
      ['wrong', { 'x-tenant-key': `lw_${'A'.repeat(43)}` }],
      ['sent as a token', { authorization: `Bearer lw_${'A'.repeat(43)}` }],
      ['wrong, beside a token', { 'x-tenant-key': 'x', authorization: 'Bearer x' }],
    ])('one that is %s is refused in the words of the path', async (_, headers) => {
      const body = { chat: '5511977770001' };
      const real = (await (await app.post('/webhooks/leads', body, headers)).json()) as { detail: string };
      const { status, detail } = await judge({ route: '/webhooks/leads', headers, body });
      expect([status, detail]).toEqual([401, real.detail]);
    });
  });

  describe('what a call says', () => {
    test('a lead: new, then there', async () => {
      const body = { chat: '(41) 99911-2233', name: 'Ana', campaign: 'spring' };
      const fresh = await judge({ route: '/public/leads', body });
      expect(fresh).toMatchObject({
        status: 201,
        dialect: 'LEAD',
        items: [{ kind: 'LEAD', outcome: 'CREATED', from: '5541999112233', name: 'Ana', leadId: null }],
      });
      const { id } = (await (await app.post('/public/leads', body, withKey(tenant))).json()) as { id: string };
      expect(await judge({ route: '/webhooks/leads', body })).toMatchObject({
        status: 200,
        items: [{ outcome: 'EXISTING', leadId: id }],
      });
    });

    test('messages: new ones have no ids, those that are there have theirs; a wrong one is refused by itself', async () => {
      const first = message({ from: '5511966660001', name: 'Bia' });
      const [{ messageId, leadId } = { messageId: '', leadId: '' }] = (
        (await (await post(inbound, first)).json()) as { results: { messageId: string; leadId: string }[] }
      ).results;
      const messages = [
        first,
        message({ from: '5511966660001', timestamp: 1_773_027_345 }),
        message({ from: '5511966660002' }),
        message({ from: 'nobody' }),
        message({ instance: 'nowhere' }),
        { from: '5511966660001', type: 'reaction', reaction: { messageId: first.messageId, emoji: '👍' } },
      ];
      const verdict = await judgeSigned(inbound, { messages });
      expect(verdict).toMatchObject({ status: 200, code: null, dialect: 'NEUTRAL', errors: [] });
      expect(verdict.items).toMatchObject([
        { kind: 'MESSAGE', outcome: 'DUPLICATE', messageId, leadId, from: '5511966660001', name: 'Bia', text: 'Oi' },
        { kind: 'MESSAGE', outcome: 'CREATED', messageId: null, leadId, timestamp: '2026-03-09T03:35:45.000Z' },
        { kind: 'MESSAGE', outcome: 'CREATED', messageId: null, leadId: null, from: '5511966660002' },
        { kind: 'UNREADABLE', outcome: 'REFUSED', code: 'VALIDATION_FAILED', errors: [{ path: 'from' }] },
        {
          kind: 'MESSAGE',
          outcome: 'REFUSED',
          instanceName: 'nowhere',
          errors: [{ path: 'instance', message: 'is not an instance of this tenant' }],
        },
        { kind: 'CHANGE', outcome: 'APPLIED', externalId: first.messageId, messageId, text: '👍' },
      ]);
    });

    test('one message that is wrong refuses the call, and the fields are named', async () => {
      const verdict = await judgeSigned(inbound, { messageId: '', from: 'x' });
      expect(verdict).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', items: [] });
      expect(verdict.errors.map(({ path }) => path).sort()).toEqual(['from', 'messageId']);
      expect(await judgeSigned(inbound, message({ instance: 'nowhere' }))).toMatchObject({
        status: 422,
        dialect: 'NEUTRAL',
        errors: [{ path: 'instance' }],
      });
    });

    test('statuses wait for their message, and an opt-out is judged like any text', async () => {
      const statuses = [
        { messageId: randomUUID(), status: 'DELIVERED' },
        { messageId: 'x', status: 'gone' },
      ];
      expect((await judgeSigned(statusPath, { statuses })).items).toMatchObject([
        { kind: 'STATUS', outcome: 'PARKED', messageId: null, text: 'DELIVERED' },
        { kind: 'UNREADABLE', outcome: 'REFUSED' },
      ]);
      const stop = await judgeSigned(inbound, message({ from: '5511966660003', text: 'STOP' }));
      expect(stop.items).toMatchObject([{ outcome: 'CREATED', leadId: null }]);
    });

    test('an event of the Evolution API, on its own path and on the common one', async () => {
      const event = {
        event: 'messages.upsert',
        instance: tenant.instance.name,
        data: {
          key: { remoteJid: '5511955550001@s.whatsapp.net', fromMe: false, id: 'EVO1' },
          pushName: 'Caio',
          message: { conversation: 'Oi' },
          messageTimestamp: 1_773_027_345,
        },
      };
      for (const route of [inbound, '/webhooks/chat/gateway/messages-upsert', `${inbound}/`])
        expect(await judgeSigned(route, event)).toMatchObject({
          status: 200,
          dialect: 'EVOLUTION',
          items: [
            {
              kind: 'MESSAGE',
              outcome: 'CREATED',
              from: '5511955550001',
              name: 'Caio',
              instanceName: tenant.instance.name,
            },
          ],
        });
      expect(await judgeSigned('/webhooks/chat/gateway/connection-update', { event: 'x' })).toMatchObject({
        status: 422,
        errors: [{ path: 'data' }],
      });
    });

    test.each([
      ['no JSON', '{"chat":', {}, 400, 'BAD_REQUEST'],
      ['nothing', '', {}, 400, 'BAD_REQUEST'],
      ['another content type', '{}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ])('%s is refused as the route refuses it', async (_, body, headers, status, code) => {
      expect(await judge({ route: '/public/leads', headers, body })).toMatchObject({ status, code, dialect: 'LEAD' });
      const real = await app.post('/public/leads', body, { ...withKey(tenant), ...headers });
      expect([real.status, await real.json()]).toMatchObject([status, { code }]);
    });

    test.each([
      'https://leads.example.com/webhooks/leads',
      'http://127.0.0.1:4000/webhooks/leads/?from=site',
      '/webhooks/leads#top',
    ])('the address %s, as it stands in another system’s settings, is its path', async (route) => {
      expect(await judge({ route, body: { chat: '5511977770001' } })).toMatchObject({ status: 201, dialect: 'LEAD' });
    });

    test.each([
      '/nowhere',
      '/webhooks/chat/gateway',
      'https://leads.example.com',
      '/webhooks/chat/gateway/a b',
      'public/leads',
      '/graphql',
    ])('%s is no path of webhooks', async (route) => {
      expect(await judge({ route, body: '{}' })).toMatchObject({ status: 404, code: 'NOT_FOUND', signature: null });
    });
  });

  describe('limits', () => {
    let limited: TestApp;
    let owner: TestTenant;

    beforeAll(async () => {
      limited = await TestApp.start({ PROCESS_ROLE: 'api', THROTTLE_LIMIT: '20' });
      owner = await limited.createTenant();
    });
    afterAll(() => limited.stop());

    const verdictOf = async (route: string, body: unknown) => {
      const variables = { route, body: JSON.stringify(body) };
      return (await query(limited, owner.admin, TryWebhookDocument, variables)).tryWebhook;
    };
    const flood = (route: string, body: () => object, count: number) =>
      Promise.all(Array.from({ length: count }, () => limited.post(route, body(), withKey(owner))));

    test('are judged, and not used up', async () => {
      const from = '5511944440001';
      const more = (count: number) => Array.from({ length: count }, () => message({ from }));
      await flood(inbound, () => message({ from }), 18);
      for (let nr = 0; nr < 3; nr += 1) {
        const { items } = await verdictOf(inbound, { messages: [...more(4), message({ from: '5511944440002' })] });
        expect(items.map(({ outcome, code }) => code ?? outcome)).toEqual([
          'CREATED',
          'CREATED',
          'RATE_LIMITED',
          'RATE_LIMITED',
          'CREATED',
        ]);
      }
      const [left, refused] = await flood(inbound, () => ({ messages: more(2) }), 1).then(async ([first]) => [
        first,
        await verdictOf(inbound, message({ from })),
      ]);
      expect((left as Response).status).toBe(200);
      expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED', dialect: 'NEUTRAL', items: [] });
      expect((await verdictOf('/public/leads', { chat: '5511944440003' })).status).toBe(201);
    });

    test('a refusal of a dry run is neither journalled nor measured', async () => {
      await flood('/public/leads', () => ({ chat: '5511944440004' }), 20);
      const measured = async () =>
        (await limited.app.services.metrics.render())
          .split('\n')
          .filter((line) => line.startsWith('leadwire_rate_limited_total'));
      const before = await measured();
      const verdict = await changingNothing(limited, () => verdictOf('/public/leads', { chat: '5511944440005' }));
      expect(verdict).toMatchObject({ status: 429, code: 'RATE_LIMITED', dialect: 'LEAD' });
      expect(await measured()).toEqual(before);
    });
  });

  describe('who may, and how much', () => {
    const variables = () => ({ route: inbound, body: JSON.stringify(message()) });

    test('ADMINs alone', async () => {
      const answer = await changingNothing(app, () => execute(app, tenant.operator, TryWebhookDocument, variables()));
      expect(failureOf(answer).code).toBe('FORBIDDEN');
      expect(JSON.stringify(answer)).not.toContain('sha256=');
    });

    test.each([
      ['a header that is no text', { headers: { 'x-signature': 5 } }, ['headers.x-signature']],
      ['a name that is none', { headers: { 'a b': 'x' } }, ['headers.a b']],
      ['a long header', { headers: { a: 'x'.repeat(8_193) } }, ['headers.a']],
      [
        'many headers',
        { headers: Object.fromEntries(Array.from({ length: 51 }, (_, nr) => [`h${nr}`, ''])) },
        ['headers'],
      ],
      ['a route too long', { route: `/${'x'.repeat(255)}` }, ['route']],
    ])('%s is VALIDATION_FAILED of the dry run itself', async (_, wrong, paths) => {
      const answer = await execute(app, tenant.admin, TryWebhookDocument, { ...variables(), ...wrong });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths });
    });

    test('an operation may have few of them', async () => {
      const ask = async (count: number) => {
        const fields = Array.from(
          { length: count },
          (_, nr) => `t${nr}: tryWebhook(route: $route, body: $body) { status }`,
        );
        const body = {
          query: `query ($route: String!, $body: String!) { ${fields.join(' ')} }`,
          variables: variables(),
        };
        const answer = await app.post('/graphql', body, withToken(tenant.admin));
        return (await answer.json()) as { data?: object; errors?: { extensions: { limit?: { name: string } } }[] };
      };
      expect((await ask(21)).errors).toMatchObject([{ extensions: { limit: { name: 'cost' } } }]);
      expect(Object.keys((await ask(5)).data ?? {})).toHaveLength(5);
    });

    test('dry runs and real calls of one person at once neither wait in a circle nor change each other', async () => {
      const from = '5511933330001';
      await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const body = { messages: [message({ from }), message({ from: '5511933330002' })] };
          if (index % 3 === 0) expect((await post(inbound, body)).status).toBe(200);
          else {
            const text = JSON.stringify(body);
            const given = { route: inbound, headers: { 'x-signature': hmac(text, secret) }, body: text };
            const { tryWebhook } = await query(app, tenant.admin, TryWebhookDocument, given);
            expect(tryWebhook.items.map(({ outcome }) => outcome)).toEqual(['CREATED', 'CREATED']);
          }
        }),
      );
      const [row] = await app.sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM messages m JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id
         WHERE l.tenant_id = $1 AND l.chat LIKE '551193333000%'`,
        [tenant.id],
      );
      expect(row?.count).toBe(20);
    });
  });
}
