// The connection pool and its two uses: Prisma for ordinary storage, SQL for hot paths and for transactions that also
// write events or jobs. Transactions with events belong to transaction.ts.

import type { Socket } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ConnectionShares, shareLimits } from './connection-shares.js';
import type { Kind, OnRead } from './connection-shares.js';
import type { Logger } from './logger.js';
import { currentOperation, outsideOfOperations } from './operation.js';
import { PrismaClient } from './prisma/client.js';
import { shownReading, StatementNames, toRecords } from './shown-records.js';
import { currentTrace, inSpan } from './trace-scope.js';

export { Prisma } from './prisma/client.js';
export type { PrismaClient } from './prisma/client.js';

/** A statement that PostgreSQL plans once for each connection: the name is unique to the text. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Reads rows that are shown as they are. */
export interface ShownStatement {
  /** Of its kind, in traces; where it is left out, the statement is planned for its values. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
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
  /** How long a search may take, in milliseconds. Default 5,000. */
  searchLimitMs?: number;
}

// A request that cannot get a connection in this time is answered: retry.
const connectionTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;
const lockTimeoutMs = 10_000;
const defaultSearchLimitMs = 5_000;
/** PostgreSQL ends a statement by itself before this. A connection that is silent for longer has gone, and TCP would take a quarter of an hour to notice. */
export const defaultSilenceLimitMs = 40_000;

export class Database implements SqlRunner {
  readonly prisma: PrismaClient;
  private readonly pool: pg.Pool;
  private readonly shares: ConnectionShares;
  private readonly searchLimitMs: number;
  private readonly names = new StatementNames();

  constructor({
    url,
    poolSize,
    log,
    silenceLimitMs = defaultSilenceLimitMs,
    searchLimitMs = defaultSearchLimitMs,
  }: DatabaseOptions) {
    this.shares = new ConnectionShares(shareLimits(poolSize));
    this.searchLimitMs = searchLimitMs;
    const options = {
      connectionString: url,
      max: poolSize,
      application_name: 'leadwire',
      connectionTimeoutMillis: connectionTimeoutMs,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      query_timeout: silenceLimitMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      // Prisma's adapter reads timestamptz wrongly in any other zone. A statement that waits long for a row holds up others as well. A
      // plan that was made while a table was empty reads it whole for as long as the connection lives, foreign keys' own included.
      options: `-c TimeZone=UTC -c lock_timeout=${lockTimeoutMs} -c enable_seqscan=off`,
    };
    this.pool = new pg.Pool(options);
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
    // While a caller holds it, its statements fail by themselves; without a listener it would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    const prisma = new PrismaClient({ adapter: new PrismaPg(this.pool) });
    // What Prisma reads counts like any other statement. An extension of queries leaves the client's type as it is.
    this.prisma = prisma.$extends({
      query: { $allOperations: ({ args, query }) => this.inShare('read', undefined, async () => query(args)) },
    }) as unknown as PrismaClient;
  }

  query<Row>(statement: NamedStatement | string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.read(statement, (target) => runOn<Row>(target, statement, values));
  }

  /**
   * Rows that are shown as they are, as records of `shown-records.ts`: their times are text.
   * @param tenantId whose rows they are
   * @param statement one with a name is planned once for each text
   */
  show<Row>(tenantId: string, { name, text, values }: ShownStatement): Promise<Row[]> {
    const own = name === undefined ? undefined : this.names.nameOf(tenantId, name, text);
    const statement = own === undefined ? text : { name: own, text };
    return this.read(statement, (target) => showOn<Row>(target, statement, values));
  }

  private read<Row>(statement: NamedStatement | string, run: (target: Target) => Promise<Row[]>): Promise<Row[]> {
    return this.inShare('read', undefined, (onRead) =>
      traced(statement, () => (onRead === undefined ? run(this.pool) : this.onConnection(onRead, run))),
    );
  }

  /** One statement that is a tenant's change by itself. */
  change<Row>(tenantId: string, statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.inShare('write', tenantId, () => traced(statement, () => runOn<Row>(this.pool, statement, values)));
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * @param of whose transaction it is, where no user's operation runs it; whether it only reads; and whether it is rolled back in any case
   */
  transaction<Result>(
    work: (sql: SqlRunner) => Promise<Result>,
    of: { tenantId?: string; kind?: 'read' | 'write'; ending?: 'COMMIT' | 'ROLLBACK' } = {},
  ): Promise<Result> {
    const { tenantId, kind = 'write', ending = 'COMMIT' } = of;
    // It holds a connection: what else `work` reads must not wait for another transaction of the tenant.
    const outside = (sql: SqlRunner) => outsideOfOperations(() => work(sql));
    return this.inShare(kind, tenantId, () => traced('transaction', () => this.transact(outside, ending)));
  }

  /**
   * One statement that may read all of a tenant's rows. It waits in the queue of searches, takes at most the time of a search, and is
   * cancelled when its operation ends.
   */
  search<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.inSearch((client) => runOn<Row>(client, text, values));
  }

  /** As `search`, of rows that are shown as they are. */
  searchShown<Row>({ text, values }: ShownStatement): Promise<Row[]> {
    return this.inSearch((client) => showOn<Row>(client, text, values));
  }

  private inSearch<Row>(run: (target: Target) => Promise<Row[]>): Promise<Row[]> {
    return this.inShare('search', undefined, (onRead) =>
      traced('search', () => this.onConnection(onRead, (client) => this.searchOn(client, run))),
    );
  }

  private async searchOn<Row>(client: pg.PoolClient, run: (target: Target) => Promise<Row[]>): Promise<Row[]> {
    let cancelling: Promise<unknown> | undefined;
    // PostgreSQL forgets a signal that finds nothing to cancel, as long as nothing else is run there meanwhile.
    const cancel = () => void (cancelling = this.cancel(client));
    const forget = currentOperation()?.whileRunning(cancel);
    try {
      // Without parallel workers a search takes one processor at most.
      await client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${this.searchLimitMs}; SET LOCAL max_parallel_workers_per_gather = 0`,
      );
      return await run(client);
    } finally {
      forget?.();
      await cancelling;
      // The pool closes a connection that has broken.
      await client.query('ROLLBACK').catch(() => undefined);
    }
  }

  /** Runs a read on a connection of the pool, and reports what it has read. What PostgreSQL refuses leaves the connection as it is. */
  private async onConnection<Result>(
    onRead: OnRead | undefined,
    read: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.pool.connect();
    const { stream } = (client as pg.PoolClient & { connection: { stream: Socket } }).connection;
    const bytesBefore = stream.bytesRead;
    let broken: Error | undefined;
    try {
      return await read(client);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
      onRead?.(stream.bytesRead - bytesBefore);
    }
  }

  private cancel(client: pg.PoolClient): Promise<unknown> {
    const { processID } = client as pg.PoolClient & { processID: number };
    return runOn(this.pool, 'SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined);
  }

  /** Users' work gets its place in the operation's share, the process's own work for a tenant in the tenant's. */
  private inShare<Result>(
    kind: Exclude<Kind, 'service'>,
    tenantId: string | undefined,
    work: (onRead?: OnRead) => Promise<Result>,
  ): Promise<Result> {
    const operation = currentOperation();
    if (operation !== undefined) {
      const claimant = { tenantId: operation.tenantId, operation };
      return this.shares.run(operation.kind ?? kind, claimant, work);
    }
    return tenantId === undefined ? work() : this.shares.run('service', { tenantId }, work);
  }

  private async transact<Result>(
    work: (sql: SqlRunner) => Promise<Result>,
    ending: 'COMMIT' | 'ROLLBACK',
  ): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const result = await work({
        query: (statement, values = []) => traced(statement, () => runOn(client, statement, values)),
      });
      await client.query(ending);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** How the pool is used at this moment: its connections, those of them that nobody uses, who waits for one, and who for a share. */
  get poolUse(): { total: number; idle: number; waiting: number; waitingForShare: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting, waitingForShare: this.shares.waiters };
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

type Target = Pick<pg.ClientBase, 'query'>;

async function runOn<Row>(
  target: Target,
  statement: NamedStatement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await target.query({ ...queryOf(statement), values: [...values] });
  return result.rows as Row[];
}

async function showOn<Row>(
  target: Target,
  statement: NamedStatement | string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { fields, rows } = await target.query<unknown[]>({
    ...queryOf(statement),
    ...shownReading,
    values: [...values],
  });
  return toRecords<Row>(
    fields.map(({ name }) => name),
    rows,
  );
}

function queryOf(statement: NamedStatement | string) {
  return typeof statement === 'string' ? { text: statement } : { name: statement.name, text: statement.text };
}
