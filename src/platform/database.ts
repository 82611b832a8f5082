// The connection pool and its two doors: Prisma for ordinary storage, SQL for hot paths and for transactions that also
// write events or jobs. Transactions with events belong to transaction.ts.

import { SpanKind } from '@opentelemetry/api';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from './logger.js';
import { PrismaClient } from './prisma/client.js';
import { currentTrace, inSpan } from './trace-scope.js';
import { currentTurns } from './turns.js';

export { Prisma } from './prisma/client.js';
export type { PrismaClient } from './prisma/client.js';

/** A statement that PostgreSQL plans once for each connection: the name is unique to the text. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Runs SQL: the pool itself, or one transaction. */
export interface SqlRunner {
  query<Row>(statement: NamedStatement | string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  log: Logger;
  /** How long a statement may be without an answer before its connection is given up, in milliseconds. Default 40,000. */
  silenceLimitMs?: number;
}

// A request that cannot get a connection in this time is better told to retry than left hanging.
const connectionTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
const lockTimeoutMs = 10_000;
/** PostgreSQL ends a statement by itself before this. What says nothing at all has gone, and TCP would take a quarter of an hour to tell. */
export const defaultSilenceLimitMs = 40_000;

export class Database implements SqlRunner {
  readonly prisma: PrismaClient;
  private readonly pool: pg.Pool;

  constructor({ url, poolSize, log, silenceLimitMs = defaultSilenceLimitMs }: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      application_name: 'leadwire',
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      query_timeout: silenceLimitMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      // Prisma's adapter reads timestamptz wrongly in any other zone. Whoever waits long for a row holds others up as well. A
      // plan that was made while a table was empty reads it whole for as long as the connection lives, foreign keys' own included.
      options: `-c TimeZone=UTC -c lock_timeout=${lockTimeoutMs} -c enable_seqscan=off`,
    });
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
    // While it is in somebody's hands its statements fail by themselves; without a listener it would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.prisma = new PrismaClient({ adapter: new PrismaPg(this.pool) });
  }

  query<Row>(statement: NamedStatement | string, values: readonly unknown[] = []): Promise<Row[]> {
    const run = () => traced(statement, () => runOn<Row>(this.pool, statement, values));
    return currentTurns()?.run(run) ?? run();
  }

  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (sql: SqlRunner) => Promise<Result>): Promise<Result> {
    return traced('transaction', () => this.transact(work));
  }

  private async transact<Result>(work: (sql: SqlRunner) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const result = await work({
        query: (statement, values = []) => traced(statement, () => runOn(client, statement, values)),
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** How the pool is used at this moment: its connections, those of them that nobody uses, and who waits for one. */
  get poolUse(): { total: number; idle: number; waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Whether a statement can be run right now. */
  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.prisma.$disconnect();
    if (!this.pool.ended) await this.pool.end();
  }
}

/** In traces: by the name of the statement, without what was asked. */
function traced<Result>(statement: NamedStatement | string, work: () => Promise<Result>): Promise<Result> {
  if (currentTrace() === undefined) return work();
  const name = typeof statement === 'string' ? /^\s*([A-Za-z]+)/.exec(statement)?.[1] : statement.name;
  return inSpan(name ?? 'statement', { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, work);
}

async function runOn<Row>(
  target: Pick<pg.ClientBase, 'query'>,
  statement: NamedStatement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = typeof statement === 'string' ? { text: statement } : { name: statement.name, text: statement.text };
  const result = await target.query({ ...query, values: [...values] });
  return result.rows as Row[];
}
