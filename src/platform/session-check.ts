// Whether a connection to the database is a session of its own. Through a pooler that hands servers out by transaction it is not:
// settings, named statements, LISTEN and the lock around migrations would be somebody else's, or nobody's, without an error.

import { randomUUID } from 'node:crypto';
import pg from 'pg';

const advice =
  'Leadwire keeps settings, prepared statements, LISTEN and locks in its sessions, and bounds its connections itself: let DATABASE_URL lead to PostgreSQL directly.';

/**
 * Makes two connections for a moment.
 * @throws Error in a sentence where a pooler is between that gives no sessions, or takes no settings
 */
export async function requireOwnSessions(databaseUrl: string): Promise<void> {
  const one = await connect(databaseUrl);
  try {
    const mark = randomUUID();
    await one.query(`SELECT set_config('leadwire.session', $1, false)`, [mark]);
    const other = await connect(databaseUrl);
    try {
      const marks = [await markOf(other), await markOf(one)];
      if (marks[0] === mark || marks[1] !== mark)
        throw new Error(`DATABASE_URL leads to a pooler that shares sessions (pool_mode=transaction). ${advice}`);
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'leadwire check', options: '-c TimeZone=UTC' });
  client.on('error', () => undefined);
  await client.connect().catch((cause: Error) => {
    if (!cause.message.includes('unsupported startup parameter')) throw cause;
    throw new Error(`DATABASE_URL leads to a pooler that refuses settings (${cause.message}). ${advice}`, { cause });
  });
  return client;
}

async function markOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ mark: string }>(`SELECT current_setting('leadwire.session', true) AS mark`);
  return rows[0]?.mark;
}
