// Helpers for tests of bulk actions: begin one over GraphQL, wait for its end, and hold a worker in the middle of one.

import pg from 'pg';
import { query } from '../../support/graphql-client.js';
import {
  BulkActionDocument,
  CreateBulkActionDocument,
  UndoBulkActionDocument,
  type BulkActionFieldsFragment,
  type CreateBulkActionInput,
  type LeadChangeInput,
} from '../../support/operations.js';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { until } from '../messages/sending-harness.js';

export async function begin(
  app: TestApp,
  tenant: TestTenant,
  input: CreateBulkActionInput,
): Promise<BulkActionFieldsFragment> {
  return (await query(app, tenant.operator, CreateBulkActionDocument, { input })).createBulkAction;
}

export async function readAction(app: TestApp, tenant: TestTenant, id: string): Promise<BulkActionFieldsFragment> {
  const { bulkAction } = await query(app, tenant.operator, BulkActionDocument, { id });
  if (bulkAction === null) throw new Error('there is no such bulk action');
  return bulkAction;
}

/** Waits until every lead was looked at. */
export function untilEnded(app: TestApp, tenant: TestTenant, id: string): Promise<BulkActionFieldsFragment> {
  return until(
    () => readAction(app, tenant, id),
    ({ status }) => status === 'COMPLETED' || status === 'UNDONE',
  );
}

/** Changes leads, and waits for the end. */
export async function actOn(
  app: TestApp,
  tenant: TestTenant,
  leadIds: string[],
  action: LeadChangeInput,
): Promise<BulkActionFieldsFragment> {
  const { id } = await begin(app, tenant, { leadIds, action });
  return untilEnded(app, tenant, id);
}

/** Undoes an action, and waits for the end. */
export async function undo(app: TestApp, tenant: TestTenant, id: string): Promise<BulkActionFieldsFragment> {
  await query(app, tenant.operator, UndoBulkActionDocument, { id });
  return untilEnded(app, tenant, id);
}

/** Holds the lock of a lead: a worker that comes to it waits. */
export class HeldLead {
  private constructor(private readonly client: pg.Client) {}

  static async hold(app: TestApp, leadId: string): Promise<HeldLead> {
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM leads WHERE id = $1 FOR NO KEY UPDATE', [leadId]);
    return new HeldLead(client);
  }

  /** Gives the lead free. Safe to repeat. */
  async release(): Promise<void> {
    await this.client.end();
  }
}

/** A part of the leads' state, in the order of the given ids. */
export async function stateOfLeads(app: TestApp, ids: readonly string[], column: string): Promise<unknown[]> {
  const rows = await app.sql<{ value: unknown }>(
    `SELECT l.${column} AS value FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place) JOIN leads l ON l.id = w.id ORDER BY w.place`,
    [ids],
  );
  return rows.map(({ value }) => value);
}
