import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { applyMigrations } from '../../../src/platform/database/migrations.js';
import { until } from '../../features/messages/sending-harness.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { slow } from '../../support/slow.js';
import { schemaDrift } from '../../support/schema-drift.js';
import { listSchema } from '../../support/schema-listing.js';
import { createTestDatabase, runOnServer, type TestDatabase } from '../../support/test-database.js';

const prismaDir = fileURLToPath(new URL('../../../prisma', import.meta.url));
const schemaPath = join(prismaDir, 'schema.prisma');

const smallSchema = `datasource db {
  provider = "postgresql"
}

model Thing {
  id   Int     @id
  name String
  kind String?

  @@map("things")
}
`;

const smallTables = 'CREATE TABLE things (id integer PRIMARY KEY, name text NOT NULL, kind text);';

export function describeMigrations(): void {
  let database: TestDatabase;
  let root: string;
  let migrationsDir: string;
  let sentences: string[];

  beforeEach(async () => {
    database = await createTestDatabase();
    root = await mkdtemp(join(tmpdir(), 'leadwire-migrations-'));
    migrationsDir = join(root, 'migrations');
    await mkdir(migrationsDir);
    sentences = [];
  });

  afterEach(async () => {
    await database.drop();
    await rm(root, { recursive: true, force: true });
  });

  const apply = (lockLimitMs?: number) =>
    applyMigrations(database.url, {
      migrationsDir,
      log: { info: (sentence) => void sentences.push(sentence) },
      ...(lockLimitMs === undefined ? {} : { lockLimitMs }),
    });

  async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const query = <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
    withClient(async (client) => (await client.query<Row>(text)).rows);

  async function write(name: string, script: string): Promise<void> {
    await mkdir(join(migrationsDir, name), { recursive: true });
    await writeFile(join(migrationsDir, name, 'migration.sql'), script);
  }

  describe('the migrations of this repository', () => {
    test('are in the template, and there is nothing left to apply', async () => {
      await cp(join(prismaDir, 'migrations'), migrationsDir, { recursive: true });
      expect(await apply()).toEqual({ applied: [] });
      expect(sentences).toEqual([]);
    });

    test('make what schema.prisma says', async () => {
      expect(await schemaDrift(database.url, schemaPath)).toBe('');
    });

    // A migration changes the file together with the schema, so that its diff shows the whole change.
    test('make what schema-listing.txt says: constraints, indexes, functions and triggers included', async () => {
      const listed = await readFile(new URL('../schema-listing.txt', import.meta.url), 'utf8');
      expect(await withClient(listSchema)).toBe(listed);
    });
  });

  // A connection plans such a check once, when its table is still young, and keeps the plan.
  test('references are checked by the key that they name, before any table is analyzed', async () => {
    const references = await query<{ parent: string; condition: string }>(
      `SELECT DISTINCT confrelid::regclass::text AS parent, (
        SELECT string_agg(format('%I = $%s', a.attname, k.place), ' AND ' ORDER BY k.place)
        FROM unnest(confkey) WITH ORDINALITY k (attnum, place)
        JOIN pg_attribute a ON a.attrelid = confrelid AND a.attnum = k.attnum
      ) AS condition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    expect(references.map(({ parent }) => parent)).toEqual(expect.arrayContaining(['leads', 'messages', 'users']));
    await withClient(async (client) => {
      // The connections of the product have this setting.
      await client.query('SET enable_seqscan = off');
      const readsWholeTenant = async () => {
        const found: string[] = [];
        for (const { parent, condition } of references) {
          const check = `SELECT 1 FROM ONLY ${parent} x WHERE ${condition} FOR KEY SHARE OF x`;
          const { rows } = await client.query<Record<'QUERY PLAN', string>>(`EXPLAIN (GENERIC_PLAN) ${check}`);
          if (rows.some((row) => row['QUERY PLAN'].includes('Index Cond: (tenant_id = $1)'))) found.push(parent);
        }
        return found;
      };
      expect(await readsWholeTenant()).toEqual([]);
      await client.query(
        `INSERT INTO tenants (id, name, slug, updated_at) VALUES (gen_random_uuid(), 'Young', 'young', now())`,
      );
      for (const count of [1, 250, 1_000]) {
        await client.query(
          `INSERT INTO leads (tenant_id, id, name, source, updated_at)
          SELECT t.id, gen_random_uuid(), 'Ana', 'site', now() FROM tenants t, generate_series(1, $1)`,
          [count],
        );
        expect(await readsWholeTenant()).toEqual([]);
      }
    });
  });

  describe('applying', () => {
    beforeEach(() => runOnServer(database.url, ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public']));

    test('runs pending migrations in order, keeps them in the table of the Prisma CLI, and does nothing the second time', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      expect(await apply()).toEqual({ applied: ['1_first'] });
      await write('3_third', `INSERT INTO things SELECT 3 FROM things WHERE id = 2;`);
      await write('2_second', `INSERT INTO things VALUES (2);`);
      expect(await apply()).toEqual({ applied: ['2_second', '3_third'] });
      expect(await apply()).toEqual({ applied: [] });
      expect(await query('SELECT id FROM things ORDER BY id')).toEqual([{ id: 2 }, { id: 3 }]);
      const records = await query(
        `SELECT migration_name AS name, length(checksum) AS digits, finished_at IS NOT NULL AS finished, applied_steps_count AS steps
       FROM _prisma_migrations ORDER BY started_at`,
      );
      const finished = { digits: 64, finished: true, steps: 1 };
      expect(records).toEqual(['1_first', '2_second', '3_third'].map((name) => ({ name, ...finished })));
      expect(sentences).toHaveLength(2);
    });

    test('leaves semicolons in strings, comments and function bodies alone', async () => {
      await write(
        '1_semicolons',
        `-- one; two
       CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'a;b'; END $$;`,
      );
      await apply();
      expect(await query('SELECT answer()')).toEqual([{ answer: 'a;b' }]);
    });

    test('happens once when many processes start together', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY); INSERT INTO things VALUES (1);');
      // The index waits for every session with a snapshot; processes that wait for their turn have none.
      await write('2_index', 'CREATE INDEX CONCURRENTLY things_idx ON things (id);');
      const results = await Promise.all(Array.from({ length: 8 }, () => apply()));
      expect(results.flatMap(({ applied }) => applied)).toEqual(['1_first', '2_index']);
      expect(await query('SELECT count(*)::int AS count FROM _prisma_migrations')).toEqual([{ count: 2 }]);
    });

    test('leaves no connection behind', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await apply();
      const others = `SELECT query FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
      // A server process ends a moment after its connection.
      await until(
        () => query(others),
        (left) => left.length === 0,
      );
    });

    test('undoes a migration that fails, and names it at each start until it can be applied', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await write('2_broken', `INSERT INTO things VALUES (1); INSERT INTO nothing VALUES (1);`);
      for (let start = 1; start <= 2; start += 1) {
        await expect(apply()).rejects.toThrow(/^The migration 2_broken failed: [^]*relation "nothing" does not exist/);
        expect(await query('SELECT id FROM things')).toEqual([]);
      }
      await query('CREATE TABLE nothing (id int)');
      expect(await apply()).toEqual({ applied: ['2_broken'] });
      expect(await query('SELECT id FROM things')).toEqual([{ id: 1 }]);
    });

    test('lets the version before start where a migration of the newer one failed: the way back', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await apply();
      await write('2_broken', 'INSERT INTO nothing VALUES (1);');
      await expect(apply()).rejects.toThrow(/^The migration 2_broken failed/);
      await rm(join(migrationsDir, '2_broken'), { recursive: true });
      expect(await apply()).toEqual({ applied: [] });
    });

    describe('whose process is killed meanwhile', () => {
      /** Breaks the connection once PostgreSQL runs the statement, as the death of the process does: PostgreSQL goes on with it. */
      async function killDuring(statement: string): Promise<void> {
        const proxy = await DatabaseProxy.to(database);
        const log = { info: () => undefined };
        const killed = applyMigrations(proxy.database.url, { migrationsDir, log }).catch((error: unknown) => error);
        await until(
          () =>
            query(`SELECT FROM pg_stat_activity WHERE strpos(query, '${statement}') > 0 AND pid <> pg_backend_pid()`),
          (running) => running.length > 0,
        );
        proxy.cut();
        expect(await killed).toBeInstanceOf(Error);
        await proxy.close();
      }

      test('a script is applied once, whether or not PostgreSQL came to its end', async () => {
        await write('1_first', 'CREATE TABLE things (id int);');
        await apply();
        await write('2_second', 'INSERT INTO things VALUES (1); SELECT pg_sleep(1) -- the end');
        await killDuring('pg_sleep(1)');
        await apply();
        expect(await apply()).toEqual({ applied: [] });
        expect(await query('SELECT id FROM things')).toEqual([{ id: 1 }]);
        await write('3_third', 'INSERT INTO things VALUES (2); SELECT pg_sleep(60);');
        await killDuring('pg_sleep(60)');
        await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE strpos(query, 'pg_sleep(60)') > 0 AND pid <> pg_backend_pid()`);
        await write('3_third', 'INSERT INTO things VALUES (3);');
        expect(await apply()).toEqual({ applied: ['3_third'] });
        expect(await query('SELECT id FROM things ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
      });

      test.each([
        ['built', 'CREATE INDEX CONCURRENTLY things_idx ON things (id)', [{ indisvalid: true }]],
        ['dropped', 'DROP INDEX CONCURRENTLY former_idx', []],
      ])('an index that PostgreSQL has %s by then is left as it is', async (_, statement, indexes) => {
        await write('1_first', 'CREATE TABLE things (id int); CREATE INDEX former_idx ON things (id);');
        await apply();
        if (indexes.length > 0) await query('DROP INDEX former_idx');
        await write('2_index', `${statement};`);
        await withClient(async (writer) => {
          await writer.query('BEGIN; LOCK TABLE things IN ROW EXCLUSIVE MODE');
          await killDuring(statement);
          await writer.query('COMMIT');
        });
        expect(await apply()).toEqual({ applied: ['2_index'] });
        expect(await query(`SELECT indisvalid FROM pg_index WHERE indrelid = 'things'::regclass`)).toEqual(indexes);
      });
    });

    test('waits for a lock in short tries, between which others are served; a migration that gets none has changed nothing', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY); CREATE TABLE others (id int);');
      await apply();
      await write('2_second', 'ALTER TABLE others ADD name text; ALTER TABLE things ADD name text;');
      await withClient(async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM things');
        await expect(apply(0)).rejects.toThrow(
          /^The migration 2_second failed: another session has kept its locks from it for 0 s\. Nothing was changed\./,
        );
        expect(await query('SELECT * FROM others')).toEqual([]);
        sentences = [];
        const applied = apply();
        while (sentences.length === 0) await delay(10);
        expect(sentences).toEqual(['The migration 2_second waits for a lock that another session holds.']);
        await query('INSERT INTO things VALUES (1); INSERT INTO others VALUES (1)');
        await client.query('COMMIT');
        expect(await applied).toEqual({ applied: ['2_second'] });
      });
      expect(await query('SELECT * FROM things NATURAL JOIN others')).toEqual([]);
      expect(await query('SELECT id, name FROM things')).toEqual([{ id: 1, name: null }]);
    });

    slow('a lock that is only given up to who waits long, as an autovacuum gives up its own, is got', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await apply();
      await write('2_second', 'ALTER TABLE things ADD name text;');
      await withClient(async (client) => {
        await client.query('BEGIN; LOCK TABLE things IN SHARE UPDATE EXCLUSIVE MODE');
        const applied = apply();
        const longWaits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass
          AND clock_timestamp() - waitstart > current_setting('deadlock_timeout')::interval`;
        while ((await query(longWaits)).length === 0) await delay(20);
        await client.query('COMMIT');
        expect(await applied).toEqual({ applied: ['2_second'] });
      });
    });

    test('builds an index beside callers, and once more where that was interrupted', async () => {
      await write('1_first', 'CREATE TABLE things (id int); INSERT INTO things VALUES (1), (1);');
      await apply();
      await write('2_index', 'CREATE UNIQUE INDEX CONCURRENTLY things_idx ON things (id);');
      await expect(apply()).rejects.toThrow(/^The migration 2_index failed: could not create unique index/);
      await query('DELETE FROM things WHERE ctid = (SELECT min(ctid) FROM things)');
      expect(await apply()).toEqual({ applied: ['2_index'] });
      expect(await query(`SELECT indisvalid FROM pg_index WHERE indrelid = 'things'::regclass`)).toEqual([
        { indisvalid: true },
      ]);
    });

    test('refuses a migration that was changed', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await apply();
      await write('1_first', 'CREATE TABLE things (id bigint PRIMARY KEY);');
      await expect(apply()).rejects.toThrow('The migration 1_first was changed after it was applied.');
    });

    test('accepts the migrations of a newer version, unless one takes away what this version needs', async () => {
      await write('20270101000000_first', 'CREATE TABLE things (id int PRIMARY KEY, old text);');
      await write('20270201000000_second', 'ALTER TABLE things ADD new text;');
      await write('20270301000000_drop_old_after_20270201000000', 'ALTER TABLE things DROP old;');
      await apply();
      sentences = [];
      await rm(join(migrationsDir, '20270301000000_drop_old_after_20270201000000'), { recursive: true });
      expect(await apply()).toEqual({ applied: [] });
      expect(sentences).toEqual([
        'The database is ahead of this version, by 20270301000000_drop_old_after_20270201000000.',
      ]);
      await rm(join(migrationsDir, '20270201000000_second'), { recursive: true });
      await expect(apply()).rejects.toThrow(
        'The database has the migration 20270301000000_drop_old_after_20270201000000, which takes away what this version needs.',
      );
    });

    test('refuses a database from before the first migration, and says what to do', async () => {
      await write('1_first', 'CREATE TABLE things (id int PRIMARY KEY);');
      await apply();
      await rm(join(migrationsDir, '1_first'), { recursive: true });
      await write('2_init', 'CREATE TABLE things (id int PRIMARY KEY);');
      await expect(apply()).rejects.toThrow(
        'The database has the migration 1_first of an earlier history, which 2_init replaced. Start with an empty database',
      );
    });
  });

  describe('comparing with a schema', () => {
    beforeEach(async () => {
      await runOnServer(database.url, ['DROP SCHEMA public CASCADE', 'CREATE SCHEMA public']);
      await writeFile(join(root, 'schema.prisma'), smallSchema);
    });

    const drift = () => schemaDrift(database.url, join(root, 'schema.prisma'));

    test('finds nothing after a script that makes it was applied', async () => {
      await write('1_first', smallTables);
      expect(await drift()).toContain('CREATE TABLE "things"');
      await apply();
      expect(await drift()).toBe('');
    });

    test('passes over what Prisma cannot express, and reports what it can', async () => {
      await write('1_first', smallTables);
      await write(
        '2_second',
        `CREATE UNIQUE INDEX ON things (name) WHERE kind IS NULL;
       CREATE INDEX ON things (lower(name));
       ALTER TABLE things ADD CHECK (name <> '');`,
      );
      await apply();
      expect(await drift()).toBe('');
      await query('ALTER TABLE things ADD extra text');
      expect(await drift()).toContain('DROP COLUMN "extra"');
    });
  });
}
