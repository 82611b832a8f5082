// The history of assignees is kept for each change, of one lead and of many.

import { query } from '../../support/graphql-client.js';
import {
  AssignLeadDocument,
  CreateBulkActionDocument,
  LeadAssignmentsDocument,
  UndoBulkActionDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead, until } from '../messages/sending-harness.js';

export function describeLeadAssignments(): void {
  let app: TestApp;
  let tenant: TestTenant;
  let leadId: string;

  withTenantEach((made) => ({ app, tenant } = made));
  beforeEach(async () => {
    leadId = await createLead(app, tenant);
  });

  const read = async (args: { first?: number; after?: string } = {}) => {
    const { lead } = await query(app, tenant.operator, LeadAssignmentsDocument, { id: leadId, ...args });
    if (lead === null) throw new Error('there is no such lead');
    return lead.assignments;
  };
  const kept = async () => (await read()).edges.map(({ node }) => [node.assignee?.id ?? null, node.user.id]);
  const assign = (userId: string | null) => query(app, tenant.operator, AssignLeadDocument, { id: leadId, userId });

  test('each change is kept once, the newest first, and read page by page', async () => {
    const { operator, admin } = tenant;
    for (const userId of [operator.id, operator.id, admin.id, null]) await assign(userId);
    expect(await kept()).toEqual([
      [null, operator.id],
      [admin.id, operator.id],
      [operator.id, operator.id],
    ]);
    const first = await read({ first: 2 });
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const rest = await read({ first: 2, after: first.pageInfo.endCursor ?? '' });
    expect(rest.edges.map(({ node }) => node.assignee?.id)).toEqual([operator.id]);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  test('a bulk action and its undo are kept too', async () => {
    const { operator, admin } = tenant;
    const input = { leadIds: [leadId], action: { assigneeId: admin.id } };
    const { createBulkAction } = await query(app, operator, CreateBulkActionDocument, { input });
    await until(kept, (rows) => rows.length === 1);
    await query(app, operator, UndoBulkActionDocument, { id: createBulkAction.id });
    const rows = await until(kept, (all) => all.length === 2);
    expect(rows).toEqual([
      [null, operator.id],
      [admin.id, operator.id],
    ]);
  });
}
