// The pace of a tenant's messages: its limit, what waits, and when so many further messages would have left.

import { newRecordId } from '../../../src/platform/database/record-id.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';

interface Pace {
  max: number | null;
  durationMs: number | null;
  waiting: number;
  isComplete: boolean;
  doneAt: string | null;
}

export function describeSendingForecast(): void {
  let app: TestApp;
  let tenant: TestTenant;

  beforeAll(async () => {
    // Without a worker, messages wait.
    app = await sharedApp({ PROCESS_ROLE: 'api' });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    await limitTo(20, 60_000);
  });

  const limitTo = (max: number | null, durationMs: number | null) =>
    app.sql('UPDATE tenants SET chat_rate_max = $2, chat_rate_duration_ms = $3 WHERE id = $1', [
      tenant.id,
      max,
      durationMs,
    ]);

  async function ask(count: number | undefined) {
    const query = 'query ($count: Int) { sendingPace(count: $count) { max durationMs waiting isComplete doneAt } }';
    const answer = await app.post('/graphql', { query, variables: { count } }, withToken(tenant.operator));
    return (await answer.json()) as { data: { sendingPace: Pace } | null; errors?: { extensions: { code: string } }[] };
  }

  async function read(count?: number): Promise<Pace> {
    const { data, errors } = await ask(count);
    if (data == null) throw new Error(JSON.stringify(errors));
    return data.sendingPace;
  }

  /** @returns whole minutes from now until then, by the database's clock */
  async function minutesUntil(doneAt: string | null): Promise<number> {
    const [row] = await app.sql<{ minutes: number }>(
      `SELECT round(extract(epoch FROM $1::timestamptz - now()) / 60)::int AS minutes`,
      [doneAt],
    );
    return row?.minutes ?? Number.NaN;
  }

  async function queue(count: number, scheduledAt: Date | null = null): Promise<void> {
    await app.post('/public/leads', { chat: '+5511987654321' }, withKey(tenant));
    const ids = Array.from({ length: count }, () => newRecordId());
    await app.sql(
      `WITH message AS (
         INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, status)
         SELECT $1, m.id, l.id, $3, 'OUTBOUND', 'text', 'Oi', 'QUEUED'
         FROM unnest($2::uuid[]) AS m (id), (SELECT id FROM leads WHERE tenant_id = $1 LIMIT 1) l
         RETURNING id, lead_id)
       INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, scheduled_at)
       SELECT $1, id, lead_id, $3, $4 FROM message`,
      [tenant.id, ids, tenant.instance.id, scheduledAt],
    );
  }

  test('an operator reads the limit, and how long so many messages take', async () => {
    const { doneAt, ...pace } = await read(141);
    expect(pace).toEqual({ max: 20, durationMs: 60_000, waiting: 0, isComplete: true });
    // The first 20 leave at once, so the last of 141 is in the eighth window.
    expect(await minutesUntil(doneAt)).toBe(7);
    expect(await minutesUntil((await read(20)).doneAt)).toBe(0);
    expect(await minutesUntil((await read(21)).doneAt)).toBe(1);
  });

  test('messages that wait go first; scheduled ones and those of an instance that is out do not', async () => {
    await queue(21);
    await queue(1, new Date(Date.now() + 3_600_000));
    const pace = await read(20);
    expect(pace.waiting).toBe(21);
    expect(await minutesUntil(pace.doneAt)).toBe(2);
    expect(await minutesUntil((await read()).doneAt)).toBe(1);
    await app.sql("UPDATE chat_instances SET status = 'DISCONNECTED' WHERE tenant_id = $1", [tenant.id]);
    expect(await read()).toMatchObject({ waiting: 0, doneAt: null });
  });

  test('a queue is counted up to a bound, and says that more wait', async () => {
    await limitTo(1_000, 60_000);
    await queue(10_000);
    expect(await read()).toMatchObject({ waiting: 10_000, isComplete: true });
    await queue(1);
    const pace = await read();
    expect(pace).toMatchObject({ waiting: 10_000, isComplete: false });
    // The bound is the end that can be told: the last one counted leaves in the tenth window.
    expect(await minutesUntil(pace.doneAt)).toBe(9);
  });

  test('nothing to send has no end, and nothing is foretold without a limit', async () => {
    expect(await read(0)).toMatchObject({ waiting: 0, doneAt: null });
    await limitTo(null, null);
    expect(await read(500)).toEqual({ max: null, durationMs: null, waiting: 0, isComplete: true, doneAt: null });
  });

  test('a number out of bounds is refused by name', async () => {
    for (const count of [-1, 1_000_001])
      expect((await ask(count)).errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });
}
