// The invariants of a restored database: every table can be read and is as long as it was, every record has what it belongs to, and each
// tenant has all that the running database had at that time.

import type pg from 'pg';
import { selectMovesIn, type MoveIn } from '../../../features/audit/audit.service.js';
import { failed, ok, sentenceOf, warning, type Finding } from '../check.js';

const corruptAdvice =
  'Take a new full backup, look at the disk of the database, and keep older backups until a drill succeeds.';

/** Commits of one moment may stand in another order in the log. */
const graceMs = 60_000;

interface Rule {
  /** The records that break the rule, in words. */
  broken: string;
  /** Gives the ids of such records. */
  text: string;
}

const rules: readonly Rule[] = [
  {
    broken: 'messages have no lead',
    text: 'SELECT m.id FROM messages m LEFT JOIN leads l ON l.tenant_id = m.tenant_id AND l.id = m.lead_id WHERE l.id IS NULL',
  },
  {
    broken: 'messages have no chat instance',
    text: `SELECT m.id FROM messages m LEFT JOIN chat_instances i ON i.tenant_id = m.tenant_id AND i.id = m.instance_id
      WHERE i.id IS NULL`,
  },
  {
    broken: 'waiting messages have no place in the outbox',
    text: `SELECT m.id FROM messages m LEFT JOIN outbox_entries o ON o.tenant_id = m.tenant_id AND o.message_id = m.id
      WHERE m.direction = 'OUTBOUND' AND m.status IN ('QUEUED', 'SENDING') AND o.message_id IS NULL`,
  },
  {
    broken: 'places in the outbox have no message',
    text: `SELECT o.message_id AS id FROM outbox_entries o LEFT JOIN messages m ON m.tenant_id = o.tenant_id AND m.id = o.message_id
      WHERE m.id IS NULL`,
  },
  {
    broken: 'leads name a newest message that is not there',
    text: `SELECT l.id FROM leads l LEFT JOIN messages m ON m.tenant_id = l.tenant_id AND m.id = l.last_message_id
      WHERE l.last_message_id IS NOT NULL AND l.merged_into_id IS NULL AND m.position IS DISTINCT FROM l.last_message_position`,
  },
  {
    broken: 'tenants have events beyond the end of their log',
    text: `SELECT e.tenant_id AS id FROM (SELECT tenant_id, max(seq) AS seq FROM events GROUP BY tenant_id) e
      LEFT JOIN event_heads h USING (tenant_id) WHERE h.last_seq IS NULL OR h.last_seq < e.seq`,
  },
];

/** PostgreSQL notes a table's length when it cleans or analyzes it. A file that is shorter has lost its end. */
const selectShortened = `SELECT c.oid::regclass::text AS name, c.relpages AS pages,
    pg_relation_size(c.oid) / current_setting('block_size')::int AS found
  FROM pg_class c WHERE c.relkind IN ('r', 'i', 't') AND c.relpersistence = 'p'
    AND c.relpages > pg_relation_size(c.oid) / current_setting('block_size')::int
  ORDER BY c.relpages DESC, name LIMIT 10`;

const selectTables = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY name`;

const selectCounts = `SELECT (SELECT count(*)::int FROM tenants) AS tenants, (SELECT count(*)::int FROM leads) AS leads,
    (SELECT count(*)::int FROM messages) AS messages`;

/** Reads every table of a restored database from its beginning to its end. */
export async function checkTables(client: pg.Client): Promise<Finding[]> {
  const { rows: shortened } = await client.query<{ name: string; pages: number; found: number }>(selectShortened);
  const findings = shortened.map(({ name, pages, found }) =>
    failed(`${name} is truncated: it has ${found} of ${pages} pages.`, corruptAdvice),
  );
  // An index might answer for a table that cannot be read.
  await client.query('SET enable_indexonlyscan = off; SET enable_indexscan = off; SET enable_bitmapscan = off');
  const { rows: tables } = await client.query<{ name: string }>(selectTables);
  for (const { name } of tables) {
    const problem = await client.query(`SELECT count(*) FROM ${name}`).then(
      () => undefined,
      (error: unknown) => sentenceOf(error),
    );
    if (problem !== undefined) findings.push(failed(`${name} cannot be read: ${problem}`, corruptAdvice));
  }
  await client.query('RESET ALL');
  return findings.length > 0 ? findings : [ok(`All ${tables.length} tables can be read to their ends.`)];
}

/** Looks for records without what they belong to, and counts. */
export async function checkRules(client: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { broken, text } of rules) {
    const { rows } = await client.query<{ count: number; example: string | null }>(
      `SELECT count(*)::int AS count, min(id::text) AS example FROM (${text}) AS broken`,
    );
    const { count = 0, example = null } = rows[0] ?? {};
    if (count > 0) findings.push(failed(`${count} ${broken}, ${example} for example.`, corruptAdvice));
  }
  const { rows } = await client.query<{ tenants: number; leads: number; messages: number }>(selectCounts);
  const { tenants = 0, leads = 0, messages = 0 } = rows[0] ?? {};
  const counts = `${tenants} tenants have ${leads} leads and ${messages} messages`;
  return findings.length > 0 ? findings : [ok(`${counts}, and each has what it belongs to.`)];
}

interface Head {
  tenantId: string;
  slug: string;
  seq: string;
}

/**
 * Compares each tenant's log with that of the running database: nothing that was logged before the restored moment may lack. A tenant that
 * was moved in since has brought an older log along, and is left out.
 * @param restoredAt the moment of the restored database
 */
export async function compareTenants(live: pg.Client, restored: pg.Client, restoredAt: Date): Promise<Finding[]> {
  const { rows: logged } = await live.query<Head>(
    `SELECT t.id AS "tenantId", t.slug, max(e.seq)::text AS seq FROM events e JOIN tenants t ON t.id = e.tenant_id
     WHERE e.occurred_at <= $1 GROUP BY t.id ORDER BY t.slug`,
    [new Date(restoredAt.getTime() - graceMs)],
  );
  const { rows: found } = await restored.query<{ tenantId: string; seq: string }>(
    'SELECT tenant_id AS "tenantId", last_seq::text AS seq FROM event_heads',
  );
  const { rows: movesIn } = await live.query<MoveIn>(selectMovesIn);
  const { rows: movesBefore } = await restored.query<MoveIn>(selectMovesIn);
  const known = new Set(movesBefore.map(({ id }) => id));
  const movedSince = new Set(movesIn.flatMap(({ id, tenantId }) => (known.has(id) ? [] : tenantId)));
  const wanted = logged.filter(({ tenantId }) => !movedSince.has(tenantId));
  const heads = new Map(found.map(({ tenantId, seq }) => [tenantId, BigInt(seq)]));
  const lacking = wanted.flatMap(({ tenantId, slug, seq }) => {
    const count = BigInt(seq) - (heads.get(tenantId) ?? 0n);
    return count > 0n
      ? [failed(`The tenant ${slug} lacks changes from before that minute: ${count}.`, corruptAdvice)]
      : [];
  });
  if (lacking.length > 0) return lacking.slice(0, 10);
  if (wanted.length === 0) return [warning('There is no tenant with older changes to compare.', 'Repeat it later.')];
  return [ok(`All changes of ${wanted.length} tenants from before that minute are there.`)];
}
