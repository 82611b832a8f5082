// The use of PostgreSQL by some work: its statements, and its transactions that changed something. Each such transaction is a commit,
// which waits for the disk. Nothing else may change anything meanwhile, in any database of the server.

import { trackStatements, withClient } from './postgres.js';

export interface StatementCount {
  statements: number;
  /** Transactions that changed rows, or locked them. */
  commits: number;
  /** The most frequent statements, to see what they are for. */
  top: readonly { text: string; calls: number }[];
}

const topCount = 12;

/** @param ownText a part of the bench's own statement on the database, which is left out */
export async function countStatements(
  url: string,
  work: () => Promise<void>,
  ownText?: string,
): Promise<StatementCount> {
  return withClient(url, async (client) => {
    const readCommits = async () => {
      const { rows } = await client.query<{ next: string }>(
        'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
      );
      return Number(rows[0]?.next);
    };
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await trackStatements(url, 'top');
    try {
      await client.query('SELECT pg_stat_statements_reset()');
      const before = await readCommits();
      await work();
      const commits = (await readCommits()) - before;
      const { rows } = await client.query<{ text: string; calls: number }>(
        `SELECT query AS text, sum(calls)::int AS calls FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
        WHERE d.datname = current_database() AND query NOT LIKE $1 GROUP BY query ORDER BY calls DESC`,
        [`%${ownText ?? '(no such text)'}%`],
      );
      const statements = rows.reduce((sum, { calls }) => sum + calls, 0);
      return { statements, commits, top: rows.slice(0, topCount) };
    } finally {
      await trackStatements(url, 'none');
    }
  });
}
