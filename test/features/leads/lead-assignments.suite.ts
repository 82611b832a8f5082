// The history of assignees is kept for each change, of one lead and of many.

import { query } from '../../support/graphql-client.js';
import {
  AssignLeadDocument,
  CreateBulkActionDocument,
  CreateLeadDocument,
  LeadAssignmentsDocument,
  MergeLeadsDocument,
  UndoBulkActionDocument,
  UndoLeadMergeDocument,
} from '../../support/operations.js';
import { withTenantEach } from '../../support/shared-app.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead, plainNumber, until } from '../messages/sending-harness.js';

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

  test('an assignee with whom a lead is made, or whom a merge and its undoing give it, is kept and told too', async () => {
    const { operator, admin } = tenant;
    const input = { chat: plainNumber(), assigneeId: admin.id };
    const { createLead: made } = await query(app, operator, CreateLeadDocument, { input });
    const mergedId = made.lead.id;
    await query(app, operator, MergeLeadsDocument, { leadId: mergedId, intoId: leadId });
    expect(await kept()).toEqual([[admin.id, operator.id]]);
    const [merge] = await app.sql<{ id: string }>('SELECT id FROM lead_merges WHERE tenant_id = $1', [tenant.id]);
    await query(app, operator, UndoLeadMergeDocument, { mergeId: merge!.id });
    expect(await kept()).toEqual([
      [null, operator.id],
      [admin.id, operator.id],
    ]);
    const told = await app.sql(
      `SELECT lead_id AS "leadId", data->>'assigneeId' AS "assigneeId", data->>'userId' AS "userId" FROM events
       WHERE tenant_id = $1 AND type = 'LEAD_ASSIGNED' ORDER BY seq`,
      [tenant.id],
    );
    expect(told).toEqual([
      { leadId: mergedId, assigneeId: admin.id, userId: operator.id },
      { leadId, assigneeId: admin.id, userId: operator.id },
      { leadId, assigneeId: null, userId: operator.id },
    ]);
    leadId = mergedId;
    expect(await kept()).toEqual([[admin.id, operator.id]]);
  });
}
