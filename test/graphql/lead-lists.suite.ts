// Lists of leads and messages over the wire: each filter, each order in both directions, counts, and pages that stay true while
// leads come, change and go.

import { firstIdAt } from '../../src/platform/database/record-id.js';
import { write as writeAs, leadOf, lid, phone } from '../features/leads/lead-harness.js';
import { send } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import {
  AllMessagesDocument,
  AssignLeadDocument,
  CreateLeadDocument,
  LeadsByChatsDocument,
  LeadsWithMessagesDocument,
  ListInboxDocument,
  ListLeadsDocument,
  ListMessagesDocument,
  MarkLeadReadDocument,
  MergeLeadsDocument,
  UpdateLeadDocument,
  type InboxFilter,
  type LeadFilter,
  type LeadOrder,
  type ListLeadsQueryVariables,
  type MessageFilter,
} from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { serviceOperator, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeLeadLists(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  const ids: Record<string, string> = {};

  const people: {
    name: string;
    chat: string;
    source: string;
    tags: string[];
    customFields?: Record<string, unknown>;
  }[] = [
    { name: 'Ana', chat: '5511988887777', source: 'fair', tags: ['vip', 'sp'] },
    { name: 'Álvaro Souza', chat: '5511977776666', source: 'web', tags: ['vip'] },
    { name: 'bruno 100%', chat: '4915112345678', source: 'web', tags: [] },
    { name: 'Zoë', chat: '4915187654321', source: 'fair', tags: ['sp', 'late'] },
    { name: 'Ana', chat: '4420712345678', source: 'ads', tags: [], customFields: { mail: 'Nana@example.com' } },
  ];

  /** Creates the leads in the order of `people`. Ana, Álvaro and Zoë have written, Álvaro last; Ana's conversation is read. */
  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    other = await app.createTenant();
    for (const [index, input] of people.entries()) {
      const { createLead } = await query(app, tenant.operator, CreateLeadDocument, { input });
      ids[`p${index}`] = createLead.lead.id;
      // The other tenant has leads that look alike.
      await query(app, other.operator, CreateLeadDocument, { input });
    }
    for (const index of [0, 3, 1]) await writeAs(app, tenant, [phone(people[index]!.chat)]);
    await query(app, tenant.operator, MarkLeadReadDocument, { id: ids['p0']! });
    await query(app, tenant.operator, AssignLeadDocument, { id: ids['p3']!, userId: tenant.operator.id });
  });

  async function list(variables: ListLeadsQueryVariables) {
    return (await query(app, tenant.operator, ListLeadsDocument, variables)).leads;
  }

  const placeOf = (id: string) =>
    Number(
      Object.keys(ids)
        .find((key) => ids[key] === id)
        ?.slice(1),
    );

  async function found(filter: LeadFilter, orderBy?: LeadOrder): Promise<number[]> {
    const { edges, totalCount } = await list({ filter, orderBy: orderBy ?? null });
    expect(totalCount).toBe(edges.length);
    return edges.map(({ node }) => placeOf(node.id));
  }

  describe('what is read with a list', () => {
    const relations = 'id lastMessage { id body direction createdAt } assignee { id email accountId: account { id } }';
    const text = `query ($orderBy: LeadOrder, $filter: LeadFilter, $last: Int) {
    leads(orderBy: $orderBy, filter: $filter, last: $last) { edges { ...page } } }
    fragment page on LeadEdge { node { ... on Lead { ${relations} } } }`;
    const askFor = async (operation: string, variables: object): Promise<Record<string, any>> => {
      const answer = await app.post('/graphql', { query: operation, variables }, withToken(tenant.admin));
      const { data, errors } = (await answer.json()) as { data: Record<string, any>; errors?: unknown };
      expect(errors).toBeUndefined();
      return data;
    };

    test.each<[string, ListLeadsQueryVariables & { last?: number }]>([
      ['by id', {}],
      ['by name', { orderBy: { field: 'NAME', direction: 'DESC' } }],
      ['by newest message, and without one', { orderBy: { field: 'LAST_MESSAGE_AT' } }],
      ['from the end', { last: 3 }],
      ['filtered', { filter: { search: 'a', unassigned: true } }],
      ['filtered, by name', { filter: { sources: ['fair'] }, orderBy: { field: 'NAME' } }],
    ])('%s: the same as of each lead by itself', async (_case, variables) => {
      const { leads } = await askFor(text, variables);
      expect(leads.edges.length).toBeGreaterThan(1);
      for (const { node } of leads.edges) {
        const { lead } = await askFor(`query ($id: ID!) { lead(id: $id) { ${relations} } }`, { id: node.id });
        expect(node).toEqual(lead);
      }
    });
  });

  describe('by their numbers', () => {
    const look = async (chats: string[], country?: string, by = tenant) =>
      (await query(app, by.operator, LeadsByChatsDocument, { chats, country: country ?? null })).leadsByChats;

    test('each number has its result, in their order, in any writing', async () => {
      const chats = ['+55 (11) 98888-7777', '4915187654321', '551188887777', '4930999999', 'Ana', ''];
      const results = await look(chats);
      expect(results.map(({ chat }) => chat)).toEqual(chats);
      expect(results.map(({ lead }) => lead?.id)).toEqual([
        ids['p0'],
        ids['p3'],
        ids['p0'],
        undefined,
        undefined,
        undefined,
      ]);
      expect(results.map(({ problem }) => problem === null)).toEqual([true, true, true, true, false, false]);
    });

    test('national writings are read with the country', async () => {
      const chat = '(11) 98888-7777';
      expect(await look([chat], 'br')).toMatchObject([{ lead: { id: ids['p0'] }, problem: null }]);
      expect(await look([chat])).toMatchObject([{ lead: null, problem: 'needs a country code' }]);
    });

    test('of the own tenant alone', async () => {
      const [own] = await look(['5511988887777'], undefined, other);
      expect(own?.lead?.id).toEqual(expect.any(String));
      expect(own?.lead?.id).not.toBe(ids['p0']);
    });

    test.each([
      ['none', [], 'chats'],
      ['more than 500', Array.from({ length: 501 }, () => '5511988887777'), 'chats'],
      ['one that is too long', ['1'.repeat(257)], 'chats.0'],
    ])('%s is VALIDATION_FAILED', async (_case, chats, path) => {
      const answer = await execute(app, tenant.operator, LeadsByChatsDocument, { chats });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });

    test('500 at once, and of each no more than an operation may cost', async () => {
      const chats = Array.from({ length: 500 }, (_, index) => `49151${String(index).padStart(8, '0')}`);
      expect(await look(chats)).toHaveLength(500);
      const text = `query ($chats: [String!]!) { leadsByChats(chats: $chats) { lead { messages { edges { node { id } } } } } }`;
      const answer = await app.post('/graphql', { query: text, variables: { chats } }, withToken(tenant.operator));
      expect(JSON.stringify(await answer.json())).toContain('cost');
    });
  });

  describe('filters of leads', () => {
    test.each<[string, () => LeadFilter, number[]]>([
      ['sources', () => ({ sources: ['fair', 'ads'] }), [4, 3, 0]],
      ['an assignee', () => ({ assigneeId: tenant.operator.id }), [3]],
      ['nobody to look after it', () => ({ unassigned: true }), [4, 2, 1, 0]],
      ['somebody to look after it', () => ({ unassigned: false }), [3]],
      ['unread', () => ({ unread: true }), [3, 1]],
      ['read', () => ({ unread: false }), [4, 2, 0]],
      ['any of several tags', () => ({ tagsAny: ['LATE', 'vip'] }), [3, 1, 0]],
      ['all of several tags', () => ({ tagsAll: ['vip', 'sp'] }), [0]],
      ['the instance of the newest message', () => ({ instanceId: tenant.instance.id }), [3, 1, 0]],
      ['several conditions', () => ({ tagsAny: ['vip'], unread: true, sources: ['web'] }), [1]],
      ['a name', () => ({ search: 'ana' }), [4, 0]],
      ['part of a name without its accents', () => ({ search: 'alvaro s' }), [1]],
      ['part of a name with accents that it has not', () => ({ search: 'ANÁ' }), [4, 0]],
      ['two letters: the beginning of a name', () => ({ search: 'Al' }), [1]],
      ['two letters in the middle of a name', () => ({ search: 'ou' }), []],
      ['signs that LIKE knows', () => ({ search: '00%' }), [2]],
      ['nothing but such signs', () => ({ search: '%%%' }), []],
      ['part of a number in another writing', () => ({ search: '(151) 1234-56' }), [2]],
      ['a whole number in another form', () => ({ search: '+55 11 8888-7777' }), [0]],
      ['an e-mail address', () => ({ search: 'nana@example.com' }), [4]],
      ['the beginning of an address, to its @', () => ({ search: 'Nana@' }), [4]],
      ['the beginning of an address without its @', () => ({ search: 'nana' }), []],
      ['what nobody is called', () => ({ search: 'nobody' }), []],
    ])('%s', async (_case, filter, expected) => {
      expect(await found(filter())).toEqual(expected);
    });

    test('a span of time, its beginning included and its end not', async () => {
      const [row] = await app.sql<{ at: string }>('SELECT to_json(created_at) AS at FROM leads WHERE id = $1', [
        ids['p2'],
      ]);
      expect(await found({ since: row!.at })).toEqual([4, 3, 2]);
      expect(await found({ until: row!.at })).toEqual([1, 0]);
    });

    test('what a merged lead was called finds the one that it became', async () => {
      const merged = await leadOf(app, tenant, lid('m'));
      await query(app, tenant.operator, UpdateLeadDocument, {
        id: merged,
        input: { name: 'Formerly Known', tags: ['old'] },
      });
      expect((await list({ filter: { search: 'formerly' } })).edges.map(({ node }) => node.id)).toEqual([merged]);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: merged, intoId: ids['p2']! });
      expect(await found({ search: 'formerly' })).toEqual([2]);
      expect(await found({ tagsAny: ['old'] })).toEqual([2]);
    });

    test('a changed name is found, and the old one is not', async () => {
      const rename = (name: string) =>
        query(app, tenant.operator, UpdateLeadDocument, { id: ids['p4']!, input: { name } });
      await rename('Wilhelmina');
      expect(await found({ search: 'helmi' })).toEqual([4]);
      expect(await found({ search: 'ana' })).toEqual([0]);
      await rename('Ana');
    });

    test.each<[string, Record<string, unknown>, string]>([
      ['an empty list', { sources: [] }, 'filter.sources'],
      ['a search of blanks', { search: '  ' }, 'filter.search'],
      ['a long search', { search: 'x'.repeat(101) }, 'filter.search'],
      ['an id that is none', { assigneeId: 'x' }, 'filter.assigneeId'],
    ])('%s is VALIDATION_FAILED', async (_case, filter, path) => {
      const answer = await execute(app, tenant.operator, ListLeadsDocument, { filter });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });
  });

  describe('orders of leads', () => {
    // Leads of the same name stand in the order of their ids. Leads without messages come last in both directions.
    const orders: [LeadOrder, number[]][] = [
      [{ field: 'CREATED_AT', direction: 'DESC' }, [4, 3, 2, 1, 0]],
      [{ field: 'CREATED_AT', direction: 'ASC' }, [0, 1, 2, 3, 4]],
      [{ field: 'NAME', direction: 'ASC' }, [1, 0, 4, 2, 3]],
      [{ field: 'NAME', direction: 'DESC' }, [3, 2, 4, 0, 1]],
      [{ field: 'LAST_MESSAGE_AT', direction: 'DESC' }, [1, 3, 0, 4, 2]],
      [{ field: 'LAST_MESSAGE_AT', direction: 'ASC' }, [0, 3, 1, 2, 4]],
    ];

    test.each(orders)('%j: pages from either end, each lead once, with true edges', async (orderBy, expected) => {
      for (const size of [1, 2, 3]) {
        expect(await walk(orderBy, size, 'forward')).toEqual(expected);
        expect(await walk(orderBy, size, 'backward')).toEqual(expected);
      }
    });

    async function walk(orderBy: LeadOrder, size: number, direction: 'forward' | 'backward'): Promise<number[]> {
      const seen: number[] = [];
      let cursor: string | null | undefined = null;
      for (;;) {
        const isForward = direction === 'forward';
        const range: ListLeadsQueryVariables = isForward
          ? { first: size, after: cursor }
          : { last: size, before: cursor };
        const { edges, pageInfo, totalCount }: Awaited<ReturnType<typeof list>> = await list({ ...range, orderBy });
        expect(totalCount).toBe(people.length);
        const places = edges.map(({ node }) => placeOf(node.id));
        if (isForward) seen.push(...places);
        else seen.unshift(...places);
        expect(isForward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null);
        if (!(isForward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return seen;
        cursor = isForward ? pageInfo.endCursor : pageInfo.startCursor;
      }
    }

    test('names ascend and times descend where nothing is said', async () => {
      expect(await found({}, { field: 'NAME' })).toEqual([1, 0, 4, 2, 3]);
      expect(await found({}, { field: 'LAST_MESSAGE_AT' })).toEqual([1, 3, 0, 4, 2]);
    });

    test('a cursor of another order is VALIDATION_FAILED', async () => {
      const { pageInfo } = await list({ first: 1, orderBy: { field: 'NAME' } });
      for (const orderBy of [null, { field: 'NAME', direction: 'DESC' }, { field: 'LAST_MESSAGE_AT' }] as const) {
        const answer = await execute(app, tenant.operator, ListLeadsDocument, { after: pageInfo.endCursor!, orderBy });
        expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: ['after'] });
      }
    });

    test('a filter keeps its order and its edges', async () => {
      const filter = { tagsAny: ['vip'] };
      const first = await list({ first: 1, filter, orderBy: { field: 'NAME' } });
      expect(first).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
      const second = await list({ first: 1, filter, orderBy: { field: 'NAME' }, after: first.pageInfo.endCursor! });
      expect(second.edges.map(({ node }) => placeOf(node.id))).toEqual([0]);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    test('an empty page says whether there is anything before it', async () => {
      const { edges } = await list({ first: 5 });
      const after = edges.at(-1)!.cursor;
      expect((await list({ first: 5, after })).pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      const filter = { search: 'nobody' };
      expect((await list({ first: 5, after, filter })).pageInfo).toMatchObject({ hasPreviousPage: false });
    });

    test('a lead that comes, or goes, between two pages shifts none of the others', async () => {
      const orderBy = { field: 'NAME' } as const;
      const first = await list({ first: 2, orderBy });
      const early = (
        await query(app, tenant.operator, CreateLeadDocument, { input: { chat: '4917600000001', name: 'Aaron' } })
      ).createLead;
      const second = await list({ first: 2, orderBy, after: first.pageInfo.endCursor! });
      expect(second.edges.map(({ node }) => placeOf(node.id))).toEqual([4, 2]);
      // The lead of the cursor is gone by then.
      const third = await list({ first: 1, orderBy });
      await app.sql('DELETE FROM leads WHERE id = $1', [early.lead.id]);
      const next = await list({ first: 1, orderBy, after: third.pageInfo.endCursor! });
      expect(next).toMatchObject({ pageInfo: { hasPreviousPage: false }, edges: [{ node: { id: ids['p1'] } }] });
    });
  });

  describe('the inbox', () => {
    const inbox = async (filter: InboxFilter) => {
      const page = (await query(app, tenant.operator, ListInboxDocument, { filter })).inbox;
      expect(page.totalCount).toBe(page.edges.length);
      return page.edges.map(({ node }) => placeOf(node.id));
    };

    test.each<[string, () => InboxFilter, number[]]>([
      ['nothing', () => ({}), [1, 3, 0]],
      ['an assignee', () => ({ assigneeId: tenant.operator.id }), [3]],
      ['nobody', () => ({ unassigned: true }), [1, 0]],
      ['unread', () => ({ unread: true }), [1, 3]],
      ['tags', () => ({ tagsAny: ['sp'] }), [3, 0]],
      ['an instance', () => ({ instanceId: tenant.instance.id }), [1, 3, 0]],
      ['a search', () => ({ search: 'zoe' }), [3]],
    ])('filtered by %s', async (_case, filter, expected) => {
      expect(await inbox(filter())).toEqual(expected);
    });
  });

  describe('messages', () => {
    let leadId: string;
    const texts = ['Oi', 'Quanto custa?', '100% sim', 'Obrigada'];

    beforeAll(async () => {
      const second = { accountId: tenant.admin.accountId, instanceName: 'second', isDefault: false };
      const place = { tenantId: tenant.id, status: 'CONNECTED' } as const;
      const instance = await app.app.services.chatInstances.create(serviceOperator, second, place);
      leadId = await leadOf(app, tenant, phone('4917611111111'));
      ids['instance'] = instance.id;
      const sent: string[] = [];
      for (const body of texts)
        sent.push(
          await send(app, tenant, { leadId, body, instanceId: body === 'Oi' ? instance.id : tenant.instance.id }),
        );
      const media = { url: 'https://files.example/a.png', caption: 'Preço' };
      sent.push(await send(app, tenant, { leadId, media, instanceId: tenant.instance.id }));
      await app.sql("UPDATE messages SET status = 'FAILED', failed_at = now() WHERE id = ANY($1::uuid[])", [
        [sent[1], sent[3]],
      ]);
      await writeAs(app, tenant, [phone('4917611111111')], 'Carla');
      await app.sql("UPDATE messages SET created_at = '2026-01-05T10:00:00Z', id = $2 WHERE id = $1", [
        sent[0],
        firstIdAt(new Date('2026-01-05T10:00:00Z')),
      ]);
      // The other tenant's message stays hidden.
      await writeAs(app, other, [phone('4917611111111')]);
    });

    const cases: [string, () => MessageFilter, (string | null)[]][] = [
      ['a direction', () => ({ direction: 'INBOUND' }), ['Oi']],
      ['statuses', () => ({ statuses: ['FAILED', 'CANCELED'] }), ['Quanto custa?', 'Obrigada']],
      ['a text, in any letter case', () => ({ text: 'CUSTA' }), ['Quanto custa?']],
      ['a text with signs that LIKE knows', () => ({ text: '0%' }), ['100% sim']],
      ['a caption', () => ({ text: 'preço' }), [null]],
      ['an instance', () => ({ instanceId: ids['instance']! }), ['Oi']],
      ['a span', () => ({ since: '2026-01-05T10:00:00Z', until: '2026-01-05T10:00:00.001Z' }), ['Oi']],
      ['several conditions', () => ({ direction: 'OUTBOUND', text: 'obri', statuses: ['FAILED'] }), ['Obrigada']],
    ];

    test.each(cases)('of one lead, by %s', async (_case, filter, expected) => {
      const { messages } = await query(app, tenant.operator, ListMessagesDocument, { leadId, filter: filter() });
      expect(messages.edges.map(({ node }) => node.body)).toEqual(expected);
      expect(messages.totalCount).toBe(expected.length);
    });

    test.each(cases.filter(([name]) => name !== 'a direction'))(
      'of all leads, by %s',
      async (_case, filter, expected) => {
        const { allMessages } = await query(app, tenant.operator, AllMessagesDocument, { filter: filter() });
        expect(allMessages.edges.map(({ node }) => node.body)).toEqual([...expected].reverse());
        expect(allMessages.totalCount).toBe(expected.length);
      },
    );

    test('of all leads, by one of them, also by the id of one that was merged into it', async () => {
      const written = [phone('4917622222222'), phone('4917633333333')];
      for (const one of written) await writeAs(app, tenant, [one]);
      const [survivorId, mergedId] = [await leadOf(app, tenant, written[0]!), await leadOf(app, tenant, written[1]!)];
      const read = async (id: string, by = tenant) =>
        (await query(app, by.operator, AllMessagesDocument, { filter: { leadId: id } })).allMessages.totalCount;
      expect([await read(survivorId), await read(mergedId), await read(survivorId, other)]).toEqual([1, 1, 0]);
      await query(app, tenant.operator, MergeLeadsDocument, { leadId: mergedId, intoId: survivorId });
      expect([await read(survivorId), await read(mergedId)]).toEqual([2, 2]);
    });

    test('of all leads come newest first, page by page', async () => {
      const seen: string[] = [];
      let after: string | null = null;
      for (;;) {
        const page: Awaited<ReturnType<typeof pageAfter>> = await pageAfter(after);
        seen.push(...page.edges.map(({ node }) => node.id));
        expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
        if (!page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor ?? null;
      }
      const rows = await app.sql<{ id: string }>('SELECT id FROM messages WHERE tenant_id = $1 ORDER BY id DESC', [
        tenant.id,
      ]);
      expect(seen).toEqual(rows.map(({ id }) => id));
    });

    const pageAfter = async (after: string | null) =>
      (await query(app, tenant.operator, AllMessagesDocument, { first: 2, after })).allMessages;

    test('of many leads at once: each has its own, filtered and counted', async () => {
      const { leads } = await query(app, tenant.operator, LeadsWithMessagesDocument, {
        last: 2,
        filter: { statuses: ['QUEUED', 'FAILED'] },
      });
      const byLead = new Map(leads.edges.map(({ node }) => [node.id, node.messages]));
      expect(byLead.get(leadId)).toMatchObject({ totalCount: 5, pageInfo: { hasPreviousPage: true } });
      expect(byLead.get(leadId)?.edges.map(({ node }) => node.body)).toEqual(['Obrigada', null]);
      expect(byLead.get(ids['p0']!)).toEqual({ totalCount: 0, edges: [], pageInfo: { hasPreviousPage: false } });
    });

    test.each([
      ['an empty text', { text: ' ' }, 'filter.text'],
      ['no statuses', { statuses: [] }, 'filter.statuses'],
    ])('%s is VALIDATION_FAILED', async (_case, filter, path) => {
      const answer = await execute(app, tenant.operator, AllMessagesDocument, { filter });
      expect(failureOf(answer)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
    });
  });
}
