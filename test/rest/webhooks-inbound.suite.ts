// POST /webhooks/chat/gateway/inbound in the neutral dialect.

import { randomUUID } from 'node:crypto';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';
import { expectProblem } from './problem.js';
import { describeSignature } from './signed-endpoint.js';

const path = '/webhooks/chat/gateway/inbound';

interface InboundResult {
  messageId: string;
  leadId: string;
  duplicate: boolean;
  outcome?: string;
  errors?: { path: string; message: string }[];
}

interface InboundAnswer {
  accepted: number;
  results: InboundResult[];
}

export function describeWebhooksInbound(): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp();
  });

  /** A message with a provider id of its own. */
  const message = (fields: object = {}) => ({
    messageId: randomUUID(),
    from: '5511988887777',
    name: 'Ana',
    text: 'Oi',
    ...fields,
  });

  const post = (tenant: TestTenant, body: unknown) => app.post(path, body, withKey(tenant));

  async function accepted(tenant: TestTenant, body: unknown): Promise<InboundAnswer> {
    const response = await post(tenant, body);
    const answer = (await response.json()) as InboundAnswer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  const stored = (tenant: TestTenant) =>
    app.sql(
      `SELECT m.id, m.lead_id, m.instance_id, m.direction, m.status, m.type, m.body, m.media, m.external_id, m.reply_to_external_id,
       m.provider_timestamp, m.received_at IS NOT NULL AS received, l.chat, l.name
     FROM messages m JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id WHERE m.tenant_id = $1 ORDER BY m.position`,
      [tenant.id],
    );

  async function addInstance(tenant: TestTenant, instanceName: string): Promise<string> {
    const input = { accountId: tenant.admin.accountId, instanceName, isDefault: false };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    return (await app.app.services.chatInstances.create(serviceOperator, input, place)).id;
  }

  async function journal(tenant: TestTenant) {
    return app.sql<{ outcome: string; code: string | null; result: object | null }>(
      `SELECT outcome, split_part(reason, ':', 1) AS code, result FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id`,
      [tenant.id],
    );
  }

  describe('200', () => {
    test('records the message with direction INBOUND, and creates the lead from its sender', async () => {
      const tenant = await app.createTenant();
      const answer = await accepted(tenant, {
        instance: tenant.instance.name,
        messageId: '3A55',
        from: '+55 11 98888-7777',
        name: 'Ana',
        type: 'text',
        text: '  Oi 😀\n',
        timestamp: 1_773_027_345,
        replyTo: '3A54',
      });
      expect(answer).toEqual({
        accepted: 1,
        results: [{ messageId: expect.any(String), leadId: expect.any(String), duplicate: false }],
      });
      expect(await stored(tenant)).toEqual([
        {
          id: answer.results[0]?.messageId,
          lead_id: answer.results[0]?.leadId,
          instance_id: tenant.instance.id,
          direction: 'INBOUND',
          status: null,
          type: 'text',
          body: '  Oi 😀\n',
          media: null,
          external_id: '3A55',
          reply_to_external_id: '3A54',
          provider_timestamp: new Date('2026-03-09T03:35:45Z'),
          received: true,
          chat: '5511988887777',
          name: 'Ana',
        },
      ]);
    });

    test('the sender of a lead that exists is that lead, whatever the writing, and the lead stays as it is', async () => {
      const tenant = await app.createTenant();
      const lead = (await (
        await app.post('/public/leads', { chat: '551188887777', name: 'Ana' }, withKey(tenant))
      ).json()) as { id: string };
      const { results } = await accepted(tenant, message({ from: '+55 11 98888-7777', name: 'Other' }));
      expect(results[0]?.leadId).toBe(lead.id);
      expect(await stored(tenant)).toMatchObject([{ chat: '551188887777', name: 'Ana' }]);
    });

    test('a sender without a name is called by the number, as a JSON number too', async () => {
      const tenant = await app.createTenant();
      await accepted(tenant, message({ from: 14_155_550_100, name: null }));
      expect(await stored(tenant)).toMatchObject([{ chat: '14155550100', name: '14155550100' }]);
    });

    test.each([
      ['label', 'label'],
      [undefined, 'webhook'],
    ])("the new lead's source is the tenant's label (%s), else webhook", async (webhookSourceLabel, source) => {
      const tenant = await app.createTenant(webhookSourceLabel === undefined ? {} : { webhookSourceLabel });
      await accepted(tenant, message());
      expect(await app.sql('SELECT source FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([{ source }]);
    });

    test('a text beyond 65,536 characters is cut at a whole character, and the journal has the whole', async () => {
      const text = `${'x'.repeat(65_535)}🙂🙂`;
      const tenant = await app.createTenant();
      await accepted(tenant, message({ messageId: 'long', text }));
      const [row] = await app.sql<{ body: string }>(
        "SELECT body FROM messages WHERE external_id = 'long' AND tenant_id = $1",
        [tenant.id],
      );
      expect(row?.body).toBe(`${'x'.repeat(65_535)}…`);
    });

    test.each(['', ' \t ', null])('an optional field that is %j counts as left out', async (empty) => {
      const tenant = await app.createTenant();
      const fields = ['instance', 'name', 'type', 'timestamp', 'media', 'replyTo', 'referral', 'choice', 'forwarded'];
      const url = 'https://files.example/a.png';
      const media = { url, mimeType: empty, fileName: empty, caption: empty };
      const choice = { kind: 'BUTTON', title: 'Sim', id: empty, description: empty, answers: empty };
      const ad = { kind: empty, sourceId: '7', sourceUrl: empty, headline: 'Curso', body: empty, clickId: empty };
      const { results } = await accepted(tenant, {
        messages: [
          ...fields.map((field) => message({ [field]: empty })),
          message({ type: 'image', text: empty, media }),
          message({ text: empty, choice }),
          message({ text: empty, referral: ad }),
          message({ type: 'call', callId: randomUUID(), name: empty, timestamp: empty, video: empty }),
          message({ type: 'notice', text: empty, notice: { kind: 'IDENTITY_CHANGED', newFrom: empty } }),
        ],
      });
      expect(results.filter((result) => !('messageId' in result))).toEqual([]);
      const rows = await stored(tenant);
      expect(rows).toHaveLength(fields.length + 5);
      const plain = { type: 'text', body: 'Oi', media: null, reply_to_external_id: null, provider_timestamp: null };
      for (const row of rows.slice(0, fields.length)) expect(row).toMatchObject(plain);
      expect(rows.slice(fields.length)).toMatchObject([
        { type: 'image', body: null, media: { url } },
        { type: 'text', body: 'Sim' },
        { type: 'text', body: 'Curso' },
        { type: 'call', body: 'Voice call', provider_timestamp: null },
        { type: 'notice', body: 'The security code has changed' },
      ]);
    });

    test('what PostgreSQL cannot keep is replaced, and refuses no message', async () => {
      const tenant = await app.createTenant();
      const [url, written, kept] = ['https://files.example/a.png', 'a\u0000b\uD800', 'a\uFFFDb\uFFFD'];
      const media = { url, fileName: written, caption: written };
      const choice = { kind: 'LIST', id: written, title: written, description: written };
      await accepted(tenant, message({ name: written, text: written }));
      await accepted(tenant, message({ type: 'image', text: undefined, media }));
      const { results } = await accepted(tenant, message({ text: undefined, choice }));
      expect(await stored(tenant)).toMatchObject([
        { name: kept, body: kept },
        { body: kept, media: { fileName: kept, caption: kept } },
        { body: kept },
      ]);
      const [row] = await app.sql('SELECT choice FROM messages WHERE id = $1', [results[0]?.messageId]);
      expect(row).toMatchObject({ choice: { id: kept, title: kept, description: kept } });
    });

    test('media is kept as it came; its caption is the body where there is no text', async () => {
      const tenant = await app.createTenant();
      const media = {
        url: 'https://files.example/a.png',
        mimeType: 'image/png',
        fileName: 'a.png',
        caption: 'the bill',
      };
      await accepted(tenant, message({ type: 'image', text: undefined, media }));
      await accepted(tenant, message({ type: 'image', text: 'see', media: { url: 'http://files.example/b' } }));
      expect(await stored(tenant)).toMatchObject([
        { type: 'image', body: 'the bill', media },
        { type: 'image', body: 'see', media: { url: 'http://files.example/b' } },
      ]);
    });

    test.each<[string, Record<string, unknown>, object]>([
      ['left out', { text: 'see', media: { caption: 'the bill' } }, { body: 'see', media: { caption: 'the bill' } }],
      ['empty', { text: 'see', media: { url: ' ', fileName: 'a.pdf' } }, { body: 'see', media: { fileName: 'a.pdf' } }],
      ['left out with the whole file', { type: 'Image', text: undefined }, { type: 'image', body: null, media: {} }],
    ])('a file whose address is %s: the words stay, and that a file came', async (_, fields, kept) => {
      const tenant = await app.createTenant();
      await accepted(tenant, message({ type: 'document', ...fields }));
      expect(await stored(tenant)).toMatchObject([kept]);
      const files = await app.sql('SELECT FROM media_files WHERE tenant_id = $1', [tenant.id]);
      expect(files).toHaveLength(1);
    });

    test('a file that is its address alone is the file there', async () => {
      const tenant = await app.createTenant();
      await accepted(tenant, message({ type: 'image', text: undefined, media: 'https://files.example/a.png' }));
      expect(await stored(tenant)).toMatchObject([{ type: 'image', media: { url: 'https://files.example/a.png' } }]);
    });

    test.each([
      ['unix seconds', 1_773_027_345, '2026-03-09T03:35:45.000Z'],
      ['unix seconds with a fraction', 1_773_027_345.25, '2026-03-09T03:35:45.250Z'],
      ['unix seconds as text', '1773027345', '2026-03-09T03:35:45.000Z'],
      ['unix milliseconds', 1_773_027_345_678, '2026-03-09T03:35:45.678Z'],
      ['unix milliseconds as text', ' 1773027345678 ', '2026-03-09T03:35:45.678Z'],
      ['ISO 8601 in UTC', '2026-03-09T03:35:45Z', '2026-03-09T03:35:45.000Z'],
      ['ISO 8601 with milliseconds', '2026-03-09T03:35:45.678Z', '2026-03-09T03:35:45.678Z'],
      ['ISO 8601 with an offset', '2026-03-09T00:35:45-03:00', '2026-03-09T03:35:45.000Z'],
    ])('a timestamp in %s', async (_, timestamp, expected) => {
      const tenant = await app.createTenant();
      await accepted(tenant, message({ timestamp }));
      expect(await stored(tenant)).toMatchObject([{ provider_timestamp: new Date(expected) }]);
    });

    test('without an instance the default one counts, with one its name', async () => {
      const tenant = await app.createTenant();
      const second = await addInstance(tenant, 'second');
      await accepted(tenant, message());
      await accepted(tenant, message({ instance: null }));
      await accepted(tenant, message({ instance: 'second' }));
      const instances = (await stored(tenant)).map((row) => row['instance_id'] as string);
      expect(instances).toEqual([tenant.instance.id, tenant.instance.id, second]);
    });

    test('many messages: one result each, in their order', async () => {
      const tenant = await app.createTenant();
      const froms = ['14155550101', '14155550102', '14155550101'];
      const { accepted: count, results } = await accepted(tenant, {
        messages: froms.map((from, i) => message({ from, text: `nr ${i}` })),
      });
      expect(count).toBe(3);
      const byId = new Map((await stored(tenant)).map((row) => [row['id'] as string, row]));
      expect(results.map(({ messageId }) => byId.get(messageId))).toMatchObject([
        { chat: froms[0], body: 'nr 0' },
        { chat: froms[1], body: 'nr 1' },
        { chat: froms[2], body: 'nr 2' },
      ]);
      expect(results[0]?.leadId).toBe(results[2]?.leadId);
      expect(results.map(({ duplicate }) => duplicate)).toEqual([false, false, false]);
    });

    test('500 messages in one call', async () => {
      const tenant = await app.createTenant();
      const messages = Array.from({ length: 500 }, (_, i) => message({ from: `1415555${String(i).padStart(4, '0')}` }));
      expect((await accepted(tenant, { messages })).accepted).toBe(500);
      expect(await stored(tenant)).toHaveLength(500);
    });

    test('an empty list is accepted and changes nothing', async () => {
      const tenant = await app.createTenant();
      expect(await accepted(tenant, { messages: [] })).toEqual({ accepted: 0, results: [] });
      expect(await stored(tenant)).toEqual([]);
    });

    test('a message that is repeated 50 times is one message, each answer the same but for duplicate', async () => {
      const tenant = await app.createTenant();
      const body = message();
      const [first] = (await accepted(tenant, body)).results;
      expect(first?.duplicate).toBe(false);
      for (let i = 1; i < 50; i += 1)
        expect((await accepted(tenant, body)).results).toEqual([{ ...first, duplicate: true }]);
      expect(await stored(tenant)).toHaveLength(1);
      expect(await app.sql('SELECT unread_count FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([
        { unread_count: 1 },
      ]);
    });

    test('twice in one call: the second is the duplicate', async () => {
      const tenant = await app.createTenant();
      const [one, other] = [message(), message()];
      const { accepted: count, results } = await accepted(tenant, { messages: [one, other, one, one] });
      expect(count).toBe(4);
      expect(results.map(({ duplicate }) => duplicate)).toEqual([false, false, true, true]);
      expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(2);
      expect(await stored(tenant)).toHaveLength(2);
    });

    test('20 simultaneous calls with the same messages in other orders: each message once', async () => {
      const tenant = await app.createTenant();
      const messages = Array.from({ length: 12 }, (_, i) => message({ from: `1415555010${i % 6}` }));
      const calls = Array.from({ length: 20 }, (_, i) => {
        const rotated = [...messages.slice(i % 12), ...messages.slice(0, i % 12)];
        return i % 2 === 0 ? rotated : rotated.reverse();
      });
      const answers = await Promise.all(calls.map((call) => accepted(tenant, { messages: call })));
      const originals = answers.flatMap(({ results }) => results.filter(({ duplicate }) => !duplicate));
      expect(originals).toHaveLength(12);
      const idsOf = new Map<string, Set<string>>();
      answers.forEach(({ results }, i) =>
        results.forEach(({ messageId }, j) => {
          const externalId = calls[i]?.[j]?.messageId ?? '';
          idsOf.set(externalId, (idsOf.get(externalId) ?? new Set()).add(messageId));
        }),
      );
      expect([...idsOf.values()].map((ids) => ids.size)).toEqual(Array<number>(12).fill(1));
      expect(await stored(tenant)).toHaveLength(12);
      const leads = await app.sql('SELECT chat, unread_count FROM leads WHERE tenant_id = $1 ORDER BY chat', [
        tenant.id,
      ]);
      expect(leads).toEqual(Array.from({ length: 6 }, (_, i) => ({ chat: `1415555010${i}`, unread_count: 2 })));
    });

    test("a provider's id means another message in another tenant and in another instance", async () => {
      const [one, other] = [await app.createTenant(), await app.createTenant()];
      await addInstance(one, 'second');
      const body = message();
      const answers = [
        await accepted(one, body),
        await accepted(other, body),
        await accepted(one, { ...body, instance: 'second' }),
        await accepted(one, { ...body, instance: one.instance.name }),
      ];
      expect(answers.map(({ results }) => results[0]?.duplicate)).toEqual([false, false, false, true]);
      expect(new Set(answers.map(({ results }) => results[0]?.messageId)).size).toBe(3);
      expect(await stored(one)).toHaveLength(2);
      expect(await stored(other)).toHaveLength(1);
    });

    test('wrong items among many do not refuse the others: their results say what is wrong', async () => {
      const tenant = await app.createTenant();
      const { accepted: count, results } = await accepted(tenant, {
        messages: [
          message(),
          message({ from: 'x', messageId: '' }),
          null,
          message({ instance: 'nobody' }),
          [],
          message({ from: '14155550100' }),
        ],
      });
      expect(count).toBe(2);
      expect(results.map((result) => result.outcome ?? result.duplicate)).toEqual([
        false,
        'refused',
        'refused',
        'refused',
        'refused',
        false,
      ]);
      expect(results.map(({ errors }) => errors?.map((error) => error.path).sort())).toEqual([
        undefined,
        ['from', 'messageId'],
        [''],
        ['instance'],
        [''],
        undefined,
      ]);
      expect(await stored(tenant)).toHaveLength(2);
      expect(await journal(tenant)).toEqual([{ outcome: 'partial', code: null, result: { accepted: count, results } }]);
    });

    test('many of which all are wrong: accepted is 0', async () => {
      const tenant = await app.createTenant();
      const { accepted: count, results } = await accepted(tenant, { messages: [{}, message({ instance: 'nobody' })] });
      expect(count).toBe(0);
      expect(results).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }]);
      expect(await stored(tenant)).toEqual([]);
    });

    test("what the line itself wrote stands in the lead's conversation, once", async () => {
      const tenant = await app.createTenant();
      const own = message({ from: '5511900000000', to: '5511988887777', fromMe: true });
      for (const body of [own, own, message({ messageId: 'other', fromMe: true })]) await accepted(tenant, body);
      expect(await stored(tenant)).toMatchObject([{ direction: 'OUTBOUND' }]);
      expect(await app.sql('SELECT chat FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([
        { chat: '5511988887777' },
      ]);
    });

    test('what the line wrote to its own number is no conversation', async () => {
      const tenant = await app.createTenant();
      await app.sql('UPDATE chat_instances SET number = $2 WHERE tenant_id = $1', [tenant.id, '551188887777']);
      await accepted(tenant, message({ to: '5511988887777', fromMe: true }));
      expect(await stored(tenant)).toEqual([]);
    });

    test('fields that are not known are ignored, and stand in the journal', async () => {
      const tenant = await app.createTenant();
      const body = JSON.stringify(message({ future: { a: 1 }, tenantId: randomUUID(), direction: 'OUTBOUND' }));
      await accepted(tenant, body);
      expect(await stored(tenant)).toMatchObject([{ direction: 'INBOUND' }]);
      const [row] = await app.sql<{ body: Buffer }>('SELECT body FROM webhook_deliveries WHERE tenant_id = $1', [
        tenant.id,
      ]);
      expect(row?.body.toString('utf8')).toBe(body);
    });
  });

  describe('400', () => {
    test('a body that is not JSON', async () => {
      const tenant = await app.createTenant();
      await expectProblem(await post(tenant, 'Oi'), 'BAD_REQUEST');
      expect(await journal(tenant)).toEqual([{ outcome: 'refused', code: 'BAD_REQUEST', result: null }]);
    });
  });

  describe('401', () => {
    test.each([
      ['no key', {}],
      ['an unknown key', { 'x-tenant-key': `lw_${'C'.repeat(43)}` }],
    ])('%s', async (_, headers) => {
      await expectProblem(await app.post(path, message(), headers), 'UNAUTHENTICATED');
    });

    test("a user's token", async () => {
      const tenant = await app.createTenant();
      await expectProblem(await app.post(path, message(), withToken(tenant.admin)), 'UNAUTHENTICATED');
    });
  });

  describe('422', () => {
    const url = 'https://files.example/a.png';
    test.each<[string, object, string[]]>([
      ['no messageId', { messageId: undefined }, ['messageId']],
      ['messageId empty', { messageId: '' }, ['messageId']],
      ['messageId of 256 characters', { messageId: 'a'.repeat(256) }, ['messageId']],
      ['messageId a number', { messageId: 5 }, ['messageId']],
      ['no sender', { from: undefined }, ['from']],
      ['a sender that is no number', { from: 'Ana' }, ['from']],
      ['a sender too short', { from: '123456' }, ['from']],
      ['a name that is a number', { name: 5 }, ['name']],
      ['a type that is a number', { type: 1 }, ['type']],
      ['text that is an object', { text: { body: 'Oi' } }, ['text']],
      ['an instance that is a number', { instance: 1 }, ['instance']],
      ['replyTo that is a list', { replyTo: ['3A54'] }, ['replyTo']],
      ['neither a text nor a file', { text: ' ' }, ['text']],
      ['a referral without a headline, and no text', { text: null, referral: { sourceId: '7' } }, ['text']],
      ['a choice of an unknown kind', { choice: { kind: 'MENU' } }, ['choice.kind']],
      ['a choice that is text', { choice: 'visit' }, ['choice']],
      ['a choice that says nothing, and no text', { text: '', choice: { kind: 'BUTTON' } }, ['text']],
      ['answers that are a list', { choice: { kind: 'FLOW', answers: [] } }, ['choice.answers']],
      ['forwarded in words', { forwarded: 'yes' }, ['forwarded']],
      ['a call without its id', { type: 'call' }, ['callId']],
      ['a notice of nothing', { type: 'notice' }, ['notice']],
      ['a notice of an unknown kind', { type: 'notice', notice: { kind: 'HELLO' } }, ['notice.kind']],
      [
        'a notice of a number that is none',
        { type: 'notice', notice: { kind: 'NUMBER_CHANGED', newFrom: 'Ana' } },
        ['notice.newFrom'],
      ],
      ['media with a file URL', { media: { url: 'file:///etc/passwd' } }, ['media.url']],
      ['media with a javascript URL', { media: { url: 'javascript:alert(1)' } }, ['media.url']],
      ['media with a URL that is none', { media: { url: 'a.png' } }, ['media.url']],
      ['media that is a list', { media: [url] }, ['media']],
      [
        'media with wrong fields',
        { media: { url, mimeType: 5, fileName: [], caption: [] } },
        ['media.mimeType', 'media.fileName', 'media.caption'],
      ],
      ['a timestamp before the year 2000', { timestamp: 1 }, ['timestamp']],
      ['a negative timestamp', { timestamp: -1_773_027_345 }, ['timestamp']],
      ['a timestamp in the year 2100', { timestamp: '2100-01-01T00:00:00Z' }, ['timestamp']],
      ['a timestamp that is a date', { timestamp: '2026-03-09' }, ['timestamp']],
      ['a timestamp on the 30th of February', { timestamp: '2026-02-30T00:00:00Z' }, ['timestamp']],
      ['a timestamp in words', { timestamp: 'yesterday' }, ['timestamp']],
      ['a timestamp that is a boolean', { timestamp: true }, ['timestamp']],
    ])('%s: refused, journalled, and nothing is recorded', async (_, fields, paths) => {
      const tenant = await app.createTenant();
      await expectProblem(await post(tenant, message(fields)), 'VALIDATION_FAILED', paths);
      expect(await stored(tenant)).toEqual([]);
      expect(await app.sql('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id])).toEqual([]);
      expect(await journal(tenant)).toEqual([{ outcome: 'refused', code: 'VALIDATION_FAILED', result: null }]);
    });

    test("an instance that the tenant does not have, though another tenant's is called so", async () => {
      const [tenant, other] = [await app.createTenant(), await app.createTenant()];
      await expectProblem(await post(tenant, message({ instance: other.instance.name })), 'VALIDATION_FAILED', [
        'instance',
      ]);
      expect(await stored(tenant)).toEqual([]);
      expect(await journal(tenant)).toEqual([{ outcome: 'refused', code: 'VALIDATION_FAILED', result: null }]);
    });

    test.each([
      ['by name', (tenant: TestTenant) => ({ instance: tenant.instance.name })],
      ['as the default', () => ({})],
    ])('an instance that was deleted, %s', async (_, fields) => {
      const tenant = await app.createTenant();
      await app.sql('UPDATE chat_instances SET deleted_at = now() WHERE tenant_id = $1', [tenant.id]);
      await expectProblem(await post(tenant, message(fields(tenant))), 'VALIDATION_FAILED', ['instance']);
    });

    test.each([
      ['messages that are an object', { messages: {} }],
      ['messages that are null', { messages: null }],
      ['501 messages', { messages: Array.from({ length: 501 }, () => ({ messageId: 'a', from: '14155550100' })) }],
    ])('%s', async (_, body) => {
      const tenant = await app.createTenant();
      await expectProblem(await post(tenant, body), 'VALIDATION_FAILED', ['messages']);
      expect(await stored(tenant)).toEqual([]);
    });
  });

  describe('x-signature', () => {
    describeSignature({
      path,
      bodyWith: (_, text) => message({ text }),
      effectCount: async (signedApp, tenant) => {
        const [row] = await signedApp.sql<{ count: number }>(
          'SELECT count(*)::int AS count FROM messages WHERE tenant_id = $1',
          [tenant.id],
        );
        return row?.count ?? -1;
      },
    });
  });
}
