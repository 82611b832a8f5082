// Queries over the wire: pages, cursors, nested records, and errors.

import { execute, query } from '../support/graphql-client.js';
import {
  ChatInstancesDocument,
  InboxDocument,
  LeadDocument,
  LeadsDocument,
  MeDocument,
  MessageDocument,
  MessagesDocument,
} from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, withToken, type TestApp, type TestTenant } from '../support/test-app.js';

export function describeReading(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let other: TestTenant;
  let leadIds: string[];

  /** Lead n has n + 1 inbound messages; the leads write in turn, so the inbox runs from the last to the first. */
  beforeAll(async () => {
    app = await sharedApp();
    tenant = await app.createTenant();
    other = await app.createTenant();
    leadIds = [];
    for (const lead of [0, 1, 2, 3, 4]) {
      const messages = Array.from({ length: lead + 1 }, (_, message) => ({
        messageId: `in-${lead}-${message}`,
        from: `49151000000${lead}`,
        name: `Lead ${lead}`,
        text: `text ${lead}.${message}`,
      }));
      const answer = await app.post('/webhooks/chat/gateway/inbound', { messages }, withKey(tenant));
      const { results } = (await answer.json()) as { results: { leadId: string }[] };
      leadIds.push(results[0]?.leadId ?? '');
    }
  });

  test('me is the signed-in user', async () => {
    const { me } = await query(app, tenant.operator, MeDocument, {});
    const { id, accountId } = tenant.operator;
    expect(me).toEqual({
      id,
      tenantId: tenant.id,
      accountId,
      role: 'OPERATOR',
      email: `${tenant.slug}-operator@test.example`,
    });
  });

  describe('pages', () => {
    test('leads come newest first, and following endCursor visits each once', async () => {
      const seen: string[] = [];
      let after: string | null = null;
      for (;;) {
        const page: Awaited<ReturnType<typeof leadsAfter>> = await leadsAfter(2, after);
        seen.push(...page.edges.map((edge) => edge.node.id));
        expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
        if (!page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor ?? null;
      }
      expect(seen).toEqual([...leadIds].reverse());
    });

    test('a lead that comes in between two pages does not shift the second', async () => {
      const first = await leadsAfter(2, null);
      const added = await app.post('/public/leads', { chat: '4915100000099' }, withKey(tenant));
      const { id } = (await added.json()) as { id: string };
      const second = await leadsAfter(2, first.pageInfo.endCursor ?? null);
      expect(second.edges.map((edge) => edge.node.id)).toEqual([leadIds[2], leadIds[1]]);
      await app.sql('DELETE FROM leads WHERE id = $1', [id]);
    });

    test('the inbox comes by newest message, with the last message and the unread count', async () => {
      const { inbox } = await query(app, tenant.operator, InboxDocument, { first: 3 });
      expect(inbox.edges.map(({ node }) => [node.id, node.unreadCount, node.lastMessage?.body])).toEqual([
        [leadIds[4], 5, 'text 4.4'],
        [leadIds[3], 4, 'text 3.3'],
        [leadIds[2], 3, 'text 2.2'],
      ]);
      expect(inbox.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    });

    test('messages come oldest first; last gives the newest page and before the one ahead of it', async () => {
      const leadId = leadIds[4] ?? '';
      const { messages: newest } = await query(app, tenant.operator, MessagesDocument, { leadId, last: 2 });
      expect(newest.edges.map(({ node }) => node.body)).toEqual(['text 4.3', 'text 4.4']);
      expect(newest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      const before = newest.pageInfo.startCursor;
      const { messages: earlier } = await query(app, tenant.operator, MessagesDocument, { leadId, last: 2, before });
      expect(earlier.edges.map(({ node }) => node.body)).toEqual(['text 4.1', 'text 4.2']);
      expect(earlier.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    });

    test('first: 0 is an empty page', async () => {
      const page = await leadsAfter(0, null);
      expect(page.edges).toEqual([]);
      expect(page.pageInfo).toMatchObject({ startCursor: null, endCursor: null });
    });

    test.each([
      ['first above 200', { first: 201 }, 'first'],
      ['first below 0', { first: -1 }, 'first'],
      ['a cursor that is not ours', { after: 'bm90LW91cnM' }, 'after'],
      [
        'a cursor of another list',
        { after: Buffer.from(`inbox:${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`).toString('base64url') },
        'after',
      ],
    ])('%s is VALIDATION_FAILED, naming the argument', async (_case, variables, path) => {
      const { errors } = await execute(app, tenant.operator, LeadsDocument, variables);
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path }] } }]);
    });

    test.each([
      ['first with last', { first: 1, last: 1 }, 'last'],
      ['last above 200', { last: 201 }, 'last'],
      ['after with last', { last: 1, after: 'x' }, 'after'],
      ['before with first', { first: 1, before: 'x' }, 'before'],
    ])('messages: %s is VALIDATION_FAILED', async (_case, variables, path) => {
      const { errors } = await execute(app, tenant.operator, MessagesDocument, {
        leadId: leadIds[0] ?? '',
        ...variables,
      });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ path }] } }]);
    });

    async function leadsAfter(first: number, after: string | null) {
      return (await query(app, tenant.operator, LeadsDocument, { first, after })).leads;
    }
  });

  describe('one record', () => {
    test('a lead with its messages', async () => {
      const { lead } = await query(app, tenant.operator, LeadDocument, { id: leadIds[1] ?? '', last: 1 });
      expect(lead).toMatchObject({
        name: 'Lead 1',
        chat: '491510000001',
        source: 'webhook',
        assignee: null,
        unreadCount: 2,
      });
      expect(lead?.messages.edges.map(({ node }) => node.body)).toEqual(['text 1.1']);
    });

    test("the assignee is a colleague's id, e-mail and role", async () => {
      const id = leadIds[0] ?? '';
      await app.sql('UPDATE leads SET assignee_id = $1 WHERE id = $2', [tenant.admin.id, id]);
      const { lead } = await query(app, tenant.operator, LeadDocument, { id });
      expect(lead?.assignee).toEqual({
        id: tenant.admin.id,
        email: `${tenant.slug}-admin@test.example`,
        role: 'ADMIN',
      });
    });

    test.each(['00000000-0000-7000-8000-000000000000', 'nonsense', ''])(
      'an id that names none (%j) is null',
      async (id) => {
        expect(await query(app, tenant.operator, LeadDocument, { id })).toEqual({ lead: null });
        expect(await query(app, tenant.operator, MessageDocument, { id })).toEqual({ message: null });
      },
    );

    test("another tenant's records look like none at all", async () => {
      const id = leadIds[0] ?? '';
      expect(await query(app, other.admin, LeadDocument, { id })).toEqual({ lead: null });
      const { errors } = await execute(app, other.admin, MessagesDocument, { leadId: id });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      expect((await query(app, other.admin, InboxDocument, {})).inbox.edges).toEqual([]);
    });

    test('chat instances, and those of one account', async () => {
      const { chatInstances } = await query(app, tenant.operator, ChatInstancesDocument, {});
      expect(chatInstances).toMatchObject([
        { id: tenant.instance.id, instanceName: tenant.instance.name, isDefault: true, status: 'CONNECTED' },
      ]);
      const { accountId } = tenant.operator;
      expect(await query(app, tenant.operator, ChatInstancesDocument, { accountId })).toEqual({ chatInstances: [] });
    });
  });

  describe('errors carry their codes', () => {
    const post = async (body: unknown, headers: Record<string, string> = {}) => {
      const response = await app.post('/graphql', body, headers);
      const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
      return { status: response.status, code: errors[0]?.extensions.code, message: errors[0]?.message };
    };

    test('without a token: UNAUTHENTICATED', async () => {
      const { data, errors } = await execute(app, undefined, MeDocument, {});
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    });

    test('with an API key instead of a token: UNAUTHENTICATED', async () => {
      expect(await post({ query: '{ me { id } }' }, withKey(tenant))).toMatchObject({ code: 'UNAUTHENTICATED' });
    });

    test.each([
      ['a document that does not parse', { query: '{ me {' }, 'BAD_REQUEST'],
      ['a field that does not exist', { query: '{ nothing }' }, 'VALIDATION_FAILED'],
      [
        'a variable of the wrong type',
        { query: 'query ($id: ID!) { lead(id: $id) { id } }', variables: { id: { a: 1 } } },
        'VALIDATION_FAILED',
      ],
      ['a batch', [{ query: '{ me { id } }' }], 'BAD_REQUEST'],
      ['two operations and no name', { query: 'query A { me { id } } query B { me { id } }' }, 'BAD_REQUEST'],
      ['no query at all', {}, 'BAD_REQUEST'],
    ])('%s: 400', async (_case, body, code) => {
      expect(await post(body, { authorization: `Bearer ${tenant.operator.token}` })).toMatchObject({
        status: 400,
        code,
      });
    });

    test('a mutation by GET is refused', async () => {
      const document = encodeURIComponent('mutation { sendMessage(input: {leadId: "x", body: "y"}) { id } }');
      const response = await app.get(`/graphql?query=${document}`, withToken(tenant.operator));
      expect(response.status).toBe(405);
    });

    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      '%s is refused',
      async (contentType) => {
        const headers = { ...withToken(tenant.operator), 'content-type': contentType };
        const response = await app.post('/graphql', '{"query":"{ me { id } }"}', headers);
        expect(response.status).toBe(415);
        expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] });
      },
    );
  });
}
