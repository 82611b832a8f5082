// Counts that move with a lead's source and assignee, compared with a count of the messages: also while everything else about leads and
// messages changes, and while the version before counts along.

import pg from 'pg';
import { RollUpService } from '../../../src/features/dashboards/roll-up.service.js';
import { messageStates } from '../../../src/features/dashboards/metric.js';
import type { NamedStatement, SqlRunner } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { TestApp } from '../../support/test-app.js';
import {
  addConversations,
  createCast,
  pick,
  readPlain,
  seededRandom,
  type Cast,
  type Random,
} from './figure-harness.js';

const quarterMs = 900_000;
const at = new Date('2026-05-05T12:00Z');
const statuses = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELED'];

/** How the version before computes all changes of a tenant: it counts under what the leads have now. */
const countedByVersionBefore = `BEGIN;
  SELECT pg_advisory_xact_lock(hashtext('leadwire dashboards'), hashtext(:tenant::text));
  CREATE TEMPORARY TABLE taken ON COMMIT DROP AS SELECT id, quarters FROM dashboard_changes WHERE tenant_id = :tenant;
  DELETE FROM message_counts WHERE tenant_id = :tenant AND quarter IN (SELECT unnest(quarters) FROM taken);
  INSERT INTO message_counts (tenant_id, quarter, dimension, key, ${messageStates.join(', ')})
  SELECT m.tenant_id, quarter_of(m.created_at), k.dimension, k.key, count(*) FILTER (WHERE m.direction = 'INBOUND'),
    ${messageStates
      .slice(1)
      .map((state) => `count(*) FILTER (WHERE m.status = '${state.toUpperCase()}')`)
      .join(', ')}
  FROM messages m JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id
  CROSS JOIN LATERAL (VALUES ('TOTAL', ''), ('INSTANCE', coalesce(m.instance_id::text, '')), ('SOURCE', l.source),
    ('ASSIGNEE', coalesce(l.assignee_id::text, '')), ('AUTHOR', coalesce(m.author_id::text, '')),
    ('TEMPLATE', coalesce(m.template_id::text, ''))) k (dimension, key)
  WHERE m.tenant_id = :tenant AND NOT m.is_notice AND quarter_of(m.created_at) IN (SELECT unnest(quarters) FROM taken)
  GROUP BY 1, 2, 3, 4;
  DELETE FROM dashboard_changes WHERE tenant_id = :tenant AND id IN (SELECT id FROM taken);
  COMMIT`;

export function describeMovedCounts(): void {
  let app: TestApp;

  beforeAll(async () => {
    // Without a worker, only the tests count.
    app = await TestApp.start({ PROCESS_ROLE: 'api' });
  });
  afterAll(() => app.stop());

  /** @param count the number of messages, of eight leads */
  async function createCounted(random: Random, count: number): Promise<Cast> {
    const cast = await createCast(app, await app.createTenant());
    await addConversations(app, cast, { random, at, edges: [at], count });
    await app.app.services.rollUps.catchUp(cast.tenantId);
    return cast;
  }

  /** The counts of the table, by quarter, dimension, key and state. */
  async function readCounts(tenantId: string): Promise<Record<string, number>> {
    const rows = await app.sql<Record<string, number> & { quarter: Date; dimension: string; key: string }>(
      'SELECT * FROM message_counts WHERE tenant_id = $1',
      [tenantId],
    );
    const cells = rows.flatMap(({ quarter, dimension, key, ...row }) =>
      messageStates.map((state) => [`${quarter.toISOString()} ${dimension} ${key} ${state}`, row[state] ?? 0] as const),
    );
    const empty = rows.filter((row) => messageStates.every((state) => row[state] === 0));
    expect(empty).toEqual([]);
    return Object.fromEntries(cells.filter(([, count]) => count !== 0));
  }

  async function countPlainly(tenantId: string): Promise<Record<string, number>> {
    const { messages } = await readPlain(app, tenantId);
    const leads = await app.sql<{ id: string; source: string; assigneeId: string | null }>(
      'SELECT id, source, assignee_id AS "assigneeId" FROM leads WHERE tenant_id = $1',
      [tenantId],
    );
    const leadsById = new Map(leads.map((lead) => [lead.id, lead]));
    const counts: Record<string, number> = {};
    for (const message of messages) {
      const lead = leadsById.get(message.leadId);
      const quarter = new Date(Math.floor(message.createdAt.getTime() / quarterMs) * quarterMs).toISOString();
      const state = message.direction === 'INBOUND' ? 'received' : message.status?.toLowerCase();
      const keys = {
        TOTAL: '',
        INSTANCE: message.instanceId,
        SOURCE: lead?.source,
        ASSIGNEE: lead?.assigneeId,
        AUTHOR: message.authorId,
        TEMPLATE: message.templateId,
      };
      for (const [dimension, key] of Object.entries(keys)) {
        const cell = `${quarter} ${dimension} ${key ?? ''} ${state}`;
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
    }
    return counts;
  }

  async function expectExact(tenantId: string): Promise<void> {
    expect(await readCounts(tenantId)).toEqual(await countPlainly(tenantId));
    expect(await app.sql('SELECT lead_id FROM counts_to_move WHERE tenant_id = $1', [tenantId])).toEqual([]);
  }

  /** @param before is called with the name of each statement before it runs */
  function watched(before: (statement: string) => unknown): RollUpService {
    const { database } = app.app.services;
    const watching = (sql: SqlRunner): SqlRunner => ({
      ...sql,
      query: async (statement: NamedStatement, values: unknown[]) => {
        await before(statement.name);
        return sql.query(statement, values);
      },
    });
    const watchingAll = {
      query: watching({ query: database.query.bind(database) }).query,
      transaction: async (work: (sql: SqlRunner) => Promise<unknown>, options: { tenantId: string }) => {
        await before('transaction');
        return database.transaction((sql) => work(watching(sql)), options);
      },
    } as Pick<typeof database, 'query' | 'transaction'>;
    return new RollUpService({ database: watchingAll, log: createLogger('silent') });
  }

  const receive = (tenantId: string, instanceId: string | undefined) =>
    app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
       SELECT $1, gen_random_uuid(), id, $2, 'INBOUND', 'text', $3 FROM leads WHERE tenant_id = $1`,
      [tenantId, instanceId, at],
    );
  const setSource = (tenantId: string, source: string) =>
    app.sql('UPDATE leads SET source = $2 WHERE tenant_id = $1', [tenantId, source]);

  test('another assignee or source moves the counts of its lead, and counts no quarter again', async () => {
    const random = seededRandom(1);
    const cast = await createCounted(random, 300);
    const statements: string[] = [];
    const change = (set: string, ...values: unknown[]) =>
      app.sql(`UPDATE leads SET ${set} WHERE tenant_id = $1`, [cast.tenantId, ...values]);
    await change('assignee_id = $2', cast.userIds[0]);
    await change('assignee_id = NULL, source = $2', 'fair');
    // A source that was changed back has moved nothing.
    await change('source = $2', 'x');
    await change('source = $2', 'fair');
    await watched((name) => statements.push(name)).catchUp(cast.tenantId);
    expect(statements).toContain('move-message-counts');
    expect(statements.filter((name) => /counts?$/.test(name) && name !== 'move-message-counts')).toEqual([]);
    expect(statements.filter((name) => name.includes('reply-times'))).toEqual([]);
    await expectExact(cast.tenantId);
  });

  test('more leads than move at once are moved by one reading', async () => {
    const cast = await createCounted(seededRandom(2), 10);
    await app.sql(
      `WITH made AS (INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'x', 'fair', $3, now() FROM generate_series(1, 120) RETURNING id)
       INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
       SELECT $1, gen_random_uuid(), id, $2, 'INBOUND', 'text', $3 FROM made`,
      [cast.tenantId, cast.instanceIds[0], at],
    );
    const { rollUps } = app.app.services;
    await rollUps.catchUp(cast.tenantId);
    await app.sql('UPDATE leads SET source = $2 WHERE tenant_id = $1', [cast.tenantId, 'website']);
    await rollUps.catchUp(cast.tenantId);
    await expectExact(cast.tenantId);
  });

  test('the run of each minute moves counts of tenants without other changes', async () => {
    const cast = await createCounted(seededRandom(3), 40);
    await app.sql('UPDATE leads SET source = $2 WHERE tenant_id = $1', [cast.tenantId, 'fair']);
    await app.app.services.rollUps.catchUpAll();
    await expectExact(cast.tenantId);
  });

  test('a lead that changes while its quarters are counted again is counted once', async () => {
    const { tenantId, instanceIds } = await createCounted(seededRandom(4), 40);
    await receive(tenantId, instanceIds[0]);
    const changing = watched((name) => name === 'delete-message-counts' && setSource(tenantId, 'later'));
    await changing.catchUp(tenantId);
    expect(await app.sql('SELECT id FROM counts_to_move WHERE tenant_id = $1', [tenantId])).not.toEqual([]);
    await app.app.services.rollUps.catchUp(tenantId);
    await expectExact(tenantId);
  });

  test('quarters that were not moved, as they had changes, are counted after the run that has moved the others was interrupted', async () => {
    const { tenantId, instanceIds } = await createCounted(seededRandom(5), 40);
    // The leads are more than one transaction computes, so that others come between.
    await app.sql(
      `INSERT INTO leads (tenant_id, id, name, source, created_at, updated_at)
       SELECT $1, gen_random_uuid(), 'x', 'fair', $2, now() FROM generate_series(1, 600)`,
      [tenantId, at],
    );
    await receive(tenantId, instanceIds[0]);
    const interrupted = watched((name) => {
      if (name === 'select-dashboard-changes') throw new Error('interrupted');
    });
    let isCounted = false;
    const slow = watched(async (name) => {
      if (name === 'insert-message-counts') isCounted = true;
      if (name !== 'transaction' || !isCounted) return;
      await setSource(tenantId, 'later');
      await expect(interrupted.catchUp(tenantId)).rejects.toThrow('interrupted');
    });
    await slow.catchUp(tenantId);
    await app.app.services.rollUps.catchUp(tenantId);
    await expectExact(tenantId);
  });

  test('what the version before counts, which cannot move counts, is counted again', async () => {
    const { tenantId, instanceIds } = await createCounted(seededRandom(6), 40);
    await receive(tenantId, instanceIds[0]);
    await setSource(tenantId, 'later');
    await app.sql(countedByVersionBefore.replaceAll(':tenant', `'${tenantId}'::uuid`));
    await app.app.services.rollUps.catchUp(tenantId);
    await expectExact(tenantId);
  });

  test.each([11, 12, 13, 14])('counts stay exact while everything changes at the same time: seed %i', async (seed) => {
    const random = seededRandom(seed);
    const cast = await createCounted(random, 150);
    const { tenantId } = cast;
    const { leads } = await readPlain(app, tenantId);
    const leadIds = leads.map(({ id }) => id);
    const anyMessage = '(SELECT id FROM messages WHERE tenant_id = $1 ORDER BY md5(id::text || $2) LIMIT 1)';
    const changes: (() => Promise<unknown>)[] = [
      () => update('leads', 'assignee_id = $3', pick(random, [null, ...cast.userIds])),
      () => update('leads', 'source = $3', pick(random, cast.sources)),
      () => onMessage('UPDATE messages SET status = $3', pick(random, statuses), "direction = 'OUTBOUND'"),
      () => onMessage('UPDATE messages SET lead_id = $3', pick(random, leadIds)),
      () => onMessage('DELETE FROM messages', null, '$3::text IS NULL'),
      () => merge(pick(random, leadIds), pick(random, leadIds)),
      () =>
        app.sql(
          `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, created_at)
           SELECT $1, gen_random_uuid(), id, $3, 'INBOUND', 'text', $4 FROM leads WHERE tenant_id = $1 AND id = $2`,
          [tenantId, pick(random, leadIds), cast.instanceIds[0], new Date(at.getTime() + random() * 8 * quarterMs)],
        ),
    ];
    function update(table: string, set: string, value: unknown) {
      return app.sql(`UPDATE ${table} SET ${set} WHERE tenant_id = $1 AND id = $2`, [
        tenantId,
        pick(random, leadIds),
        value,
      ]);
    }
    function onMessage(change: string, value: unknown, condition = 'true') {
      const text = `${change} WHERE tenant_id = $1 AND id = ${anyMessage} AND ${condition}`;
      return app.sql(text, [tenantId, String(random()), value]);
    }
    function merge(from: string, into: string) {
      return from === into
        ? Promise.resolve()
        : app.sql(`BEGIN; UPDATE messages SET lead_id = '${into}' WHERE tenant_id = '${tenantId}' AND lead_id = '${from}';
            UPDATE leads SET merged_into_id = '${into}' WHERE tenant_id = '${tenantId}' AND id = '${from}';
            UPDATE leads SET merged_into_id = NULL WHERE tenant_id = '${tenantId}' AND id = '${from}'; COMMIT`);
    }
    const changed = new AbortController();
    const change = async () => {
      for (let count = 0; count < 60; count += 1) await retried(pick(random, changes));
    };
    const countOn = async () => {
      while (!changed.signal.aborted) await app.app.services.rollUps.catchUp(tenantId);
    };
    const before = new pg.Client({ connectionString: app.database.url });
    await before.connect();
    const text = countedByVersionBefore.replaceAll(':tenant', `'${tenantId}'::uuid`);
    const countBefore = async () => {
      while (!changed.signal.aborted) await before.query(text);
    };
    const counting = [countOn(), countOn(), ...(seed % 2 === 0 ? [countBefore()] : [])];
    try {
      await Promise.all([change(), change(), change()]);
    } finally {
      changed.abort();
      await Promise.all(counting);
      await before.end();
    }
    await app.app.services.rollUps.catchUp(tenantId);
    await expectExact(tenantId);
    await app.sql('DELETE FROM leads WHERE tenant_id = $1 AND id = ANY($2)', [tenantId, leadIds.slice(0, 4)]);
    await update('leads', 'source = $3', 'website');
    await app.app.services.rollUps.catchUp(tenantId);
    await expectExact(tenantId);
  });
}

/** Changes of several rows may wait for each other. */
async function retried(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
    await retried(work);
  }
}
