// A message's timeline shows its steps in the order in which they took effect, even if a process had to wait with a step.

import pg from 'pg';
import { readMessage, until } from '../features/messages/sending-harness.js';
import { sharedApp } from '../support/shared-app.js';
import { TestApp, withKey } from '../support/test-app.js';
import { phoneCall } from './phone-call.js';

const statusPath = '/webhooks/chat/gateway/status';

export function describeTimelineOrder(): void {
  let first: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    first = await sharedApp();
    second = await TestApp.start({}, first.database);
  });
  afterAll(async () => {
    await second.stop({ keepDatabase: true });
  });

  test('a call that waited for another row with a later status does not come before the status that overtook it', async () => {
    const tenant = await first.createTenant();
    const messages = ['a', 'b'].map((externalId) => ({ externalId, to: '5511988887777' }));
    const call = phoneCall(tenant.instance.name, messages);
    const written = await first.post('/webhooks/chat/gateway/inbound', call, withKey(tenant));
    const { results } = (await written.json()) as { results: { messageId: string }[] };
    const [a = '', b = ''] = results.map(({ messageId }) => messageId);
    const holder = new pg.Client({ connectionString: first.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [a]);
    const statuses = [
      { messageId: 'a', status: 'DELIVERED' },
      { messageId: 'b', status: 'READ' },
    ];
    const slow = first.post(statusPath, { statuses }, withKey(tenant));
    const waiting = () =>
      first.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    await until(waiting, (rows) => rows.length > 0);
    await second.post(statusPath, { messageId: 'b', status: 'DELIVERED' }, withKey(tenant));
    await holder.query('COMMIT');
    await holder.end();
    expect((await slow).status).toBe(200);
    const { timeline } = await readMessage(first, tenant, b);
    expect(timeline.map(({ toStatus }) => toStatus)).toEqual(['SENT', 'DELIVERED', 'READ']);
  });
}
