// A migrated, empty database for one test file, copied from the run's template.

import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The template of every test's database. */
export const templateName = 'leadwire_template';

export interface TestDatabase {
  readonly url: string;
  /** Ends open connections and drops the database. Safe to repeat. */
  drop(): Promise<void>;
}

// A new connection takes as much of the processor as the copy of a database, so this file's databases share some.
let maintenance: pg.Pool | undefined;

/** Copies the template. With `template1`, the copy is empty and not migrated. Callers may run at the same moment. */
export async function createTestDatabase(template = templateName): Promise<TestDatabase> {
  // Set by the global setup: a URL of the maintenance database, with the right to create databases.
  const serverUrl = process.env.LEADWIRE_TEST_SERVER_URL;
  if (!serverUrl) throw new Error('No test server is running: start the tests with "npm test".');
  const pool = (maintenance ??= openMaintenance(serverUrl));
  const name = `test_${randomBytes(8).toString('hex')}`;
  await pool.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Connections that nobody has to end: an idle one keeps no process alive, and ends by itself. */
function openMaintenance(serverUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: serverUrl, max: 4, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  return pool;
}

/** Gives a suite a database of its own. `assign` gets it before the first test. */
export function withTestDatabase(assign: (database: TestDatabase) => unknown): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    assign(database);
  });
  afterAll(() => database.drop());
}

/** Runs statements one by one on a connection of their own. */
export async function runOnServer(serverUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
