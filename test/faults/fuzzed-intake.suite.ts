// Generated bodies for each dialect of a gateway: none causes a server fault, and the journal keeps each call.

import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, type TestApp, type TestTenant } from '../support/test-app.js';

const connections = 32;
const appSecret = '0123456789abcdef0123456789abcdef';
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

type DialectCase = [
  name: string,
  examples: () => unknown[],
  paths: string[],
  headersOf: (body: Buffer) => Record<string, string>,
];

/** @param bodyCount the number of bodies for each dialect; for each kind of change, the number over all dialects */
export function describeFuzzedIntake(bodyCount: number): void {
  let app: TestApp;
  let tenant: TestTenant;
  let metaInstanceId: string;

  beforeAll(async () => {
    app = await sharedApp({ WEBHOOK_REFUSED_PER_MINUTE: '1000000' });
    tenant = await app.createTenant();
    const input = { accountId: tenant.admin.accountId, instanceName: 'cloud', webhookSecret: appSecret };
    const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
    const { chatInstances } = app.app.services;
    metaInstanceId = (await chatInstances.create(serviceOperator, input, place)).id;
    await chatInstances.create(serviceOperator, { ...input, instanceName: 'waha', provider: 'waha' }, place);
  });

  function recorded(dialect: string): unknown[] {
    const folder = new URL(`../providers/payloads/${dialect}/`, import.meta.url);
    return readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown);
  }

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(null, '', 0, -1, 1e308, 2 ** 53, '\u0000', '\ud800', '__proto__', [], {}, true, 'a'.repeat(300)),
  );

  /** Returns a body with up to four of its places, however deep, replaced at random. */
  function damaged(bodies: readonly unknown[]): fc.Arbitrary<unknown> {
    return fc
      .tuple(fc.constantFrom(...bodies), fc.array(fc.tuple(fc.nat(), anything), { maxLength: 4 }))
      .map(([body, changes]) => {
        const copy = { root: structuredClone(body) };
        for (const [at, value] of changes) replaceAt(copy, at, value);
        return copy.root;
      });
  }

  function replaceAt(tree: object, at: number, value: unknown): void {
    const places: [Record<string, unknown>, string][] = [];
    const visit = (node: Record<string, unknown>) => {
      for (const [key, child] of Object.entries(node)) {
        places.push([node, key]);
        if (typeof child === 'object' && child !== null) visit(child as Record<string, unknown>);
      }
    };
    visit(tree as Record<string, unknown>);
    const [node, key] = places[at % places.length]!;
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  }

  /** Returns mostly damaged bodies of the dialect, some of any JSON, and some that are not even JSON. */
  function bodiesOf(examples: readonly unknown[], numRuns: number): Buffer[] {
    const text = fc.oneof(
      { weight: 8, arbitrary: damaged(examples).map((body) => JSON.stringify(body) ?? 'null') },
      { weight: 1, arbitrary: fc.json() },
    );
    const bytes = fc.oneof(
      { weight: 20, arbitrary: text.map((json) => Buffer.from(json)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
    );
    return fc.sample(bytes, { numRuns, seed });
  }

  function post(agent: Agent, path: string, body: Buffer, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const url = new URL(path, app.url);
      const options = { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } };
      const call = request(url, options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      call.on('error', reject).end(body);
    });
  }

  /**
   * Posts to the paths in turn. @returns the count of each status; the test fails on a status other than those of good and of wrong calls
   */
  async function postAll(
    bodies: readonly Buffer[],
    paths: readonly string[],
    headersOf: (body: Buffer) => Record<string, string>,
  ): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    const unexpected: string[] = [];
    const queue = bodies.entries();
    // The next bodies take seconds to generate: the service would close connections that are kept until then, just as they are used again.
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const send = async () => {
      for (const [index, body] of queue) {
        const path = paths[index % paths.length] ?? '';
        const status = await post(
          agent,
          path === 'cloud' ? `/webhooks/chat/cloud/${metaInstanceId}` : path,
          body,
          headersOf(body),
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (![200, 201, 400, 422].includes(status))
          unexpected.push(`${status} ${path} ${body.toString().slice(0, 500)}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, send)).finally(() => agent.destroy());
    expect(unexpected.slice(0, 3)).toEqual([]);
    return statuses;
  }

  const instance = () => tenant.instance.name;
  const neutral = () => [
    {
      instance: instance(),
      messageId: '3A55',
      from: '5511988887777',
      name: 'Ana',
      type: 'text',
      text: 'Oi',
      timestamp: 1_773_027_345,
    },
    {
      messageId: '3A56',
      from: '+55 11 98888-7777',
      media: { url: 'https://x.example/a.png', mimeType: 'image/png', fileName: 'a', caption: 'b' },
      replyTo: '3A55',
    },
    {
      messages: [
        { messageId: '1', from: '4915112345678', text: 'x' },
        { messageId: '2', from: '4915112345679', text: 'y' },
      ],
    },
    {
      instance: instance(),
      messageId: '3EB0',
      status: 'DELIVERED',
      timestamp: '2026-11-21T10:00:00Z',
      error: { code: '131026', message: 'x' },
    },
    {
      statuses: [
        { messageId: '1', status: 'READ' },
        { messageId: '2', status: 'FAILED', error: { code: 1 } },
      ],
    },
  ];
  // Changes of an earlier message: each shape of each dialect by itself.
  const id = '3A55';
  const evolutionCall = (event: string, data: object) => ({ event, instance: instance(), data });
  const evolutionMessage = (message: object, fromMe = false) =>
    evolutionCall('messages.upsert', {
      key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe, id: '3A57' },
      pushName: 'Ana',
      message,
      messageTimestamp: 1_773_027_345,
    });
  const protocol = (rest: object) => ({
    key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: true, id },
    ...rest,
  });
  const edited = { type: 'MESSAGE_EDIT', editedMessage: { conversation: 'Olá' }, timestampMs: '1773027345000' };
  const neutralChange = (rest: object) => ({
    instance: instance(),
    from: '5511988887777',
    timestamp: 1_773_027_345,
    ...rest,
  });
  const cloudChange = (rest: object) => {
    const common = { from: '5511988887777', to: '5511988887777', id: 'wamid.1', timestamp: '1773027345', ...rest };
    const change = (field: string, list: string) => ({
      field,
      value: { [list]: [common], contacts: [{ wa_id: '5511988887777' }] },
    });
    const changes = [change('messages', 'messages'), change('smb_message_echoes', 'message_echoes')];
    return { object: 'whatsapp_business_account', entry: [{ id: '1', changes }] };
  };
  const wahaMessage = {
    id: 'false_5511988887777@c.us_3A58',
    from: '5511988887777@c.us',
    fromMe: false,
    timestamp: 1_773_027_345,
  };
  const wahaCall = (event: string, payload: object) => ({
    event,
    session: 'waha',
    timestamp: 1_773_027_345_000,
    payload: { ...wahaMessage, ...payload },
  });
  const changesOf = (shape: 'reaction' | 'edit' | 'deletion') => ({
    neutral: () => [
      shape === 'reaction'
        ? neutralChange({ type: shape, reaction: { messageId: id, emoji: '👍' } })
        : neutralChange({ type: shape, [shape]: { messageId: id, ...(shape === 'edit' ? { text: 'Olá' } : {}) } }),
      {
        messages: [
          neutralChange({ messageId: id, text: 'x' }),
          neutralChange({ type: shape, [shape]: { messageId: id } }),
        ],
      },
    ],
    evolution: () =>
      ({
        reaction: [
          evolutionMessage({ reactionMessage: { key: { id }, text: '👍' } }),
          evolutionMessage({ reactionMessage: { key: { id, fromMe: true }, text: '' } }, true),
        ],
        edit: [
          evolutionMessage({ editedMessage: { message: { protocolMessage: protocol(edited) } } }),
          evolutionCall('messages.edited', protocol(edited)),
          evolutionCall('send.message.update', protocol(edited)),
        ],
        deletion: [
          evolutionMessage({ protocolMessage: protocol({ type: 'REVOKE' }) }),
          evolutionCall('messages.edited', protocol({ type: 0 })),
          evolutionCall('messages.delete', { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id }),
          evolutionCall('messages.delete', protocol({})),
        ],
      })[shape],
    waha: () =>
      ({
        reaction: [
          wahaCall('message.reaction', { reaction: { text: '👍', messageId: `true_5511988887777@c.us_${id}` } }),
        ],
        edit: [wahaCall('message.edited', { body: 'Olá', editedMessageId: id })],
        deletion: [
          wahaCall('message.revoked', { after: wahaMessage, before: null, revokedMessageId: id }),
          wahaCall('message.revoked', { before: wahaMessage, revokedMessageId: id }),
        ],
      })[shape],
    cloud: () =>
      ({
        reaction: [cloudChange({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } })],
        edit: [
          cloudChange({
            type: 'edit',
            edit: { original_message_id: id, message: { type: 'text', text: { body: 'Olá' } } },
          }),
        ],
        deletion: [cloudChange({ type: 'revoke', revoke: { original_message_id: id } })],
      })[shape],
  });
  const evolution = () => recorded('evolution').map((body) => ({ ...(body as object), instance: instance() }));
  const keyed = () => ({ 'x-tenant-key': tenant.apiKey });
  const signed = (body: Buffer) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
  });

  const waha = () => recorded('waha').map((body) => ({ ...(body as object), session: 'waha' }));
  const keyedAndSigned = (body: Buffer) => ({
    'x-tenant-key': tenant.apiKey,
    'x-webhook-hmac': createHmac('sha512', appSecret).update(body).digest('hex'),
  });

  const changeCases = (['reaction', 'edit', 'deletion'] as const).flatMap((shape): DialectCase[] => {
    const { neutral: plain, evolution: ofEvolution, waha: ofWaha, cloud } = changesOf(shape);
    return [
      [`neutral, a ${shape}`, plain, ['/webhooks/chat/gateway/inbound'], keyed],
      [`evolution, a ${shape}`, ofEvolution, ['/webhooks/chat/gateway/inbound'], keyed],
      [`waha, a ${shape}`, ofWaha, ['/webhooks/chat/gateway/inbound'], keyedAndSigned],
      [`cloud, a ${shape}`, cloud, ['cloud'], signed],
    ];
  });

  test.each<DialectCase>([
    [
      'leads',
      () => [{ chat: '5511988887777', name: 'Ana', source: 'fair', extra: { deep: [1, 2] } }],
      ['/public/leads', '/webhooks/leads'],
      keyed,
    ],
    ['neutral', neutral, ['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/status'], keyed],
    ['evolution', evolution, ['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/messages-upsert'], keyed],
    ['waha', waha, ['/webhooks/chat/gateway/inbound', '/webhooks/chat/gateway/message-any'], keyedAndSigned],
    ['cloud', () => recorded('cloud'), ['cloud'], signed],
    ...changeCases,
  ])(
    'the dialect %s',
    async (name, examples, paths, headersOf) => {
      const count = async () => {
        const [row] = await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM webhook_deliveries');
        return row?.count ?? 0;
      };
      // A kind of change has one case for each of the four dialects.
      const caseCount = name.includes(', a') ? Math.ceil(bodyCount / 4) : bodyCount;
      const before = await count();
      const statuses = await postAll(bodiesOf(examples(), caseCount), paths, headersOf);
      // Generated bodies that all fail in the same way would show little.
      expect(statuses.get(200)).toBeGreaterThan(caseCount / 20);
      expect((await count()) - before).toBe(caseCount);
    },
    480_000,
  );

  /** Returns bodies with a number in some spelling, in the spelling of no country, or no number at all; some are 10,000 characters long. */
  function numberBodies(): Buffer[] {
    const common = Array.from(`${'0123456789'.repeat(6)}+()[]-./ \u200B\uFF15`);
    const marks = Array.from('0123456789'.repeat(3) + '+()[]-./ \u200B\u202A\uFF0B\uFF15\u0665xX#*,;');
    const chat = fc.oneof(
      { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom(...common), minLength: 7, maxLength: 16 }) },
      { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...marks), minLength: 5, maxLength: 20 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 70 }) },
      { weight: 1, arbitrary: fc.constantFrom(...marks).map((mark) => mark.repeat(10_000)) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 10_000, maxLength: 10_000 }) },
      { weight: 1, arbitrary: anything },
    );
    const country = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(undefined, null, 'BR', 'de', 'US', 'IT', 'AR', 'MX', 'RU', 'AX') },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      { weight: 1, arbitrary: fc.constantFrom('001', 'AQ', '__proto__', 'constructor', 'x'.repeat(10_000), 5, {}) },
    );
    const body = fc.record({ chat, country }).map((fields) => Buffer.from(JSON.stringify(fields)));
    return fc.sample(body, { numRuns: bodyCount, seed });
  }

  test('numbers and countries', async () => {
    const { id: tenantId } = tenant;
    await app.sql("UPDATE tenants SET default_country = 'BR' WHERE id = $1", [tenantId]);
    const statuses = await postAll(numberBodies(), ['/public/leads', '/webhooks/leads'], keyed);
    const found = (statuses.get(201) ?? 0) + (statuses.get(200) ?? 0);
    expect(found).toBeGreaterThan(bodyCount / 20);
    expect(statuses.get(422)).toBeGreaterThan(bodyCount / 20);
    const wrong = await app.sql(
      "SELECT chat FROM leads WHERE tenant_id = $1 AND chat IS NOT NULL AND (chat !~ '^[1-9][0-9]{6,14}$' OR number_validity = 'UNKNOWN')",
      [tenantId],
    );
    expect(wrong).toEqual([]);
  }, 480_000);
}
