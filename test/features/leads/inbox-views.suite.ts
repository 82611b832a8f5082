// Views of the inbox that users keep: each user's own, counted, bounded, and gone with their user.

import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  AssignLeadDocument,
  CreateInboxViewDocument,
  DeleteInboxViewDocument,
  InboxViewsDocument,
  UpdateInboxViewDocument,
  UpdateUserDocument,
  type CreateInboxViewInput,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant, TestUser } from '../../support/test-app.js';
import { plainNumber } from '../messages/sending-harness.js';
import { hearMany } from './conversation-harness.js';

export function describeInboxViews(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const keep = async (input: CreateInboxViewInput, user: TestUser = tenant.operator) =>
    (await query(app, user, CreateInboxViewDocument, { input })).createInboxView;
  const list = async (user: TestUser = tenant.operator) =>
    (await query(app, user, InboxViewsDocument, {})).inboxViews.map(({ name, count }) => [name, count]);
  const refusal = async (input: CreateInboxViewInput) =>
    failureOf(await execute(app, tenant.operator, CreateInboxViewDocument, { input }));

  test('are listed as they were kept, each with the number of its conversations now', async () => {
    const [ana] = await hearMany(app, tenant, [plainNumber(), plainNumber()]);
    const mine = { assigneeId: tenant.operator.id, conversationStatuses: ['OPEN' as const], tagsAll: null };
    const view = await keep({ name: 'Of mine', filter: mine, orderBy: 'LONGEST_WAITING' });
    expect(view).toMatchObject({ orderBy: 'LONGEST_WAITING', count: 0 });
    expect(view.filter).toEqual({ assigneeId: tenant.operator.id, conversationStatuses: ['OPEN'] });
    expect(await keep({ name: 'All', filter: {} })).toMatchObject({ filter: {}, orderBy: 'NEWEST_MESSAGE', count: 2 });
    await query(app, tenant.operator, AssignLeadDocument, { id: ana?.leadId ?? '', userId: tenant.operator.id });
    expect(await list()).toEqual([
      ['Of mine', 1],
      ['All', 2],
    ]);
    expect(await list(tenant.admin)).toEqual([]);
  });

  test('are renamed, changed and deleted by their user alone, not by an ADMIN', async () => {
    const { id } = await keep({ name: 'Old', filter: { waiting: true } });
    const change = { id, input: { name: 'New', filter: { unassigned: true } } };
    expect(failureOf(await execute(app, tenant.admin, UpdateInboxViewDocument, change)).code).toBe('NOT_FOUND');
    expect(failureOf(await execute(app, tenant.admin, DeleteInboxViewDocument, { id })).code).toBe('NOT_FOUND');
    for (const input of [change.input, { name: null, orderBy: null }])
      expect((await query(app, tenant.operator, UpdateInboxViewDocument, { id, input })).updateInboxView).toMatchObject(
        {
          name: 'New',
          filter: { unassigned: true },
          orderBy: 'NEWEST_MESSAGE',
        },
      );
    await query(app, tenant.operator, DeleteInboxViewDocument, { id });
    expect(await list()).toEqual([]);
    expect(failureOf(await execute(app, tenant.operator, DeleteInboxViewDocument, { id })).code).toBe('NOT_FOUND');
  });

  test('a name is taken once for each user, and wrong fields are named', async () => {
    const { id } = await keep({ name: 'One', filter: {} });
    await keep({ name: 'One', filter: {} }, tenant.admin);
    expect(await refusal({ name: 'One', filter: {} })).toEqual({ code: 'CONFLICT', paths: ['name'] });
    await keep({ name: 'Two', filter: {} });
    const rename = { id, input: { name: 'Two' } };
    const failure = failureOf(await execute(app, tenant.operator, UpdateInboxViewDocument, rename));
    expect(failure).toEqual({ code: 'CONFLICT', paths: ['name'] });
    for (const [input, path] of [
      [{ name: ' ', filter: {} }, 'name'],
      [{ name: 'x'.repeat(61), filter: {} }, 'name'],
      [{ name: 'x', filter: { search: 'Ana' } }, 'filter.search'],
      [{ name: 'x', filter: { tagsAll: [] } }, 'filter.tagsAll'],
      [{ name: 'x', filter: { instanceId: 'x' } }, 'filter.instanceId'],
    ] as const)
      expect(await refusal(input as CreateInboxViewInput)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
  });

  test('a user has at most 20, also of calls at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        execute(app, tenant.operator, CreateInboxViewDocument, { input: { name: `View ${index}`, filter: {} } }),
      ),
    );
    expect(made.filter(({ errors }) => errors === undefined)).toHaveLength(20);
    expect((await refusal({ name: 'One more', filter: {} })).code).toBe('CONFLICT');
    await keep({ name: 'Of another user', filter: {} }, tenant.admin);
  });

  test('are gone once their user is deactivated, and those of others stay', async () => {
    await keep({ name: 'One', filter: {} });
    await keep({ name: 'Two', filter: {} }, tenant.admin);
    const change = (input: { isActive?: boolean; name?: string }) =>
      query(app, tenant.admin, UpdateUserDocument, { id: tenant.operator.id, input });
    await change({ name: 'Ana' });
    expect(await list()).toEqual([['One', 0]]);
    await change({ isActive: false });
    await change({ isActive: true });
    const kept = await app.sql<{ name: string }>('SELECT name FROM inbox_views WHERE tenant_id = $1', [tenant.id]);
    expect(kept).toEqual([{ name: 'Two' }]);
  });
}
