// Lists a database's schema as text: a block for each extension, schema, enum, table, view, sequence and function, sorted by name. Two
// databases with the same listing have the same schema; the order of columns does not count.

import type pg from 'pg';

// Each day has its own partitions: the listing leaves out dated ones, and masks the day at which `_past` ends. PostgreSQL itself names the
// indexes and keys of a partition, so the listing leaves out their names. NOT NULL (contype 'n') stands at the column.
const listing = `
WITH space AS (
  SELECT oid, nspname AS name FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$|pgboss$)'
), of_extension AS (
  SELECT objid FROM pg_depend WHERE deptype = 'e'
), relation AS (
  SELECT c.oid, c.oid::regclass::text AS name, relkind AS kind, relispartition, reloptions, relpartbound
  FROM pg_class c JOIN space ON space.oid = relnamespace
  WHERE relname !~ '(_[0-9]{8}|^_prisma_migrations)$' AND c.oid NOT IN (SELECT objid FROM of_extension)
), routine AS (
  SELECT p.oid, p.oid::regprocedure::text AS name FROM pg_proc p JOIN space ON space.oid = pronamespace
  WHERE p.oid NOT IN (SELECT objid FROM of_extension)
), listed_table AS (
  SELECT *, 'table ' || name AS block FROM relation WHERE kind IN ('r', 'p')
), line (section, block, place, text) AS (
  SELECT 1, 'extension ' || extname, 0, '' FROM pg_extension WHERE extname <> 'plpgsql'
  UNION ALL
  SELECT 2, 'schema ' || name, 0, '' FROM space
  UNION ALL
  SELECT 3, 'enum ' || enumtypid::regtype, 0, string_agg(enumlabel, ' ' ORDER BY enumsortorder)
  FROM pg_enum JOIN pg_type t ON t.oid = enumtypid JOIN space ON space.oid = typnamespace GROUP BY enumtypid
  UNION ALL
  SELECT 4, block, 0, concat_ws(' ', 'partitioned by ' || pg_get_partkeydef(oid), 'with ' || array_to_string(reloptions, ', '),
    (SELECT 'partition of ' || inhparent::regclass FROM pg_inherits WHERE inhrelid = oid),
    regexp_replace(pg_get_expr(relpartbound, oid), '(MINVALUE\\) TO) .*', '\\1 (tomorrow)'))
  FROM listed_table
  UNION ALL
  SELECT 4, block, 1, concat_ws(' ', 'column', attname, format_type(atttypid, atttypmod),
    CASE WHEN attcollation <> typcollation THEN 'collate ' || attcollation::regcollation END, CASE WHEN attnotnull THEN 'not null' END,
    'default ' || pg_get_expr(adbin, adrelid), 'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''),
    CASE WHEN attstorage <> typstorage THEN 'storage ' || attstorage::text END, 'compression ' || nullif(attcompression::text, ''),
    'with ' || array_to_string(attoptions, ', '))
  FROM listed_table t JOIN pg_attribute ON attrelid = t.oid AND attnum > 0 AND NOT attisdropped JOIN pg_type y ON y.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT 4, block, 2, concat_ws(' ', 'constraint', CASE WHEN conparentid = 0 THEN conname END, pg_get_constraintdef(c.oid))
  FROM listed_table t JOIN pg_constraint c ON conrelid = t.oid WHERE contype NOT IN ('n', 't')
  UNION ALL
  SELECT 4, block, 3, CASE WHEN relispartition THEN regexp_replace(definition, ' INDEX \\S+ ', ' INDEX ') ELSE definition END
  FROM listed_table t JOIN pg_index ON indrelid = t.oid CROSS JOIN pg_get_indexdef(indexrelid) AS definition
  UNION ALL
  SELECT 4, block, 4, pg_get_triggerdef(g.oid) || CASE tgenabled WHEN 'O' THEN '' ELSE ' enabled ' || tgenabled::text END
  FROM listed_table t JOIN pg_trigger g ON tgrelid = t.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT 5, 'view ' || name, 0, pg_get_viewdef(oid) FROM relation WHERE kind IN ('v', 'm')
  UNION ALL
  SELECT 6, 'sequence ' || name, 0, concat_ws(' ', seqtypid::regtype, 'start', seqstart, 'increment', seqincrement, 'from', seqmin,
    'to', seqmax, 'cache', seqcache, CASE WHEN seqcycle THEN 'cycle' END,
    (SELECT concat('owned by ', refobjid::regclass, '.', attname) FROM pg_depend
      JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid WHERE objid = oid AND deptype IN ('a', 'i')))
  FROM relation JOIN pg_sequence ON seqrelid = oid
  UNION ALL
  SELECT 7, 'function ' || name, 0, pg_get_functiondef(oid) FROM routine
  UNION ALL
  SELECT 8, 'comment on ' || name, objsubid, description
  FROM pg_description JOIN (SELECT oid, name FROM relation UNION ALL SELECT oid, name FROM routine) o ON oid = objoid
)
SELECT block, text FROM line ORDER BY section, block COLLATE "C", place, text COLLATE "C"`;

/** The listing leaves out the tables of pg-boss, the table of applied migrations, and every row. */
export async function listSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ block: string; text: string }>(listing);
  const blocks = [...Map.groupBy(rows, ({ block }) => block)].map(([block, lines]) => {
    const indented = lines.flatMap(({ text }) => text.trimEnd().split('\n')).filter((line) => line !== '');
    return [block, ...indented.map((line) => `  ${line}`)].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}
