// The number of SQL statements of an operation does not grow with the rows it answers with: one tenant has 3 records of each kind, the
// other 50, and both are asked the same.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

const [few, many] = [3, 50];

export function describeStatementCount(): void {
  let app: TestApp;
  let small: TestTenant;
  let large: TestTenant;

  // The statements that run by themselves: who is calling is read every 3 s, the feed asks on a timer whether there is news, leases end,
  // and the database is asked whether it answers.
  const background = /^(select-active-users|select-tenants-with-ended-leases|read-event-heads|read-mode)$/;
  let statements: string[] = [];
  const originalQuery = pg.Client.prototype.query;

  interface Connected {
    database?: string;
    connectionParameters?: { application_name?: string };
  }

  // Every statement of the application passes here, Prisma's and ours. The queue, the test and other applications have connections of their
  // own.
  function countingQuery(this: pg.Client & Connected, ...args: any[]) {
    const [query] = args as [string | { text: string; name?: string }];
    const { text, name } = typeof query === 'string' ? { text: query, name: undefined } : query;
    const isOurs =
      this.connectionParameters?.application_name === 'leadwire' && app.database.url.endsWith(`/${this.database}`);
    if (isOurs && !background.test(name ?? text)) statements.push(text);
    return originalQuery.apply(this, args as Parameters<typeof originalQuery>);
  }

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api', GRAPHQL_MAX_COST: '1000000' });
    [small, large] = [await app.createTenant(), await app.createTenant()];
    await fill(small, few);
    await fill(large, many);
    // The counts of dashboards are computed now, so that no counted statement has to.
    await app.app.services.rollUps.catchUpAll();
    pg.Client.prototype.query = countingQuery as unknown as typeof originalQuery;
  });

  afterAll(async () => {
    pg.Client.prototype.query = originalQuery;
  });

  async function ask(tenant: TestTenant, query: string, variables: Record<string, unknown> = {}) {
    statements = [];
    const answer = await app.post('/graphql', { query, variables }, withToken(tenant.admin));
    const { data, errors } = (await answer.json()) as { data: Record<string, any>; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return { data, statements };
  }

  // Each lead gets an assignee with an account and an instance, a template, a bulk send of it, and a dashboard. The first lead gets a
  // message of each instance.
  const fillTenant = `
  WITH item AS MATERIALIZED (
    SELECT l.id AS lead_id, first_value(l.id) OVER (ORDER BY l.id) AS first_lead_id, row_number() OVER (ORDER BY l.id) AS n,
      uuidv7() AS user_id, uuidv7() AS account_id, uuidv7() AS instance_id, uuidv7() AS template_id, uuidv7() AS bulk_send_id,
      uuidv7() AS message_id, uuidv7() AS first_message_id
    FROM leads l WHERE l.tenant_id = $1
  ), users AS (
    INSERT INTO users (tenant_id, id, role, email, updated_at) SELECT $1, user_id, 'OPERATOR', n || '@' || $2, now() FROM item
  ), accounts AS (
    INSERT INTO accounts (tenant_id, id, user_id, name, updated_at) SELECT $1, account_id, user_id, 'Account', now() FROM item
  ), instances AS (
    INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, updated_at)
    SELECT $1, instance_id, account_id, 'instance ' || n, now() FROM item
  ), templates AS (
    INSERT INTO templates (tenant_id, id, name, body, updated_at) SELECT $1, template_id, 'Template ' || n, 'Oi {{name}}', now() FROM item
  ), versions AS (
    INSERT INTO template_versions (tenant_id, template_id, version, body, author_id)
    SELECT $1, template_id, 1, 'Oi {{name}}', user_id FROM item
  ), bulk_sends AS (
    INSERT INTO bulk_sends (tenant_id, id, template_id, template_version, instance_id, author_id, idempotency_key, content_hash, total)
    SELECT $1, bulk_send_id, template_id, 1, instance_id, user_id, n::text, '\\x00', 1 FROM item
  ), message AS (
    SELECT message_id AS id, lead_id, instance_id, template_id, bulk_send_id, user_id FROM item
    UNION ALL SELECT first_message_id, first_lead_id, instance_id, template_id, NULL, user_id FROM item
  ), messages AS (
    INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, template_id, template_version, bulk_send_id,
      author_id, external_id, reply_to_external_id)
    SELECT $1, id, lead_id, instance_id, 'OUTBOUND', 'QUEUED', 'text', 'Oi', template_id, 1, bulk_send_id, user_id, 'of ' || id, 'of ' || id
    FROM message
  ), transitions AS (
    INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
    SELECT $1, uuidv7(), id, 'QUEUED', 'user', now() FROM message
  ), outbox AS (
    INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id) SELECT $1, id, lead_id, instance_id FROM message
  ), dashboards AS (
    INSERT INTO dashboards (tenant_id, id, name, widgets, updated_at) SELECT $1, uuidv7(), 'Dashboard ' || n, '[]', now() FROM item
  ), notes AS (
    INSERT INTO lead_notes (tenant_id, id, lead_id, author_id, body) SELECT $1, uuidv7(), lead_id, user_id, 'x' FROM item
  ), touches AS (
    INSERT INTO lead_touches (tenant_id, id, lead_id, source) SELECT $1, uuidv7(), lead_id, 'x' FROM item
  ), audited AS (
    INSERT INTO audit_entries (tenant_id, id, actor_kind, actor_id, action, target_kind, target_id)
    SELECT $1, uuidv7(), 'USER', user_id, 'TEMPLATE_CREATED', 'TEMPLATE', template_id FROM item
  )
  UPDATE leads l SET assignee_id = item.user_id, last_message_id = item.message_id,
    last_message_position = message_position(now())
  FROM item WHERE l.tenant_id = $1 AND l.id = item.lead_id`;

  /** Writes `size` records of each kind. */
  async function fill(tenant: TestTenant, size: number): Promise<void> {
    for (let index = 0; index < size; index += 10) {
      const messages = Array.from({ length: Math.min(10, size - index) }, (_, offset) => {
        const from = `49151${String(index + offset).padStart(7, '0')}`;
        return { messageId: from, from, text: 'Oi' };
      });
      await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
    }
    await app.sql(fillTenant, [tenant.id, `${tenant.slug}.example`]);
  }

  const message = `id body status error { code } queuePosition waitingReason estimatedSendAt
  lead { id name } instance { id instanceName pausedUntil } template { id name } timeline { toStatus }`;

  const thread = 'id body author { id email } replyToExternalId replyTo { id body }';

  const lead =
    'id name unreadCount assignee { id email account { id } tenant { id } } identities { kind value } merges { id }';

  const page = 'pageInfo { hasNextPage hasPreviousPage endCursor }';

  const inPages = (list: string, selection: string) =>
    `{ ${list}(first: 100) { edges { node { ${selection} } } ${page} } }`;

  // Each kind of record takes one statement, and is read at one level only: statements of two levels at the same moment may or may not
  // become one. Showing keys is a transaction with its audit entries.
  const operations: [name: string, query: string, count: (data: Record<string, any>) => number, statements: number][] =
    [
      [
        'the page of an inbox',
        inPages('inbox', 'id name unreadCount lastMessage { id body } assignee { id email }'),
        sizeOf('inbox'),
        1,
      ],
      [
        'inbox, with the messages of each lead',
        inPages('inbox', `${lead} lastMessage { id body } messages(last: 1) { edges { node { ${message} } } ${page} }`),
        sizeOf('inbox'),
        11,
      ],
      [
        'inbox, with the last message in full',
        inPages('inbox', `${lead} lastMessage { ${message} }`),
        sizeOf('inbox'),
        10,
      ],
      [
        'inbox, with the instance that a reply to each leaves through',
        inPages('inbox', 'id replyInstance { id instanceName }'),
        sizeOf('inbox'),
        3,
      ],
      [
        'leads, with who wrote their messages and what these quote',
        inPages('leads', `id messages(first: 2) { edges { node { ${thread} } } }`),
        sizeOf('leads'),
        4,
      ],
      [
        'leads, with the messages of each',
        inPages('leads', `${lead} messages(first: 2) { edges { node { ${message} } } ${page} }`),
        sizeOf('leads'),
        11,
      ],
      [
        'leads, with the notes and touches of each, all of them counted',
        `{ leads(first: 100, orderBy: {field: NAME}) { totalCount edges { node { notes { totalCount edges { node { body author { id } } } }
      touches { totalCount edges { node { source } } } } } } }`,
        sizeOf('leads'),
        7,
      ],
      [
        'templates',
        '{ templates(first: 100) { edges { node { id variables { name } versions { version author { id email } } } } } }',
        sizeOf('templates'),
        3,
      ],
      [
        'dashboards',
        '{ dashboards(first: 100) { totalCount edges { node { id timeZone range { preset from to } widgets { id } } } } }',
        sizeOf('dashboards'),
        4,
      ],
      [
        'bulkSends',
        '{ bulkSends(first: 100) { edges { node { id progress { queued } template { id } instance { id } } } } }',
        sizeOf('bulkSends'),
        4,
      ],
      [
        'chatInstances',
        '{ chatInstances { id account { id } pausedUntil pauseReason baseUrl hasToken webhookVerifyToken } }',
        ({ chatInstances }) => chatInstances.length,
        3,
      ],
      [
        'chatInstances, with their traffic',
        '{ chatInstances { id traffic { lastInAt waiting sent hours { start sent } } } }',
        ({ chatInstances }) => chatInstances.length,
        4,
      ],
      [
        'users',
        '{ users(first: 100) { edges { node { id email account { id } tenant { id apiKey } } } } }',
        sizeOf('users'),
        6,
      ],
      ['auditLog', '{ auditLog(first: 100) { edges { node { id actor { id email } } } } }', sizeOf('auditLog'), 2],
      [
        'webhookDeliveries',
        '{ webhookDeliveries(first: 100) { edges { node { id body bodyBase64 replayOf { id } replays { id } } } } }',
        sizeOf('webhookDeliveries'),
        4,
      ],
    ];

  function sizeOf(connection: string) {
    return (data: Record<string, any>): number => data[connection].edges.length;
  }

  test.each(operations)('%s', async (_name, query, count, expected) => {
    const ofFew = await ask(small, query);
    const ofMany = await ask(large, query);
    expect(count(ofMany.data)).toBeGreaterThan(count(ofFew.data));
    expect(ofFew.statements).toHaveLength(expected);
    expect(ofMany.statements.map(kindOf).sort()).toEqual(ofFew.statements.map(kindOf).sort());
  });

  /** A statement without its number of values. */
  function kindOf(statement: string): string {
    return statement.replaceAll(/IN \([$\d,]+\)|\$\d+/g, '$');
  }

  test('messages of one lead', async () => {
    const query = `query ($leadId: ID!) { messages(leadId: $leadId, first: 100) { edges { node { ${message} } } ${page} } }`;
    const answers = [];
    for (const tenant of [small, large]) {
      const oldest = await ask(
        tenant,
        '{ leads(first: 200) { edges { node { id messages { edges { node { id } } } } } } }',
      );
      const leads: any[] = oldest.data['leads'].edges.map(({ node }: any) => node);
      leads.sort((a, b) => b.messages.edges.length - a.messages.edges.length);
      answers.push(await ask(tenant, query, { leadId: leads[0].id }));
    }
    const [ofFew, ofMany] = answers;
    expect(ofMany!.data['messages'].edges.length).toBeGreaterThan(many);
    expect(ofMany!.statements).toHaveLength(ofFew!.statements.length);
  });

  test('widgets of a dashboard that ask the same of the calendar and of the messages: once', async () => {
    const widgets = Array.from({ length: 24 }, (_, n) => ({
      type: 'SERIES',
      title: `${n}`,
      metric: 'MESSAGES',
      bucket: 'DAY',
    }));
    const create = 'mutation ($input: CreateDashboardInput!) { createDashboard(input: $input) { id } }';
    const { data } = await ask(small, create, { input: { name: 'Series', widgets } });
    const look =
      'query ($id: ID!) { dashboard(id: $id) { widgets { ... on SeriesWidget { data { points { value } } } } } }';
    const answer = await ask(small, look, { id: data['createDashboard'].id });
    expect(answer.data['dashboard'].widgets).toHaveLength(24);
    // The five statements read the dashboard, the work that is left to compute, the range, its days, and the counts.
    expect(answer.statements).toHaveLength(5);
  });

  test('a query that fails runs each statement once, also from the second time on, and has the same errors', async () => {
    const text = `{ leads(first: 3) { edges { node {
      id assignee { id } messages(first: 2) { edges { node { id instance { id } } } } replyWindow(instanceId: "${randomUUID()}") { isOpen }
    } } } }`;
    const fail = async () => {
      statements = [];
      const answer = await app.post('/graphql', { query: text }, withToken(large.admin));
      const { data, errors } = (await answer.json()) as { data: object; errors: { message: string; path: string[] }[] };
      const told = errors.map(({ message: sentence, path }) => ({ sentence, path }));
      return { data, errors: told, statements: statements.toSorted() };
    };
    const first = await fail();
    expect(first.errors).toHaveLength(3);
    for (let time = 2; time <= 4; time += 1) expect(await fail()).toEqual(first);
  });

  describe('pages of messages inside a list', () => {
    const plainMessage =
      'id body direction status type createdAt receivedAt templateVersion media { url } lead { id } instance { id }';
    const nested = (args: string) =>
      `{ leads(first: 100) { edges { node { id messages${args} { edges { cursor node { ${plainMessage} } } ${page} } } } } }`;
    const leadsOf = async (args: string): Promise<any[]> =>
      (await ask(large, nested(args))).data['leads'].edges.map(({ node }: any) => node);

    test('are one statement, and one more to tell what lies behind a cursor', async () => {
      const plain = await ask(large, nested('(first: 1)'));
      const cursor = plain.data['leads'].edges[3].node.messages.edges[0].cursor as string;
      const behind = await ask(large, nested(`(first: 1, after: "${cursor}")`));
      expect(behind.statements.length).toBe(plain.statements.length + 1);
    });

    test.each(['', '(first: 1)', '(last: 1)', '(first: 0)'])(
      'messages%s is what the lead alone gives',
      async (args) => {
        for (const { id, messages } of (await leadsOf(args)).slice(-3)) {
          const alone = await ask(
            large,
            `query ($id: ID!) { messages(leadId: $id${args === '' ? '' : `, ${args.slice(1, -1)}`}) { edges { cursor node { ${plainMessage} } } ${page} } }`,
            { id },
          );
          expect(messages).toEqual(alone.data['messages']);
        }
      },
    );

    test.each(['first: 1, after', 'last: 1, before'])('messages(%s) is what the lead alone gives', async (args) => {
      const [oldest] = (await leadsOf('')).slice(-1);
      const middle = oldest.messages.edges[1].cursor as string;
      const nestedPages = await leadsOf(`(${args}: "${middle}")`);
      const { id, messages } = nestedPages.find((other) => other.id === oldest.id);
      const alone = await ask(
        large,
        `query ($id: ID!) { messages(leadId: $id, ${args}: "${middle}") { edges { cursor node { ${plainMessage} } } ${page} } }`,
        { id },
      );
      expect(messages).toEqual(alone.data['messages']);
      expect(messages.edges).toHaveLength(1);
    });
  });
}
