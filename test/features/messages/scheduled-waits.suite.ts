// A scheduled answer ends no wait before it was sent, and the lead says when the earliest one leaves.

import { query } from '../../support/graphql-client.js';
import { CancelMessageDocument, ListInboxDocument } from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { hear, stateOf, storedAt, writeOnPhone } from '../leads/conversation-harness.js';
import { findInconsistencies } from '../leads/lead-harness.js';
import { createLead, plainNumber, send, until, waitForStatus, withSender } from './sending-harness.js';

export function describeScheduledWaits(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let number: string;
  let leadId: string;

  withSender((sender) => ({ app, tenant } = sender));
  beforeEach(async () => {
    number = plainNumber();
    leadId = await createLead(app, tenant, number);
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const state = () => stateOf(app, tenant, leadId);
  const isWaiting = async () => {
    const { inbox } = await query(app, tenant.operator, ListInboxDocument, { first: 50, filter: { waiting: true } });
    return inbox.edges.some(({ node }) => node.id === leadId);
  };
  const letGo = async (id: string) => {
    await app.sql('UPDATE outbox_entries SET scheduled_at = now() WHERE message_id = $1', [id]);
    app.app.services.dispatcher.wake(tenant.id);
    await waitForStatus(app, id, 'SENT');
  };

  test('the lead waits on until it was sent, and says when that will be', async () => {
    const { messageId } = await hear(app, tenant, number);
    const waitingSince = await storedAt(app, messageId);
    const [sooner, later] = [inMs(3_600_000), inMs(7_200_000)];
    await send(app, tenant, { leadId, body: 'later', sendAt: later });
    const id = await send(app, tenant, { leadId, body: 'sooner', sendAt: sooner });
    expect(await state()).toMatchObject({ waitingSince, scheduledReplyAt: sooner });
    expect(await isWaiting()).toBe(true);
    await letGo(id);
    expect(await state()).toMatchObject({ waitingSince: null, scheduledReplyAt: later });
    expect(await isWaiting()).toBe(false);
  });

  test('what the lead wrote after it was scheduled waits on', async () => {
    await hear(app, tenant, number);
    const id = await send(app, tenant, { leadId, body: 'Oi', sendAt: inMs(3_600_000) });
    const { messageId } = await hear(app, tenant, number);
    await letGo(id);
    expect(await state()).toMatchObject({ waitingSince: await storedAt(app, messageId), scheduledReplyAt: null });
  });

  test('a canceled one changes nothing of the wait, and is announced no more', async () => {
    const { messageId } = await hear(app, tenant, number);
    const id = await send(app, tenant, { leadId, body: 'Oi', sendAt: inMs(3_600_000) });
    await query(app, tenant.operator, CancelMessageDocument, { id });
    expect(await state()).toMatchObject({ waitingSince: await storedAt(app, messageId), scheduledReplyAt: null });
  });

  test('an answer at once ends the wait, whatever is scheduled', async () => {
    await hear(app, tenant, number);
    const sendAt = inMs(3_600_000);
    await send(app, tenant, { leadId, body: 'Oi', sendAt });
    await writeOnPhone(app, tenant, number);
    expect(await state()).toMatchObject({ waitingSince: null, scheduledReplyAt: sendAt });
  });

  const replyOf = async (id: string) => {
    await app.app.services.rollUps.catchUp(tenant.id);
    const rows = await app.sql<{ reply: string | null }>(
      'SELECT reply_id AS reply FROM reply_times WHERE tenant_id = $1 AND id = $2',
      [tenant.id, id],
    );
    return rows[0]?.reply;
  };

  test('dashboards count the reply from its sending', async () => {
    const { messageId } = await hear(app, tenant, number);
    const id = await send(app, tenant, { leadId, body: 'Oi', sendAt: inMs(3_600_000) });
    expect(await replyOf(messageId)).toBeNull();
    await letGo(id);
    expect(
      await until(
        () => replyOf(messageId),
        (reply) => reply != null,
      ),
    ).toBe(id);
  });

  test.each([false, true])(
    'an answer that left before a scheduled one stays the reply, heard between them: %s',
    async (isHeard) => {
      const { messageId } = await hear(app, tenant, number);
      const id = await send(app, tenant, { leadId, body: 'Bom dia', sendAt: inMs(3_600_000) });
      if (isHeard) await hear(app, tenant, number);
      const answer = await send(app, tenant, { leadId, body: 'Oi' });
      await waitForStatus(app, answer, 'SENT');
      for (const one of [messageId, leadId]) expect(await replyOf(one)).toBe(answer);
      await letGo(id);
      for (const one of [messageId, leadId]) expect(await replyOf(one)).toBe(answer);
      // The whole conversation is computed as the recent part of it.
      await app.sql(
        "INSERT INTO dashboard_changes (tenant_id, quarters, lead_ids) VALUES ($1, '{}', ARRAY[$2::uuid])",
        [tenant.id, leadId],
      );
      for (const one of [messageId, leadId]) expect(await replyOf(one)).toBe(answer);
    },
  );
}
