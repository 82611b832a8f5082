// A history and a map that stay within their capacity.

import { BoundedHistory, BoundedMap } from '../../src/simulator/bounded-memory.js';

export function describeBoundedMemory(): void {
  test('a history keeps the newest entries in order, and counts all', () => {
    const history = new BoundedHistory<number>(3);
    for (let entry = 1; entry <= 100; entry += 1) {
      history.add(entry);
      expect(history.list()).toEqual([entry - 2, entry - 1, entry].filter((kept) => kept > 0));
    }
    expect(history.added).toBe(100);
    history.clear();
    expect([history.list(), history.added]).toEqual([[], 0]);
  });

  test('a map forgets the entry unused for longest', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  });

  test('getOrCreate makes a value once', () => {
    const map = new BoundedMap<string, object>(2);
    const made = map.getOrCreate('a', () => ({}));
    expect(map.getOrCreate('a', () => ({}))).toBe(made);
  });
}
