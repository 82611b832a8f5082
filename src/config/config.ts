// Reads the environment into a frozen Config, or reports one sentence for each wrong variable. The bounds are in variables.ts. No other
// file of the service reads process.env.

import type { z } from 'zod';
import { withFiles, type ConfigProblem } from './value-files.js';
import { identityProviderOf, type IdentityProviderConfig } from './identity-provider-variables.js';
import { mediaOf, type MediaConfig } from './media-variables.js';
import { configVariables, tracingOf, type TracingConfig } from './variables.js';
import { webPushOf, type WebPushConfig } from './web-push-variables.js';

const loopback = '127.0.0.1';
// Common proxies check health every 2 to 5 s.
const productionShutdownDelayMs = 5_000;

// Behind a proxy, a missing TRUST_PROXY gives all callers one address: failed guesses of one caller would lock out all others.
const trustProxyIsMissing =
  'TRUST_PROXY is required in production: the number of proxies in front (`1`) or their addresses, or `false` if callers connect directly.';

type VariableName = keyof typeof configVariables;
type Parsed = { [Name in VariableName]: z.output<(typeof configVariables)[Name]['schema']> };

/** The configuration of one process, frozen. Durations are in the unit their name ends with. */
export interface Config {
  readonly environment: 'production' | 'development' | 'test';
  readonly port: number;
  /** Undefined for all addresses of this machine. */
  readonly host: string | undefined;
  /** Undefined only outside production: an embedded PostgreSQL under `dataDir` is started. */
  readonly databaseUrl: string | undefined;
  /** Undefined where `databaseUrl` leads to PostgreSQL itself. */
  readonly databaseDirectUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseReplicas: { readonly urls: readonly string[]; readonly maxLagMs: number };
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  readonly jwtSecret: string | undefined;
  /** The secret before `jwtSecret`: accepted, but not used for signing. */
  readonly jwtSecretPrevious: string | undefined;
  readonly jwtTtlSeconds: number;
  /** Undefined if no provider is configured. */
  readonly identityProvider: IdentityProviderConfig | undefined;
  /** 32 bytes. */
  readonly encryptionKey: Buffer;
  readonly encryptionKeyPrevious: Buffer | undefined;
  readonly chatWebhookSecret: string | undefined;
  /** The secret before `chatWebhookSecret`: accepted. */
  readonly chatWebhookSecretPrevious: string | undefined;
  /** `parkedStatusHours`: how long a status waits for its message. */
  readonly retention: {
    readonly deliveryDays: number;
    readonly parkedStatusHours: number;
    readonly eventDays: number;
    readonly endpointDeliveryDays: number;
  };
  /** `perUser` is the limit in each process. */
  readonly sockets: { readonly perUser: number; readonly subscriptionsPerSocket: number };
  /** The minutes that a message may be SENT without a report of the gateway; 0 for no limit. */
  readonly ackDeadlineMinutes: number;
  /** The instances of all tenants together whose gateways are asked for their state; 0 for none. */
  readonly instanceChecksPerMinute: number;
  /** The minutes between two readings of an instance's history. With 0, no history is read and silence is not judged. */
  readonly historyIntervalMinutes: number;
  /** The limit for each tenant and process. */
  readonly refusedDeliveriesPerMinute: number;
  /** `failedAuthLimit` has its own window of 60,000 ms. */
  readonly rateLimit: {
    readonly windowMs: number;
    readonly limit: number;
    /** Undefined for no limit. */
    readonly gatewayLimit: number | undefined;
    readonly failedAuthLimit: number;
  };
  readonly media: MediaConfig;
  /** The address without a slash at its end. Undefined: it is unknown, or it is this process's port outside production. */
  readonly publicUrl: string | undefined;
  readonly processRole: 'all' | 'api' | 'worker';
  readonly gateway: {
    readonly url: string | undefined;
    readonly token: string | undefined;
    /** Private names, addresses and CIDR ranges that tenants may enter. */
    readonly allowedHosts: readonly string[];
  };
  /** `allowedHosts` has the same form as that of gateways. */
  readonly webhookEndpoints: { readonly allowedHosts: readonly string[] };
  /** Undefined if push is not offered. */
  readonly webPush: WebPushConfig | undefined;
  readonly trustProxy: false | number | string;
  readonly corsOrigins: readonly string[];
  /** True if the console is served. */
  readonly console: boolean;
  readonly graphqlIntrospection: boolean;
  /** The highest cost of one operation, by the rules of transport/graphql/operation-cost.ts. */
  readonly graphqlMaxCost: number;
  readonly graphqlTimeoutMs: number;
  /** During `delayMs` the process serves but is not ready; `timeoutMs` starts after it. */
  readonly shutdown: { readonly delayMs: number; readonly timeoutMs: number };
  /** Without a `port` there are no metrics. Without a `token` everyone who reaches the port may read them. */
  readonly metrics: { readonly port: number | undefined; readonly host: string; readonly token: string | undefined };
  /** Undefined if nothing is traced. */
  readonly tracing: TracingConfig | undefined;
  readonly logLevel: string;
  readonly logRedactNumbers: boolean;
}

/** A configuration that prevents the start. The message has one sentence for each wrong variable, with its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the environment. An empty value counts as unset. `NAME_FILE` is the path of a file with the value of `NAME`.
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readVariables(environment);
  if (problems.length > 0) throw new ConfigError(problems.map(({ sentence }) => sentence).join('\n'));
  return toConfig(values as Parsed);
}

/**
 * Reads the environment like `loadConfig`, for a look at a configuration that may be wrong. Variables with a problem have the value
 * undefined, whatever their type says: callers must not use them. `environment` has the values of files too.
 */
export function inspectConfig(given: Readonly<Record<string, string | undefined>>) {
  const { values, problems, environment } = readVariables(given);
  return { config: toConfig(values as Parsed), problems, environment };
}

function readVariables(given: Readonly<Record<string, string | undefined>>) {
  const { environment, problems } = withFiles(given);
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(configVariables)) {
    const parsed = variable.schema.safeParse(environment[name] === '' ? undefined : environment[name]);
    if (parsed.success) values[name] = parsed.data;
    else problems.push({ name, sentence: `${name} ${reasonOf(parsed.error, environment[name])}.` });
  }
  problems.push(...missing(values, environment));
  // A variable with an unreadable file is reported for its file only, and not as missing too.
  const first = new Map<string, ConfigProblem>();
  for (const problem of problems) if (!first.has(problem.name)) first.set(problem.name, problem);
  return { values: values as Partial<Parsed>, problems: [...first.values()], environment };
}

function reasonOf(error: z.ZodError, value: string | undefined): string {
  if (value === undefined || value === '') return 'is required';
  const message = error.issues[0]?.message ?? 'is wrong';
  return /^(?:has to|must)/.test(message) ? message : `is wrong: ${message}`;
}

// Variables that are set but wrong have their own sentence.
function missing(values: Partial<Parsed>, environment: Readonly<Record<string, string | undefined>>): ConfigProblem[] {
  const inProduction: VariableName[] = values.NODE_ENV === 'production' ? ['DATABASE_URL', 'JWT_SECRET'] : [];
  const servesProduction = values.NODE_ENV === 'production' && values.PROCESS_ROLE !== 'worker';
  const oidc: VariableName[] = ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_AUDIENCE'];
  const given = oidc.find((name) => values[name] !== undefined);
  const withOidc: VariableName[] = given === undefined ? [] : ['OIDC_ISSUER_URL', 'OIDC_CLIENT_ID'];
  const withS3: VariableName[] =
    values.MEDIA_STORE?.kind === 's3' ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] : [];
  const withPush: VariableName[] = values.WEB_PUSH_PRIVATE_KEY === undefined ? [] : ['WEB_PUSH_CONTACT'];
  const isMissing = (name: VariableName) => values[name] === undefined && !environment[name];
  return [
    ...inProduction.filter(isMissing).map((name) => ({ name, sentence: `${name} is required in production.` })),
    ...(servesProduction && isMissing('TRUST_PROXY') ? [{ name: 'TRUST_PROXY', sentence: trustProxyIsMissing }] : []),
    ...(values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT
      ? [{ name: 'METRICS_PORT', sentence: 'METRICS_PORT has to be another port than PORT.' }]
      : []),
    ...withOidc.filter(isMissing).map((name) => ({ name, sentence: `${name} is required when ${given} is set.` })),
    ...withPush
      .filter(isMissing)
      .map((name) => ({ name, sentence: `${name} is required when WEB_PUSH_PRIVATE_KEY is set.` })),
    ...withS3
      .filter(isMissing)
      .map((name) => ({ name, sentence: `${name} is required when MEDIA_STORE is an S3 bucket.` })),
  ];
}

function toConfig(values: Parsed): Config {
  return Object.freeze({
    environment: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST ?? (values.NODE_ENV === 'production' ? undefined : loopback),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseReplicas: replicasOf(values),
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
    instanceChecksPerMinute: values.LINE_CHECKS_PER_MINUTE,
    historyIntervalMinutes: values.HISTORY_INTERVAL_MINUTES,
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
    rateLimit: Object.freeze({
      windowMs: values.THROTTLE_TTL_MS,
      limit: values.THROTTLE_LIMIT,
      gatewayLimit: values.THROTTLE_GATEWAY_LIMIT,
      failedAuthLimit: values.FAILED_AUTH_LIMIT,
    }),
    media: mediaOf(values),
    publicUrl: values.PUBLIC_URL,
    processRole: values.PROCESS_ROLE,
    gateway: gatewayOf(values),
    webhookEndpoints: Object.freeze({ allowedHosts: Object.freeze(values.WEBHOOK_ENDPOINT_ALLOWED_HOSTS) }),
    webPush: webPushOf(values),
    trustProxy: values.TRUST_PROXY ?? false,
    corsOrigins: Object.freeze(values.CORS_ORIGINS),
    console: values.CONSOLE === 'on',
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

function replicasOf(values: Parsed): Config['databaseReplicas'] {
  const { DATABASE_REPLICA_URL: urls, DATABASE_REPLICA_MAX_LAG_MS: maxLagMs } = values;
  return Object.freeze({ urls: Object.freeze(urls), maxLagMs });
}

function metricsOf({ METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token }: Parsed): Config['metrics'] {
  return Object.freeze({ port, host, token });
}

function gatewayOf(values: Parsed): Config['gateway'] {
  const { GATEWAY_URL: url, GATEWAY_TOKEN: token, GATEWAY_ALLOWED_HOSTS: allowedHosts } = values;
  return Object.freeze({ url, token, allowedHosts: Object.freeze(allowedHosts) });
}
