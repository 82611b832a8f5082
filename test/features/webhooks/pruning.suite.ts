// Pruning by the database's clock: calls, statuses that wait and attempts go after their time, and the others stay. Whole partitions have
// tests of their own (log-partitions.suite.ts).

import { randomUUID } from 'node:crypto';
import { pruneJob } from '../../../src/features/retention/retention.jobs.js';
import { RetentionService, type RetentionOptions } from '../../../src/features/retention/retention.service.js';
import type { Database } from '../../../src/platform/database/database.js';
import { Pruner } from '../../../src/platform/jobs/pruner.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { slow } from '../../support/slow.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';
import { inboundPath, someMessage, statusPath, writeDeliveries } from './journal-harness.js';

const day = 24;

export function describePruning(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    // Without a worker, only the tests prune.
    app = await TestApp.start({ PROCESS_ROLE: 'api', WEBHOOK_RETENTION_DAYS: '10', PARKED_STATUS_TTL_HOURS: '48' });
  });
  beforeEach(async () => {
    await app.sql('TRUNCATE webhook_deliveries, parked_statuses, send_attempts');
    tenant = await app.createTenant();
  });
  afterAll(() => app.stop());

  const prune = (of: TestApp = app) => of.app.services.pruning.prune();

  function pruningBy(options: Partial<RetentionOptions>): RetentionService {
    const { database, logPartitions: partitions } = app.app.services;
    const log = createLogger('silent');
    const kept = { deliveryDays: 10, parkedStatusHours: 48, eventDays: 7, endpointDeliveryDays: 7, mediaDays: 0 };
    const settleParkedChanges = () => Promise.resolve();
    const clearErasedCalls = () => Promise.resolve(0);
    return new RetentionService({
      database,
      partitions,
      log,
      ...kept,
      settleParkedChanges,
      clearErasedCalls,
      chunkSize: 2_000,
      ...options,
    });
  }

  async function idsOf(table: 'webhook_deliveries' | 'parked_statuses', of: TestApp = app): Promise<string[]> {
    return (await of.sql<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
  }

  /** Writes events of these ages in hours, from the log's beginning on, to the first partition, where they are deleted one by one. */
  async function writeEvents(tenantId: string, agesHours: readonly number[]): Promise<void> {
    await app.sql(
      `WITH head AS (INSERT INTO event_heads (tenant_id, last_seq) VALUES ($1, cardinality($2::float[])))
       INSERT INTO events (tenant_id, seq, type, occurred_at, logged_on)
       SELECT $1, position, 'LEAD_UPDATED', now() - age * interval '1 hour', current_date - 30
       FROM unnest($2::float[]) WITH ORDINALITY AS e (age, position)`,
      [tenantId, agesHours],
    );
  }

  test('a tenant with many old rows holds up no other', async () => {
    const left = new Map([
      ['first', 5],
      ['second', 1],
    ]);
    const turns: string[] = [];
    const chunkSize = 2;
    const query = (_: unknown, [tenantId]: readonly unknown[] = []) => {
      const rows = left.get(String(tenantId)) ?? 0;
      turns.push(String(tenantId));
      left.set(String(tenantId), rows - Math.min(rows, chunkSize));
      return Promise.resolve([{ count: Math.min(rows, chunkSize) }]);
    };
    const database = { query } as unknown as Pick<Database, 'query'>;
    const pruner = new Pruner({ database, listTenantIds: () => Promise.resolve([...left.keys()]), chunkSize });
    expect(await pruner.runForTenants({ name: 'delete-old', text: '' }, [])).toBe(6);
    expect(turns).toEqual(['first', 'second', 'first', 'first']);
  });

  describe('events', () => {
    const seqsOf = async (tenantId: string) =>
      (await app.sql<{ seq: string }>('SELECT seq FROM events WHERE tenant_id = $1 ORDER BY seq', [tenantId])).map(
        ({ seq }) => Number(seq),
      );

    test.each([1, 2, 3, 2_000])(
      'older than the retention go, in chunks of %d, without a gap in what stays',
      async (chunkSize) => {
        const other = await app.createTenant();
        await writeEvents(tenant.id, [400, 300, 200, 167, 169, 100, 1, 0]);
        await writeEvents(other.id, [1, 0]);
        await pruningBy({ chunkSize }).prune();
        const kept = await seqsOf(tenant.id);
        // An event that is just old enough may stay for an hour behind one that is not.
        expect([
          [4, 5, 6, 7, 8],
          [6, 7, 8],
        ]).toContainEqual(kept);
        expect(await seqsOf(other.id)).toEqual([1, 2]);
      },
    );

    test('all of them may go', async () => {
      await writeEvents(tenant.id, [400, 300]);
      expect((await prune()).events).toBeGreaterThanOrEqual(2);
      expect(await seqsOf(tenant.id)).toEqual([]);
    });
  });

  describe('calls in the journal', () => {
    test('go once they are older than the retention, whatever became of them, of every tenant', async () => {
      const other = await app.createTenant();
      await app.sql('UPDATE tenants SET is_active = false WHERE id = $1', [other.id]);
      for (const { id } of [tenant, other]) {
        await writeDeliveries(app, id, { ageHours: 400 * day });
        await writeDeliveries(app, id, { ageHours: 10 * day + 0.01, outcome: 'refused' });
      }
      const kept = [
        ...(await writeDeliveries(app, tenant.id, { ageHours: 10 * day - 0.01 })),
        ...(await writeDeliveries(app, other.id, { ageHours: 10 * day - 0.01, outcome: 'refused' })),
        ...(await writeDeliveries(app, tenant.id)),
      ];
      expect(await prune()).toMatchObject({ deliveries: 4 });
      expect((await idsOf('webhook_deliveries')).sort()).toEqual(kept.sort());
      expect(await prune()).toMatchObject({ deliveries: 0 });
    });

    test('go in chunks, each a transaction of its own', async () => {
      await writeDeliveries(app, tenant.id, { count: 95, ageHours: 20 * day });
      const left: number[] = [];
      const { database } = app.app.services;
      const query: typeof database.query = async (statement, values) => {
        const rows = await database.query<never>(statement, values);
        // Another connection sees each chunk gone before the next one begins.
        if (typeof statement !== 'string' && statement.name === 'delete-old-webhook_deliveries_past')
          left.push((await idsOf('webhook_deliveries')).length);
        return rows;
      };
      const service = pruningBy({ chunkSize: 20, database: { query } as typeof database });
      expect(await service.prune()).toMatchObject({ deliveries: 95 });
      // The other tenants come first, and have no calls to lose.
      expect(left.slice(left.lastIndexOf(95) + 1)).toEqual([75, 55, 35, 15, 0]);
    });

    test('that somebody has locked are passed over, and go the next time', async () => {
      const [locked] = await writeDeliveries(app, tenant.id, { count: 3, ageHours: 20 * day });
      await app.app.services.database.transaction(async (sql) => {
        await sql.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [locked]);
        expect(await prune()).toMatchObject({ deliveries: 2 });
      });
      expect(await prune()).toMatchObject({ deliveries: 1 });
    });

    test('go once where many prune at the same moment', async () => {
      await writeDeliveries(app, tenant.id, { count: 500, ageHours: 20 * day });
      const [kept] = await writeDeliveries(app, tenant.id);
      const { database } = app.app.services;
      let [arrived, begin]: [number, () => void] = [0, () => undefined];
      const together = new Promise<void>((resolve) => (begin = resolve));
      const query: typeof database.query = async (statement, values) => {
        // The first chunk of each service waits for those of all others.
        if (typeof statement !== 'string' && statement.name === 'delete-old-webhook_deliveries_past') {
          if ((arrived += 1) === 4) begin();
          await together;
        }
        return database.query<never>(statement, values);
      };
      const services = Array.from({ length: 4 }, () =>
        pruningBy({ chunkSize: 7, database: { query } as typeof database }),
      );
      const counts = (await Promise.all(services.map((service) => service.prune()))).map((count) => count.deliveries);
      // A service that met only locked rows went away early.
      counts.push((await prune()).deliveries);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
      expect(counts.slice(0, 4).some((count) => count < 500 && count > 0)).toBe(true);
      expect(await idsOf('webhook_deliveries')).toEqual([kept]);
    });

    test('stay as long as the configuration says', async () => {
      await writeDeliveries(app, tenant.id, { ageHours: 29 * day });
      expect(await pruningBy({ deliveryDays: 30 }).prune()).toMatchObject({ deliveries: 0 });
      expect(await pruningBy({ deliveryDays: 28 }).prune()).toMatchObject({ deliveries: 1 });
    });
  });

  describe('statuses that wait for their message', () => {
    interface Parked {
      ageHours?: number;
      webhookCallId?: string | null;
      externalId?: string;
      status?: string;
    }

    async function park({
      ageHours = 49,
      webhookCallId = null,
      externalId = `x-${randomUUID()}`,
      status = 'SENT',
    }: Parked): Promise<string> {
      const id = randomUUID();
      await app.sql(
        `INSERT INTO parked_statuses (tenant_id, id, instance_id, external_id, status, occurred_at, delivery_id, created_at)
       VALUES ($1, $2, $3, $4, $5::message_status, now(), $6, now() - $7::float * interval '1 hour')`,
        [tenant.id, id, tenant.instance.id, externalId, status, webhookCallId, ageHours],
      );
      return id;
    }

    async function reasonOf(id: string | undefined): Promise<string | null | undefined> {
      const rows = await app.sql<{ reason: string | null }>('SELECT reason FROM webhook_deliveries WHERE id = $1', [
        id,
      ]);
      return rows[0]?.reason;
    }

    test('as they come over the wire: the call that brought them says what became of them', async () => {
      const statuses = ['DELIVERED', 'READ'].map((status) => ({ messageId: '3EB0', status }));
      await app.post(statusPath, { statuses }, withKey(tenant));
      const [delivery] = await idsOf('webhook_deliveries');
      expect(await prune()).toMatchObject({ parkedStatuses: 0 });
      await app.sql("UPDATE parked_statuses SET created_at = created_at - interval '47 hours 59 minutes'");
      expect(await prune()).toMatchObject({ parkedStatuses: 0 });
      await app.sql("UPDATE parked_statuses SET created_at = created_at - interval '1 minute'");
      expect(await prune()).toMatchObject({ parkedStatuses: 2 });
      expect(await reasonOf(delivery)).toBe(
        'status DELIVERED of 3EB0: no message of that id within 48 h; status READ of 3EB0: no message of that id within 48 h',
      );
      expect(await idsOf('parked_statuses')).toEqual([]);
      expect(await prune()).toMatchObject({ parkedStatuses: 0 });
      expect(await reasonOf(delivery)).toMatch(/^status DELIVERED .{1,100}$/);
    });

    test('go once they are older than their time; the others stay', async () => {
      await park({ ageHours: 500 });
      await park({ ageHours: 48.01 });
      const kept = await park({ ageHours: 47.99 });
      expect(await prune()).toMatchObject({ parkedStatuses: 2 });
      expect(await idsOf('parked_statuses')).toEqual([kept]);
      expect(await pruningBy({ parkedStatusHours: 1 }).prune()).toMatchObject({ parkedStatuses: 1 });
    });

    test('add to the reason that the call has already, up to 2,000 characters', async () => {
      const [short] = await writeDeliveries(app, tenant.id, { reason: 'a reason' });
      const [long] = await writeDeliveries(app, tenant.id, { reason: 'x'.repeat(1_990) });
      await park({ webhookCallId: short!, externalId: 'é'.repeat(255), status: 'READ' });
      await park({ webhookCallId: long! });
      await prune();
      expect(await reasonOf(short)).toBe(
        `a reason; status READ of ${'é'.repeat(255)}: no message of that id within 48 h`,
      );
      expect(await reasonOf(long)).toBe(`${'x'.repeat(1_990)}; status S`);
    });

    test('of a call that is gone, or that none brought, go without a word', async () => {
      const [other] = await writeDeliveries(app, tenant.id);
      await park({ webhookCallId: randomUUID() });
      await park({ webhookCallId: null });
      expect(await prune()).toMatchObject({ parkedStatuses: 2 });
      expect(await reasonOf(other)).toBeNull();
    });

    test('tell each call once where many prune at the same moment', async () => {
      const deliveries = await writeDeliveries(app, tenant.id, { count: 10 });
      for (let index = 0; index < 100; index += 1)
        await park({ webhookCallId: deliveries[index % 10]!, externalId: `m${index}` });
      const services = Array.from({ length: 4 }, () => pruningBy({ chunkSize: 5 }));
      await Promise.all(services.map((service) => service.prune()));
      await prune();
      expect(await idsOf('parked_statuses')).toEqual([]);
      const said = await Promise.all(deliveries.map(reasonOf));
      const named = said.flatMap((reason) => (reason ?? '').split('; ').map((part) => /m\d+/.exec(part)?.[0] ?? part));
      expect(named.sort()).toEqual(Array.from({ length: 100 }, (_, index) => `m${index}`).sort());
    });

    test('that a message took up are no longer there to expire', async () => {
      await app.post(inboundPath, { ...someMessage(), messageId: 'known' }, withKey(tenant));
      await app.sql(
        "UPDATE messages SET direction = 'OUTBOUND', status = 'SENT', received_at = NULL WHERE tenant_id = $1",
        [tenant.id],
      );
      await app.post(statusPath, { messageId: 'known', status: 'READ' }, withKey(tenant));
      await app.sql("UPDATE parked_statuses SET created_at = created_at - interval '100 hours'");
      expect(await prune()).toMatchObject({ parkedStatuses: 0 });
    });
  });

  describe('attempts to send', () => {
    async function attempt(ageHours: number, { waits = false } = {}): Promise<string> {
      const body = { ...someMessage(), messageId: randomUUID() };
      const answer = await app.post(inboundPath, body, withKey(tenant));
      const { results } = (await answer.json()) as { results: [{ messageId: string; leadId: string }] };
      const [{ messageId, leadId }] = results;
      await app.sql(
        `INSERT INTO send_attempts (tenant_id, message_id, number, granted_at)
       VALUES ($1, $2, 1, now() - $3::float * interval '1 hour')`,
        [tenant.id, messageId, ageHours],
      );
      if (waits)
        await app.sql(
          'INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id) VALUES ($1, $2, $3, $4)',
          [tenant.id, messageId, leadId, tenant.instance.id],
        );
      return messageId;
    }

    test('go once no window can count them, unless their message still waits', async () => {
      await attempt(26);
      const waiting = await attempt(26, { waits: true });
      const counted = await attempt(24.5);
      expect(await prune()).toMatchObject({ sendAttempts: 1 });
      const left = await app.sql<{ id: string }>('SELECT message_id AS id FROM send_attempts');
      expect(left.map(({ id }) => id).sort()).toEqual([waiting, counted].sort());
      await app.sql('DELETE FROM outbox_entries');
      expect(await prune()).toMatchObject({ sendAttempts: 1 });
    });
  });

  test('leads of sources go 90 days after they failed or were erased, and with their source', async () => {
    const insert = async (
      name: string,
      deletedDaysAgo: number | null,
      leads: [key: string, state: string, days: number][],
    ) => {
      const [source] = await app.sql<{ id: string }>(
        `INSERT INTO lead_sources (tenant_id, id, kind, name, deleted_at)
         VALUES ($1, gen_random_uuid(), 'FORM', $2, now() - $3::float * interval '1 day') RETURNING id`,
        [tenant.id, name, deletedDaysAgo],
      );
      for (const [key, state, days] of leads)
        await app.sql(
          `INSERT INTO lead_source_leads (tenant_id, source_id, key, state, created_at)
           VALUES ($1, $2, $3, $4, now() - $5::float * interval '1 day')`,
          [tenant.id, source!.id, key, state, days],
        );
    };
    await insert('kept', null, [
      ['old failure', 'FAILED', 91],
      ['old erasure', 'ERASED', 91],
      ['failure', 'FAILED', 89],
      ['old lead', 'TAKEN', 400],
    ]);
    await insert('gone', 91, [['of a deleted source', 'TAKEN', 1]]);
    await insert('just deleted', 1, [['of a source that was just deleted', 'TAKEN', 400]]);
    expect(await prune()).toMatchObject({ sourceLeads: 3 });
    const left = await app.sql<{ key: string }>('SELECT key FROM lead_source_leads ORDER BY key');
    expect(left.map(({ key }) => key)).toEqual(['failure', 'of a source that was just deleted', 'old lead']);
    const sources = await app.sql<{ name: string }>('SELECT name FROM lead_sources ORDER BY name');
    expect(sources.map(({ name }) => name)).toEqual(['just deleted', 'kept']);
    await app.sql('DELETE FROM lead_source_leads');
    await app.sql('DELETE FROM lead_sources');
  });

  test('the audit log is never pruned', async () => {
    await app.sql("UPDATE audit_entries SET created_at = created_at - interval '20 years'");
    const entries = () => app.sql('SELECT * FROM audit_entries ORDER BY tenant_id, id');
    const before = await entries();
    expect(before.length).toBeGreaterThan(2);
    await prune();
    expect(await entries()).toEqual(before);
  });

  test('what fails is logged, holds nothing else up, and is done by the next run', async () => {
    const lines: unknown[] = [];
    const log = { error: (line: unknown) => lines.push(line) } as unknown as RetentionOptions['log'];
    await writeDeliveries(app, tenant.id, { ageHours: 20 * day });
    await writeEvents(tenant.id, [20 * day]);
    await app.sql(
      `INSERT INTO parked_statuses (tenant_id, id, instance_id, external_id, status, occurred_at, created_at)
     VALUES ($1, gen_random_uuid(), $2, 'x', 'SENT', now(), now() - interval '9 days')`,
      [tenant.id, tenant.instance.id],
    );
    await app.sql('ALTER TABLE tenants RENAME TO tenants_away');
    try {
      expect(await pruningBy({ log }).prune()).toEqual({
        bulkActionLeads: 0,
        bulkActions: 0,
        parkedStatuses: 1,
        parkedChanges: 0,
        previousTexts: 0,
        pushDevices: 0,
        deliveries: 0,
        events: 0,
        sendAttempts: 0,
        partitions: [],
        endpointDeliveries: 0,
        mediaFiles: 0,
        instanceAudits: 0,
        erasedCalls: 0,
        erasedIdentities: 0,
        sourceLeads: 0,
        refusedRows: 0,
      });
    } finally {
      await app.sql('ALTER TABLE tenants_away RENAME TO tenants');
    }
    expect(lines).toMatchObject([
      { what: 'webhook calls', err: { code: '42P01' } },
      { what: 'events', err: { code: '42P01' } },
      { what: 'send attempts', err: { code: '42P01' } },
      { what: 'deliveries to endpoints', err: { code: '42P01' } },
      { what: 'files', err: { code: '42P01' } },
      { what: 'audits of histories', err: { code: '42P01' } },
      { what: 'leads of sources', err: { code: '42P01' } },
      { what: 'refused rows of imports', err: { code: '42P01' } },
      { what: 'leads of bulk actions', err: { code: '42P01' } },
      { what: 'bulk actions', err: { code: '42P01' } },
    ]);
    expect(await pruningBy({ log }).prune()).toEqual({
      bulkActionLeads: 0,
      bulkActions: 0,
      parkedStatuses: 0,
      parkedChanges: 0,
      previousTexts: 0,
      pushDevices: 0,
      deliveries: 1,
      events: 1,
      sendAttempts: 0,
      partitions: [],
      endpointDeliveries: 0,
      mediaFiles: 0,
      instanceAudits: 0,
      erasedCalls: 0,
      erasedIdentities: 0,
      sourceLeads: 0,
      refusedRows: 0,
    });
    expect(lines).toHaveLength(10);
  });

  test('a run that is told to stop ends with its chunk', async () => {
    await writeDeliveries(app, tenant.id, { count: 50, ageHours: 20 * day });
    const { database } = app.app.services;
    const query: typeof database.query = async (statement, values) => {
      const rows = await database.query<never>(statement, values);
      if ((rows as { count?: number }[])[0]?.count === 10) service.stop();
      return rows;
    };
    const service = pruningBy({ chunkSize: 10, database: { query } as typeof database });
    expect(await service.prune()).toMatchObject({ deliveries: 10 });
    expect(await prune()).toMatchObject({ deliveries: 40 });
  });

  describe('the job', () => {
    let worker: TestApp;

    afterEach(() => worker.stop({ keepDatabase: true }));

    async function startWorker(): Promise<void> {
      worker = await TestApp.start({ PROCESS_ROLE: 'worker', WEBHOOK_RETENTION_DAYS: '10' }, app.database);
    }

    slow('comes by itself: a worker makes up for the hour that none was there', async () => {
      await writeDeliveries(app, tenant.id, { ageHours: 20 * day });
      const schedules = await app.sql("SELECT name, cron, timezone FROM pgboss.schedule WHERE name = 'prune'");
      expect(schedules).toEqual([{ name: 'prune', cron: '17 * * * *', timezone: 'UTC' }]);
      await app.sql("UPDATE pgboss.schedule SET created_on = now() - interval '3 hours'");
      await app.sql("UPDATE pgboss.version SET cron_on = now() - interval '2 hours'");
      await startWorker();
      await until(
        () => idsOf('webhook_deliveries'),
        (ids) => ids.length === 0,
      );
    });

    test('stands in the queue once, however often it is asked for', async () => {
      const { queue, database } = app.app.services;
      await Promise.all(Array.from({ length: 5 }, () => queue.send(database, pruneJob, {})));
      const jobs = () => app.sql("SELECT state FROM pgboss.job WHERE name = 'prune' AND state <= 'active'");
      expect(await jobs()).toEqual([{ state: 'created' }]);
      await writeDeliveries(app, tenant.id, { ageHours: 20 * day });
      await startWorker();
      await until(
        () => idsOf('webhook_deliveries'),
        (ids) => ids.length === 0,
      );
      await until(jobs, (left) => left.length === 0);
    });
  });
}
