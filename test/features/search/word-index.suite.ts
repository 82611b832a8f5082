// The words that a worker brings in behind the writers of messages: all of them, once. killed-word-index.long.ts has a worker that dies.

import { randomUUID } from 'node:crypto';
import { WordIndexService } from '../../../src/features/search/word-index.service.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { execute, failureOf, query } from '../../support/graphql-client.js';
import { DeleteLeadDocument, SearchDocument } from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { countIndexed, holding, isIndexed, storeMessages } from './word-harness.js';

export function describeWordIndex(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const index = () => app.app.services.wordIndex;
  const bodiesFor = async (text: string, as = tenant) =>
    (await query(app, as.operator, SearchDocument, { text, first: 50 })).search.messages.map(
      ({ message }) => message.body,
    );
  const indexed = (as = tenant) => countIndexed(app, as);
  const progress = () => isIndexed(app, tenant);
  const store = (count: number, word: string, as = tenant) => storeMessages(app, as, count, word);

  async function hear(text: string, from = plainNumber()): Promise<{ leadId: string; messageId: string }> {
    const answer = await app.post(
      '/webhooks/chat/gateway/inbound',
      { messageId: randomUUID(), from, text },
      withKey(tenant),
    );
    return ((await answer.json()) as { results: [{ leadId: string; messageId: string }] }).results[0];
  }

  test('earlier messages come in over many batches, then what the log tells', async () => {
    await store(1_200, 'palha');
    const { messageId } = await hear('agulha rara');
    await index().catchUp(tenant.id);
    expect([await indexed(), await progress()]).toEqual([1_201, true]);
    expect(await bodiesFor('palha')).toEqual(Array.from({ length: 50 }, (_, place) => `palha ${1_200 - place}`));
    expect(await bodiesFor('palha 119')).toEqual([
      ...Array.from({ length: 10 }, (_, place) => `palha 119${9 - place}`),
      'palha 119',
    ]);
    expect(await bodiesFor('agulha')).toEqual(['agulha rara']);
    await hear('agulha nova');
    await index().catchUp(tenant.id);
    expect([await indexed(), await bodiesFor('agulha')]).toEqual([1_202, ['agulha nova', 'agulha rara']]);
    const rows = await app.sql('SELECT FROM message_words WHERE message_id = $1', [messageId]);
    expect(rows).toHaveLength(1);
  });

  test('earlier messages come in though each turn finds a new event', async () => {
    await store(1_200, 'palha');
    const { database } = app.app.services;
    let turns = 0;
    const busy = {
      query: database.query.bind(database),
      transaction: async (...given: Parameters<typeof database.transaction>) => {
        turns += 1;
        if (turns > 10) throw new Error('This takes too many turns.');
        await hear('agulha rara');
        return database.transaction(...given);
      },
    } as Pick<typeof database, 'query' | 'transaction'>;
    await new WordIndexService({ database: busy, log: createLogger('silent') }).catchUp(tenant.id);
    expect([await indexed(), await progress()]).toEqual([1_200 + turns, true]);
  });

  test('the newest messages come first, whether many, some, few or none of the newest have the word', async () => {
    const count = 3_000;
    const steps = { manga: 2, uva: 7, pera: 20, kiwi: 50, coco: 130, figo: 400, romã: 2_999 };
    const [anchor = ''] = await store(1, 'palha');
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, received_at)
       SELECT tenant_id, uuidv7(n * interval '1 s'), lead_id, instance_id, direction, type, n || (
         SELECT coalesce(string_agg(' ' || word, ''), '') FROM unnest($3::text[], $4::int[]) s (word, step) WHERE n % step = 1), received_at
       FROM messages, generate_series(1, $5::int) n WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, anchor, Object.keys(steps), Object.values(steps), count],
    );
    await index().catchUp(tenant.id);
    for (const [word, step] of Object.entries(steps)) {
      const numbers = Array.from({ length: count }, (_, place) => count - place).filter((n) => n % step === 1);
      const found = (await bodiesFor(word)).map((body) => Number(body?.split(' ')[0]));
      expect([word, found]).toEqual([word, numbers.slice(0, 50)]);
    }
  });

  test('a message is found also between the begin of the index and its first batch', async () => {
    await hear('agulha rara');
    await app.sql(
      `INSERT INTO message_word_progress (tenant_id, last_seq, earlier_than)
       SELECT tenant_id, last_seq, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM event_heads WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect([await indexed(), await bodiesFor('agulha')]).toEqual([0, ['agulha rara']]);
    await index().catchUp(tenant.id);
    expect([await indexed(), await bodiesFor('agulha')]).toEqual([1, ['agulha rara']]);
  });

  test('the age of the oldest event that was not brought in is read, and none is 0', async () => {
    const behind = async () => {
      for (const { id } of await app.sql<{ id: string }>('SELECT id FROM tenants')) await index().catchUp(id);
      await hear('agulha rara');
      await app.sql(`UPDATE events SET occurred_at = now() - interval '100 s' WHERE tenant_id = $1`, [tenant.id]);
      await index().look();
      return index().behindSeconds;
    };
    expect(await behind()).toBeGreaterThanOrEqual(100);
    await index().catchUp(tenant.id);
    await index().look();
    expect(index().behindSeconds).toBe(0);
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
    const failed = await holding(app, { statement: 'LOCK TABLE message_words IN ACCESS EXCLUSIVE MODE' }, () =>
      execute(app, tenant.operator, SearchDocument, { text: 'palha' }),
    );
    expect(failureOf(failed).code).toBe('UNAVAILABLE');
    expect(failed.errors?.[0]?.message).toMatch(/longer or a rarer word/);
  });
}
