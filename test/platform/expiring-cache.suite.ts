// Expired entries are gone and take no memory, even if no caller asks for them.

import { ExpiringCache } from '../../src/platform/expiring-cache.js';
import { until } from '../features/messages/sending-harness.js';

export function describeExpiringCache(): void {
  const isZero = (size: number) => size === 0;

  test('entries that nobody asks for are removed, also those that come later', async () => {
    const cache = new ExpiringCache<number>({ max: 100, ttl: 20, tidyIntervalMs: 5 });
    for (const round of [1, 2]) {
      for (let key = 0; key < 50; key += 1) cache.set(`key ${key}`, round);
      expect(cache.size).toBe(50);
      await until(() => cache.size, isZero);
    }
  });

  test('an entry stays for its own time, and another goes', async () => {
    const cache = new ExpiringCache<string>({ max: 100, ttl: 20, tidyIntervalMs: 5 });
    cache.set('long', 'a', { ttl: 600_000 });
    cache.set('short', 'b');
    await until(
      () => cache.size,
      (size) => size === 1,
    );
    expect(cache.get('long')).toBe('a');
  });

  test('a full cache loses the entry that was used the longest ago', () => {
    const cache = new ExpiringCache<number>({ max: 3, ttl: 600_000 });
    for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
    cache.get('a');
    cache.set('d', 3);
    cache.set('d', 4);
    expect([...cache.keys()]).toEqual(['d', 'a', 'c']);
    cache.delete('a');
    cache.set('e', 5);
    expect([...cache.keys()]).toEqual(['e', 'd', 'c']);
    for (let key = 0; key < 50; key += 1) cache.set(`key ${key}`, key);
    expect([...cache.keys()]).toEqual(['key 49', 'key 48', 'key 47']);
  });
}
