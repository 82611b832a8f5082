// The variables of sign-in: which go together, and which issuers are accepted.

import { loadConfig } from '../../../src/config/config.js';

const base = { NODE_ENV: 'test', ENCRYPTION_KEY: 'ab'.repeat(32) };
const oidc = { OIDC_ISSUER_URL: 'https://id.example', OIDC_CLIENT_ID: 'leadwire' };

export function describeOidcConfig(): void {
  test('without a provider there is none', () => {
    expect(loadConfig(base).identityProvider).toBeUndefined();
  });

  test('a public client without an audience, and all there is', () => {
    const [issuer, clientId] = [oidc.OIDC_ISSUER_URL, oidc.OIDC_CLIENT_ID];
    expect(loadConfig({ ...base, ...oidc }).identityProvider).toEqual({
      issuer,
      clientId,
      clientSecret: undefined,
      audience: undefined,
      scopes: ['openid', 'email'],
      authorizationParameters: [],
    });
    const whole = { ...base, ...oidc, OIDC_CLIENT_SECRET: 's', OIDC_AUDIENCE: 'api' };
    expect(loadConfig(whole).identityProvider).toMatchObject({ issuer, clientId, clientSecret: 's', audience: 'api' });
  });

  test.each([
    ['openid', ['openid']],
    [' openid   email\toffline_access openid ', ['openid', 'email', 'offline_access']],
    ['openid https://id.example/scopes/leads.read', ['openid', 'https://id.example/scopes/leads.read']],
  ])('the scopes %j', (written, scopes) => {
    expect(loadConfig({ ...base, ...oidc, OIDC_SCOPES: written }).identityProvider).toMatchObject({ scopes });
  });

  test.each([
    ['without openid', 'email'],
    ['none', ' '],
    ['separated by commas, as one', 'openid,email'],
    ['with a quote', 'openid "email"'],
    ['with a letter outside ASCII', 'openid é'],
    ['too long', `openid ${'a'.repeat(101)}`],
    ['too many', `openid ${Array.from({ length: 20 }, (_, nr) => `s${nr}`).join(' ')}`],
  ])('scopes %s stop the start', (_, written) => {
    expect(() => loadConfig({ ...base, ...oidc, OIDC_SCOPES: written })).toThrow(/^OIDC_SCOPES .*openid/);
  });

  test('further parameters of a sign-in', () => {
    const values = { ...base, ...oidc, OIDC_AUTHORIZATION_PARAMETERS: 'access_type=offline&prompt=consent%20login' };
    expect(loadConfig(values).identityProvider?.authorizationParameters).toEqual([
      ['access_type', 'offline'],
      ['prompt', 'consent login'],
    ]);
  });

  test.each([
    'scope=openid',
    'a=b&redirect_uri=https://evil.example',
    'state=1',
    'alone',
    '=b',
    `a=${'b'.repeat(1_000)}`,
  ])('the parameters %s stop the start', (written) => {
    expect(() => loadConfig({ ...base, ...oidc, OIDC_AUTHORIZATION_PARAMETERS: written })).toThrow(
      /^OIDC_AUTHORIZATION_PARAMETERS /,
    );
  });

  test.each([
    ['OIDC_CLIENT_ID', 'OIDC_ISSUER_URL', { OIDC_ISSUER_URL: 'https://id.example' }],
    ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID', { OIDC_CLIENT_ID: 'leadwire' }],
    ['OIDC_ISSUER_URL', 'OIDC_CLIENT_SECRET', { OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: 's' }],
    ['OIDC_CLIENT_ID', 'OIDC_AUDIENCE', { OIDC_AUDIENCE: 'api' }],
  ])('%s is named when it is missing beside %s', (missing, given, values) => {
    expect(() => loadConfig({ ...base, ...values })).toThrow(`${missing} is required when ${given} is set.`);
  });

  test.each([
    'https://id.example',
    'https://id.example/',
    'https://id.example/realms/a',
    'http://localhost:8080',
    'http://127.0.0.1:1',
    'http://[::1]:1',
  ])('the issuer %s is kept as it is written', (issuer) => {
    expect(loadConfig({ ...base, ...oidc, OIDC_ISSUER_URL: issuer }).identityProvider?.issuer).toBe(issuer);
  });

  test.each([
    'http://id.example',
    'http://127.0.0.1.evil.example',
    'ftp://id.example',
    'id.example',
    'https://id.example?a=b',
    'https://id.example#a',
  ])('the issuer %s stops the start', (issuer) => {
    expect(() => loadConfig({ ...base, ...oidc, OIDC_ISSUER_URL: issuer })).toThrow(/^OIDC_ISSUER_URL .*\.$/);
  });

  test('JWT_SECRET_PREVIOUS is a secret like JWT_SECRET', () => {
    const [jwtSecret, jwtSecretPrevious] = ['n'.repeat(32), 'o'.repeat(32)];
    const values = { ...base, JWT_SECRET: jwtSecret, JWT_SECRET_PREVIOUS: jwtSecretPrevious };
    expect(loadConfig(values)).toMatchObject({ jwtSecret, jwtSecretPrevious });
    expect(() => loadConfig({ ...values, JWT_SECRET_PREVIOUS: 'short' })).toThrow(/^JWT_SECRET_PREVIOUS .*at least 32/);
  });
}
