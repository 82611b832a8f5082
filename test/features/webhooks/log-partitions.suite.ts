// The partitions of the journal and the event log by time: they exist ahead, go whole once they are old, and no row is ever without a
// place.

import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { LogPartitions } from '../../../src/features/retention/log-partitions.js';
import { RetentionService, type RetentionOptions } from '../../../src/features/retention/retention.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { EventLog } from '../../../src/platform/events/event-log.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { applyMigrations } from '../../../src/platform/database/migrations.js';
import type { PartitionedTable } from '../../../src/platform/database/partitioned-table.js';
import { firstIdAt } from '../../../src/platform/database/record-id.js';
import { until as waitUntil } from '../messages/sending-harness.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { createTestDatabase } from '../../support/test-database.js';
import { inboundPath, readJournal, someMessage } from './journal-harness.js';

const dayMs = 86_400_000;
const retention = { deliveryDays: 10, eventDays: 7 };
const migrationsDir = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

export function describeLogPartitions(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let partitions: LogPartitions;

  beforeAll(async () => {
    app = await TestApp.start({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    partitions = partitionsOf(app.app.services.database);
  });

  afterAll(() => app.stop());

  function partitionsOf(database: Database): LogPartitions {
    return new LogPartitions({ database, log: createLogger('silent'), ...retention });
  }

  function pruningWith(log: RetentionOptions['log'] = createLogger('silent')): RetentionService {
    const { database } = app.app.services;
    return new RetentionService({
      database,
      partitions,
      log,
      settleParkedChanges: () => Promise.resolve(),
      clearErasedCalls: () => Promise.resolve(0),
      ...retention,
      parkedStatusHours: 24,
      endpointDeliveryDays: 7,
      mediaDays: 0,
      chunkSize: 100,
    });
  }

  /** The time of midnight in UTC, so many days from today. */
  function midnight(days: number): Date {
    return new Date((Math.floor(Date.now() / dayMs) + days) * dayMs);
  }

  const boundOf = (table: PartitionedTable, days: number) =>
    table === partitions.events ? midnight(days).toISOString().slice(0, 10) : firstIdAt(midnight(days));

  /** Replaces all partitions: the first one ends at the first of the days, and one lies between every two of them. Rows go. */
  async function partitionAt(table: PartitionedTable, days: readonly number[]): Promise<void> {
    await app.sql(`TRUNCATE ${table.table}`);
    for (const { name } of await table.list()) await app.sql(`DROP TABLE partitions.${name}`);
    for (const [index, day] of days.entries()) {
      const before = days[index - 1];
      const from = before === undefined ? 'MINVALUE' : `'${boundOf(table, before)}'`;
      await app.sql(
        `CREATE TABLE partitions.${table.table}_${index} PARTITION OF ${table.table} FOR VALUES FROM (${from}) TO ('${boundOf(table, day)}')`,
      );
    }
  }

  /** Writes one call and one event at noon of each day. */
  async function writeDays(days: readonly number[]): Promise<void> {
    for (const day of days) {
      const at = new Date(midnight(day).getTime() + dayMs / 2);
      await app.sql(
        `INSERT INTO webhook_deliveries (tenant_id, id, route, headers, body, body_bytes, outcome, received_at)
       VALUES ($1, $2, '/webhooks/leads', '{}', '\\x7b7d', 2, 'processed', $3)`,
        [tenant.id, firstIdAt(at), at],
      );
      await app.sql(
        `WITH head AS (
         INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, 1)
         ON CONFLICT (tenant_id) DO UPDATE SET last_seq = h.last_seq + 1 RETURNING last_seq
       ) INSERT INTO events (tenant_id, seq, type, occurred_at, logged_on) SELECT $1, last_seq, 'LEAD_UPDATED', $2, $3 FROM head`,
        [tenant.id, at, at.toISOString().slice(0, 10)],
      );
    }
  }

  /** The days that are left, and the tables that hold their rows. */
  async function daysLeft(column: 'received_at' | 'occurred_at'): Promise<[day: number, partition: string][]> {
    const table = column === 'received_at' ? 'webhook_deliveries' : 'events';
    const rows = await app.sql<{ at: Date; partition: string }>(
      `SELECT ${column} AS at, tableoid::regclass::text AS partition FROM ${table} WHERE tenant_id = $1 ORDER BY 1`,
      [tenant.id],
    );
    return rows.map(({ at, partition }) => [
      Math.floor((at.getTime() - midnight(0).getTime()) / dayMs),
      partition.replace('partitions.', ''),
    ]);
  }

  async function expectWhole(table: PartitionedTable, { from, days }: { from: number; days: number }): Promise<void> {
    const ahead = (await table.list()).filter(({ until }) => until!.getTime() > midnight(from).getTime());
    expect(ahead[0]?.from).toEqual(midnight(from));
    for (const [index, { until }] of ahead.slice(0, -1).entries()) expect(ahead[index + 1]?.from).toEqual(until);
    expect(ahead.at(-1)?.until?.getTime()).toBeGreaterThanOrEqual(midnight(days).getTime());
  }

  test('a start leaves none missing, and says so', async () => {
    const { logPartitions } = app.app.services;
    await logPartitions.look();
    for (const table of [logPartitions.deliveries, logPartitions.events]) {
      const all = await table.list();
      expect(all[0]).toMatchObject({ name: `${table.table}_past`, from: null });
      for (const [index, { until }] of all.slice(0, -1).entries()) expect(all[index + 1]?.from).toEqual(until);
      expect(logPartitions.daysCovered(table.table)).toBeGreaterThan(3);
      expect(logPartitions.rowsWithout(table.table)).toBe(0);
    }
  });

  test('many make them at once: each is there once', async () => {
    for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [0, 1]);
    await Promise.all(Array.from({ length: 5 }, () => partitionsOf(app.app.services.database).extend()));
    for (const table of [partitions.deliveries, partitions.events]) await expectWhole(table, { from: 1, days: 4 });
  });

  describe('what is old', () => {
    const kept = [
      [-8, 'events_3'],
      [-6, 'events_3'],
      [-3, 'events_4'],
      [0, 'events_4'],
    ];

    beforeEach(async () => {
      for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [-30, -20, -12, -5, 2]);
      await writeDays([-40, -25, -13, -8, -6, -3, 0]);
    });

    test('goes by partition, and only where the whole of it is; the rest can be read as before', async () => {
      const pruned = await pruningWith().prune();
      expect(pruned).toMatchObject({ deliveries: 0, events: 0 });
      expect(pruned.partitions).toEqual(
        ['webhook_deliveries', 'events'].flatMap((table) => [`${table}_0`, `${table}_1`, `${table}_2`]),
      );
      expect(await daysLeft('occurred_at')).toEqual(kept);
      const journal = await readJournal(app, tenant);
      expect(journal.map(({ receivedAt }) => new Date(receivedAt).getTime())).toEqual(
        [0, -3, -6, -8].map((day) => midnight(day).getTime() + dayMs / 2),
      );
      expect((await pruningWith().prune()).partitions).toEqual([]);
    });

    test('leaves an event log without gaps: who has seen less is told to read again', async () => {
      const log = new EventLog(app.app.services.database);
      const { seq: headSeq } = await log.headOf(tenant.id);
      await pruningWith().prune();
      const { events } = await log.readAfter(tenant.id, { seq: headSeq - 4 }, 10);
      expect(events.map(({ seq }) => seq)).toEqual([3, 2, 1, 0].map((back) => headSeq - back));
      const missed = await log.readAfter(tenant.id, { seq: headSeq - 5 }, 10);
      expect([missed.isTorn, missed.events[0]?.seq]).toEqual([true, headSeq - 3]);
    });

    test('stays while a long reading is in the way, holds nothing else up, and goes the next time', async () => {
      const failed: unknown[] = [];
      const log = { error: (line: object) => failed.push(line) } as unknown as RetentionOptions['log'];
      await app.app.services.database.transaction(async (sql) => {
        await sql.query('SELECT count(*) FROM events');
        const pruned = pruningWith(log).prune();
        await writePatiently(pruned);
        const { partitions: gone } = await pruned;
        expect(gone.every((name) => name.startsWith('webhook_deliveries'))).toBe(true);
        expect(gone).toHaveLength(3);
      });
      expect(failed).toMatchObject([{ what: 'events', err: { code: '55P03' } }]);
      expect((await pruningWith().prune()).partitions).toEqual(['events_0', 'events_1', 'events_2']);
      expect(await daysLeft('occurred_at')).toEqual(kept);
    });
  });

  /** Writes an event while events are pruned, and waits for locks at most half as long as other statements may. */
  async function writePatiently(pruned: Promise<unknown>): Promise<void> {
    let isOver = false;
    pruned.finally(() => (isOver = true)).catch(() => undefined);
    const waiting =
      "SELECT FROM pg_locks WHERE relation = 'events'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted";
    await waitUntil(
      async () => isOver || (await app.sql(waiting)).length > 0,
      (isTime) => isTime,
    );
    await app.app.services.database.transaction(async (sql) => {
      await sql.query("SET LOCAL lock_timeout = '5s'");
      await sql.query(
        `INSERT INTO events (tenant_id, seq, type, occurred_at, logged_on) VALUES ($1, 1000000, 'LEAD_UPDATED', now(), now()::date)`,
        [tenant.id],
      );
      await sql.query('DELETE FROM events WHERE tenant_id = $1 AND seq = 1000000', [tenant.id]);
    });
  }

  describe('what has no partition', () => {
    test('is made where a clock that was ahead has left a gap', async () => {
      for (const table of [partitions.deliveries, partitions.events]) {
        await partitionAt(table, [1]);
        const [first, end] = [boundOf(table, 400), boundOf(table, 402)];
        const far = `CREATE TABLE partitions.${table.table}_far PARTITION OF ${table.table}`;
        await app.sql(`${far} FOR VALUES FROM ('${first}') TO ('${end}')`);
        await partitions.look();
        expect(partitions.daysCovered(table.table)).toBeLessThanOrEqual(1);
      }
      await partitions.extend();
      await partitions.look();
      for (const table of [partitions.deliveries, partitions.events]) {
        const near = (await table.list()).filter(({ name }) => name !== `${table.table}_far`);
        expect(near.at(-1)?.until?.getTime()).toBeGreaterThanOrEqual(midnight(4).getTime());
        expect(near.at(-1)?.until?.getTime()).toBeLessThan(midnight(10).getTime());
        expect(partitions.daysCovered(table.table)).toBeGreaterThan(3);
      }
    });

    test('is kept all the same, and goes row by row', async () => {
      for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [-15]);
      await writeDays([-13, -12, -2, 0, 20_000]);
      await partitions.extend();
      await partitions.look();
      for (const table of [partitions.deliveries, partitions.events]) {
        // Partitions begin tomorrow, so the rows of today stay where they are.
        await expectWhole(table, { from: 1, days: 4 });
        expect(partitions.rowsWithout(table.table)).toBe(5);
      }
      expect(await pruningWith().prune()).toMatchObject({ deliveries: 2, events: 2 });
      for (const column of ['received_at', 'occurred_at'] as const)
        expect((await daysLeft(column)).map(([day]) => day)).toEqual([-2, 0, 20_000]);
    });

    test('moves to the partition that is made for it', async () => {
      for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [1]);
      await writeDays([0, 2, 3, 20_000]);
      await partitions.extend();
      const named = (table: string, day: number) =>
        `${table}_${midnight(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
      const expected = (table: string) => [
        [0, `${table}_0`],
        [2, named(table, 2)],
        [3, named(table, 3)],
        [20_000, `${table}_rest`],
      ];
      expect(await daysLeft('received_at')).toEqual(expected('webhook_deliveries'));
      expect(await daysLeft('occurred_at')).toEqual(expected('events'));
    });
  });

  test("a tenant's log never goes back to an earlier day, whichever way an event is written", async () => {
    for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [9]);
    await app.sql('DELETE FROM event_heads WHERE tenant_id = $1', [tenant.id]);
    // A new lead takes the general path; the message of a known one takes one statement.
    const write = () => app.post(inboundPath, { ...someMessage(), messageId: randomUUID() }, withKey(tenant));
    const days = async () =>
      (
        await app.sql<{ day: string }>(
          'SELECT DISTINCT logged_on::text AS day FROM events WHERE tenant_id = $1 ORDER BY 1',
          [tenant.id],
        )
      ).map(({ day }) => day);
    await write();
    const [today = ''] = await days();
    expect(new Date(today).getTime()).toBeGreaterThanOrEqual(midnight(-1).getTime());
    const later = midnight(5).toISOString().slice(0, 10);
    await app.sql('UPDATE event_heads SET logged_on = $2 WHERE tenant_id = $1', [tenant.id, later]);
    expect((await write()).status).toBe(200);
    await app.post('/webhooks/leads', { chat: '+4915100000077' }, withKey(tenant));
    const operator = { authorization: `Bearer ${tenant.operator.token}` };
    const document = 'mutation { createLead(input: { chat: "+4915100000078" }) { created } }';
    expect(await (await app.post('/graphql', { query: document }, operator)).json()).toEqual({
      data: { createLead: { created: true } },
    });
    const ahead = await app.sql('SELECT FROM events WHERE tenant_id = $1 AND logged_on = $2', [tenant.id, later]);
    expect(ahead).toHaveLength(3);
    expect((await days()).at(-1)).toBe(later);
  });

  test('reading names no partition in vain: by id one, a stretch of events from each by its key', async () => {
    for (const table of [partitions.deliveries, partitions.events]) await partitionAt(table, [-20, -10, -5, 0, 5]);
    const explain = async (text: string, values: readonly string[]) => {
      const literal = text.replaceAll(/\$(\d)/g, (_, place: string) => values[Number(place) - 1]!);
      const lines = await app.app.services.database.query<Record<string, string>>(`EXPLAIN (COSTS OFF) ${literal}`);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    const id = firstIdAt(midnight(-7));
    const byId = await explain('SELECT * FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2)', [
      `'${tenant.id}'`,
      `'{${id}}'`,
    ]);
    expect(byId).toMatch(/^Index Scan using \S+ on webhook_deliveries_2 /);
    const stretch = await explain('SELECT * FROM events WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT 100', [
      `'${tenant.id}'`,
      '5',
    ]);
    expect(stretch).toContain('Merge Append');
    expect(stretch.match(/Index Scan using/g)).toHaveLength(6);
    expect(stretch).not.toMatch(/Seq Scan|Sort\n|Bitmap/);
  });

  test('the migration makes first partitions for what is old, and takes what clocks ahead of it write', async () => {
    const database = await createTestDatabase('template1');
    const filled = new Database({ url: database.url, poolSize: 2, log: createLogger('silent') });
    try {
      await applyMigrations(database.url, { migrationsDir, log: { info: () => undefined } });
      const ids = [-40, 0, 2, 50].map((day) => firstIdAt(new Date(Date.now() + day * dayMs)));
      await filled.query(
        `INSERT INTO webhook_deliveries (tenant_id, id, route, headers, body, body_bytes, outcome, received_at)
       SELECT $1, id, '/webhooks/leads', '{}', '\\x7b7d', 2, 'processed', now() FROM unnest($2::uuid[]) id`,
        [tenant.id, ids],
      );
      await filled.query(
        `INSERT INTO events (tenant_id, seq, type, logged_on) SELECT $1, n, 'LEAD_UPDATED', (now() AT TIME ZONE 'UTC')::date + n
       FROM unnest(ARRAY[-40, 0, 2, 50]) n`,
        [tenant.id],
      );
      await partitionsOf(filled).extend();
      for (const [table, order] of [
        ['webhook_deliveries', 'id'],
        ['events', 'seq'],
      ]) {
        const placed = await filled.query<{ partition: string }>(
          `SELECT regexp_replace(tableoid::regclass::text, '\\d+', 'n') AS partition FROM ${table} ORDER BY ${order}`,
        );
        const expected = ['past', 'past', 'n', 'rest'].map((name) => `partitions.${table}_${name}`);
        expect(placed.map(({ partition }) => partition)).toEqual(expected);
      }
      expect(await filled.query('SELECT id FROM webhook_deliveries ORDER BY id')).toEqual(ids.map((id) => ({ id })));
    } finally {
      await filled.close();
      await database.drop();
    }
  });
}
