// Operators' changes to leads over the wire: create, change, assign, read, note, erase; also while others merge and write.

import { holdMerges, readLeadStates, stateOf } from '../../src/features/leads/merge/lead-merge-writer.js';
import { lockLeads } from '../../src/features/leads/merge/lead-merge.sql.js';
import {
  findInconsistencies,
  leadOf,
  lid,
  messagesOf,
  phone,
  readLead,
  readRows,
  transact,
  untilSomebodyWaits,
  write,
} from '../features/leads/lead-harness.js';
import { send } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AddLeadNoteDocument,
  AssignLeadDocument,
  CreateLeadDocument,
  DeleteLeadDocument,
  DeleteLeadNoteDocument,
  LeadHistoriesDocument,
  LeadRecordDocument,
  MarkLeadReadDocument,
  MergeLeadsDocument,
  UndoLeadMergeDocument,
  UpdateLeadDocument,
  UpdateLeadNoteDocument,
  type UpdateLeadInput,
} from '../support/operations.js';
import { withSharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeLeadRecords(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  withSharedApp((made) => ({ app, tenant, other } = made), { PROCESS_ROLE: 'api' });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
    for (const table of ['leads', 'events', 'audit_entries'])
      await app.sql(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
  });

  const number = '5511988887777';

  async function recordOf(id: string) {
    return (await query(app, tenant.operator, LeadRecordDocument, { id })).lead;
  }

  async function update(id: string, input: UpdateLeadInput) {
    return (await query(app, tenant.operator, UpdateLeadDocument, { id, input })).updateLead;
  }

  async function newestEvent() {
    const [event] = await app.sql<{ type: string; leadId: string; data: unknown }>(
      'SELECT type, lead_id AS "leadId", data FROM events WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1',
      [tenant.id],
    );
    return event;
  }

  /** The newest events, the oldest of them first. */
  async function newestEvents(count: number) {
    const events = await app.sql<{ type: string; leadId: string; data: unknown }>(
      'SELECT type, lead_id AS "leadId", data FROM events WHERE tenant_id = $1 ORDER BY seq DESC LIMIT $2',
      [tenant.id, count],
    );
    return events.reverse();
  }

  describe('createLead', () => {
    test('creates a lead with all that is given, and a touch', async () => {
      const { admin } = tenant;
      const input = {
        chat: '+55 (11) 98888-7777',
        name: ' Ana ',
        metadata: { campaign: 'spring' },
        tags: ['VIP', ' vip ', 'Two   words'],
        customFields: { budget: 1500.5, ' city ': 'São Paulo', isOwner: false, gone: null },
        assigneeId: admin.id,
      };
      const { createLead } = await query(app, tenant.operator, CreateLeadDocument, { input });
      expect(createLead).toEqual({
        created: true,
        lead: {
          id: expect.any(String),
          name: 'Ana',
          chat: number,
          source: 'manual',
          metadata: { campaign: 'spring' },
          tags: ['vip', 'two words'],
          customFields: { budget: 1500.5, city: 'São Paulo', isOwner: false },
          unreadCount: 0,
          assignee: { id: admin.id },
        },
      });
      const { touches } = (await recordOf(createLead.lead.id))!;
      expect(touches).toMatchObject({
        totalCount: 1,
        edges: [{ node: { source: 'manual', metadata: { campaign: 'spring' } } }],
      });
    });

    test('a known number, also one that intake knows, comes back unchanged with one more touch', async () => {
      const posted = await app.post('/public/leads', { chat: '551188887777', name: 'Ana' }, withKey(tenant));
      const { id } = (await posted.json()) as { id: string };
      const input = { chat: number, name: 'Other', source: 'fair', tags: ['vip'], assigneeId: tenant.admin.id };
      const { createLead } = await query(app, tenant.operator, CreateLeadDocument, { input });
      expect(createLead).toMatchObject({
        created: false,
        lead: { id, name: 'Ana', source: 'public', tags: [], assignee: null },
      });
      const { touches } = (await recordOf(id))!;
      expect(touches.edges.map(({ node }) => node.source)).toEqual(['fair', 'public']);
    });

    test.each([
      ['a number that is none', { chat: 'x' }, 'chat'],
      ['an empty tag', { chat: number, tags: ['ok', ' '] }, 'tags.1'],
      ['51 tags', { chat: number, tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, 'tags'],
      ['a custom field of another kind', { chat: number, customFields: { a: [1] } }, 'customFields.a'],
      ['a long custom field', { chat: number, customFields: { a: 'x'.repeat(1_001) } }, 'customFields.a'],
      ['an inexact number', { chat: number, customFields: { a: 2 ** 53 } }, 'customFields.a'],
      ['a NUL in a name', { chat: number, customFields: { 'a\u0000': 1 } }, 'customFields.a\u0000'],
    ])('%s is VALIDATION_FAILED, and nothing is created', async (_case, input, path) => {
      expect(failureOf(await execute(app, tenant.operator, CreateLeadDocument, { input }))).toEqual({
        code: 'VALIDATION_FAILED',
        paths: [path],
      });
      expect((await readRows(app, tenant))['leads']).toEqual([]);
    });

    test('an assignee whom the tenant does not have is NOT_FOUND, and nothing is created', async () => {
      const input = { chat: number, assigneeId: other.admin.id };
      expect(failureOf(await execute(app, tenant.operator, CreateLeadDocument, { input })).code).toBe('NOT_FOUND');
      expect((await readRows(app, tenant))['leads']).toEqual([]);
    });
  });

  describe('updateLead', () => {
    test('changes what is given, and tells what and by whom', async () => {
      const id = await leadOf(app, tenant, phone(number));
      await update(id, { tags: ['b', 'A'], customFields: { city: 'Rio', plan: 'x' } });
      const updated = await update(id, {
        name: 'Ana',
        addTags: ['C', 'a'],
        removeTags: ['B'],
        customFields: { plan: null, floor: 3 },
      });
      expect(updated).toMatchObject({ name: 'Ana', tags: ['a', 'c'], customFields: { city: 'Rio', floor: 3 } });
      expect(await newestEvent()).toEqual({
        type: 'LEAD_UPDATED',
        leadId: id,
        data: { change: 'FIELDS', fields: ['name', 'tags', 'customFields'], userId: tenant.operator.id },
      });
    });

    test('the same again changes nothing and tells nothing', async () => {
      const id = await leadOf(app, tenant, phone(number));
      await update(id, { name: 'Ana', tags: ['a'] });
      const before = [
        await readLead(app, id),
        await app.sql('SELECT seq FROM events WHERE tenant_id = $1', [tenant.id]),
      ];
      await update(id, { name: 'Ana', addTags: ['a'] });
      expect([
        await readLead(app, id),
        await app.sql('SELECT seq FROM events WHERE tenant_id = $1', [tenant.id]),
      ]).toEqual(before);
    });

    test('a lead cannot get more tags than it may have, by several calls either', async () => {
      const id = await leadOf(app, tenant, phone(number));
      await update(id, { tags: Array.from({ length: 50 }, (_, index) => `t${index}`) });
      const more = { id, input: { addTags: ['one more'] } };
      expect(failureOf(await execute(app, tenant.operator, UpdateLeadDocument, more)).paths).toEqual(['addTags']);
      expect((await update(id, { addTags: ['one more'], removeTags: ['t0'] })).tags).toHaveLength(50);
    });

    test("a merged lead's id changes the survivor", async () => {
      const [merged, survivor] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, phone(number))];
      await query(app, tenant.admin, MergeLeadsDocument, { leadId: merged, intoId: survivor });
      expect(await update(merged, { name: 'Ana' })).toMatchObject({ id: survivor, name: 'Ana' });
    });

    test('a change that waits while the lead is merged reaches the survivor', async () => {
      const [merged, survivor] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, phone(number))];
      let changed: ReturnType<typeof update> | undefined;
      await transact(app, tenant, async (tx) => {
        await holdMerges(tx);
        await tx.query(lockLeads, [tenant.id, [merged, survivor]]);
        changed = update(merged, { addTags: ['kept'] });
        await untilSomebodyWaits(app);
        const states = await readLeadStates(tx, [merged, survivor]);
        await app.app.services.leadMerger.merge(tx, stateOf(states, survivor), stateOf(states, merged), {
          reason: 'identity',
        });
      });
      expect(await changed).toMatchObject({ id: survivor, tags: ['kept'] });
    });
  });

  describe('assignLead', () => {
    test('gives a lead to a user and takes it away, telling who did', async () => {
      const id = await leadOf(app, tenant, phone(number));
      const { admin, operator } = tenant;
      const assign = async (userId: string | null) =>
        (await query(app, operator, AssignLeadDocument, { id, userId })).assignLead.assignee;
      expect(await assign(admin.id)).toEqual({ id: admin.id });
      expect(await newestEvent()).toEqual({
        type: 'LEAD_ASSIGNED',
        leadId: id,
        data: { assigneeId: admin.id, previousAssigneeId: null, userId: operator.id },
      });
      expect(await assign(null)).toBeNull();
    });

    test('a deactivated user is VALIDATION_FAILED, one of another tenant NOT_FOUND', async () => {
      const id = await leadOf(app, tenant, phone(number));
      const off = await app.createUser(tenant.id, { email: 'off@test.example', role: 'OPERATOR' });
      await app.sql('UPDATE users SET is_active = false WHERE id = $1', [off.id]);
      const assign = (userId: string) => execute(app, tenant.operator, AssignLeadDocument, { id, userId });
      expect(failureOf(await assign(off.id))).toEqual({ code: 'VALIDATION_FAILED', paths: ['userId'] });
      expect(failureOf(await assign(other.admin.id)).code).toBe('NOT_FOUND');
      expect(failureOf(await assign('nonsense')).code).toBe('NOT_FOUND');
    });
  });

  describe('markLeadRead', () => {
    test('up to a message: what came after it stays unread, and an older one changes nothing any more', async () => {
      for (let count = 0; count < 4; count += 1) await write(app, tenant, [phone(number)]);
      const id = await leadOf(app, tenant, phone(number));
      const messages = await messagesOf(app, id);
      const read = async (upToMessageId?: string | null) =>
        (await query(app, tenant.operator, MarkLeadReadDocument, { id, upToMessageId })).markLeadRead.unreadCount;
      expect(await read(messages[1])).toBe(2);
      expect(await newestEvent()).toMatchObject({
        type: 'LEAD_READ',
        data: { unreadCount: 2, userId: tenant.operator.id },
      });
      expect(await read(messages[0])).toBe(2);
      expect(await read()).toBe(0);
      await write(app, tenant, [phone(number)]);
      expect(await read(messages[3])).toBe(1);
    });

    test('a message of another lead is NOT_FOUND', async () => {
      const id = await leadOf(app, tenant, phone(number));
      const upToMessageId = await write(app, tenant, [lid('other')]);
      expect(failureOf(await execute(app, tenant.operator, MarkLeadReadDocument, { id, upToMessageId })).code).toBe(
        'NOT_FOUND',
      );
    });
  });

  describe('notes', () => {
    test('are written, changed and taken away, each telling who did', async () => {
      const leadId = await leadOf(app, tenant, phone(number));
      const { addLeadNote } = await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: ' Likes tea\n' });
      expect(addLeadNote).toMatchObject({ body: ' Likes tea\n', author: { id: tenant.operator.id } });
      const { id } = addLeadNote;
      const data = { change: 'NOTE_ADDED', noteId: id, userId: tenant.operator.id };
      expect(await newestEvents(2)).toEqual([
        { type: 'LEAD_UPDATED', leadId, data },
        { type: 'LEAD_NOTE_CHANGED', leadId, data },
      ]);
      const { updateLeadNote } = await query(app, tenant.operator, UpdateLeadNoteDocument, {
        id,
        body: 'Likes coffee',
      });
      expect(updateLeadNote.body).toBe('Likes coffee');
      expect((await recordOf(leadId))!.notes).toMatchObject({
        totalCount: 1,
        edges: [{ node: { id, body: 'Likes coffee' } }],
      });
      expect(await query(app, tenant.operator, DeleteLeadNoteDocument, { id })).toEqual({ deleteLeadNote: id });
      expect((await recordOf(leadId))!.notes).toEqual({ totalCount: 0, edges: [] });
      expect(failureOf(await execute(app, tenant.operator, DeleteLeadNoteDocument, { id })).code).toBe('NOT_FOUND');
    });

    test("another OPERATOR's note is FORBIDDEN to change, and an ADMIN may", async () => {
      const leadId = await leadOf(app, tenant, phone(number));
      const { id } = (await query(app, tenant.admin, AddLeadNoteDocument, { leadId, body: 'x' })).addLeadNote;
      for (const document of [UpdateLeadNoteDocument, DeleteLeadNoteDocument] as const)
        expect(
          failureOf(await execute(app, tenant.operator, document as typeof UpdateLeadNoteDocument, { id, body: 'y' }))
            .code,
        ).toBe('FORBIDDEN');
      const own = (await query(app, tenant.operator, AddLeadNoteDocument, { leadId, body: 'x' })).addLeadNote;
      await query(app, tenant.admin, UpdateLeadNoteDocument, { id: own.id, body: 'z' });
    });

    test.each(['', ' \n ', 'x'.repeat(10_001)])('a body out of bounds is VALIDATION_FAILED', async (body) => {
      const leadId = await leadOf(app, tenant, phone(number));
      const answer = await execute(app, tenant.operator, AddLeadNoteDocument, { leadId, body });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['body'] });
    });

    test('pages of many leads: each lead has its own, and is counted by itself', async () => {
      const ids = [
        await leadOf(app, tenant, phone(number)),
        await leadOf(app, tenant, lid('b')),
        await leadOf(app, tenant, lid('c')),
      ];
      for (const [leadId, body] of [
        [ids[0], 'a1'],
        [ids[1], 'b1'],
        [ids[0], 'a2'],
        [ids[0], 'a3'],
      ] as const)
        await query(app, tenant.operator, AddLeadNoteDocument, { leadId: leadId!, body });
      const read = async (notesAfter?: string) => {
        const { leads } = await query(app, tenant.operator, LeadHistoriesDocument, {
          notesFirst: 2,
          notesAfter: notesAfter ?? null,
        });
        return leads.edges.map(({ node: { notes } }) => ({
          bodies: notes.edges.map(({ node }) => node.body),
          count: notes.totalCount,
          ...notes.pageInfo,
          cursor: notes.edges.at(-1)?.cursor,
        }));
      };
      const [third, second, first] = await read();
      expect(first).toMatchObject({ bodies: ['a3', 'a2'], count: 3, hasNextPage: true, hasPreviousPage: false });
      expect(second).toMatchObject({ bodies: ['b1'], count: 1, hasNextPage: false });
      expect(third).toMatchObject({ bodies: [], count: 0, hasNextPage: false });
      expect((await read(first?.cursor))[2]).toMatchObject({
        bodies: ['a1'],
        hasNextPage: false,
        hasPreviousPage: true,
      });
    });
  });

  describe('a merge', () => {
    test('carries tags, custom fields and notes, and gives them back', async () => {
      const [merged, survivor] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, phone(number))];
      await update(merged, { tags: ['x', 'both'], customFields: { city: 'Rio', plan: 'merged' } });
      await update(survivor, { tags: ['both', 'y'], customFields: { plan: 'kept' } });
      await query(app, tenant.operator, AddLeadNoteDocument, { leadId: merged, body: 'moved' });
      await query(app, tenant.operator, AddLeadNoteDocument, { leadId: survivor, body: 'own' });
      const before = await readRows(app, tenant);
      const { mergeLeads } = await query(app, tenant.admin, MergeLeadsDocument, { leadId: merged, intoId: survivor });
      const record = (await recordOf(merged))!;
      expect(record).toMatchObject({
        id: survivor,
        tags: ['both', 'y', 'x'],
        customFields: { city: 'Rio', plan: 'kept' },
      });
      expect(record.notes.edges.map(({ node }) => node.body)).toEqual(['own', 'moved']);
      await query(app, tenant.admin, UndoLeadMergeDocument, { mergeId: mergeLeads.merges[0]!.id });
      expect(await readRows(app, tenant)).toEqual(before);
    });

    test('fills a lead with 100 tags and custom fields at most; the rest comes back when it is taken back', async () => {
      const labels = (from: string) => ({
        tags: Array.from({ length: 50 }, (_, index) => `${from}${index}`),
        customFields: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${from}${index}`, 'x'])),
      });
      const survivor = await leadOf(app, tenant, phone(number));
      await update(survivor, labels('own'));
      const merged = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, lid('b'))];
      for (const [index, leadId] of merged.entries()) {
        await update(leadId, labels(`merged ${index} `));
        await query(app, tenant.admin, MergeLeadsDocument, { leadId, intoId: survivor });
      }
      const full = (await recordOf(survivor))!;
      expect(full.tags).toHaveLength(100);
      expect(Object.keys(full.customFields)).toHaveLength(100);
      expect(full.tags).toEqual(expect.arrayContaining([...labels('own').tags, ...labels('merged 0 ').tags]));
      const merges = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE merged_id = $1', [merged[1]]);
      await query(app, tenant.admin, UndoLeadMergeDocument, { mergeId: merges[0]!.id });
      expect(await recordOf(merged[1]!)).toMatchObject(labels('merged 1 '));
    });

    test('taken back, leaves the survivor what was written since', async () => {
      const [merged, survivor] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, phone(number))];
      await update(merged, { tags: ['x'], customFields: { city: 'Rio', plan: 'a' } });
      const { mergeLeads } = await query(app, tenant.admin, MergeLeadsDocument, { leadId: merged, intoId: survivor });
      await update(survivor, { addTags: ['new'], customFields: { city: 'Bahia' } });
      await query(app, tenant.admin, UndoLeadMergeDocument, { mergeId: mergeLeads.merges[0]!.id });
      expect(await recordOf(survivor)).toMatchObject({ tags: ['new'], customFields: { city: 'Bahia' } });
      expect(await recordOf(merged)).toMatchObject({ tags: ['x'], customFields: { city: 'Rio', plan: 'a' } });
    });
  });

  describe('deleteLead', () => {
    const erase = (id: string) => query(app, tenant.operator, DeleteLeadDocument, { id });

    /** Creates a lead with one row of everything, and another lead merged into it. */
    async function fullLead(): Promise<{ id: string; merged: string }> {
      const [merged, id] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, phone(number))];
      await app.post('/public/leads', { chat: number, note: 'x' }, withKey(tenant));
      await write(app, tenant, [phone(number)], 'Ana');
      await send(app, tenant, { leadId: id, body: 'Oi' });
      await query(app, tenant.operator, AddLeadNoteDocument, { leadId: id, body: 'x' });
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: id });
      return { id, merged };
    }

    test('nothing of the person is left, and the audit log says no word of it', async () => {
      const { id, merged } = await fullLead();
      expect(await erase(id)).toEqual({ deleteLead: id });
      expect(await recordOf(id)).toBeNull();
      expect(await recordOf(merged)).toBeNull();
      for (const table of [
        'leads',
        'lead_identities',
        'lead_touches',
        'lead_notes',
        'lead_merges',
        'lead_search_keys',
        'messages',
        'message_status_transitions',
        'outbox_entries',
      ])
        expect([table, await app.sql(`SELECT FROM ${table} WHERE tenant_id = $1`, [tenant.id])]).toEqual([table, []]);
      const [entry] = await app.sql<{ entry: object }>(
        `SELECT to_jsonb(a) AS entry FROM audit_entries a WHERE tenant_id = $1 AND action = 'LEAD_DELETED'`,
        [tenant.id],
      );
      expect(entry?.entry).toMatchObject({ target_id: id, actor_id: tenant.operator.id });
      // The entry has nothing else: a source is free text, and can name the person.
      expect(entry?.entry).toHaveProperty('before', { messages: 2, mergedIds: [merged] });
      expect(JSON.stringify(entry)).not.toContain(number);
      const events = await app.sql(
        `SELECT lead_id AS id FROM events WHERE tenant_id = $1 AND type = 'LEAD_DELETED' ORDER BY seq`,
        [tenant.id],
      );
      expect(events).toEqual([{ id: merged }, { id }].sort((one, two) => (one.id < two.id ? -1 : 1)));
    });

    test("by a merged lead's id the person goes too; a second time there is nobody", async () => {
      const { id, merged } = await fullLead();
      await erase(merged);
      expect(await recordOf(id)).toBeNull();
      expect(failureOf(await execute(app, tenant.operator, DeleteLeadDocument, { id })).code).toBe('NOT_FOUND');
    });

    test('the number is a new person afterwards', async () => {
      const { id } = await fullLead();
      await erase(id);
      await write(app, tenant, [phone(number)], 'Bea');
      const again = await leadOf(app, tenant, phone(number));
      expect(again).not.toBe(id);
      expect(await recordOf(again)).toMatchObject({ name: 'Bea', unreadCount: 1 });
    });

    test('a status that comes later for one of its messages waits like any unknown one', async () => {
      const { id } = await fullLead();
      await app.sql(
        "UPDATE messages SET external_id = 'gone', status = 'SENT' WHERE lead_id = $1 AND direction = 'OUTBOUND'",
        [id],
      );
      await app.sql('DELETE FROM outbox_entries WHERE lead_id = $1', [id]);
      await erase(id);
      const body = { instance: tenant.instance.name, messageId: 'gone', status: 'READ' };
      const answer = await app.post('/webhooks/chat/gateway/status', body, withKey(tenant));
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { accepted: 1, results: [{ outcome: 'parked' }] },
      ]);
    });

    test('is CONFLICT while a worker has one of its messages in hands', async () => {
      const { id } = await fullLead();
      await app.sql(
        "UPDATE outbox_entries SET lease_until = now() + interval '1 minute', attempt_count = 1 WHERE lead_id = $1",
        [id],
      );
      const before = await readRows(app, tenant);
      expect(failureOf(await execute(app, tenant.operator, DeleteLeadDocument, { id })).code).toBe('CONFLICT');
      expect(await readRows(app, tenant)).toEqual(before);
      await app.sql("UPDATE outbox_entries SET lease_until = now() - interval '1 second' WHERE lead_id = $1", [id]);
      await erase(id);
    });

    test('a message that comes at the same moment is that of a new person', async () => {
      const { id } = await fullLead();
      let arrived: Promise<Response> | undefined;
      await transact(app, tenant, async (tx) => {
        await tx.query('SELECT FROM leads WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
        const body = { instance: tenant.instance.name, messageId: 'late', from: number, text: 'Oi' };
        arrived = app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant));
        await untilSomebodyWaits(app);
        await tx.query('DELETE FROM leads WHERE tenant_id = $1', [tenant.id]);
      });
      const answer = await arrived!;
      const { results } = (await answer.json()) as { results: { leadId: string }[] };
      expect(answer.status).toBe(200);
      expect(results[0]?.leadId).not.toBe(id);
      expect(await recordOf(results[0]!.leadId)).toMatchObject({ chat: number, unreadCount: 1 });
    });
  });
}
