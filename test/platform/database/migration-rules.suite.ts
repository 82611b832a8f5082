// Each migration is applied beside a version that runs: it holds up no caller, and removes nothing that this version needs.

import { readFile, readdir } from 'node:fs/promises';
import pg from 'pg';
import { applyAndObserve, type MigrationEffects } from '../../support/migration-effects.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const folder = new URL('../../../prisma/migrations/', import.meta.url);

interface Migration {
  name: string;
  script: string;
}

/** The effects of migrations that break a rule. A migration belongs here only together with its reason. */
const known: Record<string, Partial<MigrationEffects>> = {};

export function describeMigrationRules(): void {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase('template1');
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  test('the migrations hold up no caller, and only those named …_after_… take something away', async () => {
    expect(await brokenRules(client, await readMigrations())).toEqual(known);
  });

  test('a migration that breaks a rule is found, unless its name says since when what it takes is without use', async () => {
    const migrations = [
      { name: '20270101000000_init', script: 'CREATE TABLE things (id int PRIMARY KEY, old text, kind text)' },
      { name: '20270201000000_kinds', script: 'CREATE INDEX things_kind ON things (kind)' },
      { name: '20270202000000_sizes', script: 'ALTER TABLE things ADD size int' },
      { name: '20270301000000_drop_old_after_20270202000000', script: 'ALTER TABLE things DROP old' },
      { name: '20270302000000_drop_size_after_20270303000000', script: 'ALTER TABLE things DROP size' },
      { name: '20270303000000_drop_kind', script: 'ALTER TABLE things DROP kind' },
    ];
    expect(await brokenRules(client, migrations)).toEqual({
      '20270201000000_kinds': {
        blocking: ['builds things_kind while it locks things', 'reads things while it locks things'],
      },
      '20270302000000_drop_size_after_20270303000000': { taking: ['things.size is gone'] },
      '20270303000000_drop_kind': { taking: ['things.kind is gone'] },
    });
  });

  describe('a migration', () => {
    beforeEach(() =>
      client.query(`
        CREATE TABLE tenants (id int PRIMARY KEY, name text);
        CREATE TABLE things (id int PRIMARY KEY, tenant_id int NOT NULL, kind text, size int DEFAULT 1 NOT NULL);
        CREATE TABLE parts (id int PRIMARY KEY, thing_id int CONSTRAINT there CHECK (thing_id IS NOT NULL))`),
    );

    test.each([
      ['an index', 'CREATE INDEX things_kind ON things (kind)', 'builds things_kind while it locks things'],
      ['a key', 'ALTER TABLE things ADD UNIQUE (kind)', 'builds things_kind_key while it locks things'],
      ['another type', 'ALTER TABLE things ALTER size TYPE bigint', 'rewrites things while it locks things'],
      ['a default that is computed', 'ALTER TABLE things ADD at float DEFAULT random()', 'rewrites things while'],
      ['NOT NULL', 'ALTER TABLE things ALTER kind SET NOT NULL', 'reads things while it locks things'],
      ['a check', `ALTER TABLE things ADD CHECK (kind <> '')`, 'reads things while it locks things'],
      [
        'a foreign key',
        'ALTER TABLE parts ADD FOREIGN KEY (thing_id) REFERENCES things',
        'reads parts while it locks parts, things',
      ],
      [
        'a check made valid beside a lock',
        `ALTER TABLE things ADD CONSTRAINT c CHECK (kind <> '') NOT VALID; ALTER TABLE things VALIDATE CONSTRAINT c`,
        'reads things while it locks things',
      ],
      ['an update', `UPDATE things SET kind = 'a'`, 'writes rows of things'],
      [
        'reading beside a lock',
        'ALTER TABLE tenants ADD n bigint; UPDATE tenants SET n = (SELECT count(*) FROM things)',
        'reads things while it locks tenants',
      ],
    ])('with %s holds up callers', async (_, script, sentence) => {
      expect((await applyAndObserve(client, script)).blocking).toContainEqual(expect.stringContaining(sentence));
    });

    test.each([
      ['a column', `ALTER TABLE things ADD color text NOT NULL DEFAULT 'red'`],
      [
        'a new table with its keys',
        'CREATE TABLE bolts (id int PRIMARY KEY, thing_id int REFERENCES things); CREATE INDEX ON bolts (thing_id)',
      ],
      ['an index beside callers', 'CREATE INDEX CONCURRENTLY things_kind ON things (kind)'],
      [
        'a check of new rows of new columns',
        `ALTER TABLE things ADD color text, ADD CONSTRAINT c CHECK (color <> '') NOT VALID`,
      ],
      ['a small table', `ALTER TABLE tenants ADD size int; UPDATE tenants SET size = 1`],
      ['reading alone', 'CREATE TABLE kinds AS SELECT DISTINCT kind FROM things'],
      ['a looser column', 'ALTER TABLE things ALTER size DROP NOT NULL'],
    ])('with %s does neither', async (_, script) => {
      expect(await applyAndObserve(client, script)).toEqual({ blocking: [], taking: [] });
    });

    test('with NOT NULL after a check that is valid reads nothing', async () => {
      const { blocking } = await applyAndObserve(client, 'ALTER TABLE parts ALTER thing_id SET NOT NULL');
      expect(blocking).toEqual([]);
    });

    test.each([
      ['a column less', 'ALTER TABLE things DROP kind', 'things.kind is gone'],
      ['a table less', 'DROP TABLE parts', 'parts.id is gone'],
      ['another name', 'ALTER TABLE things RENAME kind TO sort', 'things.kind is gone'],
      ['a column that must be given', 'ALTER TABLE things ALTER size DROP DEFAULT', 'things.size has to be given'],
      ['a new column that must be given', 'ALTER TABLE things ADD color text NOT NULL', 'things.color has to be given'],
      ['another type', 'ALTER TABLE things ALTER size TYPE bigint', 'things.size has another type'],
      ['a check', `ALTER TABLE things ADD CONSTRAINT c CHECK (kind <> '') NOT VALID`, 'c may refuse rows of things'],
      ['a unique index', 'CREATE UNIQUE INDEX CONCURRENTLY u ON things (kind)', 'u may refuse rows of things'],
    ])('with %s takes something away', async (_, script, sentence) => {
      expect((await applyAndObserve(client, script)).taking).toContain(sentence);
    });
  });
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return Promise.all(
    names
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(async ({ name }) => ({ name, script: await readFile(new URL(`${name}/migration.sql`, folder), 'utf8') })),
  );
}

/** Applies the migrations in their order. @returns the effects of those that break a rule, by their names */
async function brokenRules(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<Record<string, Partial<MigrationEffects>>> {
  const found: Record<string, Partial<MigrationEffects>> = {};
  for (const { name, script } of migrations) {
    const { blocking, taking } = await applyAndObserve(client, script);
    // The version before has that migration, and does without the removed part.
    const [, after = 'none'] = /_after_(\d{14})$/.exec(name) ?? [];
    const isAnnounced = migrations.some((other) => other.name < name && other.name.startsWith(after));
    const effects = {
      ...(blocking.length > 0 ? { blocking } : {}),
      ...(taking.length > 0 && !isAnnounced ? { taking } : {}),
    };
    if (Object.keys(effects).length > 0) found[name] = effects;
  }
  return found;
}
