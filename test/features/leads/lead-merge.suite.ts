// Two leads that turn out to be one: the rows that a merge moves and keeps, undoing it, chains of merges, and simultaneous changes.

import type { LeadRow } from '../../../src/features/leads/lead.service.js';
import {
  holdMerges,
  readLeadStates,
  stateOf,
  type UndoableMerge,
} from '../../../src/features/leads/merge/lead-merge-writer.js';
import { selectLeadMerge } from '../../../src/features/leads/merge/lead-merge.sql.js';
import type { NamedStatement } from '../../../src/platform/database/database.js';
import type { UserPrincipal } from '../../../src/platform/principal.js';
import type { Transaction } from '../../../src/platform/database/transaction.js';
import { withKey, type TestApp, type TestTenant } from '../../support/test-app.js';
import {
  bsuid,
  findOrCreate,
  identitiesOf,
  leadEvents,
  leadOf,
  Rounds,
  after,
  lid,
  messagesOf,
  phone,
  readLead,
  readRows,
  receive,
  transact,
  withLeadTenants,
  untilSomebodyWaits,
  write,
} from './lead-harness.js';
import type { LeadIdentity } from '../../../src/providers/reported.js';

export function describeLeadMerge(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withLeadTenants((made) => ({ app, tenant } = made), { PROCESS_ROLE: 'api' });

  const number = '5511988887777';

  function operator(): UserPrincipal {
    const { id: userId, accountId, idpSub } = tenant.operator;
    const email = `${idpSub}@test.example`;
    return { kind: 'user', tenantId: tenant.id, userId, accountId, role: 'OPERATOR', email, isPlatformTenant: false };
  }

  const merge = (leadId: string, intoId: string): Promise<LeadRow> =>
    app.app.services.leadMerges.merge(operator(), leadId, intoId);
  const undo = (mergeId: string): Promise<LeadRow> => app.app.services.leadMerges.undo(operator(), mergeId);
  const find = (id: string) => app.app.services.leads.find(operator(), id);

  /** The tenant's merges, the latest first. */
  async function mergesOf(): Promise<
    { id: string; survivorId: string; mergedId: string; reason: string; userId: string }[]
  > {
    return app.sql(
      `SELECT id, survivor_id AS "survivorId", merged_id AS "mergedId", reason, user_id AS "userId" FROM lead_merges
     WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC`,
      [tenant.id],
    );
  }

  async function latestMerge(): Promise<string> {
    const [latest] = await mergesOf();
    return latest?.id ?? '';
  }

  /** A lead with this many messages, the last `unread` of them unread. */
  async function leadWith(identity: LeadIdentity, messages: number, unread: number): Promise<string> {
    const leadId = await leadOf(app, tenant, identity);
    for (let index = 0; index < messages; index += 1) {
      if (index === messages - unread) await markRead(leadId);
      await write(app, tenant, [identity]);
    }
    if (unread === 0) await markRead(leadId);
    return leadId;
  }

  async function markRead(leadId: string): Promise<void> {
    await app.sql('UPDATE leads SET unread_count = 0 WHERE id = $1', [leadId]);
  }

  async function assign(leadId: string, userId: string): Promise<void> {
    await app.sql('UPDATE leads SET assignee_id = $2 WHERE id = $1', [leadId, userId]);
  }

  /** Queues a message as an operator does; this application sends nothing. */
  async function queue(leadId: string): Promise<string> {
    const sent = await app.app.services.messageSend.send(operator(), { leadId, body: 'Tudo bem?' });
    return sent.id;
  }

  async function outboxOf(leadId: string): Promise<string[]> {
    const rows = await app.sql<{ id: string }>(
      'SELECT message_id AS id FROM outbox_entries WHERE lead_id = $1 ORDER BY 1',
      [leadId],
    );
    return rows.map(({ id }) => id);
  }

  async function touchesOf(leadId: string): Promise<number> {
    return (await app.sql('SELECT id FROM lead_touches WHERE lead_id = $1', [leadId])).length;
  }

  describe('a call that names identities of two leads', () => {
    test('makes them one, which has everything of both', async () => {
      await app.post('/public/leads', { chat: number, campaign: 'spring' }, withKey(tenant));
      const numbered = await leadOf(app, tenant, phone(number));
      const early = await write(app, tenant, [phone(number)]);
      const hidden = await leadWith(lid('x1234'), 3, 2);
      const queued = await queue(numbered);
      const late = await messagesOf(app, hidden);

      const [received] = await receive(app, tenant, [{ from: [lid('x1234'), phone(number)] }]);

      expect(received).toMatchObject({ leadId: numbered, duplicate: false });
      expect(await messagesOf(app, numbered)).toEqual([early, ...late, queued, received?.messageId ?? ''].sort());
      expect(await identitiesOf(app, numbered)).toEqual(['LID:x1234', `PHONE:${number}`]);
      expect(await outboxOf(numbered)).toEqual([queued]);
      expect(await touchesOf(numbered)).toBe(1);
      expect(await readLead(app, numbered)).toMatchObject({
        name: number,
        chat: number,
        unreadCount: 1 + 2 + 1,
        lastMessageId: received?.messageId,
      });
      expect(await readLead(app, hidden)).toMatchObject({
        mergedIntoId: numbered,
        unreadCount: 0,
        lastMessageId: null,
      });
      expect((await leadEvents(app, tenant)).slice(2).sort()).toEqual(
        [`LEAD_UPDATED ${numbered}`, `LEAD_UPDATED ${hidden}`].sort(),
      );
      expect(await mergesOf()).toMatchObject([
        { survivorId: numbered, mergedId: hidden, reason: 'identity', userId: null },
      ]);
    });

    test.each<[string, LeadIdentity, LeadIdentity, 0 | 1]>([
      ['the one with a number stays, though younger', lid('a'), phone(number), 1],
      ['of two with numbers the older stays', phone(number), phone('4915100000001'), 0],
      ['of two without a number the older stays', lid('a'), bsuid('b'), 0],
    ])('%s', async (_rule, first, second, stays) => {
      const ids = [await leadOf(app, tenant, first), await leadOf(app, tenant, second)];
      for (const identities of [
        [second, first],
        [first, second],
      ] as const)
        expect(await leadOf(app, tenant, ...identities)).toBe(ids[stays]);
      expect(await readLead(app, ids[1 - stays]!)).toMatchObject({ mergedIntoId: ids[stays] });
      expect(await mergesOf()).toHaveLength(1);
    });

    test('three leads become one in one call', async () => {
      const ids = [
        await leadOf(app, tenant, lid('a')),
        await leadOf(app, tenant, bsuid('b')),
        await leadOf(app, tenant, phone(number)),
      ];
      const found = await findOrCreate(app, tenant, [{ identities: [lid('a'), bsuid('b'), phone(number)] }]);
      expect(found[0]).toMatchObject({ created: false, lead: { id: ids[2] } });
      for (const id of ids) expect((await find(id))?.id).toBe(ids[2]);
      expect(await identitiesOf(app, ids[2]!)).toEqual(['BSUID:b', 'LID:a', `PHONE:${number}`]);
    });

    test('people of the same call who overlap in leads become one', async () => {
      const known = await leadOf(app, tenant, lid('a'), bsuid('b'));
      const one = await leadOf(app, tenant, phone('4915100000001'));
      const other = await leadOf(app, tenant, phone('4915100000002'));
      const found = await findOrCreate(app, tenant, [
        { identities: [lid('a'), phone('4915100000001')] },
        { identities: [phone('4915100000002'), bsuid('b')] },
        { identities: [bsuid('new')] },
      ]);
      expect(found.map(({ lead, created }) => [lead.id, created])).toEqual([
        [one, false],
        [one, false],
        [expect.not.stringMatching(`${one}|${known}|${other}`), true],
      ]);
      expect((await find(other))?.id).toBe(one);
      expect((await find(known))?.id).toBe(one);
    });

    test.each<[string, [LeadIdentity, ...LeadIdentity[]]]>([
      ['last', [lid('a'), phone(number), bsuid('new')]],
      ['first', [bsuid('new'), phone(number), lid('a')]],
    ])('a new identity that is named %s goes to the one that stays', async (_place, identities) => {
      await leadOf(app, tenant, lid('a'));
      const numbered = await leadOf(app, tenant, phone(number));
      await leadOf(app, tenant, ...identities);
      await undo(await latestMerge());
      expect(await identitiesOf(app, numbered)).toEqual(['BSUID:new', `PHONE:${number}`]);
    });

    test('the name that was given counts more than a number or a word', async () => {
      const [hidden] = await findOrCreate(app, tenant, [{ identities: [lid('x1234')], name: 'Ana' }]);
      const numbered = await leadOf(app, tenant, phone(number));
      await leadOf(app, tenant, phone(number), lid('x1234'));
      expect(await readLead(app, numbered)).toMatchObject({ name: 'Ana', chat: number });
      expect(await readLead(app, hidden!.lead.id)).toMatchObject({ name: 'Ana', chat: null });
    });

    test('who looks after one of them looks after both; source and metadata stay', async () => {
      const hidden = await leadOf(app, tenant, lid('x'));
      await assign(hidden, tenant.operator.id);
      await app.post('/public/leads', { chat: number, source: 'fair', stand: 7 }, withKey(tenant));
      const numbered = await leadOf(app, tenant, lid('x'), phone(number));
      expect(await find(numbered)).toMatchObject({
        assigneeId: tenant.operator.id,
        source: 'fair',
        metadata: { stand: 7 },
      });
      const other = await leadOf(app, tenant, lid('y'));
      await assign(other, tenant.admin.id);
      expect(await leadOf(app, tenant, lid('y'), phone(number))).toBe(numbered);
      expect(await readLead(app, numbered)).toMatchObject({ assigneeId: tenant.operator.id });
    });
  });

  describe('a merge that is asked for', () => {
    test('keeps the lead that was named, and gives it the number of the other', async () => {
      const hidden = await leadWith(lid('x1234'), 1, 1);
      await app.post('/public/leads', { chat: number }, withKey(tenant));
      const numbered = await leadWith(phone(number), 2, 1);
      const queued = await queue(numbered);
      const survivor = await merge(numbered, hidden);
      expect(survivor).toMatchObject({ id: hidden, chat: number, name: number, unreadCount: 2 });
      expect(await outboxOf(hidden)).toEqual([queued]);
      expect([await touchesOf(hidden), await touchesOf(numbered)]).toEqual([1, 0]);
      expect(await messagesOf(app, hidden)).toHaveLength(4);
      expect(await mergesOf()).toMatchObject([{ survivorId: hidden, reason: 'user', userId: tenant.operator.id }]);
    });

    test('can be asked for again: nothing changes', async () => {
      const one = await leadOf(app, tenant, phone(number));
      const other = await leadOf(app, tenant, lid('x'));
      await merge(one, other);
      const before = await readRows(app, tenant);
      expect(await merge(one, other)).toMatchObject({ id: other });
      expect(await merge(other, one)).toMatchObject({ id: other });
      expect(await readRows(app, tenant)).toEqual(before);
      expect(await mergesOf()).toHaveLength(1);
    });

    test('a chain leads to its last lead, from wherever', async () => {
      const [a, b, c] = [
        await leadWith(lid('a'), 1, 1),
        await leadWith(lid('b'), 1, 1),
        await leadWith(lid('c'), 1, 1),
      ];
      await merge(a, b);
      await merge(b, c);
      for (const id of [a, b, c]) expect((await find(id))?.id).toBe(c);
      expect(await messagesOf(app, c)).toHaveLength(3);
      const d = await leadOf(app, tenant, phone(number));
      expect(await merge(a, d)).toMatchObject({ id: d });
      for (const id of [a, b, c]) expect(await readLead(app, id)).toMatchObject({ mergedIntoId: d });
      expect(await messagesOf(app, d)).toHaveLength(3);
      expect(await identitiesOf(app, d)).toEqual(['LID:a', 'LID:b', 'LID:c', `PHONE:${number}`]);
    });

    test('merged leads are in no list', async () => {
      const merged = await leadWith(lid('x'), 2, 2);
      const survivor = await leadWith(phone(number), 1, 1);
      await merge(merged, survivor);
      for (const page of [
        await app.app.services.leadLists.list(operator(), {}),
        await app.app.services.leadLists.listInbox(operator(), {}),
      ])
        expect(page.edges.map(({ node }) => node.id)).toEqual([survivor]);
    });

    test('one lead twice, unknown ids and ids of another tenant are refused', async () => {
      const own = await leadOf(app, tenant, phone(number));
      const foreign = await leadOf(app, await app.createTenant(), phone(number));
      await expect(merge(own, own.toUpperCase())).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      for (const id of [foreign, 'x', '00000000-0000-7000-8000-000000000000']) {
        await expect(merge(own, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(merge(id, own)).rejects.toMatchObject({ code: 'NOT_FOUND' });
        await expect(undo(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    });

    test('simultaneous merges in both directions and in a ring leave one lead with everything', async () => {
      const leads = await Promise.all(['a', 'b', 'c', 'd'].map((value) => leadWith(lid(value), 2, 1)));
      const pairs = leads.flatMap((one) =>
        leads.filter((other) => other !== one).map((other) => [one, other] as const),
      );
      await Promise.all(pairs.map(([one, other]) => merge(one, other)));
      const open = await app.sql<{ id: string }>(
        'SELECT id FROM leads WHERE tenant_id = $1 AND merged_into_id IS NULL',
        [tenant.id],
      );
      expect(open).toHaveLength(1);
      expect(await messagesOf(app, open[0]!.id)).toHaveLength(8);
      expect(await readLead(app, open[0]!.id)).toMatchObject({ unreadCount: 4 });
      expect(await mergesOf()).toHaveLength(3);
    });
  });

  test('a merge and its undoing move thousands of rows without reading them', async () => {
    const [merged, survivor] = [await leadOf(app, tenant, lid('x')), await leadOf(app, tenant, phone(number))];
    const count = 5_000;
    await app.sql(
      `INSERT INTO lead_touches (tenant_id, id, lead_id, source) SELECT $1, gen_random_uuid(), $2, 'x' FROM generate_series(1, $3::int)`,
      [tenant.id, merged, count],
    );
    await app.sql(
      `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type)
     SELECT $1, gen_random_uuid(), $2, $3, 'INBOUND', 'text' FROM generate_series(1, $4::int)`,
      [tenant.id, merged, tenant.instance.id, count],
    );
    await app.sql(
      `UPDATE leads SET last_message_id = m.newest, last_message_position = m.position, last_inbound_position = m.position,
         last_inbound_at = m.at, waiting_since = m.waiting_since
       FROM (SELECT (array_agg(id ORDER BY position DESC, id DESC))[1] AS newest, max(position) AS position, max(created_at) AS at,
         min(created_at) AS waiting_since FROM messages WHERE lead_id = $1) m WHERE id = $1`,
      [merged],
    );
    const before = await readRows(app, tenant);
    let widest = 0;
    const measured = (tx: Transaction): Transaction => ({
      ...tx,
      async query<Row>(statement: NamedStatement | string, values: readonly unknown[] = []): Promise<Row[]> {
        const rows = await tx.query<Row>(statement, values);
        widest = Math.max(widest, JSON.stringify([values, rows]).length);
        return rows;
      },
    });
    const { leadMerger } = app.app.services;
    await transact(app, tenant, async (tx) => {
      await holdMerges(tx);
      const states = await readLeadStates(tx, [merged, survivor]);
      await leadMerger.merge(measured(tx), stateOf(states, survivor), stateOf(states, merged), {
        reason: 'identity',
      });
    });
    expect([await touchesOf(survivor), (await messagesOf(app, survivor)).length]).toEqual([count, count]);
    const mergeId = await latestMerge();
    await transact(app, tenant, async (tx) => {
      const [stored] = await measured(tx).query<UndoableMerge>(selectLeadMerge, [tenant.id, mergeId]);
      await leadMerger.separate(measured(tx), stored!, tenant.operator.id);
    });
    expect(await readRows(app, tenant)).toEqual(before);
    expect(widest).toBeLessThan(5_000);
  });

  describe('taking a merge back', () => {
    async function twoLeads(): Promise<{ numbered: string; hidden: string }> {
      await app.post('/public/leads', { chat: number, name: 'Ana', campaign: 'spring' }, withKey(tenant));
      await app.post('/public/leads', { chat: number, campaign: 'summer' }, withKey(tenant));
      const numbered = await leadWith(phone(number), 4, 2);
      const hidden = await leadWith(lid('x1234'), 3, 1);
      await assign(hidden, tenant.operator.id);
      await queue(numbered);
      return { numbered, hidden };
    }

    test('right away leaves every row as it was', async () => {
      const { numbered, hidden } = await twoLeads();
      const before = await readRows(app, tenant);
      for (const [one, other] of [
        [numbered, hidden],
        [hidden, numbered],
      ] as const) {
        await merge(one, other);
        expect(await readRows(app, tenant)).not.toEqual(before);
        expect(await undo(await latestMerge())).toMatchObject({ id: one, mergedIntoId: null });
        expect(await readRows(app, tenant)).toEqual(before);
      }
      expect((await leadEvents(app, tenant)).slice(-2).sort()).toEqual(
        [`LEAD_UPDATED ${numbered}`, `LEAD_UPDATED ${hidden}`].sort(),
      );
    });

    test('a text that the survivor lacks is that of the other, until it is changed', async () => {
      const { numbered, hidden } = await twoLeads();
      const setSource = (id: string, source: string) =>
        app.sql('UPDATE leads SET source = $2 WHERE id = $1', [id, source]);
      await setSource(numbered, '');
      await setSource(hidden, 'fair');
      const before = await readRows(app, tenant);
      expect(await merge(hidden, numbered)).toMatchObject({ id: numbered, source: 'fair' });
      await undo(await latestMerge());
      expect(await readRows(app, tenant)).toEqual(before);
      await merge(hidden, numbered);
      await setSource(numbered, 'web');
      await undo(await latestMerge());
      expect(await find(numbered)).toMatchObject({ source: 'web' });
    });

    // The unread messages of one lead lie before read messages of the other.
    test.each([
      [4, 3, 2, 2],
      [3, 3, 3, 0],
      [0, 3, 0, 3],
      [2, 0, 1, 0],
    ])(
      'unread messages find back: %i and %i, of which %i and %i unread',
      async (first, second, unread, otherUnread) => {
        const one = await leadWith(lid('a'), first, unread);
        const other = await leadWith(lid('b'), second, otherUnread);
        const before = await readRows(app, tenant);
        await merge(one, other);
        await undo(await latestMerge());
        expect(await readRows(app, tenant)).toEqual(before);
      },
    );

    test('what came since stays, and so do fields that were changed since', async () => {
      const { numbered, hidden } = await twoLeads();
      await merge(numbered, hidden);
      const since = await write(app, tenant, [phone(number)]);
      const queued = await queue(hidden);
      await app.post('/public/leads', { chat: number }, withKey(tenant));
      await app.sql("UPDATE leads SET name = 'Ana Maria', assignee_id = $2 WHERE id = $1", [hidden, tenant.admin.id]);
      await undo(await latestMerge());
      expect(await messagesOf(app, hidden)).toEqual(expect.arrayContaining([since, queued]));
      expect(await messagesOf(app, hidden)).toHaveLength(5);
      expect(await outboxOf(hidden)).toEqual([queued]);
      expect(await outboxOf(numbered)).toHaveLength(1);
      expect(await touchesOf(hidden)).toBe(1);
      expect(await touchesOf(numbered)).toBe(2);
      expect(await readLead(app, hidden)).toMatchObject({
        name: 'Ana Maria',
        chat: null,
        assigneeId: tenant.admin.id,
        unreadCount: 2,
        lastMessageId: queued,
      });
      expect(await readLead(app, numbered)).toMatchObject({
        name: 'Ana',
        chat: number,
        assigneeId: null,
        unreadCount: 2,
      });
      expect(await identitiesOf(app, numbered)).toEqual([`PHONE:${number}`]);
    });

    test.each([
      ['is nobody again', undefined, null],
      ['stays where somebody else was named since', 'admin', 'admin'],
    ] as const)('who looks after the survivor only since the merge %s', async (_what, since, then) => {
      const [merged, survivor] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, lid('b'))];
      await assign(merged, tenant.operator.id);
      expect(await merge(merged, survivor)).toMatchObject({ assigneeId: tenant.operator.id });
      if (since !== undefined) await assign(survivor, tenant[since].id);
      await undo(await latestMerge());
      expect(await readLead(app, merged)).toMatchObject({ assigneeId: tenant.operator.id });
      expect(await readLead(app, survivor)).toMatchObject({ assigneeId: then === null ? null : tenant[then].id });
    });

    test('after the conversation was read nothing is unread but what came since', async () => {
      const { numbered, hidden } = await twoLeads();
      await merge(numbered, hidden);
      await markRead(hidden);
      await write(app, tenant, [lid('x1234')]);
      await undo(await latestMerge());
      expect(await readLead(app, hidden)).toMatchObject({ unreadCount: 1 });
      expect(await readLead(app, numbered)).toMatchObject({ unreadCount: 0 });
    });

    test('a number that the survivor has learned since is its number then', async () => {
      const numbered = await leadOf(app, tenant, phone(number));
      const hidden = await leadOf(app, tenant, lid('x1234'));
      await merge(numbered, hidden);
      await leadOf(app, tenant, lid('x1234'), phone('4915100000001'));
      await undo(await latestMerge());
      expect(await readLead(app, hidden)).toMatchObject({ chat: '4915100000001' });
      expect(await readLead(app, numbered)).toMatchObject({ chat: number });
    });

    test('a second time is a CONFLICT, also of two at once', async () => {
      await merge(await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, lid('b')));
      const mergeId = await latestMerge();
      const outcomes = await Promise.allSettled([undo(mergeId), undo(mergeId), undo(mergeId)]);
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(reasons).toMatchObject([{ code: 'CONFLICT' }, { code: 'CONFLICT' }]);
      await expect(undo(mergeId)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/already/),
      });
    });

    test('goes in reverse: an earlier merge of the same lead is a CONFLICT while a later one is in effect', async () => {
      const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map((value) => leadWith(lid(value), 2, 1)));
      const before = await readRows(app, tenant);
      await merge(a!, b!);
      const first = await latestMerge();
      await merge(c!, b!);
      const second = await latestMerge();
      await merge(b!, d!);
      const third = await latestMerge();
      for (const earlier of [first, second])
        await expect(undo(earlier)).rejects.toMatchObject({
          code: 'CONFLICT',
          message: expect.stringMatching(/later merge/),
        });
      expect(await undo(third)).toMatchObject({ id: b });
      for (const id of [a, b, c]) expect((await find(id!))?.id).toBe(b);
      await expect(undo(first)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await undo(second)).toMatchObject({ id: c });
      expect(await undo(first)).toMatchObject({ id: a });
      expect(await readRows(app, tenant)).toEqual(before);
    });

    test('holds against the intake: the first identity decides, and nothing is lost; a person can merge again', async () => {
      const hidden = await leadOf(app, tenant, lid('x'));
      const numbered = await leadOf(app, tenant, phone(number));
      expect(await leadOf(app, tenant, lid('x'), phone(number))).toBe(numbered);
      await undo(await latestMerge());
      for (let round = 0; round < 2; round += 1) {
        expect(await leadOf(app, tenant, phone(number), lid('x'))).toBe(numbered);
        expect(await leadOf(app, tenant, lid('x'), phone(number))).toBe(hidden);
      }
      const together = await receive(app, tenant, [
        { from: [phone(number), lid('x')] },
        { from: [lid('x'), phone(number)] },
        { from: [lid('x'), bsuid('new'), phone(number)] },
        { from: [bsuid('new')] },
      ]);
      expect(together.map(({ leadId }) => leadId)).toEqual([numbered, hidden, hidden, hidden]);
      expect(await mergesOf()).toHaveLength(1);
      await merge(hidden, numbered);
      expect(await leadOf(app, tenant, lid('x'), phone(number))).toBe(numbered);
      expect(await messagesOf(app, numbered)).toHaveLength(4);
    });

    test('holds for the leads that the two were merged into later', async () => {
      const [a, b, c] = [
        await leadOf(app, tenant, lid('a')),
        await leadOf(app, tenant, lid('b')),
        await leadOf(app, tenant, lid('c')),
      ];
      await merge(a, b);
      await undo(await latestMerge());
      await merge(a, c);
      expect(await leadOf(app, tenant, lid('a'), lid('b'))).toBe(c);
      expect(await leadOf(app, tenant, lid('b'), lid('c'))).toBe(b);
      expect((await find(b))?.id).toBe(b);
    });

    test('of a third lead that is neither is no obstacle', async () => {
      const [a, b] = [await leadOf(app, tenant, lid('a')), await leadOf(app, tenant, lid('b'))];
      await merge(a, b);
      await undo(await latestMerge());
      const c = await leadOf(app, tenant, phone(number));
      expect(await leadOf(app, tenant, lid('a'), lid('b'), phone(number))).toBe(c);
      expect((await find(a))?.id).toBe(c);
      expect((await find(b))?.id).toBe(b);
    });
  });

  describe('what goes on meanwhile', () => {
    test('a message that was read to the merged lead, and written after the merge, follows', async () => {
      const merged = await leadOf(app, tenant, lid('x'));
      const survivor = await leadOf(app, tenant, phone(number));
      const { leads } = app.app.services;
      const moved = await transact(app, tenant, async (tx) => {
        const [found] = await leads.findOrCreate(tx, [{ identities: [lid('x')] }], 'test');
        expect(found?.lead.id).toBe(merged);
        const [{ id, position }] = (await tx.query<{ id: string; position: string }>(
          `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type)
         VALUES ($1, gen_random_uuid(), $2, $3, 'INBOUND', 'text') RETURNING id, position`,
          [tenant.id, merged, tenant.instance.id],
        )) as [{ id: string; position: string }];
        await merge(merged, survivor);
        const followed = await leads.recordMessages(tx, [{ leadId: merged, messageId: id, position, unread: true }]);
        return { id, followed };
      });
      expect(moved.followed).toEqual(new Map([[moved.id, survivor]]));
      expect(await messagesOf(app, survivor)).toEqual([moved.id]);
      expect(await readLead(app, survivor)).toMatchObject({ unreadCount: 1, lastMessageId: moved.id });
    });

    test('a message is recorded where its lead was separated again while the message waited for it', async () => {
      const one = await leadOf(app, tenant, lid('x'));
      const other = await leadOf(app, tenant, phone(number));
      await merge(one, other);
      const mergeId = await latestMerge();
      const { leads, leadMerges } = app.app.services;
      let recorded: Promise<Map<string, string>> | undefined;
      // The statement that records the message still sees the merge, and waits for the lead's lock, which the transaction of the undoing
      // holds.
      await transact(app, tenant, async (tx) => {
        await tx.query('SELECT FROM leads WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [tenant.id, one]);
        recorded = transact(app, tenant, async (writing) => {
          const [{ id, position }] = (await writing.query<{ id: string; position: string }>(
            `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type)
           VALUES ($1, gen_random_uuid(), $2, $3, 'INBOUND', 'text') RETURNING id, position`,
            [tenant.id, one, tenant.instance.id],
          )) as [{ id: string; position: string }];
          return leads.recordMessages(writing, [{ leadId: one, messageId: id, position, unread: true }]);
        });
        await untilSomebodyWaits(app);
        const [stored] = await tx.query<UndoableMerge>(selectLeadMerge, [tenant.id, mergeId]);
        await app.app.services.leadMerger.separate(tx, stored!, tenant.operator.id);
      });
      await recorded;
      expect(await messagesOf(app, one)).toHaveLength(1);
      expect((await readLead(app, one)).unreadCount).toBe(1);
      expect((await readLead(app, other)).unreadCount).toBe(0);
      await expect(leadMerges.undo(operator(), mergeId)).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    test('an identity that was given to a lead while it was merged follows', async () => {
      const merged = await leadOf(app, tenant, lid('x'));
      const survivor = await leadOf(app, tenant, phone(number));
      const { leads } = app.app.services;
      const [found] = await transact(app, tenant, (tx) => {
        const interrupted = after(tx, 'insert-identities-and-leads', () => merge(merged, survivor));
        return leads.findOrCreate(interrupted, [{ identities: [lid('x'), bsuid('new')] }], 'test');
      });
      expect(found?.lead.id).toBe(survivor);
      expect(await identitiesOf(app, survivor)).toEqual(['BSUID:new', 'LID:x', `PHONE:${number}`]);
      expect(await leadEvents(app, tenant)).toContain(`LEAD_UPDATED ${survivor}`);
      expect(await mergesOf()).toHaveLength(1);
    });

    test('merges, undone merges and messages of both at once: every message is with one of the two', async () => {
      const one = await leadOf(app, tenant, lid('a'));
      const other = await leadOf(app, tenant, phone(number));
      const merging = new Rounds(8, async () => {
        await merge(one, other);
        await undo(await latestMerge());
      });
      const ids: string[] = [];
      while (merging.areUnderWay)
        ids.push(...(await Promise.all([lid('a'), phone(number)].map((identity) => write(app, tenant, [identity])))));
      await merging.done;
      const found = [...(await messagesOf(app, one)), ...(await messagesOf(app, other))];
      expect(found.sort()).toEqual(ids.sort());
      const unread = (await readLead(app, one)).unreadCount + (await readLead(app, other)).unreadCount;
      expect(unread).toBe(ids.length);
    });

    test('leads that are posted while two become one: nothing fails', async () => {
      await leadOf(app, tenant, lid('a'));
      await leadOf(app, tenant, phone(number));
      const answers = await Promise.all([
        ...Array.from({ length: 10 }, () => app.post('/public/leads', { chat: number }, withKey(tenant))),
        leadOf(app, tenant, lid('a'), phone(number)),
      ]);
      expect(answers.slice(0, 10).map((answer) => (answer as Response).status)).toEqual(
        Array.from({ length: 10 }, () => 200),
      );
    });
  });
}
