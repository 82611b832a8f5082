// The rate limit on the webhooks, at the defaults: a tenant's leads, each sender, each message of ours and each instance have a bucket of
// their own. Also the answer to a refused item, and its entry in the journal.

import { randomUUID } from 'node:crypto';
import { inboundPath, readJournal, statusPath } from '../features/webhooks/journal-harness.js';
import { query } from '../support/graphql-client.js';
import { ReplayWebhookDeliveryDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import {
  TestApp,
  serviceOperator,
  withKey,
  withToken,
  type TestEnvironment,
  type TestTenant,
} from '../support/test-app.js';
import { expectProblem } from './problem.js';

const limit = 100;
const ana = '5511988887777';
const bruno = '4915112345678';

export function describeIntakeLimits(): void {
  let app: TestApp;
  /** A second process, with its own count of the tokens that it gives out. */
  let second: TestApp;
  let tenant: TestTenant;
  let tenants = 0;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api', THROTTLE_LIMIT: undefined });
    second = await TestApp.start({ PROCESS_ROLE: 'api' }, app.database);
  });
  beforeEach(async () => {
    tenant = await createTenant();
  });
  afterAll(async () => {
    await second.stop({ keepDatabase: true });
  });

  function createTenant(): Promise<TestTenant> {
    tenants += 1;
    return (tenants % 2 === 0 ? app : second).createTenant();
  }

  interface Answer {
    accepted: number;
    results: { outcome?: string; code?: string; errors?: { path: string; message: string }[]; messageId?: string }[];
  }

  const message = (from: string, messageId: string = randomUUID()) => ({ messageId, from, text: 'Oi' });
  const status = (messageId: string) => ({ messageId, status: 'DELIVERED' });
  const post = (path: string, body: unknown) => app.post(path, body, withKey(tenant));
  const write = (from = ana) => post(inboundPath, message(from));
  const report = (messageId: string) => post(statusPath, status(messageId));
  const lead = () => post('/public/leads', { chat: ana });
  const event = (name: string, data: object, instance = tenant.instance.name) =>
    post(inboundPath, { event: name, instance, data });
  const connected = (instance?: string) => event('connection.update', { state: 'open' }, instance);

  /** Makes all calls at once. @returns the number of answers by status */
  async function tally(count: number, call: (nr: number) => Promise<Response>): Promise<Record<number, number>> {
    const seen: Record<number, number> = {};
    for (const answer of await Promise.all(Array.from({ length: count }, (_, nr) => call(nr)))) {
      await answer.arrayBuffer();
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
    }
    return seen;
  }

  async function expectLimited(answer: Response, detail: RegExp): Promise<void> {
    expect((await expectProblem(answer, 'RATE_LIMITED')).detail).toMatch(detail);
    const retryAfter = answer.headers.get('retry-after');
    expect(retryAfter).toMatch(/^[1-9]\d?$/);
    expect(answer.headers.get('ratelimit')).toBe(`"global"; r=0; t=${retryAfter}`);
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"global"; q=100; w=60; pk=:[\w+/]+=*:$/);
  }

  async function countOf(table: 'messages' | 'leads'): Promise<number> {
    const [row] = await app.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    return row?.count ?? 0;
  }

  async function answerOf(response: Response): Promise<Answer> {
    const answer = (await response.json()) as Answer;
    expect({ status: response.status, answer }).toEqual({ status: 200, answer });
    return answer;
  }

  describe('each in a bucket of its own', () => {
    test('leads count for their tenant, on both endpoints together, and nothing else for them', async () => {
      expect(
        await tally(limit, (nr) => post(nr % 2 === 0 ? '/public/leads' : '/webhooks/leads', { chat: ana })),
      ).toEqual({
        200: limit - 1,
        201: 1,
      });
      await expectLimited(await lead(), /^Too many leads/);
      await expectLimited(await post('/webhooks/leads', { chat: bruno }), /^Too many leads/);
      expect([(await write()).status, (await report('a')).status, (await connected()).status]).toEqual([200, 200, 200]);
      expect((await app.get('/chat/instances', withToken(tenant.operator))).status).toBe(200);
      expect(await countOf('leads')).toBe(1);
    });

    test('messages count for their sender, however it is written', async () => {
      expect(await tally(limit, (nr) => write(nr % 2 === 0 ? ana : '551188887777'))).toEqual({ 200: limit });
      await expectLimited(await write(), /^Too many messages of this sender/);
      await expectLimited(await write('551188887777'), /^Too many messages of this sender/);
      expect([(await write(bruno)).status, (await lead()).status, (await report('a')).status]).toEqual([200, 200, 200]);
      expect(await countOf('messages')).toBe(limit + 1);
    });

    test('reports count for the message that they are about', async () => {
      expect(await tally(limit, () => report('wamid.1'))).toEqual({ 200: limit });
      await expectLimited(await report('wamid.1'), /^Too many reports on this message/);
      expect(await tally(300, (nr) => report(`wamid.of.many-${nr}`))).toEqual({ 200: 300 });
      expect([(await write()).status, (await lead()).status]).toEqual([200, 200]);
    });

    test('echoes of what we wrote count for the message, not for the lead', async () => {
      const echo = (nr: number) =>
        event('send.message', {
          key: { remoteJid: `${ana}@s.whatsapp.net`, fromMe: true, id: `3EB0${nr}` },
          messageType: 'conversation',
          message: { conversation: 'Olá' },
        });
      expect(await tally(limit + 20, echo)).toEqual({ 200: limit + 20 });
      expect((await write()).status).toBe(200);
    });

    test('events count for their instance; what means nothing uses up nothing of what tells how it stands', async () => {
      const other = `${tenant.slug}-other`;
      const { chatInstances } = app.app.services;
      const input = { accountId: tenant.admin.accountId, instanceName: other };
      await chatInstances.create(serviceOperator, input, { tenantId: tenant.id, status: 'CONNECTED' });

      expect(await tally(limit + 5, () => event('contacts.update', {}))).toEqual({ 200: limit, 429: 5 });
      expect(await tally(limit, () => connected())).toEqual({ 200: limit });
      await expectLimited(await connected(), /^Too many events of this instance/);
      expect([(await connected(other)).status, (await write()).status]).toEqual([200, 200]);
    });

    test('what cannot be read counts for the tenant, and refuses nothing that can', async () => {
      expect(await tally(limit, () => post(inboundPath, '{'))).toEqual({ 400: limit });
      await expectLimited(await post(inboundPath, '{'), /cannot be read/);
      await expectLimited(await post(inboundPath, { from: ana }), /cannot be read/);
      await expectLimited(await post(inboundPath, { messages: [] }), /cannot be read/);
      expect([(await write()).status, (await connected()).status, (await lead()).status]).toEqual([200, 200, 200]);
    });

    test('one tenant at its limits takes nothing from another', async () => {
      await tally(limit, lead);
      await tally(limit, () => write());
      tenant = await createTenant();
      expect([(await lead()).status, (await write()).status]).toEqual([201, 200]);
    });

    test('a key counts for the address wherever none is taken', async () => {
      const before = (await app.get('/no/such/path')).headers.get('ratelimit');
      const after = (await post('/no/such/path', {})).headers.get('ratelimit');
      const left = (header: string | null) => Number(/"global"; r=(\d+)/.exec(header ?? '')?.[1]);
      expect(left(after)).toBe(left(before) - 1);
    });

    test('answers say what is left', async () => {
      const left = async (answer: Promise<Response>) => (await answer).headers.get('ratelimit');
      expect(await left(write())).toMatch(/^"global"; r=99; t=\d+$/);
      // The item with the least left speaks for the call.
      const messages = [message(bruno), message(ana), message(bruno), message(bruno)];
      expect(await left(post(inboundPath, { messages }))).toMatch(/^"global"; r=97; t=\d+$/);
      expect(await left(post(inboundPath, '{'))).toMatch(/^"global"; r=99; t=\d+$/);
    });
  });

  describe('a call with many items', () => {
    test('those beyond the limit are refused by their own result, in their places, and not written', async () => {
      await tally(limit - 2, () => write());
      const messages = [message(ana), message(bruno), message(ana), message(ana), { from: ana }, message(ana)];
      const response = await post(inboundPath, { messages });
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      const { accepted, results } = await answerOf(response);
      expect(accepted).toBe(3);
      expect(results.map(({ outcome, code }) => code ?? outcome ?? 'recorded')).toEqual([
        'recorded',
        'recorded',
        'recorded',
        'RATE_LIMITED',
        'refused',
        'RATE_LIMITED',
      ]);
      expect(results[3]).toEqual({
        outcome: 'refused',
        code: 'RATE_LIMITED',
        errors: [
          { path: '', message: expect.stringMatching(/^Too many messages of this sender: try again in \d+ s$/) },
        ],
      });
      expect(results[4]?.errors).toEqual([{ path: 'messageId', message: expect.any(String) }]);
      expect(await countOf('messages')).toBe(limit + 1);
      const [call] = await readJournal(app, tenant, { outcomes: ['PARTIAL'] });
      expect(call).toMatchObject({ outcome: 'PARTIAL', result: { accepted: 3 } });
    });

    test('where the others are wrong, the journal says how many were beyond it', async () => {
      await tally(limit, () => write());
      const { accepted } = await answerOf(
        await post(inboundPath, { messages: [message(ana), { from: ana }, message(ana)] }),
      );
      expect(accepted).toBe(0);
      const refused = await readJournal(app, tenant, { outcomes: ['REFUSED'] });
      const reasons = refused.map(({ reason }) => reason).filter((reason) => reason?.startsWith('VALIDATION_FAILED'));
      expect(reasons).toEqual([
        'VALIDATION_FAILED: no item could be taken; 2 of 3 were beyond the limit (RATE_LIMITED)',
      ]);
    });

    test('each item counts once for its sender', async () => {
      const many = { messages: Array.from({ length: limit + 30 }, () => message(ana)) };
      expect((await answerOf(await post(inboundPath, many))).accepted).toBe(limit);
      expect((await write(bruno)).status).toBe(200);
    });

    test('only where all are beyond it, the call is refused', async () => {
      await tally(limit, () => report('wamid.a'));
      await expectLimited(await post(statusPath, { statuses: [status('wamid.a'), status('wamid.a')] }), /this message/);
      const { accepted } = await answerOf(await post(statusPath, { statuses: [status('wamid.a'), status('wamid.b')] }));
      expect(accepted).toBe(1);
    });

    test('what is wrong with the items of a list is told for each of them, and counts once', async () => {
      const wrong = { messages: Array.from({ length: 300 }, () => ({ from: ana })) };
      const { results } = await answerOf(await post(inboundPath, wrong));
      expect(results.filter(({ code }) => code === undefined)).toHaveLength(300);
      expect((await post(inboundPath, '{')).headers.get('ratelimit')).toMatch(/^"global"; r=98;/);
    });
  });

  /** Runs the work with another process on the same database, which has counts of its own. */
  async function withProcess(environment: TestEnvironment, work: (process: TestApp) => Promise<void>): Promise<void> {
    const process = await TestApp.start({ PROCESS_ROLE: 'api', ...environment }, app.database);
    try {
      await work(process);
    } finally {
      await process.stop({ keepDatabase: true });
    }
  }

  describe('what is refused', () => {
    test('stands in the journal once a minute for each kind, with the first call and how many there were', async () => {
      await withProcess({ THROTTLE_LIMIT: '1' }, async (strict) => {
        const send = (path: string, body: unknown) => strict.post(path, body, withKey(tenant));
        for (let nr = 0; nr < 4; nr += 1) await send('/webhooks/leads', { chat: ana });
        for (let nr = 0; nr < 3; nr += 1) await send(inboundPath, message(ana, `wamid.${nr}`));
        for (let nr = 0; nr < 2; nr += 1) await send(statusPath, { statuses: [status('a'), status('a'), status('b')] });
        const before = await readJournal(app, tenant, { outcomes: ['REFUSED'] });
        expect(before.map(({ reason }) => reason?.replace(/\d+ s$/, 'n s'))).toEqual([
          'RATE_LIMITED: Too many reports on this message: try again in n s',
          'RATE_LIMITED: Too many messages of this sender: try again in n s',
          'RATE_LIMITED: Too many leads with the keys of this tenant: try again in n s',
        ]);
      });
      const refused = await readJournal(app, tenant, { outcomes: ['REFUSED'] });
      expect(refused.map(({ route, dialect, reason }) => [route, dialect, /\(.+\)$/.exec(reason ?? '')?.[0]])).toEqual([
        [statusPath, 'NEUTRAL', '(4 in this minute)'],
        [inboundPath, 'NEUTRAL', '(2 in this minute)'],
        ['/webhooks/leads', 'LEAD', '(3 in this minute)'],
      ]);
      expect(await replay(app, refused[1]?.id)).toEqual('PROCESSED');
      const written = "SELECT FROM messages WHERE tenant_id = $1 AND external_id = 'wamid.1'";
      expect(await app.sql(written, [tenant.id])).toHaveLength(1);
    });

    test('stands in no journal that keeps no refused calls', async () => {
      await withProcess({ THROTTLE_LIMIT: '1', WEBHOOK_REFUSED_PER_MINUTE: '0' }, async (strict) => {
        for (let nr = 0; nr < 3; nr += 1) await strict.post('/public/leads', { chat: ana }, withKey(tenant));
      });
      expect(await readJournal(app, tenant, { outcomes: ['REFUSED'] })).toEqual([]);
    });

    test('a replay is not counted', async () => {
      await withProcess({ THROTTLE_LIMIT: '1' }, async (strict) => {
        expect((await write()).status).toBe(200);
        const [entry] = await readJournal(app, tenant);
        expect(await replay(strict, entry?.id)).toBe('PROCESSED');
        expect((await strict.post(inboundPath, message(ana), withKey(tenant))).status).toBe(200);
      });
    });
  });

  async function replay(process: TestApp, id = ''): Promise<string> {
    const { replayWebhookDelivery } = await query(process, tenant.admin, ReplayWebhookDeliveryDocument, { id });
    return replayWebhookDelivery.outcome;
  }

  test('THROTTLE_GATEWAY_LIMIT caps the gateway calls of a tenant, whatever they say, and no leads', async () => {
    await withProcess({ THROTTLE_GATEWAY_LIMIT: '3' }, async (capped) => {
      const send = (path: string, body: unknown, of = tenant) => capped.post(path, body, withKey(of));
      const calls = [message(ana), message(bruno), message('14155550100'), message('14155550101')];
      const seen = [];
      for (const call of calls) seen.push((await send(inboundPath, call)).status);
      expect(seen).toEqual([200, 200, 200, 429]);
      const refused = await send(statusPath, '{');
      await expectProblem(refused, 'RATE_LIMITED');
      expect(refused.headers.get('ratelimit-policy')).toMatch(/^"gateway"; q=3; w=60; pk=/);
      expect((await send('/public/leads', { chat: '14155550102' })).status).toBe(201);
      expect((await send(inboundPath, message(ana), await createTenant())).status).toBe(200);
    });
  });
}
