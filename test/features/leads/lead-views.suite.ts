// Views of the table of leads that users keep: filter, order and columns, counted, bounded, and gone with their user.

import { execute, failureOf, query } from '../../support/graphql-client.js';
import {
  CreateInboxViewDocument,
  CreateLeadViewDocument,
  DeleteLeadViewDocument,
  LeadViewsDocument,
  UpdateLeadViewDocument,
  UpdateUserDocument,
  type CreateLeadViewInput,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant, TestUser } from '../../support/test-app.js';
import { createLeads } from '../messages/sending-harness.js';

export function describeLeadViews(): void {
  let app: TestApp;
  let tenant: TestTenant;

  withTenantEach((made) => ({ app, tenant } = made));

  const keep = async (input: CreateLeadViewInput, user: TestUser = tenant.operator) =>
    (await query(app, user, CreateLeadViewDocument, { input })).createLeadView;
  const list = async (user: TestUser = tenant.operator) => (await query(app, user, LeadViewsDocument, {})).leadViews;
  const refusal = async (input: unknown) =>
    failureOf(await execute(app, tenant.operator, CreateLeadViewDocument, { input: input as CreateLeadViewInput }));

  test('keep filter, order and columns, and count the leads that they find now', async () => {
    await createLeads(app, tenant, 2);
    const since = '2026-11-01T03:00:00.000Z';
    const view = await keep({
      name: 'Of November',
      filter: { since, sources: null, optedOut: false },
      orderBy: { field: 'LAST_MESSAGE_AT', direction: 'ASC' },
      columns: ['tags', 'number'],
    });
    expect(view).toMatchObject({
      filter: { since, optedOut: false },
      orderBy: { field: 'LAST_MESSAGE_AT', direction: 'ASC' },
      columns: ['tags', 'number'],
      count: 2,
    });
    expect(await keep({ name: 'Before', filter: { until: since } })).toMatchObject({
      orderBy: { field: 'CREATED_AT' },
      columns: [],
      count: 0,
    });
    expect((await list()).map(({ name, count }) => [name, count])).toEqual([
      ['Of November', 2],
      ['Before', 0],
    ]);
    expect(await list(tenant.admin)).toEqual([]);
  });

  test('are changed and deleted by their user alone; what a change leaves out stays', async () => {
    const { id } = await keep({ name: 'Old', filter: { waiting: true }, columns: ['tags'] });
    const change = { id, input: { orderBy: { field: 'NAME' as const }, columns: ['source', 'tags'] } };
    expect(failureOf(await execute(app, tenant.admin, UpdateLeadViewDocument, change)).code).toBe('NOT_FOUND');
    expect(failureOf(await execute(app, tenant.admin, DeleteLeadViewDocument, { id })).code).toBe('NOT_FOUND');
    for (const input of [change.input, { name: null, filter: null, orderBy: null, columns: null }])
      expect((await query(app, tenant.operator, UpdateLeadViewDocument, { id, input })).updateLeadView).toMatchObject({
        name: 'Old',
        filter: { waiting: true },
        orderBy: { field: 'NAME' },
        columns: ['source', 'tags'],
      });
    await query(app, tenant.operator, DeleteLeadViewDocument, { id });
    expect(await list()).toEqual([]);
    expect(failureOf(await execute(app, tenant.operator, DeleteLeadViewDocument, { id })).code).toBe('NOT_FOUND');
  });

  test('a name is taken once in this list, and wrong fields are named', async () => {
    const { id } = await keep({ name: 'One', filter: {} });
    await query(app, tenant.operator, CreateInboxViewDocument, { input: { name: 'One', filter: {} } });
    expect(await refusal({ name: 'One', filter: {} })).toEqual({ code: 'CONFLICT', paths: ['name'] });
    await keep({ name: 'Two', filter: {} });
    const rename = { id, input: { name: 'Two' } };
    expect(failureOf(await execute(app, tenant.operator, UpdateLeadViewDocument, rename))).toEqual({
      code: 'CONFLICT',
      paths: ['name'],
    });
    for (const [input, path] of [
      [{ name: ' ', filter: {} }, 'name'],
      [{ name: 'x', filter: { search: 'Ana' } }, 'filter.search'],
      [{ name: 'x', filter: { sources: [] } }, 'filter.sources'],
      [{ name: 'x', filter: {}, columns: [''] }, 'columns.0'],
      [{ name: 'x', filter: {}, columns: ['x'.repeat(65)] }, 'columns.0'],
      [{ name: 'x', filter: {}, columns: ['tags', 'tags'] }, 'columns'],
      [{ name: 'x', filter: {}, columns: Array.from({ length: 51 }, (_, index) => `c${index}`) }, 'columns'],
    ] as const)
      expect(await refusal(input)).toEqual({ code: 'VALIDATION_FAILED', paths: [path] });
  });

  test('a user has at most 20, also of calls at once, beside those of the inbox', async () => {
    await query(app, tenant.operator, CreateInboxViewDocument, { input: { name: 'Of the inbox', filter: {} } });
    const made = await Promise.all(
      Array.from({ length: 22 }, (_, index) =>
        execute(app, tenant.operator, CreateLeadViewDocument, { input: { name: `View ${index}`, filter: {} } }),
      ),
    );
    expect(made.filter(({ errors }) => errors === undefined)).toHaveLength(20);
    expect((await refusal({ name: 'One more', filter: {} })).code).toBe('CONFLICT');
  });

  test('are gone once their user is deactivated, and those of others stay', async () => {
    await keep({ name: 'One', filter: {} });
    await keep({ name: 'Two', filter: {} }, tenant.admin);
    await query(app, tenant.admin, UpdateUserDocument, { id: tenant.operator.id, input: { isActive: false } });
    const kept = await app.sql<{ name: string }>('SELECT name FROM lead_views WHERE tenant_id = $1', [tenant.id]);
    expect(kept).toEqual([{ name: 'Two' }]);
  });
}
