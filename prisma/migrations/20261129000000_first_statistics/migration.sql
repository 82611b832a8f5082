-- A young table belongs to one tenant. Without statistics PostgreSQL takes a tenant for a 200th of its table, so any index that begins with
-- the tenant seems to be as good as the primary key. The check of a foreign key is planned once for a connection: it read all of a tenant's
-- rows for each reference, until the first ANALYZE. PostgreSQL 18 is the first that can be told.
DO $$
DECLARE name text;
BEGIN
  IF current_setting('server_version_num')::int < 180000 THEN RETURN; END IF;
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant_id'
      AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = current_schema AND s.tablename = c.relname)
  LOOP
    PERFORM pg_restore_attribute_stats('schemaname', current_schema::text, 'relname', name, 'attname', 'tenant_id',
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
  END LOOP;
END $$;
