// Secrets at rest.

import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../src/platform/secret-box.js';

const box = new SecretBox(randomBytes(32));

export function describeSecretBox(): void {
  test('opens what it sealed, for the same owner', () => {
    expect(box.open(box.seal('lw_secret 😀', 'key-1'), 'key-1')).toBe('lw_secret 😀');
  });

  test('never seals alike, and never shows the secret', () => {
    const [first, second] = [box.seal('lw_secret', 'key-1'), box.seal('lw_secret', 'key-1')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('lw_secret')).toBe(false);
  });

  test.each([
    ['another owner', (sealed: Buffer) => box.open(sealed, 'key-2')],
    ['another key', (sealed: Buffer) => new SecretBox(randomBytes(32)).open(sealed, 'key-1')],
    [
      'a changed byte',
      (sealed: Buffer) => box.open(Buffer.from(sealed.map((byte, at) => (at === 30 ? byte ^ 1 : byte))), 'key-1'),
    ],
    ['a cut box', (sealed: Buffer) => box.open(sealed.subarray(0, 20), 'key-1')],
  ])('%s does not open it', (_case, open) => {
    expect(() => open(box.seal('lw_secret', 'key-1'))).toThrow();
  });

  test('a box of the previous key opens, and is sealed again once', () => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const both = new SecretBox(newKey, oldKey);
    const old = new SecretBox(oldKey).seal('lw_secret', 'key-1');
    expect(both.open(old, 'key-1')).toBe('lw_secret');
    const resealed = both.sealAnew(old, 'key-1') ?? Buffer.alloc(0);
    expect(new SecretBox(newKey).open(resealed, 'key-1')).toBe('lw_secret');
    expect(both.sealAnew(resealed, 'key-1')).toBeUndefined();
    expect(() => both.sealAnew(old, 'key-2')).toThrow();
  });
}
