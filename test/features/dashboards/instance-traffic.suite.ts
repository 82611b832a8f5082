// The traffic of chat instances: what came, left and was not sent in each of the last 24 hours, and what waits now.

import { newRecordId } from '../../../src/platform/database/record-id.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../../support/test-app.js';

interface Written {
  instanceId?: string;
  status?: 'SENT' | 'READ' | 'FAILED' | 'QUEUED' | null;
  at: Date;
  isNotice?: boolean;
}

interface Traffic {
  lastInAt: string | null;
  lastOutAt: string | null;
  waiting: number;
  received: number;
  sent: number;
  failed: number;
  hours: { start: string; received: number; sent: number; failed: number }[];
}

interface Answer {
  data: { chatInstances: { id: string; traffic: Traffic }[] };
  errors?: unknown;
}

const hourMs = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

export function describeInstanceTraffic(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  beforeAll(async () => {
    // Without a worker, messages wait, and only queries compute the counts.
    app = await sharedApp({ PROCESS_ROLE: 'api' });
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
    await app.post('/public/leads', { chat: '+5511987654321' }, withKey(tenant));
    const [lead] = await app.sql<{ id: string }>('SELECT id FROM leads WHERE tenant_id = $1', [tenant.id]);
    leadId = lead?.id ?? '';
  });

  /** Stores a message as of then. Without a status it is a lead's. */
  async function write({ instanceId = tenant.instance.id, status = null, at, isNotice = false }: Written) {
    const id = newRecordId();
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, status, created_at, is_notice)
       VALUES ($1, $2, $3, $4, $5::message_direction, 'text', 'Oi', $6::message_status, $7, $8)`,
      [tenant.id, id, leadId, instanceId, status === null ? 'INBOUND' : 'OUTBOUND', status, at, isNotice],
    );
    return id;
  }

  async function addInstance(): Promise<string> {
    const id = newRecordId();
    await app.sql(
      `INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, updated_at) VALUES ($1, $2, $3, $4, now())`,
      [tenant.id, id, tenant.admin.accountId, `second-${id}`],
    );
    return id;
  }

  async function read(by = tenant): Promise<Map<string, Traffic>> {
    const fields = 'lastInAt lastOutAt waiting received sent failed hours { start received sent failed }';
    const query = `{ chatInstances { id traffic { ${fields} } } }`;
    const answer = await app.post('/graphql', { query }, withToken(by.operator));
    const { data, errors } = (await answer.json()) as Answer;
    expect(errors).toBeUndefined();
    return new Map(data.chatInstances.map((instance) => [instance.id, instance.traffic]));
  }

  const readOne = async () => (await read()).get(tenant.instance.id) as Traffic;

  test('an instance without messages has 24 empty hours, the last of which is now', async () => {
    const { hours, ...traffic } = await readOne();
    expect(traffic).toEqual({ lastInAt: null, lastOutAt: null, waiting: 0, received: 0, sent: 0, failed: 0 });
    expect(hours).toHaveLength(24);
    const starts = hours.map(({ start }) => Date.parse(start));
    expect(starts.slice(1).map((start, index) => start - (starts[index] ?? 0))).toEqual(Array(23).fill(hourMs));
    expect((starts[23] ?? 0) <= Date.now() && Date.now() < (starts[23] ?? 0) + hourMs).toBe(true);
    expect(hours.every(({ received, sent, failed }) => received + sent + failed === 0)).toBe(true);
  });

  test('messages count in their hours, by what became of them; notices and earlier days do not', async () => {
    const [came, gone] = [hoursAgo(3), hoursAgo(5)];
    await write({ at: came });
    await write({ at: hoursAgo(20) });
    await write({ at: hoursAgo(26) });
    await write({ at: hoursAgo(1), isNotice: true });
    await write({ at: gone, status: 'SENT' });
    await write({ at: hoursAgo(9), status: 'READ' });
    await write({ at: hoursAgo(2), status: 'FAILED' });
    const traffic = await readOne();
    expect(traffic).toMatchObject({ received: 2, sent: 2, failed: 1 });
    expect([traffic.lastInAt, traffic.lastOutAt]).toEqual([came.toISOString(), gone.toISOString()]);
    const holding = (at: Date) =>
      traffic.hours.find(({ start }) => Date.parse(start) <= at.getTime() && at.getTime() < Date.parse(start) + hourMs);
    expect(holding(came)).toMatchObject({ received: 1, sent: 0, failed: 0 });
    expect(holding(gone)).toMatchObject({ received: 0, sent: 1, failed: 0 });
    expect(holding(hoursAgo(2))).toMatchObject({ received: 0, sent: 0, failed: 1 });
  });

  test('what has come since the last reading counts at once', async () => {
    await write({ at: hoursAgo(2) });
    expect(await readOne()).toMatchObject({ received: 1 });
    const at = hoursAgo(0);
    await write({ at });
    expect(await readOne()).toMatchObject({ received: 2, lastInAt: at.toISOString() });
  });

  test('each instance has its own traffic, and none of another tenant', async () => {
    const second = await addInstance();
    const other = await app.createTenant();
    await write({ at: hoursAgo(1) });
    await write({ at: hoursAgo(4), instanceId: second });
    await write({ at: hoursAgo(4), instanceId: second, status: 'SENT' });
    const traffic = await read();
    expect(traffic.get(tenant.instance.id)).toMatchObject({ received: 1, sent: 0, lastOutAt: null });
    expect(traffic.get(second)).toMatchObject({ received: 1, sent: 1 });
    expect([...(await read(other)).values()]).toMatchObject([{ received: 0, sent: 0, lastInAt: null }]);
  });

  test('messages that wait are counted, scheduled ones once they are due', async () => {
    const queue = async (scheduledAt: Date | null) => {
      const id = await write({ at: hoursAgo(0), status: 'QUEUED' });
      await app.sql(
        `INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, scheduled_at) VALUES ($1, $2, $3, $4, $5)`,
        [tenant.id, id, leadId, tenant.instance.id, scheduledAt],
      );
    };
    await queue(null);
    await queue(null);
    await queue(hoursAgo(-1));
    expect(await readOne()).toMatchObject({ waiting: 2, sent: 0 });
  });
}
