// The times at which a failed send is tried again.

import { maxAttempts, retryDelayMs } from '../../../src/features/outbox/send-result.service.js';

const never = () => 0;
const always = () => 1;

export function describeRetryPolicy(): void {
  test('the delay doubles with each attempt, up to five minutes', () => {
    const longest = Array.from({ length: 12 }, (_, index) => retryDelayMs(index + 1, 0, always));
    expect(longest.slice(0, 9)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000]);
    expect(longest.slice(9)).toEqual([300_000, 300_000, 300_000]);
  });

  test('jitter takes off half at most, so that many do not come back at once', () => {
    expect(retryDelayMs(4, 0, never)).toBe(4_000);
    expect(retryDelayMs(4, 0, () => 0.5)).toBe(6_000);
    const drawn = new Set(Array.from({ length: 50 }, () => retryDelayMs(4)));
    expect(drawn.size).toBeGreaterThan(1);
  });

  test('never sooner than the gateway asked for', () => {
    expect(retryDelayMs(1, 30, always)).toBe(30_000);
    expect(retryDelayMs(6, 1, never)).toBe(16_000);
  });

  test('a gateway cannot put a message off for longer than a day', () => {
    expect(retryDelayMs(1, 10_000_000, always)).toBe(86_400_000);
  });

  test('a message is tried more than once, and not for ever', () => {
    expect(maxAttempts).toBeGreaterThan(1);
    expect(maxAttempts).toBeLessThan(20);
  });
}
