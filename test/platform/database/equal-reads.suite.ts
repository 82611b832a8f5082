// Equal reads that wait for a connection together: how often they read, and what each of them sees.

import type { OnRead } from '../../../src/platform/database/connection-shares.js';
import { Database } from '../../../src/platform/database/database.js';
import { EqualReads } from '../../../src/platform/database/equal-reads.js';
import { inOperation, Operation } from '../../../src/platform/database/operation.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { until } from '../../features/messages/sending-harness.js';
import { withTestDatabase, type TestDatabase } from '../../support/test-database.js';

type Read = (onRead?: OnRead) => Promise<string>;

/** Reads that wait for their places until the test gives them one. */
class Queue {
  readonly equalReads = new EqualReads();
  /** The reads that were made, by name, each with its end. */
  readonly made = new Map<string, { resolve: (result: string) => void; reject: (error: Error) => void }>();
  readonly countedBytes: number[] = [];
  private readonly places: { admit: () => void; refuse: (error: Error) => void }[] = [];

  ask(name: string, key = 'inbox', readBytes = 0): Promise<string> {
    const read: Read = async (onRead) => {
      const result = await new Promise<string>((resolve, reject) => this.made.set(name, { resolve, reject }));
      onRead?.(readBytes);
      return result;
    };
    return this.equalReads.run(key, read, async (run) => {
      await new Promise<void>((admit, refuse) => this.places.push({ admit, refuse }));
      return run((bytes) => this.countedBytes.push(bytes));
    });
  }

  /** Gives the read that has waited longest a place. */
  async admit(): Promise<void> {
    this.places.shift()?.admit();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async refuse(): Promise<void> {
    this.places.shift()?.refuse(new Error('no place came in time'));
    await new Promise((resolve) => setImmediate(resolve));
  }

  get names(): string[] {
    return [...this.made.keys()];
  }
}

export function describeEqualReads(): void {
  it('those that wait together read once, and each counts what was read', async () => {
    const queue = new Queue();
    const answers = [queue.ask('first', 'inbox', 7), queue.ask('second'), queue.ask('third')];
    await queue.admit();
    await queue.admit();
    queue.made.get('first')?.resolve('page');
    await queue.admit();
    expect(await Promise.all(answers)).toEqual(['page', 'page', 'page']);
    expect(queue.names).toEqual(['first']);
    expect(queue.countedBytes).toEqual([7, 7, 7]);
  });

  it('one that asks for something else reads by itself', async () => {
    const queue = new Queue();
    const answers = [queue.ask('inbox'), queue.ask('closed', 'closed')];
    await queue.admit();
    await queue.admit();
    for (const name of queue.names) queue.made.get(name)?.resolve(name);
    expect(await Promise.all(answers)).toEqual(['inbox', 'closed']);
  });

  it('one that comes after the reading has begun reads by itself', async () => {
    const queue = new Queue();
    const early = queue.ask('early');
    await queue.admit();
    const late = queue.ask('late');
    await queue.admit();
    queue.made.get('early')?.resolve('old');
    queue.made.get('late')?.resolve('new');
    expect(await Promise.all([early, late])).toEqual(['old', 'new']);
  });

  it('where the first one fails, the others read by themselves', async () => {
    const queue = new Queue();
    const [first, second] = [queue.ask('first'), queue.ask('second')];
    await queue.admit();
    await queue.admit();
    queue.made.get('first')?.reject(new Error('the connection broke'));
    await expect(first).rejects.toThrow('the connection broke');
    await until(
      () => Promise.resolve(queue.names),
      (names) => names.includes('second'),
    );
    queue.made.get('second')?.resolve('page');
    expect(await second).toBe('page');
  });

  it('one that gets no place leaves the others theirs', async () => {
    const queue = new Queue();
    const refused = queue.ask('refused');
    const other = queue.ask('other');
    const refusal = expect(refused).rejects.toThrow('no place came in time');
    await queue.refuse();
    await refusal;
    await queue.admit();
    queue.made.get('other')?.resolve('page');
    expect(await other).toBe('page');
  });

  describe('on PostgreSQL', () => {
    let own: TestDatabase;
    withTestDatabase((database) => (own = database));

    it('reads of a tenant that wait together are one statement, which sees what was changed after they came', async () => {
      const database = new Database({ url: own.url, poolSize: 2, log: createLogger('silent') });
      const statement = {
        name: 'number',
        text: `SELECT nextval('read_number')::int AS number, (SELECT count(*)::int FROM written) AS written WHERE $1 = 1`,
        values: [1],
      };
      const show = (tenantId: string) =>
        inOperation(new Operation({ tenantId }), () =>
          database.show<{ number: number; written: number }>(tenantId, statement),
        );
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      try {
        await database.query('CREATE SEQUENCE read_number');
        await database.query('CREATE TABLE written (id int)');
        const held = inOperation(new Operation({ tenantId: 'a' }), () =>
          database.transaction(() => released, { kind: 'read' }),
        );
        const waiting = [show('a'), show('a'), show('a'), show('b')];
        expect(database.poolUse.waitingForShare).toBe(4);
        await database.query('INSERT INTO written VALUES (1)');
        release();
        await held;
        const [first, second, third, ofAnother] = (await Promise.all(waiting)).flat();
        expect([second, third]).toEqual([first, first]);
        expect([first?.written, ofAnother?.written]).toEqual([1, 1]);
        expect(ofAnother?.number).not.toBe(first?.number);
        expect(await show('a')).toEqual([{ number: 3, written: 1 }]);
      } finally {
        await database.close();
      }
    });
  });
}
