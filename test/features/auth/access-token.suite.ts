// Our own access tokens while their secret is being replaced.

import { AccessTokens, claimedIssuer } from '../../../src/features/auth/access-token.js';

const old = 'the old secret of more than thirty-two characters';
const current = 'the new secret of more than thirty-two characters';
const user = { userId: '0190b5a0-0000-7000-8000-000000000001', tenantId: '0190b5a0-0000-7000-8000-000000000002' };

const tokensOf = (secret: string, previousSecret?: string) =>
  new AccessTokens({ secret, previousSecret, ttlSeconds: 60 });

export function describeAccessToken(): void {
  test('a token of the old secret holds while that secret is accepted, and no longer', () => {
    const { token } = tokensOf(old).issue(user, 'ana');
    expect(tokensOf(current, old).verify(token)).toMatchObject({ ...user, subject: 'ana' });
    expect(tokensOf(current).verify(token)).toBeUndefined();
    expect(tokensOf(current, 'neither of the two, more than thirty-two characters').verify(token)).toBeUndefined();
  });

  test('new tokens are signed with the new secret', () => {
    const { token } = tokensOf(current, old).issue(user, 'ana');
    expect(tokensOf(current).verify(token)).toMatchObject({ ...user, subject: 'ana' });
    expect(tokensOf(old).verify(token)).toBeUndefined();
  });

  test.each(['', '.', '..', 'a.b.c', 'e30.bnVsbA.', 'e30.e30.', `e30.${'a'.repeat(20_000)}.`])(
    '%.20s names no issuer',
    (token) => {
      expect(claimedIssuer(token)).toBeUndefined();
    },
  );
}
