// The words that a worker brings in behind the writers of messages: all of them, once, whoever dies or is interrupted meanwhile.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import { DeleteLeadDocument, SearchDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { ServiceProcess } from '../../faults/service-process.js';
import { untilSomebodyWaits } from '../leads/lead-harness.js';
import { createLead, plainNumber, until } from '../messages/sending-harness.js';

export function describeWordIndex(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let processes: ServiceProcess[] = [];

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });
  afterEach(async () => {
    await Promise.all(processes.map((service) => service.end('SIGKILL')));
    processes = [];
  });

  const index = () => app.app.services.wordIndex;
  const bodiesFor = async (text: string, as = tenant) =>
    (await query(app, as.operator, SearchDocument, { text, first: 50 })).search.messages.map(
      ({ message }) => message.body,
    );
  const indexed = async (as = tenant) => {
    const [row] = await app.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM message_words WHERE tenant_id = $1',
      [as.id],
    );
    return row?.count ?? 0;
  };
  const progress = async () => {
    const [row] = await app.sql<{ isWhole: boolean }>(
      `SELECT p.earlier_than IS NULL AND p.last_seq = coalesce(h.last_seq, 0) AS "isWhole" FROM message_word_progress p
        LEFT JOIN event_heads h ON h.tenant_id = p.tenant_id WHERE p.tenant_id = $1`,
      [tenant.id],
    );
    return row?.isWhole ?? false;
  };

  /** Writes messages without events, as those of earlier versions may be. @returns their ids, the oldest first */
  async function store(count: number, word: string, of = tenant): Promise<string[]> {
    const leadId = await createLead(app, of);
    const rows = await app.sql<{ id: string }>(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, received_at)
        SELECT $1, uuidv7(n * interval '1 ms'), $2, $3, 'INBOUND', 'text', $4 || ' ' || n, now() FROM generate_series(1, $5) n
        RETURNING id`,
      [of.id, leadId, of.instance.id, word, count],
    );
    return rows.map(({ id }) => id);
  }

  async function hear(text: string, from = plainNumber()): Promise<{ leadId: string; messageId: string }> {
    const answer = await app.post(
      '/webhooks/chat/gateway/inbound',
      { messageId: randomUUID(), from, text },
      withKey(tenant),
    );
    return ((await answer.json()) as { results: [{ leadId: string; messageId: string }] }).results[0];
  }

  async function holding<Result>(statement: string, values: unknown[], work: () => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(statement, values);
      return await work();
    } finally {
      await client.end();
    }
  }

  async function startWorker(): Promise<ServiceProcess> {
    const worker = await ServiceProcess.start(app.database, { PROCESS_ROLE: 'worker' });
    processes.push(worker);
    return worker;
  }

  test('earlier messages come in over many batches, then what the log tells', async () => {
    await store(1_200, 'palha');
    const { messageId } = await hear('agulha rara');
    await index().catchUp(tenant.id);
    expect([await indexed(), await progress()]).toEqual([1_201, true]);
    expect(await bodiesFor('palha')).toEqual(Array.from({ length: 50 }, (_, place) => `palha ${1_200 - place}`));
    expect((await bodiesFor('palha 119')).toSorted()).toEqual(
      ['palha 119', ...Array.from({ length: 10 }, (_, place) => `palha 119${place}`)].toSorted(),
    );
    expect(await bodiesFor('agulha')).toEqual(['agulha rara']);
    await hear('agulha nova');
    await index().catchUp(tenant.id);
    expect([await indexed(), await bodiesFor('agulha')]).toEqual([1_202, ['agulha nova', 'agulha rara']]);
    const rows = await app.sql('SELECT FROM message_words WHERE message_id = $1', [messageId]);
    expect(rows).toHaveLength(1);
  });

  test('workers that are at it at once bring each message in once, and each tenant has its turn', async () => {
    const other = await app.createTenant();
    await store(600, 'palha');
    await store(600, 'feno', other);
    await Promise.all([index().sweep.run(), index().catchUp(tenant.id), index().catchUp(other.id)]);
    await Promise.all([tenant, other].map(({ id }) => index().catchUp(id)));
    expect([await indexed(), await indexed(other)]).toEqual([600, 600]);
    expect([await bodiesFor('feno'), await bodiesFor('palha', other)]).toEqual([[], []]);
  });

  test('a worker is killed within a batch: another goes on, and nothing is left out', async () => {
    const ids = await store(1_200, 'palha');
    await holding('SELECT FROM messages WHERE id = $1 FOR UPDATE', [ids[300]], async () => {
      const worker = await startWorker();
      await until(indexed, (count) => count > 0);
      await untilSomebodyWaits(app);
      expect(await worker.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    });
    expect(await indexed()).toBeLessThan(1_200);
    await startWorker();
    await until(progress, Boolean);
    expect(await indexed()).toBe(1_200);
  });

  test('a tenant whose words cannot be written holds up no other', async () => {
    const other = await app.createTenant();
    await store(1, 'palha');
    await store(1, 'feno', other);
    const name = `poisoned_${tenant.id.replaceAll('-', '')}`;
    await app.sql(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$`);
    await app.sql(
      `CREATE TRIGGER ${name} BEFORE INSERT ON message_words FOR EACH ROW WHEN (new.tenant_id = '${tenant.id}') EXECUTE FUNCTION ${name}()`,
    );
    try {
      await index().sweep.run();
      expect([await indexed(), await indexed(other)]).toEqual([0, 1]);
    } finally {
      await app.sql(`DROP FUNCTION ${name} CASCADE`);
    }
    await index().sweep.run();
    expect(await indexed()).toBe(1);
  });

  test('words go with their message, also where the lead is erased while they come in', async () => {
    const { leadId } = await hear('segredo');
    await hear('outro');
    await index().catchUp(tenant.id);
    expect(await indexed()).toBe(2);
    await query(app, tenant.admin, DeleteLeadDocument, { id: leadId });
    expect(await indexed()).toBe(1);

    const number = plainNumber();
    const first = await hear('primeiro segredo', number);
    const [erased] = await Promise.all([
      query(app, tenant.admin, DeleteLeadDocument, { id: first.leadId }),
      index().catchUp(tenant.id),
    ]);
    expect(erased.deleteLead).toBeTruthy();
    await index().catchUp(tenant.id);
    expect([await indexed(), await progress(), await bodiesFor('segredo')]).toEqual([1, true, []]);
  });

  test('a log that was pruned before, or that ends earlier than the progress, has every message read again', async () => {
    await hear('primeiro texto');
    await index().catchUp(tenant.id);
    await hear('segundo texto');
    await app.sql('DELETE FROM events WHERE tenant_id = $1', [tenant.id]);
    expect(await bodiesFor('segundo')).toEqual([]);
    await index().catchUp(tenant.id);
    expect([await bodiesFor('texto'), await progress()]).toEqual([['segundo texto', 'primeiro texto'], true]);

    await app.sql('DELETE FROM message_words WHERE tenant_id = $1', [tenant.id]);
    await app.sql('UPDATE message_word_progress SET last_seq = last_seq + 100 WHERE tenant_id = $1', [tenant.id]);
    await index().catchUp(tenant.id);
    expect([await bodiesFor('texto'), await progress()]).toEqual([['segundo texto', 'primeiro texto'], true]);
  });

  test('the message itself decides: words that it had before find nothing', async () => {
    const { messageId } = await hear('primeiro texto');
    await index().catchUp(tenant.id);
    await app.sql(`UPDATE messages SET body = 'segundo texto' WHERE id = $1`, [messageId]);
    expect(await bodiesFor('primeiro')).toEqual([]);
  });

  test('a search that takes too long is ended, and says what to do', async () => {
    const failed = await holding('LOCK TABLE message_words IN ACCESS EXCLUSIVE MODE', [], () =>
      execute(app, tenant.operator, SearchDocument, { text: 'palha' }),
    );
    expect(failureOf(failed).code).toBe('UNAVAILABLE');
    expect(failed.errors?.[0]?.message).toMatch(/longer or a rarer word/);
  });
}
