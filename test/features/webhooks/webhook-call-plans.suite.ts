// The journal is large: no statement on it reads a whole table.

import type { NamedStatement } from '../../../src/platform/database/database.js';
import { firstIdAt } from '../../../src/platform/database/record-id.js';
import { deleteOldEntries } from '../../../src/features/intake/journal-writer.js';
import { deleteOldSendAttempts } from '../../../src/features/outbox/old-send-attempts.js';
import { expireParkedStatuses } from '../../../src/features/retention/retention.service.js';
import {
  selectCalls,
  selectCallsByIds,
  selectCallBodies,
  selectReplays,
} from '../../../src/features/journal/webhook-call.sql.js';
import { TestApp, type TestTenant } from '../../support/test-app.js';
import { writeDeliveries } from './journal-harness.js';

export function describeWebhookCallPlans(): void {
  let app: TestApp;
  let tenantId: string;
  let ids: string[];

  // The tenant is one among others: in a table that is all its own, a missing value is best looked for in one go.
  beforeAll(async () => {
    app = await TestApp.start({ PROCESS_ROLE: 'api' });
    const [tenant, other] = [await app.createTenant(), await app.createTenant()];
    tenantId = tenant.id;
    // All rows are in yesterday's partition, whatever the time is: a partition with a few calls would be read whole.
    const ageHours = new Date().getUTCHours() + 12;
    await writeDeliveries(app, other.id, { count: 60_000, ageHours: ageHours + 2 });
    await writeDeliveries(app, tenantId, { count: 20_000, ageHours: ageHours + 2 });
    ids = await writeDeliveries(app, tenantId, { count: 20, outcome: 'refused', ageHours });
    await writeDeliveries(app, tenantId, { count: 20, replayOfId: ids[0]!, ageHours });
    for (const owner of [tenant, other]) await writeMessages(owner);
    await app.sql('ANALYZE');
  });
  afterAll(() => app.stop());

  /** Writes messages, of which some still wait, with an attempt and a parked status each. */
  async function writeMessages({ id, instance }: TestTenant): Promise<void> {
    const statements = [
      `INSERT INTO leads (tenant_id, id, name, source, updated_at) SELECT $1, gen_random_uuid(), $2::uuid, 'x', now()`,
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type)
     SELECT $1, gen_random_uuid(), (SELECT id FROM leads WHERE tenant_id = $1), $2, 'OUTBOUND', 'SENT', 'text'
     FROM generate_series(1, 20000)`,
      `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
     SELECT tenant_id, id, 1, now() - random() * interval '30 days' FROM messages
     WHERE tenant_id = $1 AND instance_id = $2`,
      `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id)
     SELECT tenant_id, id, lead_id, instance_id FROM messages WHERE tenant_id = $1 AND instance_id = $2 LIMIT 5000`,
      `INSERT INTO parked_statuses (tenant_id, id, instance_id, external_id, status, occurred_at, delivery_id, created_at)
     SELECT $1, gen_random_uuid(), $2, id::text, 'SENT', now(), gen_random_uuid(), now() - random() * interval '2 days'
     FROM messages WHERE tenant_id = $1`,
    ];
    for (const statement of statements) await app.sql(statement, [id, instance.id]);
  }

  interface PlanNode {
    'Node Type': string;
    'Relation Name'?: string;
    'Total Cost': number;
    Plans?: PlanNode[];
  }

  async function nodesOf({ text }: { text: string }, values: unknown[]): Promise<PlanNode[]> {
    const [row] = await app.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
    const walk = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(walk)];
    return walk(row!['QUERY PLAN'][0].Plan);
  }

  const list = (filter: object, bound = {}, sort: 'asc' | 'desc' = 'desc') => {
    const { text, values } = selectCalls({ tenantId, filter, bound, sort, limit: 51 });
    return [{ text }, values] as const;
  };
  const named = (statement: NamedStatement, values: () => unknown[]) => () => [statement, values()] as const;
  const hour = 3_600_000;

  test.each<[string, () => readonly [{ text: string }, unknown[]]]>([
    ['a page', () => list({})],
    ['a further page', () => list({}, { lt: ids[3] })],
    ['a page backwards', () => list({}, { gt: ids[3] }, 'asc')],
    ['what somebody may have to repair', () => list({ troubled: true })],
    ['what went well', () => list({ troubled: false })],
    ['an outcome', () => list({ outcomes: ['refused', 'partial'] })],
    ['a span of time', () => list({ since: new Date(Date.now() - hour), until: new Date(Date.now() - hour / 2) })],
    ['a route', () => list({ route: '/webhooks/leads' })],
    ['a dialect', () => list({ dialect: 'cloud' })],
    ['what ran a call again', () => list({ replayOfId: ids[0]! })],
    ['calls by id', named(selectCallsByIds, () => [tenantId, ids])],
    ['bodies', named(selectCallBodies, () => [tenantId, ids])],
    ['replays', named(selectReplays, () => [tenantId, ids, 50])],
    [
      'pruning calls',
      named(deleteOldEntries('webhook_deliveries_past'), () => [
        tenantId,
        firstIdAt(new Date(Date.now() - hour)),
        2_000,
      ]),
    ],
    ['pruning attempts', named(deleteOldSendAttempts, () => [tenantId, 25, 2_000])],
    ['expiring statuses', named(expireParkedStatuses, () => [24, 2_000])],
  ])('%s', async (_, statement) => {
    const nodes = await nodesOf(...statement());
    expect(nodes.filter((node) => node['Relation Name'] !== undefined)).not.toEqual([]);
    // Reading a page costs 1, so a cheaper node reads none.
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Total Cost'] >= 1)).toEqual([]);
  });
}
