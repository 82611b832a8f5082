// The receipt timeout: a message that the gateway accepted and never reported on is marked once, and the next report takes the mark away.

import { randomUUID } from 'node:crypto';
import { watchReceiptTimeoutsJob } from '../../../src/features/outbox/outbox.jobs.js';
import { ReceiptTimeoutService } from '../../../src/features/outbox/receipt-timeout.service.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Transactor } from '../../../src/platform/database/transaction.js';
import { sharedApp } from '../../support/shared-app.js';
import { TestApp, withKey, type TestTenant } from '../../support/test-app.js';
import { createLead, readMessage, send, stateOf, until } from './sending-harness.js';

export function describeReceiptTimeout(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    // Without a worker, only the tests mark messages.
    app = await sharedApp({ PROCESS_ROLE: 'api', ACK_DEADLINE_MINUTES: '30' });
    tenant = await app.createTenant();
    other = await app.createTenant();
  });
  beforeEach(() => app.sql("UPDATE messages SET sent_at = now() WHERE status = 'SENT'"));

  // A process looks at each send once and these tests send in the past, so each call takes a new service.
  const mark = () => serviceWith(30).markOverdue();

  function serviceWith(deadlineMinutes: number, chunkSize = 500): ReceiptTimeoutService {
    const { database, notifier } = app.app.services;
    const transactor = new Transactor(database, notifier);
    return new ReceiptTimeoutService({ database, transactor, log: createLogger('silent'), deadlineMinutes, chunkSize });
  }

  /** A message that the gateway accepted so many minutes ago. */
  async function sent(minutesAgo: number, owner = tenant): Promise<{ id: string; externalId: string }> {
    const id = await send(app, owner, { leadId: await createLead(app, owner), body: 'Oi' });
    const externalId = randomUUID();
    await app.sql('DELETE FROM outbox_entries WHERE message_id = $1', [id]);
    await app.sql(
      "UPDATE messages SET status = 'SENT', external_id = $2, sent_at = now() - $3::float8 * interval '1 min' WHERE id = $1",
      [id, externalId, minutesAgo],
    );
    return { id, externalId };
  }

  const eventsOf = (id: string) =>
    app.sql(
      `SELECT data->>'status' AS status, data->>'errorCode' AS code FROM events
       WHERE message_id = $1 AND type = 'MESSAGE_STATUS_CHANGED' ORDER BY seq OFFSET 1`,
      [id],
    );
  const report = async (externalId: string, status: string) => {
    const body = { instance: tenant.instance.name, messageId: externalId, status };
    expect((await app.post('/webhooks/chat/gateway/status', body, withKey(tenant))).status).toBe(200);
  };

  test('past the deadline it stays SENT with NOT_ACKNOWLEDGED, and one event says so; before it, it is left alone', async () => {
    const [late, young] = [await sent(30.1), await sent(29)];
    expect(await mark()).toBe(1);
    expect(await mark()).toBe(0);
    const message = await readMessage(app, tenant, late.id);
    expect(message).toMatchObject({ status: 'SENT', externalId: late.externalId, failedAt: null });
    expect(message.error).toEqual({ code: 'NOT_ACKNOWLEDGED', message: expect.stringContaining('30 minutes') });
    expect(await eventsOf(late.id)).toEqual([{ status: 'SENT', code: 'NOT_ACKNOWLEDGED' }]);
    expect(await stateOf(app, young.id)).toMatchObject({ status: 'SENT', errorCode: null });
  });

  test.each(['DELIVERED', 'READ'])('%s takes the mark away', async (status) => {
    const { id, externalId } = await sent(60);
    await mark();
    await report(externalId, status);
    expect(await stateOf(app, id)).toEqual({ status, externalId, errorCode: null, errorMessage: null });
    expect(await mark()).toBe(0);
  });

  test('FAILED puts its own reason in the place of the mark', async () => {
    const { id, externalId } = await sent(60);
    await mark();
    await report(externalId, 'FAILED');
    const { status, errorCode } = await stateOf(app, id);
    expect(status).toBe('FAILED');
    expect(errorCode).not.toBe('NOT_ACKNOWLEDGED');
  });

  test('what was reported on, what was written on the phone, and what was sent a week before the deadline are left alone', async () => {
    const read = await sent(60);
    await report(read.externalId, 'READ');
    const phone = await sent(60);
    await app.sql('UPDATE messages SET author_id = NULL WHERE id = $1', [phone.id]);
    const old = await sent(7 * 24 * 60 + 31);
    expect(await mark()).toBe(0);
    for (const { id } of [read, phone, old]) expect((await stateOf(app, id)).errorCode).toBeNull();
  });

  test('in chunks, of all tenants, and by two at once: each is marked once', async () => {
    const messages = [];
    for (let index = 0; index < 12; index += 1) messages.push(await sent(60, index % 2 === 0 ? tenant : other));
    // All messages were sent at the same moment: the end of a chunk must not skip its neighbours.
    await app.sql(
      "UPDATE messages SET sent_at = date_trunc('second', now()) - interval '1 hour' WHERE id = ANY($1::uuid[])",
      [messages.map(({ id }) => id)],
    );
    const counts = await Promise.all([serviceWith(30, 5).markOverdue(), serviceWith(30, 5).markOverdue()]);
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(12);
    for (const { id } of messages) expect(await eventsOf(id)).toHaveLength(1);
  });

  test('a deadline of 0 marks nothing', async () => {
    const { id } = await sent(600);
    expect(await serviceWith(0).markOverdue()).toBe(0);
    expect((await stateOf(app, id)).errorCode).toBeNull();
  });

  test('one tenant’s failure keeps no other from being marked', async () => {
    const [broken, fine] = [await sent(60), await sent(59, other)];
    await app.sql(
      `CREATE OR REPLACE FUNCTION refuse_mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.tenant_id = '${tenant.id}' THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
    );
    await app.sql('CREATE TRIGGER refuse_mark BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_mark()');
    const service = serviceWith(30);
    try {
      expect(await service.markOverdue()).toBe(1);
    } finally {
      await app.sql('DROP TRIGGER refuse_mark ON messages');
    }
    expect((await stateOf(app, fine.id)).errorCode).toBe('NOT_ACKNOWLEDGED');
    expect(await service.markOverdue()).toBe(1);
    expect((await stateOf(app, broken.id)).errorCode).toBe('NOT_ACKNOWLEDGED');
  });

  test('a stopped service begins no further chunk', async () => {
    const { id } = await sent(60);
    const service = serviceWith(30);
    service.stop();
    expect(await service.markOverdue()).toBe(0);
    expect((await stateOf(app, id)).errorCode).toBeNull();
  });

  test('the next run goes on where the last one ended', async () => {
    const service = serviceWith(30, 1);
    const first = await sent(60);
    expect(await service.markOverdue()).toBe(1);
    const second = await sent(59);
    await app.sql('UPDATE messages SET error_code = NULL WHERE id = $1', [first.id]);
    expect(await service.markOverdue()).toBe(1);
    expect((await stateOf(app, second.id)).errorCode).toBe('NOT_ACKNOWLEDGED');
    expect((await stateOf(app, first.id)).errorCode).toBeNull();
  });

  test('the search reads an index by the time of sending', async () => {
    // The plan is made by the service's own connections: others read an analyzed small table whole.
    const plan = await app.app.services.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id, status FROM messages WHERE author_id IS NOT NULL
       AND sent_at < now() - interval '1 h' AND sent_at > now() - interval '8 d' ORDER BY sent_at, id LIMIT 500`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('messages_sent_idx');
  });

  test('a worker does it when the job comes', async () => {
    const { id } = await sent(60);
    const worker = await TestApp.start({ PROCESS_ROLE: 'worker', ACK_DEADLINE_MINUTES: '30' }, app.database);
    try {
      const { database, queue } = worker.app.services;
      await database.transaction((sql) => queue.send(sql, watchReceiptTimeoutsJob, {}));
      await until(
        () => stateOf(app, id),
        ({ errorCode }) => errorCode === 'NOT_ACKNOWLEDGED',
      );
      const schedules = await app.sql("SELECT cron FROM pgboss.schedule WHERE name = 'watch-acknowledgements'");
      expect(schedules).toEqual([{ cron: '* * * * *' }]);
    } finally {
      await worker.stop({ keepDatabase: true });
    }
  });
}
