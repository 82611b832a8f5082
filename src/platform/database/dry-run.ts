// Dry runs: real code runs in a transaction that is rolled back, and no client may call out meanwhile. Everything that shows an outcome
// without doing it goes through here, so it cannot judge otherwise than the real thing.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, NamedStatement } from './database.js';
import { repeatOnConflict, type Transaction, type Work } from './transaction.js';

// Checks the constraints that a commit would check.
const checkConstraints: NamedStatement = { name: 'check-constraints', text: 'SET CONSTRAINTS ALL IMMEDIATE' };

const scope = new AsyncLocalStorage<true>();

/**
 * Runs `work` like `Transactor.run`, returns its result, and rolls everything back. No row is changed, no event is written, and nobody is
 * notified. Until then it holds the locks that it took, so a call to another server fails. Throws the errors of `Transactor.run`.
 */
export function inDryRun<Result>(database: Database, tenantId: string, work: Work<Result>): Promise<Result> {
  return repeatOnConflict(() =>
    database.transaction(
      async (sql) => {
        const query: Transaction['query'] = (statement, values) => sql.query(statement, values);
        const tx: Transaction = { tenantId, query, emit: () => undefined };
        const result = await scope.run(true, () => work(tx));
        await sql.query(checkConstraints);
        return result;
      },
      { tenantId, kind: 'read', ending: 'ROLLBACK' },
    ),
  );
}

/** Every client asks this before it calls another server. @throws Error within a dry run, which must neither act outside nor wait */
export function refuseInDryRun(): void {
  if (scope.getStore() === true) throw new Error('a dry run tried to call another server');
}
