// Every variable that the service reads, with its default, unit, bounds and meaning. src/docs/configuration.md is generated from it.

import { z } from 'zod';
import { databaseVariables } from './database-variables.js';
import { identityProviderVariables } from './identity-provider-variables.js';
import { mediaVariables } from './media-variables.js';
import { webPushVariables } from './web-push-variables.js';
import {
  apiUrl,
  encryptionKey,
  flag,
  headerList,
  headerToken,
  hosts,
  httpUrl,
  integer,
  isProxyList,
  origins,
  redisUrls,
  secret,
} from './value-formats.js';

const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl.optional(),
    default: '–',
    meaning: 'receiver of traces (OTLP over HTTP, protobuf; `/v1/traces` is appended). Unset: nothing is traced',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headerList.default({}),
    default: '–',
    meaning: 'headers for that receiver: `name=value` pairs, separated by commas, values percent-encoded',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1).max(100).default('leadwire'),
    default: '`leadwire`',
    meaning: 'name of the service at the receiver',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number().min(0).max(1).default(1),
    default: '`1`',
    meaning: 'share of the traces that is kept, 0 to 1',
  },
} as const;

type Parsed = { [Name in keyof typeof tracingVariables]: z.output<(typeof tracingVariables)[Name]['schema']> };

export interface TracingConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of the traces that is kept, 0 to 1. */
  readonly ratio: number;
}

/** Undefined if nothing is traced. */
export function tracingOf(values: Parsed): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (endpoint === undefined) return undefined;
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: ratio } = values;
  return Object.freeze({ endpoint, headers: Object.freeze(headers), serviceName, ratio });
}

interface ConfigVariable {
  schema: z.ZodType;
  /** The default as the documents show it. The schema has the parsed default. */
  default: string;
  meaning: string;
}

export const configVariables = {
  NODE_ENV: {
    schema: z.enum(['production', 'development', 'test']).default('production'),
    default: '`production`',
    meaning: '`production`, `development` or `test`; the last two allow `POST /auth/dev/token`',
  },
  PORT: { schema: integer(0, 65_535).default(4000), default: '`4000`', meaning: 'TCP port; 0 takes any free one' },
  HOST: {
    schema: z
      .union([z.ipv4(), z.ipv6()], { error: 'has to be an IP address (`0.0.0.0` and `::` are all of them)' })
      .optional(),
    default: 'all addresses in production, else `127.0.0.1`',
    meaning: 'IP address of this machine that `PORT` listens on; `0.0.0.0` or `::` for all of them',
  },
  ...databaseVariables,
  DATA_DIR: {
    schema: z.string().min(1).default('.data'),
    default: '`.data`',
    meaning: 'folder of the embedded PostgreSQL and of the secrets that `npm run dev` makes',
  },
  REDIS_URL: {
    schema: redisUrls.optional(),
    default: '–',
    meaning:
      'Redis or Valkey for rate limits that all processes share (unset: each counts for itself), and for notifications of events (unset: PostgreSQL sends them). Several addresses, separated by commas, are nodes of one cluster',
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
  ...identityProviderVariables,
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
    meaning:
      'how long webhook calls stay in the journal, and texts from before an edit or a deletion: 1 to 3650 days; calls up to a sixteenth longer',
  },
  WEBHOOK_REFUSED_PER_MINUTE: {
    schema: integer(0, 1_000_000).default(600),
    default: '`600`',
    meaning: 'refused webhook calls of a tenant that a process keeps in the journal each minute, 0 to 1000000',
  },
  PARKED_STATUS_TTL_HOURS: {
    schema: integer(1, 720).default(24),
    default: '`24`',
    meaning:
      'how long a status, a reaction, an edit or a deletion waits for a message that is not known yet, 1 to 720 hours',
  },
  ACK_DEADLINE_MINUTES: {
    schema: integer(0, 10_080).default(60),
    default: '`60`',
    meaning:
      'minutes that a message may be SENT without a report before it is marked `NOT_ACKNOWLEDGED`, up to 10080; 0: no limit',
  },
  LINE_CHECKS_PER_MINUTE: {
    schema: integer(0, 2_000).default(200),
    default: '`200`',
    meaning:
      'chat instances that are not connected whose gateways are asked for their state each minute, 0 to 2000; 0: none',
  },
  HISTORY_INTERVAL_MINUTES: {
    schema: integer(0, 1_440).default(60),
    default: '`60`',
    meaning:
      "minutes between two readings of a connected instance's history at its gateway, which recover messages that no webhook brought, 0 to 1440; 0: histories are read on request only, and silence is not judged",
  },
  THROTTLE_TTL_MS: {
    schema: integer(1_000, 3_600_000).default(60_000),
    default: '`60000`',
    meaning: 'window of the global rate limit, 1000 to 3600000 ms',
  },
  THROTTLE_LIMIT: {
    schema: integer(1, 10_000_000).default(100),
    default: '`100`',
    meaning:
      "hits in a window for each user, each address without a user, a tenant's leads, each sender, each message with statuses, each instance's events",
  },
  THROTTLE_GATEWAY_LIMIT: {
    schema: integer(1, 10_000_000).optional(),
    default: '–',
    meaning:
      'gateway calls in a window with the keys of one tenant, before they are read, 1 to 10000000; unset: no such limit',
  },
  FAILED_AUTH_LIMIT: {
    schema: integer(1, 1_000_000).default(20),
    default: '`20`',
    meaning: 'failed authentications in 60 s for each address and each credential, 1 to 1000000; beyond it: 429',
  },
  EVENT_RETENTION_DAYS: {
    schema: integer(1, 365).default(7),
    default: '`7`',
    meaning: 'how far back `events(after)` reaches, 1 to 365 days, and up to a sixteenth longer',
  },
  SOCKETS_PER_USER: {
    schema: integer(1, 100_000).default(20),
    default: '`20`',
    meaning: 'WebSockets that a user may have open at each process, 1 to 100000',
  },
  SUBSCRIPTIONS_PER_SOCKET: {
    schema: integer(1, 1_000).default(100),
    default: '`100`',
    meaning: 'operations that may run on a WebSocket at a time, 1 to 1000',
  },
  PROCESS_ROLE: {
    schema: z.enum(['all', 'api', 'worker']).default('all'),
    default: '`all`',
    meaning: '`api` answers callers, `worker` sends messages, `all` does both',
  },
  GATEWAY_URL: {
    schema: apiUrl.optional(),
    default: '– (`npm run dev`: the built-in simulator)',
    meaning: 'gateway of chat instances without their own `baseUrl`',
  },
  GATEWAY_TOKEN: { schema: headerToken.optional(), default: '–', meaning: 'Bearer token for `GATEWAY_URL`' },
  GATEWAY_ALLOWED_HOSTS: {
    schema: hosts.default([]),
    default: '–',
    meaning:
      "private hosts that a chat instance's `baseUrl` may name, separated by commas: names, IP addresses or ranges (`gateway.internal,10.1.0.0/16`). Public hosts are always permitted; this machine is in development and test. The system looks up names of this list, `/etc/hosts` included. Other names are looked up by DNS alone (3 s, then once more for 6 s; kept for 10 s); `localhost` is never looked up",
  },
  WEBHOOK_ENDPOINT_ALLOWED_HOSTS: {
    schema: hosts.default([]),
    default: '–',
    meaning:
      'private hosts that webhook endpoints may have, also with plain http, in the form of `GATEWAY_ALLOWED_HOSTS`. Public hosts are always permitted with https; this machine is in development and test',
  },
  WEBHOOK_ENDPOINT_RETENTION_DAYS: {
    schema: integer(2, 365).default(7),
    default: '`7`',
    meaning: 'how long deliveries to endpoints can be read and replayed, 2 to 365 days; waiting deliveries stay',
  },
  ...webPushVariables,
  TRUST_PROXY: {
    schema: z
      .union([z.literal('false').transform(() => false as const), integer(1, 10), z.string().regex(/^[\w.:/, ]+$/)])
      .refine(
        (value) => value !== 'true',
        'has to be the number of proxies or their addresses; `true` would let callers forge their address',
      )
      .refine(isProxyList, 'has to be `false`, a number from 1 to 10, or addresses and networks')
      .optional(),
    default: '– (required in production, except for workers); else `false`',
    meaning:
      'number of proxies in front, or their addresses (`loopback`, `10.0.0.0/8`), whose `X-Forwarded-For` is trusted; `false` if callers connect directly',
  },
  CORS_ORIGINS: {
    schema: origins.default([]),
    default: '–',
    meaning:
      'origins (`https://app.example`) that browsers may call from, also by WebSocket, separated by commas; in development and test also pages of this machine',
  },
  CONSOLE: {
    schema: z.enum(['on', 'off'], { error: 'has to be `on` or `off`' }).default('on'),
    default: '`on`',
    meaning: '`on` serves the console at `/`; `off` leaves it out',
  },
  GRAPHQL_INTROSPECTION: {
    schema: flag.optional(),
    default: '`false` in production, else `true`',
    meaning: 'whether introspection of the GraphQL schema is permitted',
  },
  GRAPHQL_MAX_COST: {
    schema: integer(100, 1_000_000).default(20_000),
    default: '`20000`',
    meaning: 'highest cost of one GraphQL operation, 100 to 1000000: a field costs 1, in a list 1 for each entry',
  },
  GRAPHQL_TIMEOUT_MS: {
    schema: integer(100, 600_000).default(30_000),
    default: '`30000`',
    meaning:
      "time limit of one GraphQL operation, and of each batch of a subscription's events, 100 to 600000 ms; then `UNAVAILABLE`",
  },
  SHUTDOWN_DELAY_MS: {
    schema: integer(0, 300_000).optional(),
    default: '`5000` in production, else `0`',
    meaning:
      'how long a process still serves after SIGTERM while `/health/ready` answers 503, so that proxies leave it first, 0 to 300000 ms; a second signal ends the wait',
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: integer(1_000, 600_000).default(30_000),
    default: '`30000`',
    meaning:
      'time limit after that delay for requests, sends and sockets, 1000 to 600000 ms; then the process exits with code 1',
  },
  METRICS_PORT: {
    schema: integer(0, 65_535).optional(),
    default: '–',
    meaning: 'TCP port of `GET /metrics` (Prometheus), not the same as `PORT`; 0 takes any free one. Unset: no metrics',
  },
  METRICS_HOST: {
    schema: z
      .union([z.ipv4(), z.ipv6()], { error: 'has to be an IP address (`0.0.0.0` and `::` are all of them)' })
      .default('127.0.0.1'),
    default: '`127.0.0.1`',
    meaning:
      'address that `METRICS_PORT` listens on; `0.0.0.0` if Prometheus runs on another machine or in a container',
  },
  METRICS_TOKEN: {
    schema: secret(16).optional(),
    default: '–',
    meaning: 'when set, `GET /metrics` requires it as Bearer token; at least 16 characters',
  },
  ...mediaVariables,
  ...tracingVariables,
  LOG_REDACT_NUMBERS: {
    schema: flag.default(true),
    default: '`true`',
    meaning: 'whether everything that looks like a phone number (7 to 15 digits) is left out of the log',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    default: '`info`',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
} as const satisfies Record<string, ConfigVariable>;

export interface LikelyTypo {
  /** The name in the environment. */
  name: string;
  /** The variable that it resembles. */
  meant: string;
}

const known = Object.keys(configVariables);
/** Longer names are not compared: the time is the product of both lengths. */
const maxLength = 64;

/** Finds unknown variables that differ by one or two typing errors from a known variable that is not set. Values are not read. */
export function findLikelyTypos(environment: Readonly<Record<string, string | undefined>>): LikelyTypo[] {
  const unset = known.filter((name) => environment[name] === undefined);
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && name.length <= maxLength)
    .flatMap((name) => {
      const meant = unset.find((candidate) => distance(name.toUpperCase(), candidate) <= slipsAllowed(candidate));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

// Short names resemble names of other programs: HOME and HOST differ in two letters.
function slipsAllowed({ length }: string): number {
  return length < 10 ? 1 : 2;
}

/**
 * Counts the letters to insert, remove, replace or swap with their neighbour to turn one text into the other (optimal string alignment).
 */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = cell(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const best = Math.min(replaced, cell(last, column) + 1, cell(current, column - 1) + 1);
      current.push(swapped && row > 1 && column > 1 ? Math.min(best, cell(beforeLast, column - 2) + 1) : best);
    }
    [beforeLast, last] = [last, current];
  }
  return cell(last, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
