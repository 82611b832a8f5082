// Users of one tenant and of several ask the same at the same moment: each is shown what is theirs.

import { execute, query } from '../support/graphql-client.js';
import { InboxDocument, LeadDocument, MeDocument } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import { withKey, type TestApp, type TestTenant, type TestUser } from '../support/test-app.js';

export function describeAskedTogether(): void {
  let app: TestApp;
  let tenants: TestTenant[];

  beforeAll(async () => {
    app = await sharedApp();
    tenants = [await app.createTenant(), await app.createTenant()];
    for (const tenant of tenants)
      await app.post(
        '/webhooks/chat/gateway/inbound',
        { messageId: '1', from: '4915100000001', text: tenant.slug },
        withKey(tenant),
      );
  });

  const usersOf = ({ admin, operator }: TestTenant): TestUser[] => [admin, operator];

  test('the inbox of the own tenant, with what was written before', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const [tenant] = tenants as [TestTenant];
      const text = `round ${round}`;
      const body = { messageId: text, from: '4915100000001', text };
      expect((await app.post('/webhooks/chat/gateway/inbound', body, withKey(tenant))).status).toBe(200);
      const askers = tenants.flatMap((of) =>
        usersOf(of).flatMap((user) => [user, user, user].map((asker) => ({ of, asker }))),
      );
      const answers = await Promise.all(askers.map(({ asker }) => query(app, asker, InboxDocument, {})));
      for (const [index, { inbox }] of answers.entries())
        expect(inbox.edges.map(({ node }) => node.lastMessage?.body)).toEqual([
          askers[index]?.of === tenant ? text : tenants[1]?.slug,
        ]);
    }
  });

  test('who one is', async () => {
    const users = tenants.flatMap(usersOf);
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(users.map((user) => query(app, user, MeDocument, {})));
      expect(answers.map(({ me }) => me.id)).toEqual(users.map(({ id }) => id));
    }
  });

  test('an error names the request it belongs to', async () => {
    const [{ operator }] = tenants as [TestTenant];
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { errors } = await execute(app, operator, InboxDocument, { first: 500 });
        return errors?.[0]?.extensions.requestId;
      }),
    );
    expect(new Set(ids).size).toBe(10);
    expect(ids).not.toContain(undefined);
  });

  test('nothing of another tenant by its id', async () => {
    const [own, foreign] = tenants as [TestTenant, TestTenant];
    const { inbox } = await query(app, foreign.operator, InboxDocument, {});
    const id = inbox.edges[0]!.node.id;
    const askers = [foreign.operator, own.operator, foreign.operator, own.operator];
    const answers = await Promise.all(askers.map((asker) => query(app, asker, LeadDocument, { id })));
    expect(answers.map(({ lead }) => lead?.id ?? null)).toEqual([id, null, id, null]);
  });
}
