// Identities and merges over GraphQL: an operator's view of them, merging, undoing a merge, and stored ids that keep working.

import {
  findInconsistencies,
  identitiesOf,
  leadOf,
  lid,
  phone,
  readRows,
  write,
} from '../features/leads/lead-harness.js';
import { connect, execute, query, Subscription } from '../support/graphql-client.js';
import {
  InboxDocument,
  LeadsDocument,
  MergeLeadsDocument,
  MergeableLeadDocument,
  MergeableLeadsDocument,
  MessageReceivedDocument,
  MessagesDocument,
  SendMessageDocument,
  UndoLeadMergeDocument,
} from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant, TestUser } from '../support/test-app.js';
import type { LeadIdentity } from '../../src/providers/reported.js';

export function describeLeadMerge(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    other = await app.createTenant();
  });
  beforeEach(async () => {
    tenant = await app.createTenant();
  });
  afterEach(async () => {
    expect(await findInconsistencies(app, tenant)).toEqual([]);
  });

  const number = '5511988887777';

  async function writeAll(...people: [LeadIdentity, ...LeadIdentity[]][]): Promise<string[]> {
    const ids: string[] = [];
    for (const identities of people) ids.push(await write(app, tenant, identities));
    return ids;
  }

  async function codeOf(user: TestUser, leadId: string, intoId: string): Promise<string | undefined> {
    const { errors } = await execute(app, user, MergeLeadsDocument, { leadId, intoId });
    return errors?.[0]?.extensions.code;
  }

  test('a lead tells its identities, and the merges that the network brought about', async () => {
    const hidden = await leadOf(app, tenant, lid('x1234'));
    const numbered = await leadOf(app, tenant, phone(number));
    await writeAll([lid('x1234')], [phone(number), lid('x1234')]);
    const { lead } = await query(app, tenant.operator, MergeableLeadDocument, { id: numbered });
    expect(lead).toMatchObject({ id: numbered, chat: number, unreadCount: 2 });
    expect(lead?.identities).toEqual([
      { kind: 'LID', value: 'x1234' },
      { kind: 'PHONE', value: number },
    ]);
    expect(lead?.merges).toEqual([
      {
        id: expect.any(String),
        reason: 'IDENTITY',
        createdAt: expect.any(String),
        undoneAt: null,
        user: null,
        mergedLead: { id: hidden, name: 'Hidden number 1234', chat: null },
      },
    ]);
  });

  test('identities and merges of many leads: each lead has its own', async () => {
    const ids = [await leadOf(app, tenant, phone('4915100000001'), lid('a')), await leadOf(app, tenant, lid('b'))];
    const merged = await leadOf(app, tenant, lid('c'));
    await query(app, tenant.admin, MergeLeadsDocument, { leadId: merged, intoId: ids[1]! });
    const { leads } = await query(app, tenant.operator, MergeableLeadsDocument, {});
    expect(
      leads.edges.map(({ node }) => [node.id, node.identities.map(({ value }) => value), node.merges.length]),
    ).toEqual([
      [ids[1], ['b', 'c'], 1],
      [ids[0], ['4915100000001', 'a'], 0],
    ]);
  });

  test.each(['admin', 'operator'] as const)('an %s merges two leads and takes it back', async (role) => {
    const user = tenant[role];
    const [hidden, numbered] = [await leadOf(app, tenant, lid('x1234')), await leadOf(app, tenant, phone(number))];
    await writeAll([lid('x1234')], [phone(number)], [lid('x1234')]);
    const before = await readRows(app, tenant);

    const { mergeLeads } = await query(app, user, MergeLeadsDocument, { leadId: numbered, intoId: hidden });
    expect(mergeLeads).toMatchObject({ id: hidden, chat: number, name: number, unreadCount: 3 });
    expect(mergeLeads.merges).toMatchObject([
      {
        reason: 'USER',
        user: { id: user.id },
        undoneAt: null,
        mergedLead: { id: numbered, name: number, chat: number },
      },
    ]);

    const mergeId = mergeLeads.merges[0]!.id;
    const { undoLeadMerge } = await query(app, user, UndoLeadMergeDocument, { mergeId });
    expect(undoLeadMerge).toMatchObject({ id: numbered, chat: number, unreadCount: 1, merges: [] });
    expect(await readRows(app, tenant)).toEqual(before);
    const { lead } = await query(app, user, MergeableLeadDocument, { id: hidden });
    expect(lead).toMatchObject({ id: hidden, chat: null, unreadCount: 2 });
    expect(lead?.merges).toMatchObject([{ id: mergeId, undoneAt: expect.any(String) }]);

    const again = await execute(app, user, UndoLeadMergeDocument, { mergeId });
    expect(again.errors).toMatchObject([
      { extensions: { code: 'CONFLICT' }, message: expect.stringMatching(/already/) },
    ]);
  });

  test('an id that was merged keeps working everywhere', async () => {
    const [merged, survivor] = [await leadOf(app, tenant, lid('x1234')), await leadOf(app, tenant, phone(number))];
    const ids = await writeAll([lid('x1234')], [phone(number)]);
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: survivor });
    for (const id of [merged, merged.toUpperCase(), survivor]) {
      const { lead } = await query(app, tenant.operator, MergeableLeadDocument, { id });
      expect(lead).toMatchObject({ id: survivor, lastMessage: { id: ids[1] } });
      const { messages } = await query(app, tenant.operator, MessagesDocument, { leadId: id });
      expect(messages.edges.map(({ node }) => [node.id, node.lead.id])).toEqual(
        ids.map((messageId) => [messageId, survivor]),
      );
    }
    const input = { leadId: merged, body: 'Oi' };
    const { sendMessage } = await query(app, tenant.operator, SendMessageDocument, { input });
    expect(sendMessage.lead.id).toBe(survivor);
    for (const list of [
      (await query(app, tenant.operator, LeadsDocument, {})).leads,
      (await query(app, tenant.operator, InboxDocument, {})).inbox,
    ])
      expect(list.edges.map(({ node }) => node.id)).toEqual([survivor]);
  });

  test('messages that come after a merge are heard by who watches the lead that stays', async () => {
    const [merged, survivor] = [await leadOf(app, tenant, lid('x1234')), await leadOf(app, tenant, phone(number))];
    const socket = connect(app, tenant.operator);
    const heard = new Subscription(socket, MessageReceivedDocument, { leadId: survivor });
    while (app.app.services.feed.subscriberCount(tenant.id) < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: survivor });
    const messageId = await write(app, tenant, [lid('x1234')]);
    const [first] = await heard.until((received) => received.length === 1);
    expect(first?.messageReceived).toMatchObject({ id: messageId, lead: { id: survivor } });
    await socket.dispose();
  });

  test('ids of another tenant, of nothing, and one lead twice', async () => {
    const [own, foreign] = [
      await leadOf(app, tenant, phone(number)),
      await leadOf(app, other, phone(number), lid('foreign')),
    ];
    const foreignInto = await leadOf(app, other, lid('foreign too'));
    const user = tenant.admin;
    const nothing = '01900000-0000-7000-8000-000000000000';
    for (const id of [foreign, nothing, 'x', '']) {
      expect(await codeOf(user, own, id)).toBe('NOT_FOUND');
      expect(await codeOf(user, id, own)).toBe('NOT_FOUND');
    }
    expect(await codeOf(user, foreign, foreignInto)).toBe('NOT_FOUND');
    expect(await codeOf(user, own, own)).toBe('VALIDATION_FAILED');
    const { mergeLeads } = await query(app, other.admin, MergeLeadsDocument, { leadId: foreign, intoId: foreignInto });
    for (const mergeId of [mergeLeads.merges[0]!.id, nothing, 'x']) {
      const { errors } = await execute(app, user, UndoLeadMergeDocument, { mergeId });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
    expect(await identitiesOf(app, own)).toEqual([`PHONE:${number}`]);
    expect(await identitiesOf(app, foreignInto)).toEqual(['LID:foreign', 'LID:foreign too', `PHONE:${number}`]);
  });

  test('a later merge has to be taken back first, and the refusal says so', async () => {
    const [a, b, c] = [
      await leadOf(app, tenant, lid('a')),
      await leadOf(app, tenant, lid('b')),
      await leadOf(app, tenant, lid('c')),
    ];
    const first = await query(app, tenant.operator, MergeLeadsDocument, { leadId: a, intoId: b });
    const second = await query(app, tenant.operator, MergeLeadsDocument, { leadId: b, intoId: c });
    const mergeId = first.mergeLeads.merges[0]!.id;
    const refused = await execute(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'CONFLICT' }, message: expect.stringMatching(/later merge/) },
    ]);
    await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId: second.mergeLeads.merges[0]!.id });
    const { undoLeadMerge } = await query(app, tenant.operator, UndoLeadMergeDocument, { mergeId });
    expect(undoLeadMerge.id).toBe(a);
  });
}
