// The simulator's randomness: repeatable, even, and safe to split.

import { SeededRandom } from '../../src/simulator/seeded-random.js';

const take = (random: SeededRandom, count: number) => Array.from({ length: count }, () => random.uint32());

export function describeSeededRandom(): void {
  test('one seed gives one sequence, another seed another', () => {
    expect(take(SeededRandom.fromSeed('a'), 20)).toEqual(take(SeededRandom.fromSeed('a'), 20));
    expect(take(SeededRandom.fromSeed('a'), 20)).not.toEqual(take(SeededRandom.fromSeed('b'), 20));
  });

  test('chance never holds at 0, always at 1, and about half the time at 0.5', () => {
    const random = SeededRandom.fromSeed('a');
    const holds = (rate: number) => Array.from({ length: 10_000 }, () => random.chance(rate)).filter(Boolean).length;
    expect([holds(0), holds(1)]).toEqual([0, 10_000]);
    expect(Math.abs(holds(0.5) - 5_000)).toBeLessThan(300);
  });

  test('upTo takes every value evenly, both ends included', () => {
    const random = SeededRandom.fromSeed('a');
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 8_000; draw += 1) counts[random.upTo(3)]! += 1;
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(250);
  });

  test('a fork costs its parent the same, however much is drawn from it', () => {
    const [busy, calm] = [SeededRandom.fromSeed('a'), SeededRandom.fromSeed('a')];
    take(busy.fork(), 1_000);
    calm.fork();
    expect(take(busy, 5)).toEqual(take(calm, 5));
  });

  test('forks do not repeat each other', () => {
    const random = SeededRandom.fromSeed('a');
    const first = Array.from({ length: 20_000 }, () => random.fork().text(20, '0123456789ABCDEF'));
    expect(new Set(first).size).toBe(20_000);
  });

  test('shuffle keeps every item, takes every order, and leaves the list', () => {
    const random = SeededRandom.fromSeed('a');
    const list = [1, 2, 3];
    const orders = new Set(Array.from({ length: 200 }, () => random.shuffle(list).join('')));
    expect([...orders].toSorted()).toEqual(['123', '132', '213', '231', '312', '321']);
    expect(list).toEqual([1, 2, 3]);
  });

  test('pick refuses an empty list', () => {
    expect(() => SeededRandom.fromSeed('a').pick([])).toThrow(RangeError);
  });
}
