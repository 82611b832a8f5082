// Environment → frozen Config: every variable with its default, unit and bounds. `configVariables` is also the source of
// the README's table (a test compares the two). Nothing else in the house reads process.env.

import { z } from 'zod';
import { encryptionKey, flag, hosts, httpUrl, integer, isProxyList, issuerUrl, list, secret } from './config-format.js';
import { tracingOf, tracingVariables } from './config-tracing.js';
import type { TracingConfig } from './config-tracing.js';

// What health checks of common proxies need, which ask every 2 to 5 s.
const productionShutdownDelayMs = 5_000;

interface ConfigVariable {
  schema: z.ZodType;
  /** As shown in the README; the parsed default stands in the schema. */
  default: string;
  meaning: string;
}

/** Every variable the service reads. */
export const configVariables = {
  NODE_ENV: {
    schema: z.enum(['production', 'development', 'test']).default('production'),
    default: '`production`',
    meaning: '`production`, `development` or `test`; the last two allow `POST /auth/dev/token`',
  },
  PORT: { schema: integer(0, 65_535).default(4000), default: '`4000`', meaning: 'TCP port; 0 takes any free one' },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/, error: 'has to be a postgresql:// URL' }).optional(),
    default: '–',
    meaning:
      'PostgreSQL 15 or newer; required in production. Unset otherwise: an embedded PostgreSQL 18 under `DATA_DIR`',
  },
  DATABASE_POOL_SIZE: {
    schema: integer(2, 200).default(10),
    default: '`10`',
    meaning: 'connections of this process for requests and sends (the job queue holds up to 5 more, listening one)',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('.data'),
    default: '`.data`',
    meaning: 'folder of the embedded PostgreSQL and of the secrets that `npm run dev` makes',
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/, error: 'has to be a redis:// URL' }).optional(),
    default: '–',
    meaning:
      'Redis for rate limits shared by all processes (unset: each counts for itself), and for telling them of live events (unset: PostgreSQL does)',
  },
  JWT_SECRET: {
    schema: secret(32).optional(),
    default: '–',
    meaning: 'signs access tokens (HS256), at least 32 characters; required in production',
  },
  JWT_SECRET_PREVIOUS: {
    schema: secret(32).optional(),
    default: '–',
    meaning: 'while `JWT_SECRET` is being replaced: tokens signed with the old one stay valid until they expire',
  },
  JWT_TTL_SECONDS: {
    schema: integer(60, 86_400).default(900),
    default: '`900`',
    meaning: 'life of an access token, 60 to 86400 s',
  },
  OIDC_ISSUER_URL: {
    schema: issuerUrl.optional(),
    default: '–',
    meaning: 'OpenID Connect provider of `POST /auth/token`, exactly as it names itself; unset: 503',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: 'our client at the provider; required with `OIDC_ISSUER_URL`',
  },
  OIDC_CLIENT_SECRET: { schema: z.string().min(1).optional(), default: '–', meaning: 'unset for a public client' },
  OIDC_AUDIENCE: {
    schema: z.string().min(1).optional(),
    default: '–',
    meaning: "audience of the provider's own access tokens, which are then accepted as Bearer; unset: they are not",
  },
  ENCRYPTION_KEY: {
    schema: encryptionKey,
    default: '– (required; `npm run dev` makes one)',
    meaning: 'encrypts API keys and gateway credentials at rest (AES-256-GCM): 64 hexadecimal digits',
  },
  ENCRYPTION_KEY_PREVIOUS: {
    schema: encryptionKey.optional(),
    default: '–',
    meaning: 'while `ENCRYPTION_KEY` is being replaced: decrypts what was encrypted with the old one',
  },
  CHAT_WEBHOOK_SECRET: {
    schema: secret(8).optional(),
    default: '–',
    meaning: 'when set, chat webhooks must carry a valid `x-signature`',
  },
  CHAT_WEBHOOK_SECRET_PREVIOUS: {
    schema: secret(8).optional(),
    default: '–',
    meaning: 'while `CHAT_WEBHOOK_SECRET` is being replaced: signatures of the old one are still accepted',
  },
  WEBHOOK_RETENTION_DAYS: {
    schema: integer(1, 3_650).default(30),
    default: '`30`',
    meaning: 'how long webhook calls stay in the journal, 1 to 3650 days, at most a sixteenth more',
  },
  WEBHOOK_REFUSED_PER_MINUTE: {
    schema: integer(0, 1_000_000).default(600),
    default: '`600`',
    meaning: 'refused webhook calls of a tenant that a process keeps in the journal each minute, 0 to 1000000',
  },
  PARKED_STATUS_TTL_HOURS: {
    schema: integer(1, 720).default(24),
    default: '`24`',
    meaning: 'how long a status waits for a message that is not known yet, 1 to 720 hours',
  },
  ACK_DEADLINE_MINUTES: {
    schema: integer(0, 10_080).default(60),
    default: '`60`',
    meaning:
      'how long a message may be SENT without a report before it is marked `NOT_ACKNOWLEDGED`, up to 10080 min; 0: for ever',
  },
  LINE_CHECKS_PER_MINUTE: {
    schema: integer(0, 2_000).default(200),
    default: '`200`',
    meaning:
      'most chat instances without a connection whose gateways are asked each minute how the line stands, 0 to 2000; 0: none',
  },
  THROTTLE_TTL_MS: {
    schema: integer(1_000, 3_600_000).default(60_000),
    default: '`60000`',
    meaning: 'window of the global rate limit, 1000 to 3600000 ms',
  },
  THROTTLE_LIMIT: {
    schema: integer(1, 10_000_000).default(100),
    default: '`100`',
    meaning: 'requests per window for each tenant key, user, or (for callers with neither) address',
  },
  FAILED_AUTH_LIMIT: {
    schema: integer(1, 1_000_000).default(20),
    default: '`20`',
    meaning: 'failed authentications per 60 s for each address and each guess, 1 to 1000000; beyond it: 429',
  },
  EVENT_RETENTION_DAYS: {
    schema: integer(1, 365).default(7),
    default: '`7`',
    meaning: 'how far back `events(after)` reaches, 1 to 365 days, at most a sixteenth more',
  },
  SOCKETS_PER_USER: {
    schema: integer(1, 100_000).default(20),
    default: '`20`',
    meaning: 'WebSockets that a user may have open at each process, 1 to 100000',
  },
  SUBSCRIPTIONS_PER_SOCKET: {
    schema: integer(1, 1_000).default(100),
    default: '`100`',
    meaning: 'operations that a WebSocket may have under way, 1 to 1000',
  },
  PROCESS_ROLE: {
    schema: z.enum(['all', 'api', 'worker']).default('all'),
    default: '`all`',
    meaning: '`api` answers callers, `worker` sends messages, `all` does both',
  },
  GATEWAY_URL: {
    schema: httpUrl.optional(),
    default: '– (`npm run dev`: the built-in simulator)',
    meaning: 'gateway for chat instances without a `baseUrl` of their own',
  },
  GATEWAY_TOKEN: { schema: z.string().min(1).optional(), default: '–', meaning: 'Bearer token for `GATEWAY_URL`' },
  GATEWAY_ALLOWED_HOSTS: {
    schema: hosts.default([]),
    default: '–',
    meaning:
      "private hosts that a chat instance's `baseUrl` may lead to, separated by commas: names, IP addresses or ranges (`gateway.internal,10.1.0.0/16`). Public ones always may, this machine in development and test",
  },
  WEBHOOK_ENDPOINT_ALLOWED_HOSTS: {
    schema: hosts.default([]),
    default: '–',
    meaning:
      'private hosts that tenants may have events posted to, also by plain http, written as `GATEWAY_ALLOWED_HOSTS`. Public ones always may by https, this machine in development and test',
  },
  WEBHOOK_ENDPOINT_RETENTION_DAYS: {
    schema: integer(2, 365).default(7),
    default: '`7`',
    meaning: 'how long deliveries to endpoints can be looked up and replayed, 2 to 365 days; those that wait stay',
  },
  TRUST_PROXY: {
    schema: z
      .union([z.literal('false').transform(() => false as const), integer(1, 10), z.string().regex(/^[\w.:/, ]+$/)])
      .refine(
        (value) => value !== 'true',
        'has to name how many proxies or which; `true` would let callers forge their address',
      )
      .refine(isProxyList, 'has to be a number from 1 to 10, or addresses and networks')
      .default(false),
    default: '`false`',
    meaning:
      'number of proxies in front, or their addresses (`loopback`, `10.0.0.0/8`): whose `X-Forwarded-For` to believe',
  },
  CORS_ORIGINS: {
    schema: list.default([]),
    default: '–',
    meaning: 'comma-separated origins that browsers may call from; also checked on WebSocket upgrades',
  },
  GRAPHQL_INTROSPECTION: {
    schema: flag.optional(),
    default: '`false` in production, else `true`',
    meaning: 'whether the GraphQL schema may be asked for',
  },
  GRAPHQL_MAX_COST: {
    schema: integer(100, 1_000_000).default(20_000),
    default: '`20000`',
    meaning:
      'highest cost of one GraphQL operation, 100 to 1000000: a field counts 1, in a list once for each entry asked for',
  },
  GRAPHQL_TIMEOUT_MS: {
    schema: integer(100, 600_000).default(30_000),
    default: '`30000`',
    meaning:
      "time for one GraphQL operation, and for each piece of a subscription's events, 100 to 600000 ms; then `UNAVAILABLE`",
  },
  SHUTDOWN_DELAY_MS: {
    schema: integer(0, 300_000).optional(),
    default: '`5000` in production, else `0`',
    meaning:
      'how long a process that is told to end goes on serving while `/health/ready` already answers 503, so that proxies leave it first, 0 to 300000 ms; a second signal ends the wait',
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: integer(1_000, 600_000).default(30_000),
    default: '`30000`',
    meaning:
      'time after that delay to finish requests and sends and to close sockets, 1000 to 600000 ms; then the process exits with code 1',
  },
  METRICS_PORT: {
    schema: integer(0, 65_535).optional(),
    default: '–',
    meaning: 'TCP port of `GET /metrics` (Prometheus), apart from `PORT`; 0 takes any free one. Unset: there is none',
  },
  METRICS_HOST: {
    schema: z
      .union([z.ipv4(), z.ipv6()], { error: 'has to be an IP address (`0.0.0.0` and `::` are all of them)' })
      .default('127.0.0.1'),
    default: '`127.0.0.1`',
    meaning:
      'address that `METRICS_PORT` listens on; `0.0.0.0` where Prometheus comes from another machine or container',
  },
  METRICS_TOKEN: {
    schema: secret(16).optional(),
    default: '–',
    meaning: 'when set, `GET /metrics` asks for it as Bearer token; at least 16 characters',
  },
  ...tracingVariables,
  LOG_REDACT_NUMBERS: {
    schema: flag.default(true),
    default: '`true`',
    meaning: 'whether whatever looks like a phone number (7 to 15 digits) is left out of the log',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    default: '`info`',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
} as const satisfies Record<string, ConfigVariable>;

type VariableName = keyof typeof configVariables;
type Parsed = { [Name in VariableName]: z.output<(typeof configVariables)[Name]['schema']> };

/** The configuration of one process, frozen. Durations are in the unit their name ends with. */
export interface Config {
  readonly environment: 'production' | 'development' | 'test';
  readonly port: number;
  /** Undefined only outside production: start an embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly jwtSecret: string | undefined;
  /** The secret before `jwtSecret`: still accepted, never signed with. */
  readonly jwtSecretPrevious: string | undefined;
  readonly jwtTtlSeconds: number;
  /** Undefined: nobody signs in through a provider. */
  readonly identityProvider: IdentityProviderConfig | undefined;
  /** 32 bytes. */
  readonly encryptionKey: Buffer;
  readonly encryptionKeyPrevious: Buffer | undefined;
  readonly chatWebhookSecret: string | undefined;
  /** The secret before `chatWebhookSecret`: still accepted. */
  readonly chatWebhookSecretPrevious: string | undefined;
  /** `parkedStatusHours`: how long a status waits for its message. */
  readonly retention: {
    readonly deliveryDays: number;
    readonly parkedStatusHours: number;
    readonly eventDays: number;
    readonly endpointDeliveryDays: number;
  };
  /** `perUser` in each process. */
  readonly sockets: { readonly perUser: number; readonly subscriptionsPerSocket: number };
  /** How long a message may be SENT without a report of the gateway; 0: for ever. */
  readonly ackDeadlineMinutes: number;
  /** Most lines whose gateways are asked how they stand, of all tenants together; 0: none. */
  readonly lineChecksPerMinute: number;
  /** For each tenant and process. */
  readonly refusedDeliveriesPerMinute: number;
  /** `failedAuthLimit` has a window of its own, 60,000 ms. */
  readonly throttle: { readonly windowMs: number; readonly limit: number; readonly failedAuthLimit: number };
  readonly processRole: 'all' | 'api' | 'worker';
  readonly gateway: {
    readonly url: string | undefined;
    readonly token: string | undefined;
    /** Names, addresses and CIDR ranges that tenants may enter although they are private. */
    readonly allowedHosts: readonly string[];
  };
  /** `allowedHosts`: as those of gateways. */
  readonly webhookEndpoints: { readonly allowedHosts: readonly string[] };
  readonly trustProxy: false | number | string;
  readonly corsOrigins: readonly string[];
  readonly graphqlIntrospection: boolean;
  /** As transport/operation-cost.ts counts. */
  readonly graphqlMaxCost: number;
  readonly graphqlTimeoutMs: number;
  /** `delayMs`: served on, not ready any more; `timeoutMs` counts from its end. */
  readonly shutdown: { readonly delayMs: number; readonly timeoutMs: number };
  /** `port` undefined: nowhere. `token` undefined: whoever reaches the port may read. */
  readonly metrics: { readonly port: number | undefined; readonly host: string; readonly token: string | undefined };
  /** Undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  readonly logLevel: string;
  readonly logRedactNumbers: boolean;
}

export interface IdentityProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Undefined: the provider's own access tokens are not accepted. */
  readonly audience: string | undefined;
}

/** A configuration that stops the start; the message is one sentence for each wrong variable, naming it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the environment. An empty value counts as unset.
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, variable] of Object.entries(configVariables)) {
    const parsed = variable.schema.safeParse(environment[name] === '' ? undefined : environment[name]);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${reasonOf(parsed.error, environment[name])}.`);
  }
  problems.push(...missing(values, environment));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return toConfig(values as Parsed);
}

function reasonOf(error: z.ZodError, value: string | undefined): string {
  if (value === undefined || value === '') return 'is required';
  const message = error.issues[0]?.message ?? 'is wrong';
  return message.startsWith('has to') ? message : `is wrong: ${message}`;
}

// What was given but is wrong has its sentence already.
function missing(values: Partial<Parsed>, environment: Readonly<Record<string, string | undefined>>): string[] {
  const inProduction: VariableName[] = values.NODE_ENV === 'production' ? ['DATABASE_URL', 'JWT_SECRET'] : [];
  const oidc: VariableName[] = ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_AUDIENCE'];
  const given = oidc.find((name) => values[name] !== undefined);
  const withOidc: VariableName[] = given === undefined ? [] : ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID'];
  const isMissing = (name: VariableName) => values[name] === undefined && !environment[name];
  return [
    ...inProduction.filter(isMissing).map((name) => `${name} is required in production.`),
    ...withOidc.filter(isMissing).map((name) => `${name} is required when ${given} is set.`),
  ];
}

function toConfig(values: Parsed): Config {
  return Object.freeze({
    environment: values.NODE_ENV,
    port: values.PORT,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    dataDir: values.DATA_DIR,
    redisUrl: values.REDIS_URL,
    jwtSecret: values.JWT_SECRET,
    jwtSecretPrevious: values.JWT_SECRET_PREVIOUS,
    jwtTtlSeconds: values.JWT_TTL_SECONDS,
    identityProvider: identityProviderOf(values),
    encryptionKey: values.ENCRYPTION_KEY,
    encryptionKeyPrevious: values.ENCRYPTION_KEY_PREVIOUS,
    chatWebhookSecret: values.CHAT_WEBHOOK_SECRET,
    chatWebhookSecretPrevious: values.CHAT_WEBHOOK_SECRET_PREVIOUS,
    ackDeadlineMinutes: values.ACK_DEADLINE_MINUTES,
    lineChecksPerMinute: values.LINE_CHECKS_PER_MINUTE,
    refusedDeliveriesPerMinute: values.WEBHOOK_REFUSED_PER_MINUTE,
    retention: Object.freeze({
      deliveryDays: values.WEBHOOK_RETENTION_DAYS,
      parkedStatusHours: values.PARKED_STATUS_TTL_HOURS,
      eventDays: values.EVENT_RETENTION_DAYS,
      endpointDeliveryDays: values.WEBHOOK_ENDPOINT_RETENTION_DAYS,
    }),
    sockets: Object.freeze({
      perUser: values.SOCKETS_PER_USER,
      subscriptionsPerSocket: values.SUBSCRIPTIONS_PER_SOCKET,
    }),
    throttle: Object.freeze({
      windowMs: values.THROTTLE_TTL_MS,
      limit: values.THROTTLE_LIMIT,
      failedAuthLimit: values.FAILED_AUTH_LIMIT,
    }),
    processRole: values.PROCESS_ROLE,
    gateway: gatewayOf(values),
    webhookEndpoints: Object.freeze({ allowedHosts: Object.freeze(values.WEBHOOK_ENDPOINT_ALLOWED_HOSTS) }),
    trustProxy: values.TRUST_PROXY,
    corsOrigins: Object.freeze(values.CORS_ORIGINS),
    graphqlIntrospection: values.GRAPHQL_INTROSPECTION ?? values.NODE_ENV !== 'production',
    graphqlMaxCost: values.GRAPHQL_MAX_COST,
    graphqlTimeoutMs: values.GRAPHQL_TIMEOUT_MS,
    shutdown: Object.freeze({
      delayMs: values.SHUTDOWN_DELAY_MS ?? (values.NODE_ENV === 'production' ? productionShutdownDelayMs : 0),
      timeoutMs: values.SHUTDOWN_TIMEOUT_MS,
    }),
    metrics: metricsOf(values),
    tracing: tracingOf(values),
    logLevel: values.LOG_LEVEL,
    logRedactNumbers: values.LOG_REDACT_NUMBERS,
  });
}

function metricsOf({ METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token }: Parsed): Config['metrics'] {
  return Object.freeze({ port, host, token });
}

function gatewayOf(values: Parsed): Config['gateway'] {
  const { GATEWAY_URL: url, GATEWAY_TOKEN: token, GATEWAY_ALLOWED_HOSTS: allowedHosts } = values;
  return Object.freeze({ url, token, allowedHosts: Object.freeze(allowedHosts) });
}

function identityProviderOf(values: Parsed): IdentityProviderConfig | undefined {
  const { OIDC_ISSUER_URL: issuer, OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_AUDIENCE: audience } = values;
  return Object.freeze({ issuer, clientId, clientSecret, audience });
}
