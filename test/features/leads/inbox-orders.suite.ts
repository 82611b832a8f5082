// The orders of the inbox: the place of each lead, pages in both directions, and filters with each order. No page reads all of the tenant's
// leads.

import type { LeadConditions } from '../../../src/features/leads/lead.schema.js';
import { selectLeads } from '../../../src/features/leads/lead-list.sql.js';
import { isOptedOut } from '../../../src/features/consent/consent.sql.js';
import { messagesOfLead } from '../../../src/features/messages/message-list.sql.js';
import { query, execute, failureOf } from '../../support/graphql-client.js';
import {
  OrderInboxDocument,
  type InboxFilter,
  type InboxOrder,
  type OrderInboxQueryVariables,
} from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { pick, seededRandom } from '../dashboards/figure-harness.js';

const orders: InboxOrder[] = ['NEWEST_MESSAGE', 'NEWEST_INBOUND', 'LONGEST_WAITING'];
const statuses = ['OPEN', 'SNOOZED', 'CLOSED'] as const;

interface PlainLead {
  id: string;
  lastMessageId: string;
  status: (typeof statuses)[number];
  waitingSince: Date | null;
  lastInboundAt: Date | null;
  unread: number;
  assigneeId: string | null;
}

export function describeInboxOrders(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leads: PlainLead[];
  const count = 120;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    await fill(tenant);
    // The leads of another tenant stand between them.
    await fill(await app.createTenant());
    leads = await app.sql<PlainLead>(
      `SELECT id, last_message_id AS "lastMessageId", conversation_status AS status, waiting_since AS "waitingSince",
         last_inbound_at AS "lastInboundAt", unread_count AS unread, assignee_id AS "assigneeId"
       FROM leads WHERE tenant_id = $1 AND last_message_id IS NOT NULL`,
      [tenant.id],
    );
    expect(leads).toHaveLength(count);
  });

  /** Creates leads of every kind, several of the same time. */
  async function fill({ id, operator }: TestTenant): Promise<void> {
    const random = seededRandom(7);
    for (let index = 0; index < count; index += 1) {
      const status = pick(random, statuses);
      const at = new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 20)));
      const inboundAt = random() < 0.8 ? at : null;
      const waitingSince = inboundAt !== null && random() < 0.5 ? at : null;
      const assigneeId = random() < 0.4 ? operator.id : null;
      const unread = waitingSince !== null && random() < 0.7 ? 1 : 0;
      await app.sql(
        `INSERT INTO leads (tenant_id, id, name, source, updated_at, last_message_id, last_message_position, conversation_status, snoozed_until,
           last_inbound_at, waiting_since, unread_count, assignee_id)
         VALUES ($1, uuidv7(), 'x', 'x', now(), uuidv7($2::int * interval '-1 minute'),
           message_position(now() - $2::int * interval '1 minute'), $3::conversation_status, CASE WHEN $3::conversation_status = 'SNOOZED' THEN now() + interval '1 day' END,
           $4, $5, $6, $7)`,
        [id, Math.floor(random() * 10_000), status, inboundAt, waitingSince, unread, assigneeId],
      );
    }
    await app.sql(
      `INSERT INTO leads (tenant_id, id, name, source, updated_at) SELECT $1, gen_random_uuid(), 'x', 'x', now() FROM generate_series(1, 5)`,
      [id],
    );
  }

  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
  const newestFirst = (one: PlainLead, other: PlainLead) => compare(other.lastMessageId, one.lastMessageId);
  const sorted: Record<InboxOrder, (one: PlainLead, other: PlainLead) => number> = {
    NEWEST_MESSAGE: newestFirst,
    NEWEST_INBOUND: (one, other) =>
      compare(other.lastInboundAt?.getTime() ?? 0, one.lastInboundAt?.getTime() ?? 0) || newestFirst(one, other),
    LONGEST_WAITING: (one, other) =>
      compare(one.waitingSince?.getTime() ?? Infinity, other.waitingSince?.getTime() ?? Infinity) ||
      (one.waitingSince === null ? newestFirst(one, other) : -newestFirst(one, other)),
  };
  const expectedOf = (order: InboxOrder, keeps: (lead: PlainLead) => boolean) =>
    leads
      .filter(keeps)
      .toSorted(sorted[order])
      .map(({ id }) => id);

  const page = async (variables: OrderInboxQueryVariables) =>
    (await query(app, tenant.operator, OrderInboxDocument, variables)).inbox;

  async function pagesOf(orderBy: InboxOrder, filter: InboxFilter, size: number, backwards = false): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ;) {
      const range = backwards ? { last: size, before: cursor } : { first: size, after: cursor };
      const { edges, pageInfo, totalCount } = await page({ orderBy, filter, ...range });
      expect(totalCount).toBe(expectedOf(orderBy, keepsOf(filter)).length);
      const found = edges.map(({ node }) => node.id);
      ids[backwards ? 'unshift' : 'push'](...found);
      if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return ids;
      cursor = (backwards ? pageInfo.startCursor : pageInfo.endCursor) ?? null;
    }
  }

  function keepsOf({ conversationStatuses, waiting, unread, unassigned, assigneeId }: InboxFilter) {
    return (lead: PlainLead) =>
      (conversationStatuses?.includes(lead.status) ?? true) &&
      (waiting == null || (lead.waitingSince !== null) === waiting) &&
      (unread == null || lead.unread > 0 === unread) &&
      (unassigned == null || (lead.assigneeId === null) === unassigned) &&
      (assigneeId == null || lead.assigneeId === assigneeId);
  }

  const filters: [string, () => InboxFilter][] = [
    ['all', () => ({})],
    ['one status', () => ({ conversationStatuses: ['OPEN'] })],
    ['two statuses, one of them twice', () => ({ conversationStatuses: ['CLOSED', 'SNOOZED', 'CLOSED'] })],
    ['who waits', () => ({ waiting: true })],
    ['who does not wait', () => ({ waiting: false, conversationStatuses: ['OPEN'] })],
    ['unread', () => ({ unread: true, conversationStatuses: ['OPEN', 'CLOSED'] })],
    ['assigned to somebody', () => ({ assigneeId: tenant.operator.id, waiting: true })],
    ['assigned to nobody', () => ({ unassigned: true })],
  ];

  describe.each(orders)('%s', (order) => {
    test.each(filters)('%s: the same by pages of any size, from both ends', async (_case, filterOf) => {
      const filter = filterOf();
      const expected = expectedOf(order, keepsOf(filter));
      expect(expected.length).toBeGreaterThan(0);
      for (const size of [7, 50]) {
        expect(await pagesOf(order, filter, size)).toEqual(expected);
        expect(await pagesOf(order, filter, size, true)).toEqual(expected);
      }
    });

    test('a cursor of a lead that the filter leaves out is understood', async () => {
      const expected = expectedOf(order, () => true);
      const all = await page({ orderBy: order, first: count });
      for (const waiting of [true, false])
        for (const index of [0, 30, 60, 90, count - 1]) {
          const { cursor, node } = all.edges[index]!;
          expect(node.id).toBe(expected[index]);
          const kept = (ids: string[]) => expectedOf(order, keepsOf({ waiting })).filter((id) => ids.includes(id));
          const after = await page({ orderBy: order, filter: { waiting }, first: count, after: cursor });
          expect(after.edges.map((edge) => edge.node.id)).toEqual(kept(expected.slice(index + 1)));
          const before = await page({ orderBy: order, filter: { waiting }, last: count, before: cursor });
          expect(before.edges.map((edge) => edge.node.id)).toEqual(kept(expected.slice(0, index)));
        }
    });

    test('a cursor of another order is VALIDATION_FAILED', async () => {
      const { pageInfo } = await page({ orderBy: order, first: 1 });
      for (const orderBy of orders.filter((one) => one !== order)) {
        const answer = await execute(app, tenant.operator, OrderInboxDocument, { orderBy, after: pageInfo.endCursor });
        expect(failureOf(answer).code).toBe('VALIDATION_FAILED');
      }
    });
  });

  describe('where few of many leads wait, and for long', () => {
    const many = 30_000;
    let crowd: TestTenant;

    beforeAll(async () => {
      crowd = await app.createTenant();
      await app.sql(
        `INSERT INTO leads (tenant_id, id, name, source, updated_at, last_message_id, last_message_position, last_inbound_at, waiting_since)
         SELECT $1, gen_random_uuid(), 'x', 'x', now(), uuidv7(n * interval '-1 minute'), message_position(now() - n * interval '1 minute'),
           CASE WHEN n % 2 = 0 THEN now() - n * interval '1 minute' END,
           CASE WHEN n > $2::int - 160 AND n % 2 = 0 THEN now() - n * interval '1 minute' END
         FROM generate_series(1, $2::int) n`,
        [crowd.id, many],
      );
      // Another tenant has many waiting leads, because statistics are of all tenants.
      await app.sql(
        `INSERT INTO leads (tenant_id, id, name, source, updated_at, last_message_id, last_message_position, last_inbound_at, waiting_since)
         SELECT $1, gen_random_uuid(), 'x', 'x', now(), uuidv7(n * interval '-1 minute'), message_position(now() - n * interval '1 minute'), now(), now()
         FROM generate_series(1, $2::int) n`,
        [(await app.createTenant()).id, many],
      );
      await app.sql('VACUUM ANALYZE leads');
    });

    test.each(['lastMessage', 'lastInbound', 'waiting'] as const)('%s: only these are read', async (sequence) => {
      const filter = { waiting: true };
      const direction = sequence === 'waiting' ? 'asc' : 'desc';
      const { newestThrough } = messagesOfLead;
      const scope = { tenantId: crowd.id, filter, sequence, direction, newestThrough, isOptedOut } as const;
      const { text, values } = selectLeads(scope, { direction: 'forward', from: undefined, limit: 51 });
      expect(await app.sql(text, values)).toHaveLength(51);
      expect(await blocksOf(text, values)).toBeLessThan(400);
    });

    test.each(orders)('%s: a page with all of them, and the count', async (orderBy) => {
      const { inbox } = await query(app, crowd.operator, OrderInboxDocument, {
        orderBy,
        filter: { waiting: true },
        first: 100,
      });
      expect([inbox.edges.length, inbox.totalCount, inbox.pageInfo.hasNextPage]).toEqual([80, 80, false]);
    });
  });

  /** The number of blocks of tables and indexes that a statement reads. */
  async function blocksOf(text: string, values: unknown[]): Promise<number> {
    const rows = await app.app.services.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${text}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']);
    expect(plan.filter((line) => line.includes('Seq Scan'))).toEqual([]);
    const [, hits = '0', , reads = '0'] = /shared hit=(\d+)( read=(\d+))?/.exec(plan.join('\n')) ?? [];
    return Number(hits) + Number(reads);
  }

  describe('a page of many leads', () => {
    const many = 30_000;
    let crowd: TestTenant;
    let rare: string;

    beforeAll(async () => {
      crowd = await app.createTenant();
      const { id, operator, admin } = crowd;
      rare = admin.id;
      await app.sql(
        `INSERT INTO leads (tenant_id, id, name, source, updated_at, last_message_id, last_message_position, conversation_status, last_inbound_at, waiting_since,
           unread_count, assignee_id, number_validity)
         SELECT $1, gen_random_uuid(), 'x', 'x', now(), uuidv7(n * interval '-1 minute'), message_position(now() - n * interval '1 minute'),
           CASE WHEN n % 10 = 0 THEN 'OPEN' ELSE 'CLOSED' END::conversation_status, now() - n * interval '1 minute',
           CASE WHEN n % 3 = 0 THEN now() - n * interval '1 minute' END, (n % 3000 = 0)::int,
           CASE WHEN n % 2000 = 1999 THEN $3::uuid WHEN n % 5 = 0 THEN $2::uuid END,
           CASE WHEN n % 3000 = 1 THEN 'INVALID' ELSE 'VALID' END::number_validity
         FROM generate_series(1, $4::int) n`,
        [id, operator.id, rare, many],
      );
      await app.sql('VACUUM ANALYZE leads');
    });

    const sparse: [string, () => LeadConditions][] = [
      ['all', () => ({})],
      ['open', () => ({ conversationStatuses: ['OPEN'] })],
      ['open and closed', () => ({ conversationStatuses: ['OPEN', 'CLOSED'] })],
      ['unread', () => ({ unread: true })],
      ['of somebody with few', () => ({ assigneeId: rare })],
      ['with an invalid number', () => ({ numberValidity: 'INVALID' })],
      ['open, of somebody with few', () => ({ assigneeId: rare, conversationStatuses: ['OPEN'] })],
    ];
    const sequences = [
      ['lastMessage', 'desc'],
      ['lastInbound', 'desc'],
      ['noInbound', 'desc'],
      ['waiting', 'asc'],
      ['notWaiting', 'desc'],
    ] as const;
    const cases = sequences.flatMap(([sequence, direction]) =>
      sparse.map(([name, filterOf]) => [sequence, name, direction, filterOf] as const),
    );
    const invalid = sparse.filter(([name]) => name === 'with an invalid number');
    const byId = invalid.map(([name, filterOf]) => ['id', name, 'desc', filterOf] as const);

    test.each([...cases, ...byId])(
      '%s, %s: reads little more than the page',
      async (sequence, _name, direction, filterOf) => {
        const { newestThrough } = messagesOfLead;
        const scope = { tenantId: crowd.id, filter: filterOf(), sequence, direction, newestThrough, isOptedOut };
        const { text, values } = selectLeads(scope, { direction: 'forward', from: undefined, limit: 51 });
        expect(await blocksOf(text, values)).toBeLessThan(400);
      },
    );
  });

  test('an empty list of statuses is VALIDATION_FAILED', async () => {
    const answer = await execute(app, tenant.operator, OrderInboxDocument, { filter: { conversationStatuses: [] } });
    expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['filter.conversationStatuses'] });
  });
}
