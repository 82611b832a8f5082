// The webhook signature in both forms of the spec.

import { sign, signatureMatches } from '../../../src/platform/http/hmac-signature.js';

const secret = 'shared secret';
const matches = (header: string | undefined, body: string) =>
  signatureMatches(secret, header, Buffer.from(body), () => JSON.parse(body) as unknown);

const spaced = '{ "text" : "Ol\\u00e1 😀",\n "n": 1.0 }';

export function describeSignature(): void {
  test('over the bytes as they were sent', () => {
    expect(matches(sign(secret, spaced), spaced)).toBe(true);
  });

  test('over JSON.stringify of the value, however it was written', () => {
    expect(matches(sign(secret, JSON.stringify(JSON.parse(spaced))), spaced)).toBe(true);
  });

  test('a body that is not JSON counts by its bytes', () => {
    const body = Buffer.from([0xff, 0x00]);
    expect(signatureMatches(secret, sign(secret, body), body)).toBe(true);
  });

  const good = sign(secret, spaced);
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['another prefix', good.replace('sha256', 'sha512')],
    ['no prefix', good.slice(7)],
    ['upper-case digits', `sha256=${good.slice(7).toUpperCase()}`],
    ['cut short', good.slice(0, -1)],
    ['one digit off', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')],
    ['another secret', sign('another secret', spaced)],
    ['trailing blank', `${good} `],
  ])('%s is refused', (_case, header) => {
    expect(matches(header, spaced)).toBe(false);
  });

  test('any flipped bit of the body is refused', () => {
    const body = '{"a":"b"}';
    const header = sign(secret, body);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const flipped = Buffer.from(body);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(signatureMatches(secret, header, flipped)).toBe(false);
    }
  });
}
