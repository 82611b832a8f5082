// Finds what a migration does to a running version: its locks, what it reads and rewrites under them, and what it takes away. PostgreSQL
// itself is the judge. Tables may be empty: a table is read whole or not at all, however few rows it has.

import type pg from 'pg';

/** Tables whose rows are bounded for each tenant. All others may have millions. */
const smallTables = new Set(
  `tenants tenant_api_keys users accounts chat_instances templates template_versions template_files webhook_endpoints dashboards event_heads
   channel_templates lead_sources lead_source_forms instance_recoveries instance_audits
   sign_in_links`.split(/\s+/),
);

const holdsUpWriters = new Set(['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']);

const selectTables = `
  SELECT c.oid, c.oid::regclass::text AS name, pg_relation_filenode(c.oid) AS file, s.seq_scan + coalesce(s.idx_scan, 0) AS scans,
    ARRAY(SELECT mode FROM pg_locks l WHERE l.pid = pg_backend_pid() AND l.relation = c.oid) AS modes,
    ARRAY(SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = c.oid) AS indexes,
    EXISTS (
      SELECT FROM pg_locks l JOIN pg_index ON indexrelid = l.relation
      WHERE l.pid = pg_backend_pid() AND indrelid = c.oid AND mode = 'AccessShareLock') AS planned
  FROM pg_class c LEFT JOIN pg_stat_xact_user_tables s ON s.relid = c.oid
  WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text IN ('public', 'partitions') AND c.relname <> '_prisma_migrations'
  ORDER BY name`;

const selectColumns = `
  SELECT format('%s.%s', attrelid::regclass, attname) AS name, attrelid::regclass::text AS "table",
    format_type(atttypid, atttypmod) AS type, attnotnull AS required, atthasdef OR attidentity <> '' AS filled
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
    AND relname <> '_prisma_migrations'
  ORDER BY name`;

// The constraints, and the unique indexes that belong to no constraint.
const selectRules = `
  SELECT * FROM (
    SELECT conname::text AS name, conrelid AS owner, conkey AS keys, replace(pg_get_constraintdef(oid), ' NOT VALID', '') AS definition
    FROM pg_constraint WHERE contype IN ('c', 'f', 'u', 'p', 'x')
    UNION ALL
    SELECT indexrelid::regclass::text, indrelid, string_to_array(indkey::text, ' ')::int2[], pg_get_indexdef(indexrelid)
    FROM pg_index
    WHERE indisunique AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
  ) r
  JOIN LATERAL (
    SELECT owner::regclass::text AS "table",
      ARRAY(SELECT format('%s.%s', owner::regclass, attname) FROM pg_attribute WHERE attrelid = owner AND attnum = ANY (keys)) AS columns
  ) t ON true
  JOIN pg_class c ON c.oid = owner
  WHERE relnamespace = 'public'::regnamespace ORDER BY name`;

interface Table {
  oid: number;
  name: string;
  file: number | null;
  scans: string | null;
  modes: string[];
  planned: boolean;
  indexes: string[];
}
interface Column {
  name: string;
  table: string;
  type: string;
  required: boolean;
  filled: boolean;
}
interface Rule {
  name: string;
  definition: string;
  table: string;
  columns: string[];
}
interface State {
  tables: Map<number, Table>;
  columns: Map<string, Column>;
  rules: Rule[];
}

export interface MigrationEffects {
  /** Reasons why the migration would hold up callers of a version that runs. */
  blocking: string[];
  /** Schema parts that the migration takes away from a version that runs, and new demands on its rows. */
  taking: string[];
}

/** Applies the script, as the start of a process does, to a database that holds the migrations before it. */
export async function applyAndObserve(client: pg.Client, script: string): Promise<MigrationEffects> {
  const isAlone = /\bCONCURRENTLY\b/i.test(script.replaceAll(/--.*/g, ''));
  if (!isAlone) await client.query('BEGIN');
  const before = await readState(client);
  await client.query(script);
  const after = await readState(client);
  if (!isAlone) await client.query('COMMIT');
  return { blocking: isAlone ? [] : blockingOf(before, after), taking: takingOf(before, after) };
}

async function readState(client: pg.Client): Promise<State> {
  const tables = (await client.query<Table>(selectTables)).rows;
  const columns = (await client.query<Column>(selectColumns)).rows;
  return {
    tables: new Map(tables.map((table) => [table.oid, table])),
    columns: new Map(columns.map((column) => [column.name, column])),
    rules: (await client.query<Rule>(selectRules)).rows,
  };
}

function blockingOf(before: State, after: State): string[] {
  const pairs = [...before.tables.values()].flatMap((old) => {
    const now = after.tables.get(old.oid);
    return now === undefined ? [] : [{ old, now }];
  });
  const locked = pairs.filter(({ now }) => now.modes.some((mode) => holdsUpWriters.has(mode)));
  const large = pairs.filter(({ old }) => !smallTables.has(old.name));
  const work = large.flatMap(({ old, now }) => [
    ...(now.file === old.file ? [] : [`rewrites ${old.name}`]),
    ...now.indexes.filter((index) => !old.indexes.includes(index)).map((index) => `builds ${index}`),
    ...(isRead(old, now) ? [`reads ${old.name}`] : []),
  ]);
  const names = locked.map(({ old }) => old.name).join(', ');
  return [
    ...(names === '' ? [] : work.map((what) => `${what} while it locks ${names}`)),
    ...large.flatMap(({ old, now }) => (now.modes.includes('RowExclusiveLock') ? [`writes rows of ${old.name}`] : [])),
  ];
}

/** Tells whether DDL or a statement read the table. A statement's plan looks at the indexes even where it finds no row to read. */
const isRead = (old: Table, now: Table) => Number(now.scans) > Number(old.scans) || now.planned;

function takingOf(before: State, after: State): string[] {
  const oldTables = new Set([...before.columns.values()].map(({ table }) => table));
  const gone = [...before.columns.keys()].filter((name) => !after.columns.has(name));
  const changed = [...after.columns.values()].flatMap((column) => {
    const old = before.columns.get(column.name);
    const mustBeGiven = column.required && !column.filled;
    if (old === undefined) return oldTables.has(column.table) && mustBeGiven ? [`${column.name} has to be given`] : [];
    return [
      ...(old.type === column.type ? [] : [`${column.name} has another type`]),
      ...(mustBeGiven && !(old.required && !old.filled) ? [`${column.name} has to be given`] : []),
    ];
  });
  const known = new Set(before.rules.map(({ table, definition }) => `${table} ${definition}`));
  const tighter = after.rules.filter(
    ({ definition, table, columns }) =>
      !known.has(`${table} ${definition}`) && columns.some((column) => before.columns.has(column)),
  );
  return [
    ...gone.map((name) => `${name} is gone`),
    ...changed,
    ...tighter.map(({ name, table }) => `${name} may refuse rows of ${table}`),
  ];
}
