// The order of one person's messages, whichever path of intake writes them. A photo takes the general path, a text the fast one. Also the
// order of the locks that a batch of the general path takes.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { query } from '../../support/graphql-client.js';
import { ReplayWebhookDeliveryDocument } from '../../support/operations.js';
import { sharedApp } from '../../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';
import { inboundPath, readJournal } from './journal-harness.js';

export function describeCallOrder(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let holder: pg.Client;
  const [ana, bia, caio] = ['5511988887777', '5511966665555', '5511944443333'];

  beforeAll(async () => (app = await sharedApp()));

  beforeEach(async () => {
    tenant = await app.createTenant();
    // A lead is known from its second message on.
    for (const from of [ana, bia, caio, ana, bia, caio]) await post({ from, text: 'Oi' });
    holder = new pg.Client({ connectionString: app.database.url });
    await holder.connect();
  });

  afterEach(() => holder.end());

  async function post(message: { from: string; text?: string; media?: { url: string } }): Promise<string> {
    const response = await app.post(inboundPath, { messageId: randomUUID(), ...message }, withKey(tenant));
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: { messageId: string }[] };
    return results[0]?.messageId ?? '';
  }

  const photo = { url: 'https://files.example/photo.jpg' };
  const waiting = async () =>
    Number(
      /^leadwire_batch_waiting\{batcher="general path"\} (\d+)$/m.exec(await app.app.services.metrics.render())?.[1],
    );
  const storedTexts = () =>
    app.sql('SELECT FROM messages WHERE tenant_id = $1 AND body = $2', [tenant.id, 'What is this?']);

  /** Holds the general path of the tenant up: a photo in it waits for its lead. @returns the answer to that photo */
  async function holdUp(): Promise<{ answer: Promise<string> }> {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM leads WHERE tenant_id = $1 AND chat = $2 FOR UPDATE', [tenant.id, bia]);
    const answer = post({ from: bia, media: photo });
    await until(
      () => app.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      (blocked) => blocked.length > 0,
    );
    return { answer };
  }

  test.each([
    ['', ana],
    [', and is from another writing of the number', '551188887777'],
  ])('a text that follows a photo stands behind it, also while the photo waits%s', async (_case, written) => {
    const { answer } = await holdUp();
    const first = post({ from: written, media: photo });
    await until(waiting, (count) => count === 2);
    const second = post({ from: ana, text: 'What is this?' });
    await until(
      async () => (await waiting()) + (await storedTexts()).length,
      (count) => count === 3,
    );
    await holder.query('ROLLBACK');
    const ids = await Promise.all([first, second]);
    await answer;
    const rows = await app.sql<{ id: string }>('SELECT id FROM messages WHERE id = ANY($1) ORDER BY position', [ids]);
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test('a text of another person does not wait for the photo', async () => {
    const { answer } = await holdUp();
    expect(await post({ from: caio, text: 'Oi' })).not.toBe('');
    await holder.query('ROLLBACK');
    await answer;
  });

  test('a text is written by the fast path again once the photo is stored', async () => {
    await post({ from: ana, media: photo });
    const { answer } = await holdUp();
    expect(await post({ from: ana, text: 'What is this?' })).not.toBe('');
    await holder.query('ROLLBACK');
    await answer;
  });

  test('a batch that decides consent and replays a lead waits for an erasure without the tenant lock', async () => {
    await app.post('/webhooks/leads', { chat: ana }, withKey(tenant));
    const [lead] = await readJournal(app, tenant, {}, 1);
    const { answer } = await holdUp();
    // Both go into the next batch: the first gives no time, so it asks for no erasure; the replay does.
    const optOut = post({ from: ana, text: 'STOP' });
    await until(waiting, (count) => count === 2);
    const replay = query(app, tenant.admin, ReplayWebhookDeliveryDocument, { id: lead?.id ?? '' });
    await until(waiting, (count) => count === 3);
    const erasure = new pg.Client({ connectionString: app.database.url });
    await erasure.connect();
    try {
      await erasure.query('BEGIN');
      await erasure.query(`SELECT pg_advisory_xact_lock(hashtextextended('leadwire erasures ' || $1::uuid, 0))`, [
        tenant.id,
      ]);
      await holder.query('ROLLBACK');
      await until(
        () => app.sql("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"),
        (blocked) => blocked.length > 0,
      );
      await erasure.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [tenant.id]);
    } finally {
      await erasure.end();
    }
    expect((await replay).replayWebhookDelivery).toMatchObject({ outcome: 'PROCESSED' });
    await Promise.all([answer, optOut]);
  });
}
