// Missed statuses of outbound messages: applied from the gateway's history, forward only, and counted by themselves.

import { randomUUID } from 'node:crypto';
import type { EvolutionServer } from '../../support/evolution-server.js';
import { query } from '../../support/graphql-client.js';
import { ReplayWebhookDeliveryDocument } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { readJournal } from '../webhooks/journal-harness.js';
import { HistoryInstance, minutesAgo, withHistory } from './history-harness.js';

interface StoredStatus {
  status: string;
  deliveredAt: Date | null;
  readAt: Date | null;
  errorCode: string | null;
}

export function describeMissedStatuses(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let server: EvolutionServer;
  let instance: HistoryInstance;

  withHistory((stage) => ({ app, tenant, server, instance } = stage));

  const statusOf = async (externalId: string) =>
    (
      await app.sql<StoredStatus>(
        `SELECT status, delivered_at AS "deliveredAt", read_at AS "readAt", error_code AS "errorCode" FROM messages
         WHERE tenant_id = $1 AND external_id = $2`,
        [tenant.id, externalId],
      )
    )[0];
  /** A message that was written on the phone and brought by a webhook, so it is SENT. */
  const sent = async (updates: readonly string[]) => {
    const id = randomUUID();
    await instance.write({ chat: plainNumber(), text: 'ours', id, fromMe: true, at: minutesAgo(20), updates });
    return id;
  };
  const events = () =>
    app.sql<{ data: { status: string } }>(
      "SELECT data FROM events WHERE tenant_id = $1 AND type = 'MESSAGE_STATUS_CHANGED' ORDER BY seq",
      [tenant.id],
    );

  test('the furthest one counts, once, with its event and its call in the journal', async () => {
    const id = await sent(['SERVER_ACK', 'READ', 'DELIVERY_ACK']);
    expect(await statusOf(id)).toMatchObject({ status: 'SENT' });
    const audit = await instance.recover();
    expect(audit).toMatchObject({ atGateway: 1, here: 1, recovered: 0, unexplained: 0, statuses: 1 });
    const stored = await statusOf(id);
    expect(stored).toMatchObject({ status: 'READ' });
    expect(stored?.deliveredAt).not.toBeNull();
    expect((await events()).map(({ data }) => data.status)).toEqual(['SENT', 'READ']);
    expect(await instance.recover()).toMatchObject({ here: 1, recovered: 0, statuses: 0 });
    expect(await events()).toHaveLength(2);
    const entries = await readJournal(app, tenant, { source: 'HISTORY' });
    expect(entries).toMatchObject([{ dialect: 'EVOLUTION', outcome: 'PROCESSED', route: `/history/${instance.id}` }]);
    await query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: entries[0]?.id ?? '' });
    expect([await statusOf(id), (await events()).length]).toEqual([stored, 2]);
  });

  test('never backwards: what a webhook has brought stays', async () => {
    const id = await sent(['SERVER_ACK', 'DELIVERY_ACK']);
    await instance.report(id, 'READ');
    const before = await statusOf(id);
    expect(await instance.recover()).toMatchObject({ here: 1, statuses: 0 });
    expect(await statusOf(id)).toEqual(before);
  });

  test('a failure counts unless something proves arrival', async () => {
    const [failed, arrived] = [await sent(['SERVER_ACK', 'ERROR']), await sent(['ERROR', 'DELIVERY_ACK'])];
    expect(await instance.recover()).toMatchObject({ here: 2, statuses: 2 });
    expect(await statusOf(failed)).toMatchObject({ status: 'FAILED', errorCode: 'ERROR' });
    expect(await statusOf(arrived)).toMatchObject({ status: 'DELIVERED', errorCode: null });
  });

  test('a message that is recovered gets its status too, beside being counted', async () => {
    const chat = plainNumber();
    const [read, plain] = [randomUUID(), randomUUID()];
    await instance.write(
      { chat, id: read, fromMe: true, at: minutesAgo(20), isWithheld: true, updates: ['DELIVERY_ACK', 'READ'] },
      { chat, id: plain, fromMe: true, at: minutesAgo(19), isWithheld: true, updates: ['SERVER_ACK'] },
    );
    expect(await instance.recover()).toMatchObject({ atGateway: 2, here: 0, recovered: 2, statuses: 1 });
    expect(await statusOf(read)).toMatchObject({ status: 'READ' });
    expect(await statusOf(plain)).toMatchObject({ status: 'SENT' });
  });

  test('what says nothing changes nothing, and a message of a lead has no status', async () => {
    const id = await sent(['DELETED', 'PENDING', 'something new']);
    const of = randomUUID();
    await instance.write({ chat: plainNumber(), id: of, at: minutesAgo(10), updates: ['READ'] });
    const odd = await sent([]);
    Object.assign(
      server.records.find(({ key }) => key.id === odd)!,
      { MessageUpdate: [null, 5, { status: {} }] },
    );
    expect(await instance.recover()).toMatchObject({ here: 3, unexplained: 0, statuses: 0 });
    expect([await statusOf(id), await statusOf(odd)]).toMatchObject([{ status: 'SENT' }, { status: 'SENT' }]);
    expect(await statusOf(of)).toMatchObject({ status: null });
  });

  test('another tenant’s message under the same id stays as it is', async () => {
    const id = await sent(['READ']);
    const other = await app.createTenant();
    const theirs = await HistoryInstance.create(app, other, server);
    await theirs.bring({ ...server.records[0]!, MessageUpdate: [] });
    await instance.recover();
    const [row] = await app.sql<StoredStatus>('SELECT status FROM messages WHERE tenant_id = $1 AND external_id = $2', [
      other.id,
      id,
    ]);
    expect(row).toEqual({ status: 'SENT' });
  });
}
