// The shares of database connections: which operations get a place, which wait, and in which order.

import { ConnectionShares, shareLimits, type Kind } from '../../../src/platform/database/connection-shares.js';
import { Database } from '../../../src/platform/database/database.js';
import { AppError } from '../../../src/platform/errors.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { Operation, inOperation } from '../../../src/platform/database/operation.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Work that goes on until the test ends it, and the order in which it began. */
class Stage {
  readonly begun: string[] = [];
  private readonly endings = new Map<string, (readBytes?: number) => void>();

  constructor(private readonly shares: ConnectionShares) {}

  run(name: string, kind: Kind, tenantId: string, operation?: Operation): Promise<void> {
    return this.shares.run(kind, { tenantId, operation }, (onRead) => {
      this.begun.push(name);
      return new Promise<void>((resolve) =>
        this.endings.set(name, (readBytes) => {
          if (readBytes !== undefined) onRead(readBytes);
          resolve();
        }),
      );
    });
  }

  async end(name: string, readBytes?: number): Promise<void> {
    this.endings.get(name)?.(readBytes);
    this.endings.delete(name);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends all work, one after the other, in the order in which it began. */
  async endAll(): Promise<string[]> {
    for (const name of this.begun) await this.end(name);
    return this.begun;
  }
}

export function describeConnectionShares(): void {
  let stage = new Stage(new ConnectionShares(shareLimits(2)));
  const stageOf = (poolSize: number) => (stage = new Stage(new ConnectionShares(shareLimits(poolSize))));

  afterEach(async () => void (await stage.endAll()));

  test.each([2, 3, 4, 8, 10, 20, 200])('a pool of %i leaves a reserve, and no tenant has all of it', (poolSize) => {
    const { users, reads, searches, tenant, operation } = shareLimits(poolSize);
    expect(users).toBeLessThan(poolSize);
    for (const limit of [reads, searches, operation, ...Object.values(tenant)]) expect(limit).toBeGreaterThanOrEqual(1);
    if (poolSize >= 4) expect(tenant.users + tenant.service).toBeLessThan(poolSize);
    if (poolSize >= 4) expect(tenant.users).toBeLessThan(users);
  });

  test('tenants take turns, whatever number of operations each has', async () => {
    stageOf(2);
    const work = [stage.run('x', 'read', 'x')];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
      work.push(stage.run(name, 'read', name[0] ?? '', new Operation({ tenantId: name[0] ?? '' })));
    expect(await stage.endAll()).toEqual(['x', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    await Promise.all(work);
  });

  test('operations of a tenant take turns, whatever number of statements each has', async () => {
    stageOf(2);
    const [many, one] = [new Operation({ tenantId: 'a' }), new Operation({ tenantId: 'a' })];
    const work = ['m1', 'm2', 'm3', 'm4'].map((name) => stage.run(name, 'read', 'a', many));
    work.push(stage.run('one', 'read', 'a', one));
    expect(await stage.endAll()).toEqual(['m1', 'm2', 'one', 'm3', 'm4']);
    await Promise.all(work);
  });

  test('an operation with many statements leaves a place to others of its tenant', async () => {
    stageOf(10);
    const [many, one] = [new Operation({ tenantId: 'a' }), new Operation({ tenantId: 'a' })];
    for (let count = 0; count < 9; count += 1) void stage.run(`many ${count}`, 'read', 'a', many);
    expect(stage.begun).toEqual(['many 0', 'many 1', 'many 2']);
    void stage.run('one', 'read', 'a', one);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stage.begun.slice(3)).toEqual(['one']);
    expect(await stage.endAll()).toHaveLength(10);
  });

  test('reads and searches of all tenants leave a place for writes, and services have theirs', async () => {
    stageOf(10);
    for (let tenant = 0; tenant < 10; tenant += 1)
      for (let count = 0; count < 10; count += 1)
        void stage.run(`read ${tenant} ${count}`, 'read', `t${tenant}`, new Operation({ tenantId: `t${tenant}` }));
    expect(stage.begun).toHaveLength(6);
    void stage.run('write', 'write', 't11');
    for (let count = 0; count < 9; count += 1) void stage.run(`service ${count}`, 'service', 't0');
    expect(stage.begun.slice(6)).toEqual(['write', 'service 0', 'service 1', 'service 2', 'service 3']);
    expect(await stage.endAll()).toHaveLength(110);
  });

  test('what waits for an operation that is over is given up, and its place goes to others', async () => {
    stageOf(2);
    const operation = new Operation({ tenantId: 'a' });
    const first = stage.run('first', 'read', 'a', operation);
    const abandoned = stage.run('abandoned', 'read', 'a', operation);
    const other = stage.run('other', 'read', 'b', new Operation({ tenantId: 'b' }));
    operation.end();
    await expect(abandoned).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await stage.endAll()).toEqual(['first', 'other']);
    await Promise.all([first, other]);
  });

  test('more searches than may wait are refused, with when to come again', async () => {
    stageOf(10);
    const search = (name: string) => stage.run(name, 'search', 'a', new Operation({ tenantId: 'a' }));
    for (let count = 0; count < 21; count += 1) void search(`search ${count}`);
    await expect(search('one too many')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
    void stage.run('of another', 'search', 'b', new Operation({ tenantId: 'b' }));
    expect(stage.begun).toEqual(['search 0', 'of another']);
  });

  test('after a large result a tenant’s reads rest, and then go one at a time; its changes and other tenants do not wait', async () => {
    stageOf(10);
    const read = (name: string, tenantId = 'a') => stage.run(name, 'read', tenantId, new Operation({ tenantId }));
    const work = [read('large'), read('beside it')];
    await stage.end('large', 4_000_000);
    await stage.end('beside it');
    work.push(read('next'), read('after it'), stage.run('write', 'write', 'a'), read('of another', 'b'));
    expect(stage.begun.slice(2)).toEqual(['write', 'of another']);
    while (!stage.begun.includes('next')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(stage.begun).not.toContain('after it');
    await stage.end('next', 1_000);
    expect(await stage.endAll()).toContain('after it');
    await Promise.all(work);
  });

  describe('at a database', () => {
    const sleeping = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    let own: TestDatabase;
    let database: Database;
    let operation: Operation;
    let searched: Promise<unknown>;

    beforeEach(async () => {
      own = await createTestDatabase();
      database = new Database({ url: own.url, poolSize: 2, log: createLogger('silent'), searchLimitMs: 600_000 });
      operation = new Operation({ tenantId: 'a' });
      searched = inOperation(operation, () => database.search('SELECT pg_sleep(600)', []));
      searched.catch(() => undefined);
      while ((await database.query(sleeping)).length === 0);
    });
    afterEach(async () => {
      operation.end();
      await searched.catch(() => undefined);
      await database.close();
      await own.drop();
    });

    test('what a statement reads is counted', async () => {
      operation.end();
      await searched.catch(() => undefined);
      const reader = new Operation({ tenantId: 'b' });
      const read = (text: string) => inOperation(reader, () => database.query<{ body: string }>(text));
      expect((await read("SELECT repeat('x', 3000000) AS body"))[0]?.body).toHaveLength(3_000_000);
      const next = read('SELECT 1');
      expect(database.poolUse.waitingForShare).toBe(1);
      await next;
    });

    test('a search ends with its operation, and its connection serves on', async () => {
      operation.end();
      await expect(searched).rejects.toMatchObject({ code: '57014' });
      const search = (of: Operation) => inOperation(of, () => database.search('SELECT 1 AS one', []));
      await expect(search(operation)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(await search(new Operation({ tenantId: operation.tenantId }))).toEqual([{ one: 1 }]);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['a statement', () => database.query('SELECT 1')],
      ['a transaction', () => database.transaction((sql) => sql.query('SELECT 1'))],
      ['a query of Prisma', async () => database.prisma.tenant.findMany()],
    ])('%s waits for its turn, and tells why it did not get one', async (_, run) => {
      const other = new Operation({ tenantId: 'b' });
      const waiting = inOperation(other, run);
      // Prisma begins in a later turn.
      while (database.poolUse.waitingForShare === 0) await new Promise((resolve) => setImmediate(resolve));
      other.end();
      await expect(waiting).rejects.toBeInstanceOf(AppError);
    });
  });
}
