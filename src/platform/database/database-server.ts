// A PostgreSQL server as this process uses it: a connection pool, its shares, and Prisma on it. The choice of a statement's server belongs
// to database.ts and read-replicas.ts.

import type { Socket } from 'node:net';
import { types } from 'node:util';
import { SpanKind } from '@opentelemetry/api';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { ConnectionShares, shareLimits, type Kind, type OnRead } from './connection-shares.js';
import { EqualReads } from './equal-reads.js';
import { AppError } from '../errors.js';
import { isReadOnly } from '../observability/fault.js';
import type { Logger } from '../observability/logger.js';
import { currentOperation, NobodyWaits, outsideOfOperations } from './operation.js';
import { PrismaClient } from '../prisma/client.js';
import { shownReading, toRecords } from './shown-records.js';
import { currentTrace, inSpan } from '../observability/trace-scope.js';

/** A statement that PostgreSQL plans once for each connection: the name is unique to the text. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** A statement whose rows are shown as they are. */
export interface ShownStatement {
  /** The name of the statement's kind, in traces. Without it, the statement is planned for its values. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface ReadOptions {
  /** The tenant of the read, where no user's operation makes it. */
  tenantId?: string | undefined;
  /** The same for reads that give the same records. */
  key?: string | undefined;
}

/** Runs SQL: the pool itself, or one transaction. */
export interface SqlRunner {
  query<Row>(statement: NamedStatement | string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseServerOptions {
  url: string;
  poolSize: number;
  log: Logger;
  /** The time that a statement may be without an answer before its connection is given up, in milliseconds. Default 40,000. */
  silenceLimitMs?: number | undefined;
  /** The time limit of a search, in milliseconds. Default 5,000. */
  searchLimitMs?: number | undefined;
  /**
   * True if a pooler is between, which gives each transaction another session. Nothing is kept in a session then, and the pooler has the
   * settings.
   */
  isPooled?: boolean | undefined;
}

/** The use of a pool at a moment: all connections, idle ones, and the callers that wait for a connection or for a share. */
export interface PoolUse {
  total: number;
  idle: number;
  waiting: number;
  waitingForShare: number;
}

// A request that gets no connection in this time is told to retry.
const connectionTimeoutMs = 5_000;
/**
 * The time after which an idle connection ends. A new one reads the catalog and plans every statement again, which the next caller would
 * wait for; the pool's own 10 s end all of them in each quiet moment. Load balancers forget silent connections after 240 s or later.
 */
const idleTimeoutMs = 180_000;
const statementTimeoutMs = 30_000;
const lockTimeoutMs = 10_000;
const defaultSearchLimitMs = 5_000;
/**
 * PostgreSQL ends a statement by itself before this. A connection that is silent for longer has gone, and TCP would take a quarter of an
 * hour to notice.
 */
export const defaultSilenceLimitMs = 40_000;

const readMode: NamedStatement = {
  name: 'read-mode',
  text: `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
};

type Target = Pick<pg.ClientBase, 'query'>;
type Connected = pg.PoolClient & { connection: { stream: Socket }; processID: number };

export class DatabaseServer {
  /** Prisma on this server's pool, past all shares. */
  readonly prisma: PrismaClient;
  private readonly pool: pg.Pool;
  private readonly shares: ConnectionShares;
  private readonly equalReads = new EqualReads();
  private readonly searchLimitMs: number;
  private readonly isPooled: boolean;
  private readonly clients = new Set<pg.PoolClient>();

  constructor({
    url,
    poolSize,
    log,
    silenceLimitMs = defaultSilenceLimitMs,
    searchLimitMs = defaultSearchLimitMs,
    isPooled = false,
  }: DatabaseServerOptions) {
    this.shares = new ConnectionShares(shareLimits(poolSize));
    this.searchLimitMs = searchLimitMs;
    this.isPooled = isPooled;
    const settings = {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
      // Prisma's adapter reads timestamptz wrongly in any other zone. A statement that waits long for a row holds up others as well. A plan
      // that was made while a table was empty reads it whole for as long as the connection lives. The plans of foreign keys do so too.
      options: `-c TimeZone=UTC -c lock_timeout=${lockTimeoutMs} -c enable_seqscan=off`,
    };
    this.pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      application_name: 'leadwire',
      connectionTimeoutMillis: connectionTimeoutMs,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      query_timeout: silenceLimitMs,
      ...(isPooled ? {} : settings),
    });
    // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', (error) => {
      // The embedded server stops right behind its connections, of which it still has some: `end` does not wait for them.
      if (!this.pool.ending) log.warn({ err: error }, 'an idle database connection broke');
    });
    this.pool.on('connect', (client) => {
      this.clients.add(client);
      // While a caller holds the connection, its statements fail by themselves; without a listener it would end the process.
      client.on('error', () => undefined);
    });
    this.pool.on('remove', (client) => this.clients.delete(client));
    this.prisma = new PrismaClient({ adapter: new PrismaPg(this.pool) });
  }

  /** Runs one statement on any connection, past all shares. */
  run<Row>(statement: NamedStatement | string, values: readonly unknown[] = []): Promise<Row[]> {
    return traced(statement, () => this.runOn<Row>(this.pool, statement, values));
  }

  /** Runs a statement like `run`, and reports how much was read. */
  read<Row>(
    statement: NamedStatement | string,
    values: readonly unknown[],
    onRead: OnRead | undefined,
  ): Promise<Row[]> {
    return this.readBy(statement, onRead, (target) => this.runOn(target, statement, values));
  }

  /** Reads like `read`, for records that are shown as they are. */
  show<Row>(
    statement: NamedStatement | string,
    values: readonly unknown[],
    onRead: OnRead | undefined,
  ): Promise<Row[]> {
    return this.readBy(statement, onRead, (target) => this.showOn(target, statement, values));
  }

  /** Runs a search of `Database.search` on this server. */
  search<Row>(text: string, values: readonly unknown[], onRead: OnRead | undefined): Promise<Row[]> {
    return this.searchBy(onRead, (target) => this.runOn(target, text, values));
  }

  /** Runs a search of `Database.searchShown` on this server. */
  searchShown<Row>(text: string, values: readonly unknown[], onRead: OnRead | undefined): Promise<Row[]> {
    return this.searchBy(onRead, (target) => this.showOn(target, text, values));
  }

  /**
   * Resolves if the server takes changes right now, and rejects otherwise. A connection to one that takes none is closed: the next may lead
   * to the server that is primary now.
   */
  ping(): Promise<void> {
    return this.onConnection(undefined, async (client) => {
      const [row] = await this.runOn<{ isReadOnly: boolean }>(client, readMode, []);
      if (row?.isReadOnly !== true) return;
      throw new AppError('UNAVAILABLE', 'The database takes no changes right now: it is a standby, or read-only', {
        retryAfterSeconds: 1,
      });
    });
  }

  /** Runs one transaction: it ends with `ending` when `work` resolves, and is rolled back when it throws. */
  transact<Result>(work: (sql: SqlRunner) => Promise<Result>, ending: 'COMMIT' | 'ROLLBACK'): Promise<Result> {
    // The transaction holds a connection: other reads of `work` must not wait for another transaction of the tenant.
    const outside = (sql: SqlRunner) => outsideOfOperations(() => work(sql));
    return traced('transaction', () => this.transactOn(outside, ending));
  }

  /** Users' work gets its place in the operation's share, the process's own work for a tenant in the tenant's. */
  inShare<Result>(
    kind: Exclude<Kind, 'service'>,
    { tenantId, key }: ReadOptions,
    work: (onRead?: OnRead) => Promise<Result>,
  ): Promise<Result> {
    const operation = currentOperation();
    if (operation !== undefined) {
      const claimant = { tenantId: operation.tenantId, operation };
      const run = (each: typeof work) => this.shares.run(operation.kind ?? kind, claimant, each);
      return key === undefined ? run(work) : this.equalReads.run(key, work, run);
    }
    return tenantId === undefined ? work() : this.shares.run('service', { tenantId }, work);
  }

  get poolUse(): PoolUse {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting, waitingForShare: this.shares.waiters };
  }

  /** Ends every connection at once: statements that run on one fail. The pool opens others. */
  dropConnections(): void {
    for (const client of this.clients) (client as Connected).connection.stream.destroy();
  }

  async close(): Promise<void> {
    await this.prisma.$disconnect();
    if (!this.pool.ended) await this.pool.end();
  }

  private readBy<Row>(
    statement: NamedStatement | string,
    onRead: OnRead | undefined,
    run: (target: Target) => Promise<Row[]>,
  ): Promise<Row[]> {
    return traced(statement, () => (onRead === undefined ? run(this.pool) : this.onConnection(onRead, run)));
  }

  private searchBy<Row>(onRead: OnRead | undefined, run: (target: Target) => Promise<Row[]>): Promise<Row[]> {
    return traced('search', () => this.onConnection(onRead, (client) => this.searchOn(client, run)));
  }

  private async searchOn<Row>(client: pg.PoolClient, run: (target: Target) => Promise<Row[]>): Promise<Row[]> {
    let cancelling: Promise<unknown> | undefined;
    let isSilent = false;
    const operation = currentOperation();
    const expectWaiting = () => {
      if (operation?.hasEnded === true) throw new NobodyWaits();
    };
    // A caller that does not know why a search failed may try it again, after its operation has ended and cancelled the search.
    expectWaiting();
    let processId = this.isPooled ? undefined : (client as Connected).processID;
    // PostgreSQL forgets a signal that finds nothing to cancel, as long as no other statement runs there meanwhile.
    const cancel = () => {
      if (processId !== undefined) cancelling = this.cancel(processId);
    };
    const forget = operation?.whileRunning(cancel);
    try {
      // Without parallel workers a search takes one processor at most.
      await client.query(
        `BEGIN READ ONLY; SET LOCAL statement_timeout = ${this.searchLimitMs}; SET LOCAL max_parallel_workers_per_gather = 0`,
      );
      if (processId === undefined) {
        processId = await this.askProcessId(client);
        // Nothing could cancel the search until here.
        expectWaiting();
      }
      return await run(client);
    } catch (error) {
      isSilent = isSilence(error);
      throw error;
    } finally {
      forget?.();
      await cancelling;
      // The pool closes a connection that has broken.
      if (!isSilent) await client.query('ROLLBACK').catch(() => undefined);
    }
  }

  /** Runs a read on a connection of the pool, and reports how much it has read. An error of PostgreSQL leaves the connection as it is. */
  private async onConnection<Result>(
    onRead: OnRead | undefined,
    read: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.pool.connect();
    const { stream } = (client as Connected).connection;
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

  private cancel(processId: number): Promise<unknown> {
    return this.runOn(this.pool, 'SELECT pg_cancel_backend($1)', [processId]).catch(() => undefined);
  }

  /** Asks for the id of the session that the transaction has: the id that a pooler gives is not PostgreSQL's. */
  private async askProcessId(client: pg.PoolClient): Promise<number | undefined> {
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    return rows[0]?.id;
  }

  private async runOn<Row>(
    target: Target,
    statement: NamedStatement | string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const result = await target.query({ ...this.queryOf(statement), values: [...values] });
    return result.rows as Row[];
  }

  private async showOn<Row>(
    target: Target,
    statement: NamedStatement | string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const query = { ...this.queryOf(statement), ...shownReading, values: [...values] };
    const { fields, rows } = await target.query<unknown[]>(query);
    return toRecords<Row>(
      fields.map(({ name }) => name),
      rows,
    );
  }

  private queryOf(statement: NamedStatement | string): { name?: string; text: string } {
    if (typeof statement === 'string') return { text: statement };
    const { name, text } = statement;
    return this.isPooled ? { text } : { name, text };
  }

  private async transactOn<Result>(
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
        query: (statement, values = []) => traced(statement, () => this.runOn(client, statement, values)),
      });
      await client.query(ending);
      return result;
    } catch (error) {
      if (isSilence(error)) broken = error;
      else await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      // A new connection leads to the server that is primary now.
      if (isReadOnly(error)) broken = error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

/**
 * Returns whether a statement got no answer in its time. A further one on that connection, also ROLLBACK, would keep its caller waiting for
 * as long again. The pool closes such a connection.
 */
function isSilence(error: unknown): error is Error {
  return types.isNativeError(error) && error.message === 'Query read timeout';
}

/** Traces a statement by its name, without its values. */
function traced<Result>(statement: NamedStatement | string, work: () => Promise<Result>): Promise<Result> {
  if (currentTrace() === undefined) return work();
  const name = typeof statement === 'string' ? /^\s*([A-Za-z]+)/.exec(statement)?.[1] : statement.name;
  return inSpan(name ?? 'statement', { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, work);
}
