// The undo of bulk actions: leads get back what they had, what was changed since stays, and an undo ends what still runs.

import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AssignLeadDocument,
  CloseConversationDocument,
  DeleteLeadDocument,
  MergeLeadsDocument,
  RemindIfNoReplyDocument,
  ReopenConversationDocument,
  UndoBulkActionDocument,
  UpdateLeadDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { storeLeads } from '../bulk-sends/bulk-harness.js';
import { hear, loggedEvents, stateOf } from '../leads/conversation-harness.js';
import { untilSomebodyWaits } from '../leads/lead-harness.js';
import { createLead, plainNumber, until } from '../messages/sending-harness.js';
import { actOn, begin, HeldLead, readAction, stateOfLeads, undo, untilEnded } from './bulk-action-harness.js';

export function describeBulkActionUndo(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  async function countWaiting(): Promise<number> {
    const waiting = await app.sql(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length;
  }

  const failUndo = async (id: string, by = tenant.operator) =>
    failureOf(await execute(app, by, UndoBulkActionDocument, { id })).code;

  test('a reminder comes back as one', async () => {
    const [leadId = ''] = await storeLeads(app, tenant, 1);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await query(app, tenant.operator, RemindIfNoReplyDocument, { leadId, at });
    const { id } = await actOn(app, tenant, [leadId], { snoozeUntil: at });
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ snoozedUntil: at, snoozeKind: 'SNOOZE' });
    await undo(app, tenant, id);
    expect(await stateOf(app, tenant, leadId)).toMatchObject({ snoozedUntil: at, snoozeKind: 'REMINDER' });
  });

  test('each lead gets its own former assignee back; what was reassigned since stays', async () => {
    const leads = await storeLeads(app, tenant, 4);
    const { id: operatorId } = tenant.operator;
    const { id: adminId } = tenant.admin;
    await actOn(app, tenant, leads.slice(0, 1), { assigneeId: operatorId });
    const { id } = await actOn(app, tenant, leads, { assigneeId: adminId });
    await query(app, tenant.operator, AssignLeadDocument, { id: leads[3]!, userId: operatorId });
    const undone = await undo(app, tenant, id);
    expect(undone).toMatchObject({ status: 'UNDONE', total: 4, done: 3, skipped: 1, undoUntil: null });
    expect(await stateOfLeads(app, leads, 'assignee_id')).toEqual([operatorId, null, null, operatorId]);
    const told = (await loggedEvents(app, tenant, ['LEAD_ASSIGNED'])).slice(-3).map(({ data }) => data);
    const back = { previousAssigneeId: adminId, userId: operatorId };
    expect(told).toEqual([
      { assigneeId: operatorId, ...back },
      { assigneeId: null, ...back },
      { assigneeId: null, ...back },
    ]);
  });

  test('tags and states come back; a conversation that was opened since stays open', async () => {
    const leads = await storeLeads(app, tenant, 3);
    await query(app, tenant.operator, UpdateLeadDocument, { id: leads[0]!, input: { tags: ['a', 'b'] } });
    await query(app, tenant.operator, CloseConversationDocument, { leadId: leads[1]! });
    const tagged = await actOn(app, tenant, leads, { removeTags: ['a'] });
    const snoozed = await actOn(app, tenant, leads, { snoozeUntil: new Date(Date.now() + 86_400_000).toISOString() });
    await query(app, tenant.operator, ReopenConversationDocument, { leadId: leads[2]! });
    expect(await undo(app, tenant, tagged.id)).toMatchObject({ done: 3, skipped: 0 });
    expect(await stateOfLeads(app, leads, 'tags')).toEqual([['a', 'b'], [], []]);
    expect(await undo(app, tenant, snoozed.id)).toMatchObject({ done: 2, skipped: 1 });
    expect(await stateOfLeads(app, leads, 'conversation_status')).toEqual(['OPEN', 'CLOSED', 'OPEN']);
  });

  test('who has written since is not put aside again', async () => {
    const numbers = [plainNumber(), plainNumber(), plainNumber()];
    const leads: string[] = [];
    for (const number of numbers) leads.push(await createLead(app, tenant, number));
    const [closed = '', reminded = '', tagged = ''] = leads;
    const at = new Date(Date.now() + 86_400_000).toISOString();
    await query(app, tenant.operator, CloseConversationDocument, { leadId: closed });
    await query(app, tenant.operator, RemindIfNoReplyDocument, { leadId: reminded, at });
    const opened = await actOn(app, tenant, leads, { conversationStatus: 'OPEN' });
    const added = await actOn(app, tenant, [tagged], { addTags: ['x'] });
    for (const number of numbers) await hear(app, tenant, number);
    expect(await undo(app, tenant, opened.id)).toMatchObject({ done: 1, skipped: 2 });
    expect(await stateOfLeads(app, leads, 'conversation_status')).toEqual(['OPEN', 'OPEN', 'OPEN']);
    expect(await undo(app, tenant, added.id)).toMatchObject({ done: 1, skipped: 0 });
  });

  test('a snooze that would be over by now does not come back', async () => {
    const [leadId = ''] = await storeLeads(app, tenant, 1);
    await actOn(app, tenant, [leadId], { snoozeUntil: new Date(Date.now() + 86_400_000).toISOString() });
    const { id } = await actOn(app, tenant, [leadId], { conversationStatus: 'CLOSED' });
    await app.sql(
      `UPDATE bulk_action_leads SET before = jsonb_set(before, '{snoozedUntil}', '"2020-01-01T00:00:00.000Z"') WHERE bulk_action_id = $1`,
      [id],
    );
    expect(await undo(app, tenant, id)).toMatchObject({ done: 1 });
    expect(await stateOfLeads(app, [leadId], 'conversation_status')).toEqual(['OPEN']);
  });

  test('erased, merged, or with a former assignee who is deactivated: skipped', async () => {
    const leads = await storeLeads(app, tenant, 4);
    const [erased = '', merged = '', left = '', survivor = ''] = leads;
    const gone = await app.createUser(tenant.id, { email: 'gone@test.example', role: 'OPERATOR', idpSub: survivor });
    await actOn(app, tenant, [left], { assigneeId: gone.id });
    const { id } = await actOn(app, tenant, leads.slice(0, 3), { assigneeId: tenant.admin.id });
    await query(app, tenant.operator, DeleteLeadDocument, { id: erased });
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: survivor });
    await app.sql('UPDATE users SET is_active = false WHERE id = $1', [gone.id]);
    expect(await undo(app, tenant, id)).toMatchObject({ status: 'UNDONE', total: 3, done: 0, skipped: 3 });
    expect(await stateOfLeads(app, [left, survivor], 'assignee_id')).toEqual([tenant.admin.id, tenant.admin.id]);
  });

  test('while it runs: the rest stops, and what was done goes back', async () => {
    const leads = await storeLeads(app, tenant, 3_000);
    const held = await HeldLead.hold(app, leads[450]!);
    try {
      const { id } = await begin(app, tenant, { leadIds: leads, action: { addTags: ['x'] } });
      await untilSomebodyWaits(app);
      expect(await readAction(app, tenant, id)).toMatchObject({ status: 'RUNNING', done: 400 });
      const undoing = query(app, tenant.operator, UndoBulkActionDocument, { id });
      // The worker waits for the lead, and the undo for the worker.
      await until(countWaiting, (count) => count >= 2);
      await held.release();
      expect((await undoing).undoBulkAction).toMatchObject({ status: 'UNDOING', total: 3_000, undoUntil: null });
      expect(await untilEnded(app, tenant, id)).toMatchObject({ status: 'UNDONE', done: 3_000, skipped: 0 });
      expect(new Set((await stateOfLeads(app, leads, 'tags')).map(String))).toEqual(new Set(['']));
      const changed = new Set((await loggedEvents(app, tenant, ['LEAD_UPDATED'])).map(({ leadId }) => leadId));
      expect(changed.size).toBeGreaterThanOrEqual(400);
      expect(changed.size).toBeLessThan(3_000);
    } finally {
      await held.release();
    }
  });

  test('no undo of an undo, of what ended too long ago, or of another tenant; ids that name nothing are unknown', async () => {
    const leads = await storeLeads(app, tenant, 1);
    const { id } = await actOn(app, tenant, leads, { addTags: ['x'] });
    const other = await app.createTenant();
    expect(await failUndo(id, other.admin)).toBe('NOT_FOUND');
    expect(await failUndo('x')).toBe('NOT_FOUND');
    await app.sql('UPDATE bulk_actions SET undo_until = now() WHERE id = $1', [id]);
    expect(await failUndo(id)).toBe('CONFLICT');
    await app.sql(`UPDATE bulk_actions SET undo_until = now() + interval '1 min' WHERE id = $1`, [id]);
    await undo(app, tenant, id);
    expect(await failUndo(id)).toBe('CONFLICT');
    expect(await stateOfLeads(app, leads, 'tags')).toEqual([[]]);
  });

  test('in the name of the user who undoes it', async () => {
    const leads = await storeLeads(app, tenant, 1);
    const { id } = await actOn(app, tenant, leads, { addTags: ['x'] });
    await query(app, tenant.admin, UndoBulkActionDocument, { id });
    await untilEnded(app, tenant, id);
    const users = (await loggedEvents(app, tenant, ['LEAD_UPDATED'])).map(({ data }) => data?.['userId']);
    expect(users).toEqual([tenant.operator.id, tenant.admin.id]);
  });
}
