// The page around a message of a conversation, at every place of it, and the arguments that it excludes.

import { randomUUID } from 'node:crypto';
import { createLead, send } from '../features/messages/sending-harness.js';
import { execute, failureOf, query } from '../support/graphql-client.js';
import { MessagesAroundDocument, type MessagesAroundQueryVariables } from '../support/operations.js';
import { sharedApp } from '../support/shared-app.js';
import type { TestApp, TestTenant } from '../support/test-app.js';

export function describeMessagesAround(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;
  let ids: string[];

  beforeAll(async () => {
    app = await sharedApp({ PROCESS_ROLE: 'api' });
    tenant = await app.createTenant();
    leadId = await createLead(app, tenant);
    ids = [];
    for (let count = 0; count < 9; count += 1) ids.push(await send(app, tenant, { leadId, body: `${count}` }));
  });

  type Arguments = Partial<MessagesAroundQueryVariables>;

  const read = async (wanted: Arguments) =>
    (await query(app, tenant.operator, MessagesAroundDocument, { leadId, ...wanted })).messages;
  const refusal = async (wanted: Arguments) =>
    failureOf(await execute(app, tenant.operator, MessagesAroundDocument, { leadId, ...wanted }));

  test.each([
    [4, 5, [2, 6]],
    [4, 4, [2, 5]],
    [4, 1, [4, 4]],
    [0, 4, [0, 3]],
    [1, 5, [0, 4]],
    [8, 4, [5, 8]],
    [7, 5, [4, 8]],
    [4, 9, [0, 8]],
    [4, 200, [0, 8]],
    [0, 200, [0, 8]],
  ] as const)('around the message at %i, %i in all: from and to %j', async (place, first, [from, to]) => {
    const { edges, pageInfo, totalCount } = await read({ around: ids[place] ?? '', first });
    expect(edges.map(({ node }) => node.id)).toEqual(ids.slice(from, to + 1));
    expect([pageInfo.hasPreviousPage, pageInfo.hasNextPage]).toEqual([from > 0, to < ids.length - 1]);
    expect(totalCount).toBe(ids.length);
  });

  test('its cursors lead on, to either side', async () => {
    const { pageInfo } = await read({ around: ids[4] ?? '', first: 3 });
    const before = await read({ last: 2, before: pageInfo.startCursor ?? null });
    const after = await read({ first: 2, after: pageInfo.endCursor ?? null });
    expect([...before.edges, ...after.edges].map(({ node }) => node.id)).toEqual(
      [1, 2, 6, 7].map((place) => ids[place]),
    );
  });

  test('with a filter the page holds what the filter lets through', async () => {
    const filter = { text: '7' };
    const { edges, pageInfo } = await read({ around: ids[4] ?? '', filter });
    expect(edges.map(({ node }) => node.id)).toEqual([ids[7]]);
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('not together with another place in the list, nor for what is no message of the lead', async () => {
    const around = ids[4] ?? '';
    const cursor = (await read({ first: 1 })).pageInfo.endCursor ?? '';
    for (const [path, wanted] of Object.entries({
      after: { after: cursor },
      last: { last: 5 },
      before: { before: cursor },
    }))
      expect(await refusal({ around, ...wanted })).toMatchObject({ code: 'VALIDATION_FAILED', paths: [path] });
    for (const first of [0, -1, 201])
      expect(await refusal({ around, first })).toMatchObject({
        code: 'VALIDATION_FAILED',
        paths: ['first'],
      });
    const other = await createLead(app, tenant);
    expect((await refusal({ around: await send(app, tenant, { leadId: other, body: 'x' }) })).code).toBe('NOT_FOUND');
    const stranger = await app.createTenant();
    const theirs = await send(app, stranger, { leadId: await createLead(app, stranger), body: 'x' });
    for (const nothing of [randomUUID(), 'none', theirs])
      expect((await refusal({ around: nothing })).code).toBe('NOT_FOUND');
  });
}
