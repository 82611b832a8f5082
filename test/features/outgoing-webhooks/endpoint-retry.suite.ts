// The times of a delivery's retries, and its signature.

import { maxAttempts, retryDelayMs } from '../../../src/features/outgoing-webhooks/endpoint-result.service.js';
import { newEndpointSecret, signatureHeaders } from '../../../src/features/outgoing-webhooks/endpoint-signature.js';

const middle = () => 0.5;

export function describeEndpointRetry(): void {
  test('ten attempts over 28 hours', () => {
    const delays = Array.from({ length: maxAttempts }, (_, index) => retryDelayMs(index + 1, 0, middle));
    const [seconds, minutes, hours] = [1_000, 60_000, 3_600_000];
    expect(delays).toEqual([
      5 * seconds,
      30 * seconds,
      2 * minutes,
      10 * minutes,
      1 * hours,
      3 * hours,
      8 * hours,
      8 * hours,
      8 * hours,
      undefined,
    ]);
  });

  test('a tenth more or less by chance', () => {
    expect([0, 1].map((chance) => retryDelayMs(2, 0, () => chance))).toEqual([27_000, 33_000]);
  });

  test('never sooner than the endpoint asked for, of which 8 hours are taken', () => {
    expect(retryDelayMs(1, 60, middle)).toBe(60_000);
    expect(retryDelayMs(2, 1, middle)).toBe(30_000);
    expect(retryDelayMs(1, 1e9, middle)).toBe(28_800_000);
    expect(retryDelayMs(maxAttempts, 60, middle)).toBeUndefined();
  });

  test("the specification's own example is signed as it says", () => {
    const body = '{"test": 2432232314}';
    const content = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body };
    expect(signatureHeaders(content, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('a secret is 32 bytes in Base64 that nobody has had before', () => {
    const secrets = Array.from({ length: 20 }, newEndpointSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(20);
  });
}
