// A change of many leads: each of the five, the events that clients and endpoints get, what is refused by name, bounds and shares.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { connect, execute, failureOf, query, Subscription } from '../../support/graphql-client.js';
import {
  BulkActionDocument,
  BulkActionEventsDocument,
  CreateBulkActionDocument,
  DeleteLeadDocument,
  EventCursorDocument,
  MergeLeadsDocument,
  UndoBulkActionDocument,
  UpdateUserDocument,
  type CreateBulkActionInput,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { operatorOf, storeLeads } from '../bulk-sends/bulk-harness.js';
import { loggedEvents } from '../leads/conversation-harness.js';
import { disposeAll } from '../live/live-harness.js';
import { createLead, until } from '../messages/sending-harness.js';
import { createEndpoint } from '../outgoing-webhooks/endpoint-harness.js';
import { WebhookReceiver } from '../outgoing-webhooks/webhook-receiver.js';
import { actOn, begin, HeldLead, readAction, stateOfLeads, untilEnded } from './bulk-action-harness.js';

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

export function describeBulkActions(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const fail = async (input: CreateBulkActionInput, by = tenant.operator) =>
    failureOf(await execute(app, by, CreateBulkActionDocument, { input }));

  describe('each change', () => {
    test('assigns leads, and takes their assignees away', async () => {
      const leads = await storeLeads(app, tenant, 3);
      const { id: userId } = tenant.operator;
      const assigned = await actOn(app, tenant, leads, { assigneeId: userId });
      expect(assigned).toMatchObject({ status: 'COMPLETED', total: 3, done: 3, skipped: 0 });
      expect(await stateOfLeads(app, leads, 'assignee_id')).toEqual([userId, userId, userId]);
      expect(await actOn(app, tenant, leads.slice(1), { assigneeId: null })).toMatchObject({ done: 2 });
      expect(await stateOfLeads(app, leads, 'assignee_id')).toEqual([userId, null, null]);
      const told = await loggedEvents(app, tenant, ['LEAD_ASSIGNED']);
      expect(told.map(({ data }) => data)).toEqual([
        ...leads.map(() => ({ assigneeId: userId, previousAssigneeId: null, userId })),
        ...leads.slice(1).map(() => ({ assigneeId: null, previousAssigneeId: userId, userId })),
      ]);
    });

    test('adds tags and removes them, as an edit of one lead does', async () => {
      const leads = await storeLeads(app, tenant, 2);
      await actOn(app, tenant, leads.slice(0, 1), { addTags: ['old'] });
      expect(await actOn(app, tenant, leads, { addTags: ['VIP ', 'old'] })).toMatchObject({ done: 2, skipped: 0 });
      expect(await stateOfLeads(app, leads, 'tags')).toEqual([
        ['old', 'vip'],
        ['vip', 'old'],
      ]);
      await actOn(app, tenant, leads, { removeTags: ['old'] });
      expect(await stateOfLeads(app, leads, 'tags')).toEqual([['vip'], ['vip']]);
      const told = await loggedEvents(app, tenant, ['LEAD_UPDATED']);
      expect(told).toHaveLength(5);
      expect(told[0]?.data).toEqual({ change: 'FIELDS', fields: ['tags'], userId: tenant.operator.id });
      const [key] = await app.sql<{ tags: string[] }>('SELECT tags FROM lead_search_keys WHERE lead_id = $1', [
        leads[0],
      ]);
      expect(key?.tags).toEqual(['vip']);
    });

    test('closes, opens and puts conversations aside', async () => {
      const leads = await storeLeads(app, tenant, 2);
      const at = inADay();
      await actOn(app, tenant, leads, { conversationStatus: 'CLOSED' });
      expect(await stateOfLeads(app, leads, 'conversation_status')).toEqual(['CLOSED', 'CLOSED']);
      await actOn(app, tenant, leads, { snoozeUntil: at });
      expect(await stateOfLeads(app, leads, 'conversation_status')).toEqual(['SNOOZED', 'SNOOZED']);
      expect(await stateOfLeads(app, leads, 'snoozed_until')).toEqual([new Date(at), new Date(at)]);
      await actOn(app, tenant, leads, { conversationStatus: 'OPEN' });
      expect(await stateOfLeads(app, leads, 'snoozed_until')).toEqual([null, null]);
      const told = (await loggedEvents(app, tenant, ['CONVERSATION_STATUS_CHANGED'])).map(({ data }) => data);
      const cause = { reason: 'USER', userId: tenant.operator.id };
      expect(told.filter((_data, index) => index % 2 === 0)).toEqual([
        { conversationStatus: 'CLOSED', snoozedUntil: null, ...cause },
        { conversationStatus: 'SNOOZED', snoozedUntil: at, ...cause },
        { conversationStatus: 'OPEN', snoozedUntil: null, ...cause },
      ]);
    });

    test('a lead that is as wanted is done, and tells nothing', async () => {
      const leads = await storeLeads(app, tenant, 2);
      await actOn(app, tenant, leads.slice(0, 1), { conversationStatus: 'CLOSED' });
      expect(await actOn(app, tenant, leads, { conversationStatus: 'CLOSED' })).toMatchObject({ done: 2, skipped: 0 });
      expect(await loggedEvents(app, tenant, ['CONVERSATION_STATUS_CHANGED'])).toHaveLength(2);
    });

    test('a lead that would get too many tags is skipped', async () => {
      const leads = await storeLeads(app, tenant, 2);
      await app.sql('UPDATE leads SET tags = $2 WHERE id = $1', [
        leads[0],
        Array.from({ length: 50 }, (_, n) => `t${n}`),
      ]);
      expect(await actOn(app, tenant, leads, { addTags: ['one more'] })).toMatchObject({ done: 1, skipped: 1 });
      expect((await stateOfLeads(app, leads, 'tags'))[1]).toEqual(['one more']);
    });
  });

  test('webhook endpoints get what single changes post', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const { path } = await createEndpoint(app, tenant, receiver.url, { eventTypes: ['LEAD_ASSIGNED'] });
      const leads = await storeLeads(app, tenant, 3);
      await actOn(app, tenant, leads, { assigneeId: tenant.operator.id });
      const posts = await until(
        () => receiver.on(path),
        (all) => all.length >= 3,
      );
      expect(new Set(posts.map(({ body }) => body.data['leadId']))).toEqual(new Set(leads));
      expect(new Set(posts.map(({ body }) => body.type))).toEqual(new Set(['lead.assigned']));
    } finally {
      await receiver.close();
    }
  });

  describe('its leads', () => {
    test('a thousand and more, each once, with progress for those who watch', async () => {
      const leads = await storeLeads(app, tenant, 1_050);
      const clients: Client[] = [connect(app, tenant.admin)];
      const { eventCursor } = await query(app, tenant.admin, EventCursorDocument, {});
      const events = new Subscription(clients[0]!, BulkActionEventsDocument, { after: eventCursor });
      const { id, status, undoUntil } = await begin(app, tenant, { leadIds: leads, action: { addTags: ['x'] } });
      expect(status).toBe('RUNNING');
      expect(Date.parse(undoUntil ?? '')).toBeGreaterThan(Date.now());
      const ended = await untilEnded(app, tenant, id);
      expect(ended).toMatchObject({ status: 'COMPLETED', total: 1_050, done: 1_050, skipped: 0 });
      const told = (await loggedEvents(app, tenant, ['LEAD_UPDATED'])).map(({ leadId }) => leadId);
      expect(told).toHaveLength(1_050);
      expect(new Set(told)).toEqual(new Set(leads));
      const received = await events.until((all) =>
        all.some(({ events: one }) => one.bulkAction?.status === 'COMPLETED'),
      );
      expect(received.at(-1)?.events).toEqual({ type: 'BULK_ACTION_PROGRESS', bulkAction: ended });
      await disposeAll(clients);
    });

    test('by a filter: those that it finds at the call', async () => {
      const leads = await storeLeads(app, tenant, 4);
      await actOn(app, tenant, leads.slice(0, 3), { addTags: ['chosen'] });
      const held = await HeldLead.hold(app, leads[0]!);
      try {
        const action = { conversationStatus: 'CLOSED' as const };
        const filter = { tagsAny: ['chosen'], conversationStatuses: ['OPEN' as const] };
        const { id, total } = await begin(app, tenant, { filter, action });
        expect(total).toBe(3);
        await app.sql(`UPDATE leads SET tags = '{chosen}' WHERE id = $1`, [leads[3]]);
        await held.release();
        expect(await untilEnded(app, tenant, id)).toMatchObject({ done: 3, skipped: 0 });
      } finally {
        await held.release();
      }
      expect(await stateOfLeads(app, leads, 'conversation_status')).toEqual(['CLOSED', 'CLOSED', 'CLOSED', 'OPEN']);
    });

    test('a filter that finds nobody: it has ended', async () => {
      const action = { addTags: ['x'] };
      const empty = await begin(app, tenant, { filter: { tagsAny: ['nobody'] }, action });
      expect(empty).toMatchObject({ status: 'COMPLETED', total: 0, done: 0, skipped: 0 });
    });

    test('named twice, or by a lead that was merged: once', async () => {
      const [one = '', other = '', third = ''] = await storeLeads(app, tenant, 3);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: other, intoId: one });
      const ended = await actOn(app, tenant, [one, other, third, third.toUpperCase()], { addTags: ['x'] });
      expect(ended).toMatchObject({ total: 2, done: 2 });
      const told = (await loggedEvents(app, tenant, ['LEAD_UPDATED'])).filter(
        ({ data }) => data?.['change'] === 'FIELDS',
      );
      expect(told.map(({ leadId }) => leadId)).toEqual([one, third]);
    });

    test('merged while it runs: the survivor is changed; erased: skipped', async () => {
      const leads = await storeLeads(app, tenant, 4);
      const held = await HeldLead.hold(app, leads[0]!);
      try {
        const { id } = await begin(app, tenant, { leadIds: leads, action: { assigneeId: tenant.operator.id } });
        const [survivor = ''] = await storeLeads(app, tenant, 1);
        await query(app, tenant.operator, MergeLeadsDocument, { leadId: leads[1]!, intoId: survivor });
        await query(app, tenant.operator, DeleteLeadDocument, { id: leads[2]! });
        await held.release();
        expect(await untilEnded(app, tenant, id)).toMatchObject({ total: 4, done: 3, skipped: 1 });
        expect(await stateOfLeads(app, [survivor], 'assignee_id')).toEqual([tenant.operator.id]);
      } finally {
        await held.release();
      }
    });

    test('an assignee who is deactivated while it runs: the leads that are left are skipped', async () => {
      const leads = await storeLeads(app, tenant, 3);
      const held = await HeldLead.hold(app, leads[0]!);
      try {
        const { id } = await begin(app, tenant, { leadIds: leads, action: { assigneeId: tenant.operator.id } });
        await app.sql('UPDATE users SET is_active = false WHERE id = $1', [tenant.operator.id]);
        await held.release();
        const record = await until(
          () => app.app.services.bulkActions.find(operatorOf(tenant), id),
          (action) => action?.status === 'COMPLETED',
        );
        expect(record).toMatchObject({ done: 0, skipped: 3 });
      } finally {
        await held.release();
      }
    });

    test('a lead that cannot be changed is tried alone, and skipped in the end', async () => {
      const leads = await storeLeads(app, tenant, 5);
      const poisoned = `lead_is_poisoned_${leads[2]!.replaceAll('-', '')}`;
      await app.sql(
        `CREATE FUNCTION ${poisoned}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$`,
      );
      await app.sql(
        `CREATE TRIGGER ${poisoned} BEFORE UPDATE ON leads FOR EACH ROW WHEN (new.id = '${leads[2]!}') EXECUTE FUNCTION ${poisoned}()`,
      );
      try {
        const { id } = await begin(app, tenant, { leadIds: leads, action: { addTags: ['x'] } });
        const hurry = async () => {
          await app.sql('UPDATE bulk_actions SET resume_at = now() WHERE id = $1 AND failures > 0', [id]);
          app.app.services.bulkActionRunner.wake(tenant.id);
        };
        const ended = await until(
          async () => {
            await hurry();
            return readAction(app, tenant, id);
          },
          ({ status }) => status === 'COMPLETED',
        );
        expect(ended).toMatchObject({ total: 5, done: 4, skipped: 1 });
        expect(await stateOfLeads(app, leads, 'tags')).toEqual([['x'], ['x'], [], ['x'], ['x']]);
      } finally {
        await app.sql(`DROP FUNCTION ${poisoned} CASCADE`);
      }
    });
  });

  describe('what is refused', () => {
    const leadId = randomUUID();
    const refusals: [string, () => CreateBulkActionInput, string][] = [
      ['no change', () => ({ leadIds: [leadId], action: {} }), 'action'],
      ['a change of nulls', () => ({ leadIds: [leadId], action: { assigneeId: null, addTags: null } }), 'action'],
      [
        'two changes',
        () => ({ leadIds: [leadId], action: { addTags: ['x'], conversationStatus: 'CLOSED' } }),
        'action.conversationStatus',
      ],
      ['no tag', () => ({ leadIds: [leadId], action: { addTags: [] } }), 'action.addTags'],
      ['a tag with a comma', () => ({ leadIds: [leadId], action: { removeTags: ['a,b'] } }), 'action.removeTags.0'],
      [
        'a status that needs a time',
        () => ({ leadIds: [leadId], action: { conversationStatus: 'SNOOZED' } }),
        'action.conversationStatus',
      ],
      [
        'a time that is past',
        () => ({ leadIds: [leadId], action: { snoozeUntil: '2020-01-01T00:00:00Z' } }),
        'action.snoozeUntil',
      ],
      ['neither ids nor a filter', () => ({ action: { addTags: ['x'] } }), 'leadIds'],
      ['ids and a filter', () => ({ leadIds: [leadId], filter: {}, action: { addTags: ['x'] } }), 'leadIds'],
      ['no ids', () => ({ leadIds: [], action: { addTags: ['x'] } }), 'leadIds'],
      ['an unknown lead', () => ({ leadIds: [leadId], action: { addTags: ['x'] } }), 'leadIds.0'],
      ['a wrong filter', () => ({ filter: { search: '' }, action: { addTags: ['x'] } }), 'filter.search'],
    ];
    test.each(refusals)('%s', async (_name, input, path) => {
      expect(await fail(input())).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });

    // A body of so many ids is refused before.
    test('too many ids', async () => {
      const input = { leadIds: Array.from({ length: 10_001 }, () => leadId), action: { addTags: ['x'] } };
      const refused = app.app.services.bulkActions.create(operatorOf(tenant), input);
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'leadIds' }] });
    });

    test('an assignee who is unknown, of another tenant, or deactivated', async () => {
      const leadIds = await storeLeads(app, tenant, 1);
      const other = await app.createTenant();
      for (const assigneeId of [randomUUID(), other.operator.id])
        expect(await fail({ leadIds, action: { assigneeId } })).toMatchObject({ code: 'NOT_FOUND' });
      const { id: assigneeId } = tenant.operator;
      await query(app, tenant.admin, UpdateUserDocument, { id: assigneeId, input: { isActive: false } });
      const refusal = { code: 'VALIDATION_FAILED', paths: ['action.assigneeId'] };
      expect(await fail({ leadIds, action: { assigneeId } }, tenant.admin)).toEqual(refusal);
    });

    test('leads and actions of another tenant', async () => {
      const other = await app.createTenant();
      const leadIds = await storeLeads(app, other, 1);
      const refusal = { code: 'VALIDATION_FAILED', paths: ['leadIds.0'] };
      expect(await fail({ leadIds, action: { addTags: ['x'] } })).toEqual(refusal);
      const { id } = await begin(app, other, { leadIds, action: { addTags: ['x'] } });
      expect(await query(app, tenant.admin, BulkActionDocument, { id })).toEqual({ bulkAction: null });
    });
  });

  test('the same key gives the same action, also in parallel; other content is a conflict', async () => {
    const leadIds = await storeLeads(app, tenant, 2);
    const input = { leadIds, action: { addTags: ['x'] }, idempotencyKey: randomUUID() };
    const begun = await Promise.all([1, 2, 3].map(() => begin(app, tenant, input)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    await untilEnded(app, tenant, begun[0]!.id);
    expect((await begin(app, tenant, input)).id).toBe(begun[0]!.id);
    expect(await loggedEvents(app, tenant, ['LEAD_UPDATED'])).toHaveLength(2);
    expect(await fail({ ...input, action: { addTags: ['y'] } })).toMatchObject({ code: 'CONFLICT' });
  });

  test('the same key gives the same action also once its time is past; a new key is refused then', async () => {
    const leadIds = await storeLeads(app, tenant, 1);
    const end = Date.now() + 2_000;
    const input = { leadIds, action: { snoozeUntil: new Date(end).toISOString() }, idempotencyKey: randomUUID() };
    const { id } = await begin(app, tenant, input);
    await delay(Math.max(0, end - Date.now()) + 10);
    expect((await begin(app, tenant, input)).id).toBe(id);
    const refusal = { code: 'VALIDATION_FAILED', paths: ['action.snoozeUntil'] };
    expect(await fail({ ...input, idempotencyKey: randomUUID() })).toEqual(refusal);
  });

  test('another time in the filter is other content under the same key', async () => {
    const input = {
      filter: { since: '2026-11-01T00:00:00Z' },
      action: { addTags: ['x'] },
      idempotencyKey: randomUUID(),
    };
    const { id } = await begin(app, tenant, input);
    expect((await begin(app, tenant, input)).id).toBe(id);
    expect(await fail({ ...input, filter: { since: '2026-11-20T00:00:00Z' } })).toMatchObject({ code: 'CONFLICT' });
  });

  test('a tenant has five that run; its share holds up no other tenant', async () => {
    const [leadId = ''] = await storeLeads(app, tenant, 1);
    const other = await app.createTenant();
    const held = await HeldLead.hold(app, leadId);
    try {
      const action = { addTags: ['x'] };
      const begun = await Promise.all([1, 2, 3, 4, 5].map(() => begin(app, tenant, { leadIds: [leadId], action })));
      expect(await fail({ leadIds: [leadId], action })).toMatchObject({ code: 'CONFLICT' });
      const others = await storeLeads(app, other, 500);
      expect(await actOn(app, other, others, action)).toMatchObject({ done: 500 });
      for (const { id } of begun) expect(await readAction(app, tenant, id)).toMatchObject({ status: 'RUNNING' });
      await held.release();
      for (const { id } of begun) await untilEnded(app, tenant, id);
      await actOn(app, tenant, [leadId], action);
    } finally {
      await held.release();
    }
  });

  test('those that are being undone take no place of those that run', async () => {
    const [leadId = ''] = await storeLeads(app, tenant, 1);
    const input = { leadIds: [leadId], action: { addTags: ['x'] } };
    const ended: string[] = [];
    for (let count = 0; count < 5; count += 1) ended.push((await begin(app, tenant, input)).id);
    for (const id of ended) await untilEnded(app, tenant, id);
    const held = await HeldLead.hold(app, leadId);
    try {
      for (const id of ended) await query(app, tenant.operator, UndoBulkActionDocument, { id });
      // Together they are bounded too, or a tenant could begin and undo without end.
      for (let count = 0; count < 15; count += 1) {
        const { id, status } = await begin(app, tenant, input);
        expect(status).toBe('RUNNING');
        await query(app, tenant.operator, UndoBulkActionDocument, { id });
      }
      expect(await fail(input)).toMatchObject({ code: 'CONFLICT' });
    } finally {
      await held.release();
    }
  });

  test('the same key in parallel gives the same action, also where it takes the last place', async () => {
    const [leadId = ''] = await storeLeads(app, tenant, 1);
    const held = await HeldLead.hold(app, leadId);
    try {
      const input = { leadIds: [leadId], action: { addTags: ['x'] } };
      for (let running = 0; running < 4; running += 1) await begin(app, tenant, input);
      const last = { ...input, idempotencyKey: randomUUID() };
      const begun = await Promise.all([1, 2, 3, 4].map(() => begin(app, tenant, last)));
      expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
      expect(await fail({ ...input, idempotencyKey: randomUUID() })).toMatchObject({ code: 'CONFLICT' });
      await held.release();
      await untilEnded(app, tenant, begun[0]!.id);
    } finally {
      await held.release();
    }
  });

  test('its leads are forgotten an hour after its end, and the action after a month', async () => {
    const leadIds = [await createLead(app, tenant)];
    const { id } = await actOn(app, tenant, leadIds, { addTags: ['x'] });
    const age = (span: string) =>
      app.sql(`UPDATE bulk_actions SET finished_at = now() - interval '${span}' WHERE id = $1`, [id]);
    const rows = () => app.sql('SELECT FROM bulk_action_leads WHERE bulk_action_id = $1', [id]);
    await app.app.services.pruning.prune();
    expect(await rows()).toHaveLength(1);
    await age('61 minutes');
    expect(await app.app.services.pruning.prune()).toMatchObject({ bulkActionLeads: 1, bulkActions: 0 });
    expect(await rows()).toHaveLength(0);
    expect(await readAction(app, tenant, id)).toMatchObject({ done: 1 });
    await age('31 days');
    expect(await app.app.services.pruning.prune()).toMatchObject({ bulkActions: 1 });
    expect(await query(app, tenant.operator, BulkActionDocument, { id })).toEqual({ bulkAction: null });
  });
}
