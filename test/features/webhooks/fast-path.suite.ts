// The fast path of intake: it finds leads and instances where it writes, and what it cannot settle takes the general path.

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { withTenantEach } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';
import { inboundPath, statusPath } from './journal-harness.js';

export function describeFastPath(): void {
  let app: TestApp;
  let tenant: TestTenant;

  interface Received {
    results: { messageId: string; leadId: string; duplicate: boolean }[];
  }

  withTenantEach((made) => ({ app, tenant } = made));

  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await app.post(path, body, withKey(tenant));
    const answer = (await response.json()) as Answer;
    expect({ ok: response.ok, answer }).toEqual({ ok: true, answer });
    return answer;
  }

  async function receive(from: string, messageId: string = randomUUID()) {
    const { results } = await post<Received>(inboundPath, { messageId, from, name: 'Ana', text: 'Oi' });
    const [result] = results;
    if (result === undefined) throw new Error('no result');
    return result;
  }

  const leadOf = async (id: string) => {
    const [lead] = await app.sql<{ unread: number; last: string | null }>(
      'SELECT unread_count AS unread, last_message_id AS last FROM leads WHERE id = $1',
      [id],
    );
    return lead;
  };

  const countOf = async (table: 'messages' | 'webhook_deliveries' | 'events') =>
    (await app.sql(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.id])).length;

  /** Runs the work. @returns how many batches took the general path meanwhile */
  async function countGeneral(work: () => Promise<unknown>): Promise<number> {
    const count = async () => {
      const text = await app.app.services.metrics.render();
      return Number(/^leadwire_batch_size_count\{batcher="general path"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await work();
    return (await count()) - before;
  }

  const hear = (body: object) =>
    countGeneral(() => post(inboundPath, { messageId: randomUUID(), text: 'Oi', from: '5511988887777', ...body }));

  test('a known lead under the names of its instance: one statement, which the first message is not', async () => {
    expect(await hear({ name: 'Ana' })).toBe(1);
    for (const body of [{ name: 'Ana' }, { name: 'Bia' }, {}, { instance: tenant.instance.name }])
      expect({ body, general: await hear(body) }).toEqual({ body, general: 0 });
  });

  test('a lead that gains a name is not settled by one statement, and is when it has one', async () => {
    expect(await hear({})).toBe(1);
    expect(await hear({})).toBe(0);
    expect(await hear({ name: 'Ana' })).toBe(1);
    expect(await hear({ name: 'Ana' })).toBe(0);
    expect(await hear({ name: 'Bia' })).toBe(0);
  });

  test('a person with two identities: both have to be known, and to lead to one lead', async () => {
    const hidden = '201234567890123@lid';
    const hearBoth = (number: string) =>
      countGeneral(() =>
        post(inboundPath, {
          event: 'messages.upsert',
          instance: tenant.instance.name,
          data: {
            key: { remoteJid: hidden, remoteJidAlt: `${number}@s.whatsapp.net`, fromMe: false, id: randomUUID() },
            pushName: 'Ana',
            message: { conversation: 'Oi' },
            messageType: 'conversation',
            messageTimestamp: 1_795_180_545,
          },
        }),
      );
    const { leadId } = await receive('5511988887777');
    expect(await hearBoth('5511988887777')).toBe(1);
    expect(await hearBoth('5511988887777')).toBe(0);
    await receive('5511966665555');
    expect(await hearBoth('5511966665555')).toBe(1);
    expect(await countOf('messages')).toBe(5);
    const left = await app.sql('SELECT id FROM leads WHERE tenant_id = $1 AND merged_into_id IS NULL', [tenant.id]);
    expect(left).toEqual([{ id: leadId }]);
  });

  test('an instance that was renamed or deleted is unknown to the next call', async () => {
    const { id: instanceId, name: own } = tenant.instance;
    const change = (set: string) => app.sql(`UPDATE chat_instances SET ${set} WHERE id = $1`, [instanceId]);
    await receive('5511988887777');
    const call = { messageId: randomUUID(), from: '5511988887777', text: 'Oi' };
    const statusOf = async (instance: string | undefined) =>
      (await app.post(inboundPath, { ...call, instance }, withKey(tenant))).status;
    expect(await statusOf(own)).toBe(200);
    await change("instance_name = 'another name'");
    expect([await statusOf(own), await statusOf('another name')]).toEqual([422, 200]);
    await change('deleted_at = now(), is_default = false');
    expect([await statusOf('another name'), await statusOf(undefined)]).toEqual([422, 422]);
    await change('deleted_at = NULL');
    expect(await statusOf(undefined)).toBe(200);
  });

  test("a status names its instance like a message, and another tenant's instance is unknown", async () => {
    const externalId = await sendMessage();
    const body = { messageId: externalId, status: 'DELIVERED' };
    expect(await countGeneral(() => post(statusPath, body))).toBe(0);
    const { name: instance } = tenant.instance;
    expect(await countGeneral(() => post(statusPath, { ...body, status: 'READ', instance }))).toBe(0);
    const other = await app.createTenant();
    await app.sql("UPDATE chat_instances SET instance_name = 'theirs' WHERE id = $1", [other.instance.id]);
    const refused = await app.post(statusPath, { ...body, instance: 'theirs' }, withKey(tenant));
    expect(refused.status).toBe(422);
  });

  test('an identity that leads to another lead by now: the message goes there', async () => {
    const first = await receive('5511988887777');
    await receive('5511988887777');
    const other = await receive('5511966665555');
    await app.sql("UPDATE lead_identities SET lead_id = $2 WHERE tenant_id = $1 AND lead_id = $3 AND kind = 'PHONE'", [
      tenant.id,
      other.leadId,
      first.leadId,
    ]);
    expect((await receive('5511988887777')).leadId).toBe(other.leadId);
    expect((await leadOf(first.leadId))?.unread).toBe(2);
  });

  test('a lead that was merged in the same instant: its message goes to the survivor', async () => {
    const merged = await receive('5511988887777');
    await receive('5511988887777');
    const survivor = await receive('5511966665555');
    // Simulates a batch that read the identity before the merge moved it.
    await app.sql('UPDATE leads SET merged_into_id = $2, unread_count = 0 WHERE id = $1', [
      merged.leadId,
      survivor.leadId,
    ]);
    const late = await receive('5511988887777');
    const [message] = await app.sql('SELECT lead_id FROM messages WHERE id = $1', [late.messageId]);
    expect(message).toEqual({ lead_id: survivor.leadId });
    expect(await leadOf(survivor.leadId)).toEqual({ unread: 2, last: late.messageId });
    expect((await leadOf(merged.leadId))?.unread).toBe(0);
  });

  test('a name in place of one that was only the number is taken by a lead that is known', async () => {
    const { id } = await post<{ id: string }>('/webhooks/leads', { chat: '5511988887777' });
    expect((await receive('5511988887777')).leadId).toBe(id);
    expect(await app.sql('SELECT name FROM leads WHERE id = $1', [id])).toEqual([{ name: 'Ana' }]);
  });

  // The machine decides whether calls come into one batch, so they get several chances, each with a longer wait.
  test('several messages of one batch that open a conversation: it is open before the first of them is told', async () => {
    const { leadId } = await receive('5511988887777');
    await receive('5511988887777');
    // The number of this lead ends alike, so that both leads share a part of the fast path.
    const { leadId: otherId } = await receive('5521988887777');
    await receive('5521988887777');
    for (const waitMs of [30, 100, 300, 1_000, 3_000]) {
      const { batches, events } = await receiveBehindLock(leadId, otherId, waitMs);
      const received = [1, 2, 3, 4].map(() => 'MESSAGE_RECEIVED');
      expect(events).toEqual(['CONVERSATION_STATUS_CHANGED', ...received]);
      if (batches === 1) return;
    }
    throw new Error('four calls at once never came into one batch');
  });

  /**
   * Receives four messages for a closed conversation. Meanwhile, a message that shares their part of the fast path waits for its lead's
   * row.
   */
  async function receiveBehindLock(leadId: string, lockedId: string, waitMs: number) {
    await app.sql("UPDATE leads SET conversation_status = 'CLOSED' WHERE id = $1", [leadId]);
    const before = await countOf('events');
    const write = (from: string) => post<Received>(inboundPath, { messageId: randomUUID(), from, text: 'Oi' });
    const holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM leads WHERE id = $1 FOR UPDATE', [lockedId]);
      const other = write('5521988887777');
      await until(
        () => app.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
        (waiting) => waiting.length > 0,
      );
      const own = [1, 2, 3, 4].map(() => write('5511988887777'));
      await setTimeout(waitMs);
      await holder.query('ROLLBACK');
      const [, ...answers] = await Promise.all([other, ...own]);
      const ids = answers.map(({ results: [result] }) => result?.messageId);
      const batches = await app.sql('SELECT DISTINCT xmin::text FROM messages WHERE id = ANY($1)', [ids]);
      const events = await app.sql<{ type: string }>(
        'SELECT type FROM events WHERE tenant_id = $1 AND lead_id = $3 AND seq > $2 ORDER BY seq',
        [tenant.id, before, leadId],
      );
      return { batches: batches.length, events: events.map(({ type }) => type) };
    } finally {
      await holder.end();
    }
  }

  /** Stores a message that was sent. @returns its provider id */
  async function sendMessage(): Promise<string> {
    const { leadId } = await receive('5511988887777');
    const externalId = randomUUID();
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, external_id)
       VALUES ($1, $2, $3, $4, 'OUTBOUND', 'SENT', 'text', $5)`,
      [tenant.id, randomUUID(), leadId, tenant.instance.id, externalId],
    );
    return externalId;
  }

  test.each([
    ['READ', 'DELIVERED', 'ignored', 'READ', []],
    ['FAILED', 'DELIVERED', 'applied', 'DELIVERED', [['FAILED', 'DELIVERED']]],
    ['DELIVERED', 'READ', 'applied', 'READ', [['DELIVERED', 'READ']]],
    ['DELIVERED', 'FAILED', 'ignored', 'DELIVERED', []],
  ] as const)(
    'a message that becomes %s while %s waits for it: %s',
    async (first, reported, outcome, last, changes) => {
      const externalId = await sendMessage();
      const holder = new pg.Client({ connectionString: app.database.url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('UPDATE messages SET status = $2 WHERE external_id = $1', [externalId, first]);
        const report = post<{ results: { outcome: string }[] }>(statusPath, {
          messageId: externalId,
          status: reported,
        });
        await until(
          () =>
            app.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"),
          (waiting) => waiting.length > 0,
        );
        await holder.query('COMMIT');
        expect((await report).results).toMatchObject([{ outcome }]);
      } finally {
        await holder.end();
      }
      const [message] = await app.sql<{ id: string }>('SELECT id, status FROM messages WHERE external_id = $1', [
        externalId,
      ]);
      expect(message).toMatchObject({ status: last });
      const timeline = await app.sql<{ from: string; to: string }>(
        'SELECT from_status AS from, to_status AS to FROM message_status_transitions WHERE message_id = $1',
        [message?.id],
      );
      expect(timeline.map(({ from, to }) => [from, to])).toEqual(changes);
    },
  );

  test('two statuses of one message at once: each has its answer, and the higher one stays', async () => {
    const externalId = await sendMessage();
    const answers = await Promise.all(
      ['READ', 'DELIVERED', 'READ'].map((status) =>
        post<{ results: { outcome: string }[] }>(statusPath, { messageId: externalId, status }),
      ),
    );
    const outcomes = answers.map(({ results: [result] }) => result?.outcome);
    expect(outcomes.filter((outcome) => outcome === 'applied').length).toBeGreaterThan(0);
    expect(outcomes.every((outcome) => outcome === 'applied' || outcome === 'ignored')).toBe(true);
    const [message] = await app.sql('SELECT status FROM messages WHERE external_id = $1', [externalId]);
    expect(message).toEqual({ status: 'READ' });
  });

  test('the journal keeps the answer that the caller got, of each kind', async () => {
    const lead = await post<object>('/public/leads', { chat: '5511988887777', name: 'Ana', form: 'home' });
    const again = await post<object>('/public/leads', { chat: '5511988887777' });
    const message = { messageId: randomUUID(), from: '5511988887777', text: 'Oi' };
    const answers = [lead, again, await post<object>(inboundPath, message), await post<object>(inboundPath, message)];
    const rows = await app.sql<{ outcome: string; result: object }>(
      'SELECT outcome, result FROM webhook_deliveries WHERE tenant_id = $1 ORDER BY id',
      [tenant.id],
    );
    expect(rows).toEqual(answers.map((result) => ({ outcome: 'processed', result })));
  });

  test('many calls at once: everything once, counts and order true', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => `551198888${7000 + index}`);
    const calls = Array.from({ length: 300 }, (_, index) => ({
      from: numbers[index % 10] ?? '',
      id: `m-${index % 250}`,
    }));
    const received = await Promise.all(calls.map(({ from, id }) => receive(from, id)));
    expect(received.filter(({ duplicate }) => !duplicate)).toHaveLength(250);
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(250);
    expect([await countOf('messages'), await countOf('webhook_deliveries')]).toEqual([250, 300]);
    const leads = await app.sql(
      `SELECT l.id FROM leads l JOIN messages m ON m.lead_id = l.id WHERE l.tenant_id = $1
       GROUP BY l.tenant_id, l.id HAVING l.unread_count = count(*) AND l.last_message_id = (array_agg(m.id ORDER BY m.position DESC))[1]`,
      [tenant.id],
    );
    expect(leads).toHaveLength(10);
    const [events] = await app.sql(
      `SELECT count(*)::int AS count, min(seq)::int AS first, max(seq)::int AS last,
       (SELECT last_seq::int FROM event_heads WHERE tenant_id = $1) AS head FROM events WHERE tenant_id = $1`,
      [tenant.id],
    );
    const count = await countOf('events');
    expect(events).toEqual({ count, first: 1, last: count, head: count });
  });
}
