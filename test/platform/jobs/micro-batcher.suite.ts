// Natural batching: which items are batched, wait, are split or are refused.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../src/platform/errors.js';
import { FairSemaphore } from '../../../src/platform/jobs/fair-semaphore.js';
import {
  MicroBatcher,
  type MicroBatcherMeter,
  type MicroBatcherOptions,
} from '../../../src/platform/jobs/micro-batcher.js';

type Options = MicroBatcherOptions<string, string>;

interface Batch {
  owner: string;
  items: string[];
  finish: () => void;
  fail: (error: unknown) => void;
}

/** Creates a micro-batcher whose batches end when the test says so. */
function createHeld(options: Partial<Options> = {}) {
  const batches: Batch[] = [];
  const microBatcher = new MicroBatcher<string, string>({
    write: (owner, items) =>
      new Promise((resolve, reject) => {
        batches.push({ owner, items, finish: () => resolve(items.map((item) => `${item}!`)), fail: reject });
      }),
    weightOf: (item) => item.length,
    name: 'items',
    maxBatchSize: 100,
    maxBatchWeight: 1_000,
    maxInFlight: 1,
    maxWaiting: 1_000,
    maxWaitingWeight: 10_000,
    ...options,
  });
  return { microBatcher, batches };
}

/** Creates a micro-batcher that writes at once, and throws where a batch holds one of these items. */
function createPoisoned(poison: string[]) {
  const batches: string[][] = [];
  const { microBatcher } = createHeld({
    write: (_owner, items) => {
      batches.push(items);
      const bad = items.filter((item) => poison.includes(item));
      return bad.length > 0 ? Promise.reject(new Error(`poison: ${bad.join()}`)) : Promise.resolve(items);
    },
  });
  return { microBatcher, batches };
}

/** Returns the batch of this number, once its write has begun. */
async function batchOf(batches: Batch[], index: number): Promise<Batch> {
  for (let turn = 0; turn < 100; turn += 1) {
    const batch = batches[index];
    if (batch !== undefined) return batch;
    await nextTurn();
  }
  throw new Error(`there is no batch ${index}`);
}

export function describeMicroBatcher(): void {
  test('an item alone is written in the same turn of the event loop', async () => {
    const { microBatcher, batches } = createHeld();
    const result = microBatcher.submit('a', 'x');
    await nextTurn();
    expect(batches.map(({ items }) => items)).toEqual([['x']]);
    batches[0]?.finish();
    expect(await result).toBe('x!');
  });

  test('items of one turn go together, in their order, each with its own result', async () => {
    const { microBatcher, batches } = createHeld();
    const results = ['x', 'y', 'z'].map((item) => microBatcher.submit('a', item));
    await nextTurn();
    expect(batches).toHaveLength(1);
    batches[0]?.finish();
    expect(await Promise.all(results)).toEqual(['x!', 'y!', 'z!']);
  });

  test('what comes while a batch is being written waits for the next', async () => {
    const { microBatcher, batches } = createHeld();
    const first = microBatcher.submit('a', '1');
    await nextTurn();
    const others = ['2', '3'].map((item) => microBatcher.submit('a', item));
    await nextTurn();
    expect(batches).toHaveLength(1);
    batches[0]?.finish();
    await first;
    const second = await batchOf(batches, 1);
    expect(second.items).toEqual(['2', '3']);
    second.finish();
    expect(await Promise.all(others)).toEqual(['2!', '3!']);
  });

  test('as many batches of an owner as are permitted are written at a time', async () => {
    const { microBatcher, batches } = createHeld({ maxInFlight: 2 });
    for (const item of ['1', '2', '3']) {
      void microBatcher.submit('a', item);
      await nextTurn();
    }
    expect(batches.map(({ items }) => items)).toEqual([['1'], ['2']]);
    batches[1]?.finish();
    expect((await batchOf(batches, 2)).items).toEqual(['3']);
  });

  test('owners do not wait for each other, and no batch holds items of two', async () => {
    const { microBatcher, batches } = createHeld();
    void microBatcher.submit('a', '1');
    void microBatcher.submit('b', '2');
    await nextTurn();
    expect(batches.map(({ owner, items }) => [owner, items])).toEqual([
      ['a', ['1']],
      ['b', ['2']],
    ]);
  });

  test.each<[string, Partial<Options>, string[][]]>([
    ['size', { maxBatchSize: 2 }, [['aa', 'bb'], ['cc', 'dd'], ['ee']]],
    ['weight', { maxBatchWeight: 5 }, [['aa', 'bb'], ['cc', 'dd'], ['ee']]],
    ['weight, and one that exceeds it goes alone', { maxBatchWeight: 1 }, [['aa'], ['bb'], ['cc'], ['dd'], ['ee']]],
  ])('a batch is bounded by its %s', async (_, options, expected) => {
    const { microBatcher, batches } = createHeld(options);
    const results = ['aa', 'bb', 'cc', 'dd', 'ee'].map((item) => microBatcher.submit('a', item));
    for (let index = 0; index < expected.length; index += 1) {
      (await batchOf(batches, index)).finish();
    }
    await Promise.all(results);
    expect(batches.map(({ items }) => items)).toEqual(expected);
  });

  test.each<[string, Partial<Options>]>([
    ['items', { maxWaiting: 4 }],
    ['weight', { maxWaitingWeight: 4 }],
  ])('too many %s of an owner wait: UNAVAILABLE with Retry-After; those that wait are served', async (_, options) => {
    const { microBatcher, batches } = createHeld(options);
    const served = ['1', '2'].map((item) => microBatcher.submit('a', item));
    const refused = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };
    await expect(microBatcher.submit('a', '3')).rejects.toMatchObject(refused);
    await nextTurn();
    await expect(microBatcher.submit('a', '3')).rejects.toMatchObject(refused);
    batches[0]?.finish();
    expect(await Promise.all(served)).toEqual(['1!', '2!']);
    // There is room again.
    const late = microBatcher.submit('a', '3');
    (await batchOf(batches, 1)).finish();
    expect(await late).toBe('3!');
  });

  describe('the room for what waits', () => {
    /** Submits more items than there is room for. @returns the number of accepted items */
    async function fill(microBatcher: MicroBatcher<string, string>, owner: string): Promise<number> {
      const refused: unknown[] = [];
      for (let nr = 0; nr < 30; nr += 1)
        microBatcher.submit(owner, String(nr)).catch((error: unknown) => refused.push(error));
      await nextTurn();
      return 30 - refused.length;
    }

    test('an owner that floods takes half of it, and another one finds room', async () => {
      const { microBatcher } = createHeld({ maxWaiting: 24 });
      expect(await fill(microBatcher, 'flood')).toBe(12);
      expect(await fill(microBatcher, 'second')).toBe(6);
      expect(await fill(microBatcher, 'third')).toBe(3);
      // An owner with more than the free room is refused; an owner with no waiting item is not.
      void microBatcher.submit('fourth', 'x');
      await expect(microBatcher.submit('flood', 'x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    test('what is written makes room again, and owes nothing', async () => {
      const { microBatcher, batches } = createHeld({ maxWaiting: 4, maxBatchSize: 1 });
      for (let round = 0; round < 3; round += 1) {
        const results = ['1', '2'].map((item) => microBatcher.submit('a', item));
        await expect(microBatcher.submit('a', '3')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
        for (const index of [0, 1]) (await batchOf(batches, 2 * round + index)).finish();
        await Promise.all(results);
        await nextTurn();
      }
    });
  });

  describe('batches at a time', () => {
    test('are bounded over all owners and micro-batchers, and no owner takes more than half', async () => {
      const semaphore = new FairSemaphore(4);
      const single = { semaphore, maxInFlight: 3, maxBatchSize: 1 };
      const [one, other] = [createHeld(single), createHeld(single)];
      for (const item of ['1', '2', '3']) {
        void one.microBatcher.submit('flood', item);
        void other.microBatcher.submit('flood', item);
        await nextTurn();
      }
      expect(one.batches.length + other.batches.length).toBe(2);
      void one.microBatcher.submit('b', 'x');
      await nextTurn();
      expect(one.batches.at(-1)).toMatchObject({ owner: 'b', items: ['x'] });
      void one.microBatcher.submit('c', 'x');
      void one.microBatcher.submit('d', 'x');
      await nextTurn();
      expect(one.batches.map(({ owner }) => owner)).toEqual(['flood', 'b', 'c']);
    });

    test('what comes while a batch waits for its turn is written with it', async () => {
      const semaphore = new FairSemaphore(1);
      const { microBatcher, batches } = createHeld({ semaphore });
      void microBatcher.submit('a', '1');
      await nextTurn();
      void microBatcher.submit('b', '2');
      await nextTurn();
      void microBatcher.submit('b', '3');
      (await batchOf(batches, 0)).finish();
      expect((await batchOf(batches, 1)).items).toEqual(['2', '3']);
    });

    test('turns go round: one with many batches waits behind one with few', async () => {
      const semaphore = new FairSemaphore(1);
      const { microBatcher, batches } = createHeld({ semaphore, maxInFlight: 3, maxBatchSize: 1 });
      for (const item of ['1', '2', '3']) {
        void microBatcher.submit('many', item);
        await nextTurn();
      }
      void microBatcher.submit('few', 'x');
      await nextTurn();
      for (const index of [0, 1, 2, 3]) (await batchOf(batches, index)).finish();
      expect(batches.map(({ owner }) => owner)).toEqual(['many', 'many', 'few', 'many']);
    });

    test('one that fails gives its turn on', async () => {
      const semaphore = new FairSemaphore(1);
      const { microBatcher, batches } = createHeld({ semaphore });
      const failed = microBatcher.submit('a', '1');
      await nextTurn();
      void microBatcher.submit('b', '2');
      batches[0]?.fail(new Error('broken'));
      await expect(failed).rejects.toThrow('broken');
      expect((await batchOf(batches, 1)).owner).toBe('b');
    });
  });

  test('a failing batch is split until those to blame stand alone; all others are written', async () => {
    const { microBatcher, batches } = createPoisoned(['3', '6']);
    const items = Array.from({ length: 8 }, (_, index) => String(index));
    const results = await Promise.allSettled(items.map((item) => microBatcher.submit('a', item)));
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
    expect(failed).toEqual([3, 6]);
    expect(results[3]).toMatchObject({ reason: new Error('poison: 3') });
    const written = batches.filter((batch) => !batch.includes('3') && !batch.includes('6')).flat();
    expect(written.sort()).toEqual(['0', '1', '2', '4', '5', '7']);
  });

  test('a dependency that is down blames nobody: the batch is not split', async () => {
    const { microBatcher, batches } = createHeld();
    const results = ['1', '2'].map((item) => microBatcher.submit('a', item));
    await nextTurn();
    batches[0]?.fail(new AppError('UNAVAILABLE', 'down'));
    const settled = await Promise.allSettled(results);
    expect(settled).toMatchObject(results.map(() => ({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })));
    expect(batches).toHaveLength(1);
  });

  test('after a failure what the owner sends next is written', async () => {
    const { microBatcher, batches } = createHeld();
    const failed = microBatcher.submit('a', '1');
    await nextTurn();
    const next = microBatcher.submit('a', '2');
    batches[0]?.fail(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    (await batchOf(batches, 1)).finish();
    expect(await next).toBe('2!');
  });

  test('tells its meter what waits, what was written together and what was refused', async () => {
    const wrote: number[] = [];
    let refused = 0;
    let waiting = () => -1;
    const meter: MicroBatcherMeter = {
      watch: (read) => (waiting = read),
      wrote: (size, seconds) => wrote.push(seconds >= 0 ? size : NaN),
      refused: () => (refused += 1),
    };
    const { microBatcher, batches } = createHeld({ maxWaiting: 4, meter });
    const items = [microBatcher.submit('a', 'a'), microBatcher.submit('a', 'b')];
    await expect(microBatcher.submit('a', 'c')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([waiting(), refused, wrote]).toEqual([2, 1, []]);
    (await batchOf(batches, 0)).finish();
    await Promise.all(items);
    await nextTurn();
    expect([waiting(), refused, wrote]).toEqual([0, 1, [2]]);
  });
}
