// The demo of `npm run dev`: an application with the simulator behind it, filled as at a first start, and read as an operator does.

import { demoPeople } from '../../src/dev/demo/conversations.js';
import { seedDemo } from '../../src/dev/demo/demo-tenant.js';
import { fillDemo } from '../../src/dev/demo/fill-demo.js';
import { linkImitations } from '../../src/dev/demo/imitations.js';
import { introduceCustomers, restoreInstances } from '../../src/dev/demo/simulator-link.js';
import { startGatewaySimulator, type GatewaySimulator } from '../../src/simulator/gateway-simulator.js';
import { until } from '../features/messages/sending-harness.js';
import { TestApp } from '../support/test-app.js';

const token = 'simulator-token-of-the-demo';

interface Answer {
  data?: Record<string, any>;
  errors?: unknown[];
}

export function describeDemo(): void {
  let app: TestApp;
  let simulator: GatewaySimulator;
  let tenantId: string;
  let apiKey: string;

  beforeAll(async () => {
    simulator = await startGatewaySimulator({ token, seed: 'demo', defaults: { replyRate: 0 } });
    app = await TestApp.start({ GATEWAY_URL: simulator.url, GATEWAY_TOKEN: token });
    ({ id: tenantId, apiKey } = await seedDemo(app.app.services));
    await restoreInstances(app.app.services, simulator);
    simulator.reportTo({ webhookBaseUrl: app.url, tenantKey: apiKey });
    expect(await fill()).toBe('filled');
  });
  afterAll(async () => {
    await app.stop();
    await simulator.close();
  });

  const fill = () => fillDemo(app.app.services, { tenantId, apiKey, url: app.url, filesUrl: simulator.url, token });

  // The queries are plain text, because they use the demo's own names; other suites test the typed operations.
  async function ask(query: string, idpSub = 'demo-operator'): Promise<Record<string, any>> {
    const headers = { authorization: `Bearer ${await app.signIn(idpSub)}` };
    const answer = (await (await app.post('/graphql', { query }, headers)).json()) as Answer;
    expect(answer.errors).toBeUndefined();
    return answer.data ?? {};
  }

  async function countRows(): Promise<Record<string, number>> {
    const tables = [
      'leads',
      'lead_notes',
      'lead_merges',
      'messages',
      'message_reactions',
      'message_changes',
      'media_files',
      'templates',
      'dashboards',
      'chat_instances',
      'users',
      'bulk_sends',
      'webhook_endpoints',
      'opt_outs',
    ];
    const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE tenant_id = $1) AS ${table}`);
    const [row] = await app.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`, [tenantId]);
    return row ?? {};
  }

  test('an operator finds people, conversations and their states', async () => {
    const { inbox, leads } = await ask(`{
      inbox(first: 100) { totalCount edges { node {
        name unreadCount tags conversationStatus optedOut: optOut { source } assignee { name } waitingSince lastMessage { createdAt }
      } } }
      leads(first: 100) { totalCount }
    }`);
    // The demo merges one of the 40 people into another. Three more came by webhook calls, two of them with a message.
    expect([inbox.totalCount, leads.totalCount]).toEqual([demoPeople.length + 1, demoPeople.length + 2]);
    const nodes = inbox.edges.map(({ node }: { node: object }) => node) as Record<string, any>[];
    const count = (holds: (node: Record<string, any>) => boolean) => nodes.filter(holds).length;
    expect(count(({ unreadCount }) => unreadCount > 0)).toBeGreaterThan(8);
    expect(count(({ unreadCount }) => unreadCount === 0)).toBeGreaterThan(15);
    expect(count(({ conversationStatus }) => conversationStatus === 'SNOOZED')).toBe(3);
    expect(count(({ conversationStatus }) => conversationStatus === 'CLOSED')).toBe(6);
    expect(count(({ assignee }) => assignee === null)).toBeGreaterThan(5);
    expect(new Set(nodes.map(({ assignee }) => assignee?.name)).size).toBe(5);
    expect(count(({ optedOut }) => optedOut !== null)).toBe(2);
    expect(count(({ waitingSince }) => waitingSince !== null)).toBeGreaterThan(8);
    // Leads wait since they wrote, not since the demo was filled.
    expect(nodes.filter(({ waitingSince, lastMessage }) => waitingSince > lastMessage.createdAt)).toEqual([]);
    expect(Math.max(...nodes.map(({ name }) => String(name).length))).toBeGreaterThan(80);
    expect(Math.max(...nodes.map(({ tags }) => tags.length))).toBeGreaterThan(10);
  });

  test('messages of all kinds and statuses reach back two weeks', async () => {
    const rows = await app.sql<Record<string, any>>(
      `SELECT type, direction, status, error_code AS code, reply_to_external_id AS quoted, edited_at AS edited, deleted_at AS deleted,
         created_at AS at FROM messages WHERE tenant_id = $1 AND bulk_send_id IS NULL`,
      [tenantId],
    );
    const kinds = new Set(rows.map(({ type }) => String(type)));
    expect([...kinds].toSorted()).toEqual(['audio', 'call', 'document', 'image', 'notice', 'text']);
    const statuses = new Set(rows.map(({ status }) => status));
    for (const status of ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED'])
      expect(statuses).toContain(status);
    const codes = new Set(rows.filter(({ status }) => status === 'FAILED').map(({ code }) => code));
    expect(codes.size).toBe(6);
    for (const mark of ['quoted', 'edited', 'deleted']) expect(rows.some((row) => row[mark] !== null)).toBe(true);
    const days = new Set(rows.map(({ at }) => (at as Date).toISOString().slice(0, 10)));
    expect(days.size).toBeGreaterThan(12);
  });

  test('a message of the past has its whole timeline, at its times', async () => {
    const { inbox } =
      await ask(`{ inbox(first: 1, filter: { search: "Dalva" }) { edges { node { messages(last: 1) { edges { node {
      status error { code } createdAt failedAt timeline { toStatus occurredAt } } } } } } } }`);
    const message = inbox.edges[0].node.messages.edges[0].node;
    expect(message).toMatchObject({ status: 'FAILED', error: { code: '131053' } });
    const steps = message.timeline as { toStatus: string; occurredAt: string }[];
    expect(steps.map(({ toStatus }) => toStatus)).toEqual(['QUEUED', 'SENDING', 'SENT', 'FAILED']);
    expect(steps[0]?.occurredAt).toBe(message.createdAt);
    expect(steps.at(-1)?.occurredAt).toBe(message.failedAt);
  });

  test('the files of the past are fetched from the simulator', async () => {
    const states = () =>
      app.sql<{ state: string; mimeType: string }>(
        'SELECT DISTINCT state, mime_type AS "mimeType" FROM media_files WHERE tenant_id = $1 ORDER BY mime_type',
        [tenantId],
      );
    await until(states, (seen) => seen.every(({ state }) => state === 'STORED'));
    expect((await states()).map(({ mimeType }) => mimeType)).toEqual(['application/pdf', 'audio/wav', 'image/png']);
  });

  test('dashboards show two weeks, in two boards of their own', async () => {
    const { dashboards } = await ask(`{ dashboards(first: 20) { edges { node { name widgets { title } } } } }`);
    const names = dashboards.edges.map(({ node }: { node: { name: string } }) => node.name);
    expect(names).toEqual(expect.arrayContaining(['Front desk', 'Guests and sources']));
    const quarters = await app.sql<{ days: number }>(
      `SELECT count(DISTINCT quarter::date)::int AS days FROM message_counts WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(quarters[0]?.days).toBeGreaterThan(12);
  });

  test('a bulk send has run: two were skipped, and some failed', async () => {
    const done = async () => {
      const { bulkSends } = await ask(
        `{ bulkSends(first: 1) { edges { node { total skipped progress { queued sending failed } } } } }`,
      );
      return bulkSends.edges[0].node as { total: number; skipped: number; progress: Record<string, number> };
    };
    const { skipped, progress } = await until(
      done,
      ({ progress: { queued, sending } }) => queued === 0 && sending === 0,
    );
    expect(skipped).toBe(2);
    expect(progress['failed']).toBe(1);
  });

  test('a lead of an ad has chosen, filled in a form, called and changed its number; a submission waits', async () => {
    const { inbox, leadSources } = await ask(
      `{ leadSources { id kind }
        inbox(first: 1, filter: { hasReferral: true }) { totalCount edges { node { chat firstReferral { kind headline }
          messages(first: 10) { edges { node { type isNotice choice { kind } referral { clickId } } } } } } } }`,
      'demo-admin',
    );
    const { node } = inbox.edges[0];
    expect([inbox.totalCount, node.chat]).toEqual([1, '447700900172']);
    const said = node.messages.edges.map((edge: { node: object }) => edge.node) as Record<string, any>[];
    expect(said.map(({ type, choice }) => choice?.kind ?? type)).toEqual(['text', 'LIST', 'FLOW', 'call', 'notice']);
    const { id } = leadSources.find(({ kind }: { kind: string }) => kind === 'FORM');
    const { heldSubmissions } = await ask(
      `{ heldSubmissions(sourceId: "${id}", first: 5) { edges { node { id } } } }`,
      'demo-admin',
    );
    expect(heldSubmissions.edges).toHaveLength(1);
  });

  test('the simulator speaks for each provider, and its forms are those of the demo', async () => {
    await linkImitations(app.app.services, simulator, { filesUrl: simulator.url, token }, app.url);
    const from = '447700900188';
    for (const instance of ['demo', 'demo-evolution', 'demo-waha', '555000101']) {
      const { call } = await simulator.receiveFromLead({ instance, from, player: 'button' });
      expect(call).toMatchObject({ status: 200, answer: expect.stringContaining('messageId') });
    }
    for (const player of ['google-form', 'meta-form'])
      await simulator.receiveFromLead({ instance: 'demo', from, player, variant: 'test' });
    const tested = async () => (await ask('{ leadSources { kind lastTestAt } }', 'demo-admin')).leadSources;
    await until(tested, (sources) => sources.every((one: any) => one.kind === 'FORM' || one.lastTestAt !== null));
  });

  test('instances: three are connected through each provider, one waits for a scan, one is logged out with its reason', async () => {
    const { chatInstances } = await ask(`{ chatInstances { id instanceName status lastError } }`);
    const states = chatInstances.map(({ instanceName, status }: Record<string, string>) => [instanceName, status]);
    expect(states).toEqual([
      ['demo', 'CONNECTED'],
      ['demo-reception', 'CONNECTING'],
      ['demo-algarve', 'DISCONNECTED'],
      ['demo-evolution', 'CONNECTED'],
      ['demo-waha', 'CONNECTED'],
      ['demo-meta', 'CONNECTED'],
    ]);
    expect(chatInstances[2].lastError).toContain('401');
    const { id } = chatInstances[1];
    const connect = `mutation { connectChatInstance(id: "${id}") { status qr pairingCode } }`;
    const first = (await ask(connect, 'demo-admin')).connectChatInstance;
    expect(first).toMatchObject({ status: 'CONNECTING', qr: expect.stringMatching(/^data:image/) });
    // The instance still waits, however long that takes.
    expect((await ask(connect, 'demo-admin')).connectChatInstance).toEqual(first);
    const headers = { authorization: `Bearer ${token}` };
    const scanned = await fetch(`${simulator.url}/simulator/instances/demo-reception/scan`, {
      method: 'POST',
      headers,
    });
    expect(await scanned.json()).toEqual({ status: 'CONNECTED' });
  });

  test('the merge of a guest with two phones can be undone', async () => {
    const { inbox } = await ask(
      `{ inbox(first: 1, filter: { search: "Guadalupe" }) { edges { node { id merges { id undoneAt } } } } }`,
    );
    const [{ node }] = inbox.edges;
    expect(node.merges).toEqual([{ id: expect.any(String), undoneAt: null }]);
  });

  test('the journal has calls that were taken and refused', async () => {
    const rows = await app.sql<{ outcome: string }>(
      'SELECT DISTINCT outcome FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY outcome',
      [tenantId],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['processed', 'refused']);
  });

  test('an endpoint is there, and deactivated', async () => {
    const { webhookEndpoints } = await ask(`{ webhookEndpoints { url isEnabled } }`, 'demo-admin');
    expect(webhookEndpoints).toEqual([{ url: 'https://crm.example.com/hooks/leadwire', isEnabled: false }]);
  });

  test('people of open conversations are introduced to the simulator', async () => {
    const introduced: { name?: string | undefined; language?: string | undefined }[] = [];
    await introduceCustomers(app.app.services, {
      ...simulator,
      introduce: (customers) => introduced.push(...customers),
    });
    expect(introduced.length).toBeGreaterThan(15);
    expect(new Set(introduced.map(({ language }) => language))).toEqual(new Set(['en', 'pt', 'es', undefined]));
    expect(introduced.map(({ name }) => name)).not.toContain('Tom Okafor');
  });

  test('filling again changes nothing; a start that was cut short is finished without doubling anything', async () => {
    const before = await countRows();
    expect(await fill()).toBe('complete');
    expect(await countRows()).toEqual(before);
    // This state is that of a first start that ended before its last step.
    await app.sql(`UPDATE messages SET bulk_send_id = NULL WHERE tenant_id = $1`, [tenantId]);
    await app.sql('DELETE FROM bulk_sends WHERE tenant_id = $1', [tenantId]);
    const cutShort = await countRows();
    expect(await fill()).toBe('filled');
    const after = await countRows();
    const newMessages = 6;
    expect(after).toEqual({ ...cutShort, bulk_sends: 1, messages: (cutShort['messages'] ?? 0) + newMessages });
  });

  test('a tenant with leads of its own is left alone', async () => {
    const other = await TestApp.start({ GATEWAY_URL: simulator.url, GATEWAY_TOKEN: token });
    try {
      const tenant = await seedDemo(other.app.services);
      const headers = { 'x-tenant-key': tenant.apiKey };
      await other.post('/public/leads', { chat: '+442079460199', name: 'Own' }, headers);
      const around = { tenantId: tenant.id, apiKey: tenant.apiKey, url: other.url, filesUrl: simulator.url, token };
      expect(await fillDemo(other.app.services, around)).toBe('untouched');
      const [row] = await other.sql<{ leads: number; users: number }>(
        'SELECT (SELECT count(*)::int FROM leads) AS leads, (SELECT count(*)::int FROM users) AS users',
      );
      // The people of the sign-in page are there in any case.
      expect(row).toEqual({ leads: 1, users: 4 });
    } finally {
      await other.stop();
    }
  });
}
