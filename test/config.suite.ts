// The configuration: its defaults, and refusals that name the variable. The documents' table of it is generated.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLikelyTypos } from '../src/config/variables.js';
import { ConfigError, loadConfig } from '../src/config/config.js';
// The import sets the sentences about wrong values, as in the product.
import '../src/platform/input/input.js';

const key = 'ab'.repeat(32);
const production = {
  DATABASE_URL: 'postgresql://u:p@db/leadwire',
  JWT_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: key,
  TRUST_PROXY: 'false',
};

export function describeConfig(): void {
  test('the defaults are the documented ones', () => {
    expect(loadConfig(production)).toMatchObject({
      environment: 'production',
      port: 4000,
      host: undefined,
      dataDir: '.data',
      jwtTtlSeconds: 900,
      rateLimit: { windowMs: 60_000, limit: 100 },
      processRole: 'all',
      trustProxy: false,
      graphqlIntrospection: false,
      console: true,
      shutdown: { delayMs: 5_000, timeoutMs: 30_000 },
      metrics: { port: undefined, host: '127.0.0.1', token: undefined },
      logLevel: 'info',
      logRedactNumbers: true,
    });
  });

  test('outside production neither database nor secret is required, introspection is on, and an end waits for no proxy', () => {
    const config = loadConfig({ NODE_ENV: 'development', ENCRYPTION_KEY: key });
    expect(config).toMatchObject({ databaseUrl: undefined, jwtSecret: undefined, graphqlIntrospection: true });
    expect(config.shutdown.delayMs).toBe(0);
    expect(config).toMatchObject({ host: '127.0.0.1', trustProxy: false });
  });

  test('traces go nowhere by default; where they go, headers are read as OpenTelemetry writes them', () => {
    expect(loadConfig(production).tracing).toBeUndefined();
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-scope=a=b' };
    expect(loadConfig({ ...production, ...endpoint, ...headers }).tracing).toEqual({
      endpoint: 'http://collector:4318',
      headers: { authorization: 'Basic YTpi', 'x-scope': 'a=b' },
      serviceName: 'leadwire',
      ratio: 1,
    });
  });

  describe('NAME_FILE', () => {
    const keep = (content: string) => {
      const path = join(mkdtempSync(join(tmpdir(), 'leadwire-test-config-')), 'value');
      writeFileSync(path, content);
      return path;
    };
    const { JWT_SECRET: _, ...withoutSecret } = production;

    test('is the path of a file with the value, without the line break at its end', () => {
      const environment = {
        ...withoutSecret,
        JWT_SECRET_FILE: keep(`${'f'.repeat(40)}\n`),
        LOG_LEVEL_FILE: keep('warn'),
      };
      expect(loadConfig(environment)).toMatchObject({ jwtSecret: 'f'.repeat(40), logLevel: 'warn' });
    });

    test.each([
      ['is not there', '/nowhere/secret', /^JWT_SECRET_FILE names a file that cannot be used: ENOENT.*$/],
      ['is empty', keep('\n'), /^JWT_SECRET_FILE names a file that cannot be used: it is empty\.$/],
      ['is too large', keep('x'.repeat(70_000)), /^JWT_SECRET_FILE names .*: it has more than 64 KiB\.$/],
    ])('a file that %s prevents the start', (_what, path, sentence) => {
      expect(() => loadConfig({ ...withoutSecret, JWT_SECRET_FILE: path })).toThrow(sentence);
    });

    test('a wrong value in a file is refused by the name of the variable, and not shown', () => {
      const refused = () => loadConfig({ ...withoutSecret, JWT_SECRET_FILE: keep('too-short') });
      expect(refused).toThrow(/^JWT_SECRET /);
      expect(refused).not.toThrow(/too-short/);
    });

    test('beside the variable itself it prevents the start', () => {
      expect(() => loadConfig({ ...production, JWT_SECRET_FILE: keep('f'.repeat(40)) })).toThrow(
        'JWT_SECRET and JWT_SECRET_FILE are both set: remove one.',
      );
    });
  });

  test('an empty value counts as unset', () => {
    expect(loadConfig({ ...production, PORT: '', REDIS_URL: '' })).toMatchObject({ port: 4000, redisUrl: undefined });
  });

  test.each(['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'TRUST_PROXY'])(
    'production without %s does not start',
    (name) => {
      expect(() => loadConfig({ ...production, [name]: undefined })).toThrow(new RegExp(`^${name} is required`));
    },
  );

  test('a worker, which serves nobody, needs no TRUST_PROXY', () => {
    expect(loadConfig({ ...production, TRUST_PROXY: undefined, PROCESS_ROLE: 'worker' }).trustProxy).toBe(false);
  });

  test.each([
    ['THROTLE_LIMIT', 'THROTTLE_LIMIT'],
    ['THROTTLE_LIMITS', 'THROTTLE_LIMIT'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['PROT', 'PORT'],
    ['log_level', 'LOG_LEVEL'],
    ['OIDC_ISSUER', undefined],
    ['HOME', undefined],
    ['PATH', undefined],
    ['POSTGRES_PASSWORD', undefined],
    ['OTEL_TRACES_SAMPLER', undefined],
    ['X'.repeat(100_000), undefined],
  ])('%.30s in the environment is taken for %s', (name, meant) => {
    const found = findLikelyTypos({ ...production, [name]: 'value' });
    expect(found).toEqual(meant === undefined ? [] : [{ name, meant }]);
  });

  test('a variable beside the one that it resembles is no slip', () => {
    expect(findLikelyTypos({ REDIS_URL: 'a', REDIS_URI: 'b' })).toEqual([]);
  });

  test.each([
    ['NODE_ENV', 'staging'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['HOST', 'leadwire.example'],
    ['DATABASE_URL', 'mysql://u@h/d'],
    ['REDIS_URL', 'localhost'],
    ['JWT_SECRET', 'short'],
    ['JWT_TTL_SECONDS', '5'],
    ['ENCRYPTION_KEY', 'zz'],
    ['CHAT_WEBHOOK_SECRET', 'short'],
    ['THROTTLE_TTL_MS', '1'],
    ['THROTTLE_LIMIT', '0'],
    ['PROCESS_ROLE', 'both'],
    ['GATEWAY_URL', 'ftp://gateway'],
    ['GATEWAY_URL', 'https://gateway.example/?key=1'],
    ['GATEWAY_TOKEN', ' behind a blank'],
    ['GATEWAY_TOKEN', 'naïve'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'https://app.example,admin.example'],
    ['CORS_ORIGINS', 'https://*.example'],
    ['CORS_ORIGINS', 'https://app.example/inbox'],
    ['CORS_ORIGINS', 'https://app.example?x=1'],
    ['CORS_ORIGINS', 'https://user@app.example'],
    ['CORS_ORIGINS', 'https://app.example:port'],
    ['WEB_PUSH_PRIVATE_KEY', 'short'],
    ['WEB_PUSH_PRIVATE_KEY', Buffer.alloc(32).toString('base64url')],
    ['WEB_PUSH_CONTACT', 'admin@leadwire.example'],
    ['TRUST_PROXY', 'true'],
    ['GRAPHQL_INTROSPECTION', 'yes'],
    ['SHUTDOWN_DELAY_MS', '5s'],
    ['SHUTDOWN_TIMEOUT_MS', '0'],
    ['METRICS_PORT', '-1'],
    ['METRICS_HOST', 'everywhere'],
    ['METRICS_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=%'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x key=1'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['LOG_REDACT_NUMBERS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s stops the start with a sentence that names the variable', (name, value) => {
    const start = () => loadConfig({ ...production, [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} .*\\.$`));
  });

  test('origins are kept in the form in which browsers send them', () => {
    const written = ' https://App.Example/, https://app.example:443 ,http://[::1]:3000,capacitor://localhost,null,';
    const [app, again, ...others] = loadConfig({ ...production, CORS_ORIGINS: written }).corsOrigins;
    expect([app, again]).toEqual(['https://app.example', 'https://app.example']);
    expect(others).toEqual(['http://[::1]:3000', 'capacitor://localhost', 'null']);
    expect(loadConfig({ ...production, CORS_ORIGINS: ' ,' }).corsOrigins).toEqual([]);
  });

  test('the key of push gives its public half, and does not come without a contact', () => {
    const WEB_PUSH_PRIVATE_KEY = Buffer.alloc(32, 7).toString('base64url');
    const start = (contact?: string) => loadConfig({ ...production, WEB_PUSH_PRIVATE_KEY, WEB_PUSH_CONTACT: contact });
    expect(() => start()).toThrow('WEB_PUSH_CONTACT is required when WEB_PUSH_PRIVATE_KEY is set.');
    const { publicKey = '' } = start('mailto:admin@leadwire.example').webPush ?? {};
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
    expect(loadConfig(production).webPush).toBeUndefined();
  });

  test('METRICS_PORT is another port than PORT', () => {
    const start = (metrics: string) => loadConfig({ ...production, PORT: '4000', METRICS_PORT: metrics });
    expect(() => start('4000')).toThrow('METRICS_PORT has to be another port than PORT.');
    expect(start('4001').metrics.port).toBe(4_001);
    expect(loadConfig({ ...production, PORT: '0', METRICS_PORT: '0' }).metrics.port).toBe(0);
  });

  test('every wrong and every missing variable is named at once', () => {
    const start = () => loadConfig({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'x' });
    for (const name of [
      'PORT has to',
      'LOG_LEVEL has to',
      'DATABASE_URL has to',
      'ENCRYPTION_KEY is required',
      'JWT_SECRET is required',
    ]) {
      expect(start).toThrow(new RegExp(`^${name}`, 'm'));
    }
    expect(start).not.toThrow(/DATABASE_URL is required/);
  });

  test.each([
    ['1', 1],
    ['false', false],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ])('TRUST_PROXY=%s is understood', (value, expected) => {
    expect(loadConfig({ ...production, TRUST_PROXY: value }).trustProxy).toBe(expected);
  });
}
