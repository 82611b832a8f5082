// Transactions for changes that clients may watch: the change, its events and its jobs commit together. After the commit the notifier calls
// the listeners in this process at once, such as the live feed, and wakes those in other processes. event-log.ts numbers the events, and
// reads the log back.

import { setTimeout as delay } from 'node:timers/promises';
import type { Database, NamedStatement, SqlRunner } from './database.js';
import { AppError, notFound } from '../errors.js';
import { appendEvents, newEventColumns, type NewEvent } from '../events/event-log.js';
import { isMissingReference } from '../observability/fault.js';
import type { Notifier } from '../events/notifier.js';

/** An open transaction of one tenant. */
export interface Transaction extends SqlRunner {
  readonly tenantId: string;
  /** Events are written in the order of the calls, as the transaction's last statement. */
  emit(event: NewEvent): void;
}

export type Work<Result> = (tx: Transaction) => Promise<Result>;

/** Thrown by `work` that has met another transaction's change, and would succeed if it were run again. */
export class RunAgain extends AppError {
  constructor(detail: string) {
    super('UNAVAILABLE', detail, { retryAfterSeconds: 1 });
  }
}

const maxAttempts = 4;
const deadlockDetected = '40P01';

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === deadlockDetected;
}

/** Runs a transaction again as `Transactor.run` does. */
export async function repeatOnConflict<Result>(attemptOnce: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      const isDeleted = isMissingReference(error);
      if (attempt === maxAttempts && isDeleted) throw notFound('record');
      if (attempt === maxAttempts || !(isDeleted || isDeadlock(error) || error instanceof RunAgain)) throw error;
      await delay(Math.random() * 50 * attempt);
    }
  }
}

/** Runs changes of one tenant. Dry runs of such changes belong to dry-run.ts. */
export class Transactor {
  constructor(
    private readonly database: Database,
    private readonly notifier: Notifier,
  ) {}

  /**
   * Commits when `work` resolves and rolls back when it throws; the result is returned after the commit. `work` runs again when PostgreSQL
   * chose it as a deadlock's victim, or when it throws RunAgain. It also runs again when a record that it had read was deleted before it
   * named it. It runs four times in all, so it keeps no state outside of the transaction.
   * @throws AppError NOT_FOUND when it names such a record again and again
   */
  run<Result>(tenantId: string, work: Work<Result>): Promise<Result> {
    return repeatOnConflict(() => this.attempt(tenantId, work));
  }

  /**
   * Runs one statement that is a transaction by itself and writes its own events: subscribers are notified when it gave rows. It is not run
   * again; if it throws, nothing was written.
   */
  async runAlone<Row>(tenantId: string, statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    const rows = await this.database.change<Row>(tenantId, statement, values);
    if (rows.length > 0) this.notifier.wakeAll(tenantId);
    return rows;
  }

  private async attempt<Result>(tenantId: string, work: Work<Result>): Promise<Result> {
    const events: NewEvent[] = [];
    const result = await this.database.transaction(
      async (sql) => {
        const value = await work({
          tenantId,
          query: (statement, values) => sql.query(statement, values),
          emit: (event) => events.push(event),
        });
        if (events.length > 0)
          await sql.query(appendEvents, [tenantId, events.length, ...newEventColumns.valuesOf(events)]);
        return value;
      },
      { tenantId },
    );
    if (events.length > 0) this.notifier.wakeAll(tenantId);
    return result;
  }
}
