// Helpers for tests of the words that a worker brings in: messages without events, and how far the words are.

import pg from 'pg';
import type { TestApp, TestTenant } from '../../support/test-app.js';
import { createLead } from '../messages/sending-harness.js';

/** Writes messages without events, as those of earlier versions may be. @returns their ids, the oldest first */
export async function storeMessages(app: TestApp, tenant: TestTenant, count: number, word: string): Promise<string[]> {
  const leadId = await createLead(app, tenant);
  const rows = await app.sql<{ id: string }>(
    `INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, type, body, received_at)
      SELECT $1, uuidv7(n * interval '1 ms'), $2, $3, 'INBOUND', 'text', $4 || ' ' || n, now() FROM generate_series(1, $5) n
      RETURNING id`,
    [tenant.id, leadId, tenant.instance.id, word, count],
  );
  return rows.map(({ id }) => id);
}

export async function countIndexed(app: TestApp, tenant: TestTenant): Promise<number> {
  const [row] = await app.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM message_words WHERE tenant_id = $1',
    [tenant.id],
  );
  return row?.count ?? 0;
}

/** Returns whether the words of all messages are there. */
export async function isIndexed(app: TestApp, tenant: TestTenant): Promise<boolean> {
  const [row] = await app.sql<{ isWhole: boolean }>(
    `SELECT p.earlier_than IS NULL AND p.last_seq = coalesce(h.last_seq, 0) AS "isWhole" FROM message_word_progress p
      LEFT JOIN event_heads h ON h.tenant_id = p.tenant_id WHERE p.tenant_id = $1`,
    [tenant.id],
  );
  return row?.isWhole ?? false;
}

/** Does the work while another transaction has run a statement, and has not ended. */
export async function holding<Result>(
  app: TestApp,
  { statement, values = [] }: { statement: string; values?: unknown[] },
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    return await work();
  } finally {
    await client.end();
  }
}
