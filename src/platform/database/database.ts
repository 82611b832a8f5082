// The database and its two uses: Prisma for ordinary storage, SQL for hot paths and for transactions that also write events or jobs. The
// servers belong to database-server.ts, the choice of a replica to read-replicas.ts, transactions with events to transaction.ts.

import pg from 'pg';
import type { Kind, OnRead } from './connection-shares.js';
import {
  DatabaseServer,
  type DatabaseServerOptions,
  type NamedStatement,
  type PoolUse,
  type ReadOptions,
  type ShownStatement,
  type SqlRunner,
} from './database-server.js';
import { AppError } from '../errors.js';
import { currentOperation } from './operation.js';
import type { PrismaClient } from '../prisma/client.js';
import type { ReadReplica } from './read-replica.js';
import { ReadReplicas, type ReadFrom } from './read-replicas.js';
import { StatementNames } from './statement-names.js';

export { Prisma } from '../prisma/client.js';
export type { PrismaClient } from '../prisma/client.js';
export type { NamedStatement, SqlRunner } from './database-server.js';

export interface DatabaseOptions extends DatabaseServerOptions {
  /** Replicas of the database, which serve a part of the users' reads. Each gets a pool of the same size. None by default. */
  replicas?: { urls: readonly string[]; maxLagMs: number; onChoice?: (from: ReadFrom) => void } | undefined;
}

const cancelled = '57014';

export class Database implements SqlRunner {
  readonly prisma: PrismaClient;
  private readonly primary: DatabaseServer;
  private readonly replicas: ReadReplicas | undefined;
  private readonly names = new StatementNames();

  constructor({ replicas, ...options }: DatabaseOptions) {
    this.primary = new DatabaseServer(options);
    const hasReplicas = replicas !== undefined && replicas.urls.length > 0;
    this.replicas = hasReplicas
      ? new ReadReplicas({ ...options, ...replicas, isPooled: false, primary: this.primary })
      : undefined;
    // Statements of Prisma count like any other statement. An extension of queries leaves the client's type as it is.
    this.prisma = this.primary.prisma.$extends({
      query: {
        $allOperations: ({ model, operation, args, query }) =>
          this.read('read', (server) =>
            server === this.primary || model === undefined
              ? query(args)
              : (delegateOf(server.prisma, model)[operation]?.(args) as ReturnType<typeof query>),
          ),
      },
    }) as unknown as PrismaClient;
  }

  /** Opens the replicas, where there are some. They are not used before. */
  async start(): Promise<void> {
    await this.replicas?.start();
  }

  query<Row>(statement: NamedStatement | string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.read('read', (server, onRead) => server.read<Row>(statement, values, onRead));
  }

  /**
   * Reads rows that are shown as they are, as records of `shown-records.ts`: their times are text. Equal reads of
   * the tenant that wait for a connection together get the same records, so no caller may change them.
   * @param tenantId the tenant that the rows belong to
   * @param statement a statement with a name is planned once for each text
   */
  show<Row>(tenantId: string, { name, text, values }: ShownStatement): Promise<Row[]> {
    const own = name === undefined ? undefined : this.names.nameOf(tenantId, name, text);
    const statement = own === undefined ? text : { name: own, text };
    const key = own === undefined ? undefined : `${tenantId} ${own} ${JSON.stringify(values)}`;
    return this.read('read', (server, onRead) => server.show<Row>(statement, values, onRead), { key });
  }

  /** Runs one statement that is a tenant's change by itself. */
  change<Row>(tenantId: string, statement: NamedStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.write('write', tenantId, () => this.primary.run<Row>(statement, values));
  }

  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * @param of the tenant of the transaction, where no user's operation runs it; whether it only reads; and whether it is rolled back in any
   *   case
   */
  transaction<Result>(
    work: (sql: SqlRunner) => Promise<Result>,
    of: { tenantId?: string; kind?: 'read' | 'write'; ending?: 'COMMIT' | 'ROLLBACK' } = {},
  ): Promise<Result> {
    const { tenantId, kind = 'write', ending = 'COMMIT' } = of;
    // A transaction that is rolled back has written before, so it runs on the primary.
    if (kind === 'read' && ending === 'COMMIT')
      return this.read(kind, (server) => server.transact(work, ending), { tenantId });
    return this.write(kind, tenantId, () => this.primary.transact(work, ending));
  }

  /**
   * Runs one statement that may read all of a tenant's rows. It waits in the queue of searches, takes at most the time of a search, and is
   * cancelled when its operation ends.
   */
  search<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.read('search', (server, onRead) => server.search<Row>(text, values, onRead));
  }

  /** Searches like `search`, for rows that are shown as they are. */
  searchShown<Row>({ text, values }: ShownStatement): Promise<Row[]> {
    return this.read('search', (server, onRead) => server.searchShown<Row>(text, values, onRead));
  }

  /** The use of the primary's pool at this moment. */
  get poolUse(): PoolUse {
    return this.primary.poolUse;
  }

  /** The state of the read replicas. A replica with a lag of 0 has everything. */
  get replicaUse(): Pick<ReadReplica, 'name' | 'lagMs' | 'isMissed' | 'awayBecause'>[] {
    const replicas = this.replicas?.list ?? [];
    return replicas.map(({ name, lagMs, isMissed, awayBecause }) => ({ name, lagMs, isMissed, awayBecause }));
  }

  /** Resolves if the database takes changes right now, and rejects otherwise. */
  ping(): Promise<void> {
    return this.primary.ping();
  }

  async close(): Promise<void> {
    await Promise.all([this.primary.close(), this.replicas?.close()]);
  }

  private read<Result>(
    kind: 'read' | 'search',
    work: (server: DatabaseServer, onRead?: OnRead) => Promise<Result>,
    of: ReadOptions = {},
  ): Promise<Result> {
    const { primary, replicas } = this;
    if (replicas === undefined) return primary.inShare(kind, of, (onRead) => work(primary, onRead));
    return this.readFromOneOf(replicas, kind, work, of);
  }

  private async readFromOneOf<Result>(
    replicas: ReadReplicas,
    kind: 'read' | 'search',
    work: (server: DatabaseServer, onRead?: OnRead) => Promise<Result>,
    of: ReadOptions,
  ): Promise<Result> {
    const { primary } = this;
    const onPrimary = () => primary.inShare(kind, of, (onRead) => work(primary, onRead));
    const operation = currentOperation();
    if (operation?.isReading !== true) return replicas.onPrimary(onPrimary);
    const server = await replicas.serverFor(operation);
    if (server === primary) return onPrimary();
    try {
      return await server.inShare(kind, of, (onRead) => work(server, onRead));
    } catch (error) {
      if (operation.hasEnded || !mayPassOnPrimary(error)) throw error;
      replicas.keepToPrimary(operation);
      void replicas.watch();
      return onPrimary();
    }
  }

  private async write<Result>(
    kind: Exclude<Kind, 'service'>,
    tenantId: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { primary, replicas } = this;
    if (replicas === undefined) return primary.inShare(kind, { tenantId }, work);
    const operation = currentOperation();
    try {
      return await replicas.onPrimary(() => primary.inShare(kind, { tenantId }, work));
    } finally {
      if (operation !== undefined) replicas.chooseAgain(operation);
    }
  }
}

/**
 * Returns whether a read that failed on a replica is repeated on the primary: unless its share refused it, or its time had passed. A
 * replica may be gone, cancel a read that holds up its replay, or refuse a statement that writes.
 */
function mayPassOnPrimary(error: unknown): boolean {
  return !(error instanceof AppError) && !(error instanceof pg.DatabaseError && error.code === cancelled);
}

type Delegate = Readonly<Record<string, ((args: unknown) => unknown) | undefined>>;

function delegateOf(prisma: PrismaClient, model: string): Delegate {
  const name = model.charAt(0).toLowerCase() + model.slice(1);
  return (prisma as unknown as Readonly<Record<string, Delegate>>)[name] ?? {};
}
