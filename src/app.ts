// Joins transport, workers and services into one process: start() and stop().

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config/config.js';
import type { Logger } from './platform/observability/logger.js';
import { OutageWatch } from './platform/database/outage-watch.js';
import { resolversOf } from './resolvers.js';
import { describeRoutes, routesOf } from './routes.js';
import { createServices, type Services, type ServiceTuning } from './services.js';
import { AllowedOrigins } from './transport/http/allowed-origins.js';
import { rateLimitSubjectOf } from './transport/http/authenticate.js';
import { addressReader, proxyRecogniser } from './transport/http/client-address.js';
import { ConnectionLimit, maxConnectionsPerAddress } from './transport/http/connection-limit.js';
import { DocumentStore } from './transport/graphql/document-store.js';
import { OperationCosts } from './transport/graphql/operation-cost.js';
import { FailedAuthentications } from './transport/http/failed-authentication.js';
import { buildGraphqlSchema } from './transport/graphql/graphql-schema.js';
import { createGraphqlServer, graphqlFaults, type GraphqlServer } from './transport/graphql/graphql-server.js';
import { openConsole, readOperations, type Console } from './transport/http/console-files.js';
import { healthRoutes } from './transport/http/health.routes.js';
import { createHttpApp } from './transport/http/http.js';
import { endBrokenConnection } from './transport/http/long-uploads.js';
import { OwnNames } from './transport/http/own-names.js';
import { MetricsServer } from './transport/http/metrics-server.js';
import { OpenAnswers } from './transport/http/open-answers.js';
import { openApiRoutes } from './transport/http/openapi.routes.js';
import { OperationMeter, OperationTime } from './transport/graphql/operation-time.js';
import { SessionWatch } from './transport/sockets/session-watch.js';
import { attachSockets, opensWebSocket } from './transport/sockets/socket-server.js';
import { createRateLimits, subjectKey, type RateLimits } from './transport/http/rate-limit.js';
import { warmUp } from './warm-up.js';
import { workPartsOf, type Part, type WorkPart } from './work-parts.js';

// A client that sends slower than this is cut off. By default, Node looks for such clients every 30 s only.
const clientLimits = { headersMs: 10_000, requestMs: 30_000, lookMs: 2_000 };
/**
 * The bytes of a body or an answer that one connection may hold. Node reads 64 KiB at a time: with its own limit, a connection would hold
 * two reads.
 */
const heldBytesPerConnection = 32 * 1024;
/** The time limit of stop() for running requests and sends. */
const drainTimeoutMs = 10_000;
/** The keep-alive limit while the process stops, for connections whose last answer had no `Connection: close`. Node adds a second. */
const lastKeepAliveTimeoutMs = 1;

/** Settings of the whole process that tests change. */
export interface AppTuning extends ServiceTuning {
  /** The time between checks of the sessions of open sockets, in milliseconds. */
  sessionCheckIntervalMs?: number | undefined;
  /** The time that the bytes in a socket's buffer may take to leave, in milliseconds. */
  socketStallMs?: number | undefined;
  /** The console's folder, in place of dist/console. */
  consoleFolder?: string | undefined;
  /** The time limits of a client for a head and for a whole request, and the time between Node's looks, in milliseconds. */
  clientLimits?: { headersMs: number; requestMs: number; lookMs: number } | undefined;
}

/** Options that the entry of a process sets. */
export interface AppStart {
  /** The time limit of the warm-up before the process listens and works on jobs, in milliseconds. Undefined: there is no warm-up. */
  warmUpLimitMs?: number | undefined;
  /** Runs when everything is loaded, before the process listens and works on jobs. */
  beforeServing?: () => void;
}

export class App {
  readonly services: Services;
  private readonly origins: AllowedOrigins;
  private readonly names: OwnNames | undefined;
  private readonly rateLimits: RateLimits;
  private readonly failures: FailedAuthentications;
  private readonly sessions: SessionWatch;
  private readonly graphql: GraphqlServer;
  private readonly server: Server;
  private readonly strangers: ConnectionLimit<Socket>;
  private readonly metricsServer: MetricsServer | undefined;
  private closeSockets: (() => Promise<void>) | undefined;
  private readonly answers = new OpenAnswers();
  private readonly waiting = new AbortController();
  /** The parts that all others need, in the order in which they start; they stop in the reverse order. */
  private readonly foundation: readonly Part[];
  /** The work beside requests, in the order in which it starts. Workers start it. It stops at once, before the requests. */
  private readonly work: readonly WorkPart[];
  /** The parts that requests need, in the order in which they start; they stop in the reverse order. */
  private readonly serving: readonly Part[];
  private draining = false;
  private answersGraphql = false;
  private closed: Promise<unknown> = Promise.resolve();

  /** @param databaseUrl a migrated database */
  constructor(
    private readonly config: Config,
    databaseUrl: string,
    private readonly log: Logger,
    private readonly tuning: AppTuning = {},
  ) {
    const { rateLimit, redisUrl } = config;
    const onRefusal = (limit: string, kind: string) => this.services.metrics.rateLimited.inc({ limit, kind });
    this.rateLimits = createRateLimits({ ...rateLimit, redisUrl, subjectOf: rateLimitSubjectOf, log, onRefusal });
    this.services = createServices(config, databaseUrl, log, this.rateLimits, tuning);
    const { metrics } = this.services;
    const schema = buildGraphqlSchema(resolversOf(this.services));
    const allowLoopback = config.environment !== 'production';
    this.origins = new AllowedOrigins({ origins: config.corsOrigins, allowLoopback, log });
    this.names = config.environment === 'development' ? new OwnNames(config.publicUrl) : undefined;
    const onFailure = () => metrics.failedAuthentications.inc();
    this.failures = new FailedAuthentications({ ...this.rateLimits.failedAuth, onFailure });
    this.sessions = new SessionWatch({ auth: this.services.auth, log, checkIntervalMs: tuning.sessionCheckIntervalMs });
    const { graphqlIntrospection: introspection, graphqlMaxCost: maxCost } = config;
    const documents = new DocumentStore({ schema, introspection });
    const costs = new OperationCosts({ schema, maxCost });
    const meter = new OperationMeter(metrics);
    const time = new OperationTime(config.graphqlTimeoutMs, log, meter);
    const endpoint = { schema, introspection, documents, costs, time, meter, log };
    // The page shows what introspection shows.
    const landingPage = config.environment !== 'production' && introspection;
    this.graphql = createGraphqlServer({ ...endpoint, landingPage });
    const { port, ...place } = config.metrics;
    this.metricsServer = port === undefined ? undefined : new MetricsServer({ metrics, port, ...place, log });
    const { headersMs, requestMs, lookMs } = tuning.clientLimits ?? clientLimits;
    this.server = createServer({
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lookMs,
      highWaterMark: heldBytesPerConnection,
      shouldUpgradeCallback: (request) => this.server.listenerCount('upgrade') > 0 && opensWebSocket(request),
    });
    this.strangers = new ConnectionLimit(maxConnectionsPerAddress, () =>
      metrics.rateLimited.inc({ limit: 'connections', kind: 'address' }),
    );
    this.limitStrangers();
    this.server.on('clientError', endBrokenConnection);
    if (config.processRole !== 'worker') {
      const { perUser: maxSocketsPerUser, subscriptionsPerSocket: maxSubscriptions } = config.sockets;
      const { auth, feed } = this.services;
      const { server, origins, rateLimits, sessions, failures } = this;
      const addressOf = addressReader(config.trustProxy);
      const signingIn = { auth, sessions, failures, rateLimits, addressOf, maxSocketsPerUser };
      this.closeSockets = attachSockets({
        ...endpoint,
        ...signingIn,
        feed,
        metrics,
        maxSubscriptions,
        stallMs: tuning.socketStallMs,
        server,
        origins,
        names: this.names,
        onSignIn: (connection) => this.strangers.leave(connection),
      });
    }
    this.work = workPartsOf(this.services, log, drainTimeoutMs);
    this.foundation = this.foundationParts();
    this.serving = this.servingParts();
  }

  /** Starts the parts of the process role. A worker listens too, for health checks. */
  async start({ warmUpLimitMs, beforeServing }: AppStart = {}): Promise<void> {
    await startInTurn(this.foundation);
    if (warmUpLimitMs !== undefined) await this.warmUp(warmUpLimitMs);
    beforeServing?.();
    if (this.config.processRole !== 'api') await startInTurn(this.work);
    this.server.on('request', this.createHttpApp(this.openConsole(warmUpLimitMs !== undefined)));
    await startInTurn(this.serving);
  }

  /** The TCP port of the service. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The TCP port of metrics; undefined if there is none. */
  get metricsPort(): number | undefined {
    return this.metricsServer?.port;
  }

  /**
   * Reports that the process is not ready and serves for the configured delay. Then it accepts nothing new, finishes running work and
   * closes everything. It sends no new message from the start. Safe to repeat.
   */
  async stop(): Promise<void> {
    if (this.draining) return;
    this.draining = true;
    // Jobs are left first, so that this process takes no job that it would not send.
    const left = this.services.queue.leaveJobs();
    const worked = Promise.all(this.work.map(async (part) => part.stop?.()));
    this.answers.endConnections();
    await this.waitForProxies();
    await stopInTurn(this.serving);
    await Promise.all([left, worked]);
    await stopInTurn(this.foundation);
  }

  /** Ends the delay of stop(), also if called before it. */
  hurry(): void {
    this.waiting.abort();
  }

  private foundationParts(): Part[] {
    const { database, notifier, queue, logPartitions, mediaObjects, tracing } = this.services;
    const jobs = this.work.flatMap((part) => part.jobs ?? []);
    const outages = new OutageWatch({ database, log: this.log });
    return [
      // Tracing starts first, so that the other parts are traced.
      { start: () => tracing?.start(), stop: () => tracing?.stop() },
      { start: () => this.metricsServer?.start(), stop: () => this.metricsServer?.stop() },
      // Apollo starts before connections are opened. It keeps a busy machine's process from answering for seconds, and open connections
      // would be given up.
      { start: () => this.startGraphql(), stop: () => this.stopGraphql() },
      together([
        { start: () => database.start(), stop: () => database.close() },
        { start: () => logPartitions.extend() },
        { start: () => notifier.start(), stop: () => notifier.stop() },
        { start: () => queue.start(jobs), stop: () => queue.stop() },
        { start: () => mediaObjects.start(), stop: () => mediaObjects.stop() },
        { start: () => this.rateLimits.ready(), stop: () => this.rateLimits.close() },
      ]),
      { start: () => outages.start(), stop: () => outages.stop() },
    ];
  }

  private servingParts(): Part[] {
    const { feed, identityProvider, leadPresences, limitRefusals, mediaAddresses, readReceipts, typing } =
      this.services;
    const serves = this.config.processRole !== 'worker';
    return [
      { stop: () => readReceipts.stop(drainTimeoutMs) },
      { stop: () => limitRefusals.stop() },
      { stop: () => typing.stop() },
      { start: () => this.answers.startLooking(), stop: () => this.answers.stopLooking() },
      { stop: () => this.waitForRequests() },
      { start: () => feed.start(), stop: () => feed.stop() },
      { start: () => leadPresences.sweep.start(), stop: () => leadPresences.sweep.stop() },
      {
        start: () => (serves ? identityProvider?.startChecking() : undefined),
        stop: () => identityProvider?.stopChecking(),
      },
      { start: () => this.sessions.start(), stop: () => this.sessions.stop() },
      { stop: () => this.closeSockets?.() },
      { start: () => this.listen(), stop: () => this.closeServer() },
      {
        start: () => {
          if (this.config.environment !== 'production') mediaAddresses.useLocalUrl(`http://localhost:${this.port}`);
        },
      },
    ];
  }

  private async startGraphql(): Promise<void> {
    await this.graphql.apollo.start();
    this.answersGraphql = true;
  }

  // Apollo cannot stop before it has started.
  private async stopGraphql(): Promise<void> {
    if (this.answersGraphql) await this.graphql.apollo.stop();
  }

  /** Accepts no connection any more. Imports end after their batch, so that their requests can be answered. */
  private closeServer(): void {
    const imported = this.services.leadImports.stop();
    this.server.keepAliveTimeout = lastKeepAliveTimeoutMs;
    this.closed = Promise.all([imported, new Promise((resolve) => this.server.close(resolve))]);
    this.server.closeIdleConnections();
  }

  private async waitForRequests(): Promise<void> {
    const cutOff = setTimeout(() => this.server.closeAllConnections(), drainTimeoutMs);
    await this.closed;
    clearTimeout(cutOff);
  }

  private async warmUp(limitMs: number): Promise<void> {
    const { database } = this.services;
    const { execute } = this.graphql;
    const serves = this.config.processRole !== 'worker';
    await warmUp({ database, execute: serves ? execute : undefined, log: this.log }, limitMs);
  }

  private async waitForProxies(): Promise<void> {
    // A worker answers health checks only.
    if (!this.server.listening || this.config.processRole === 'worker') return;
    const { signal } = this.waiting;
    await delay(this.config.shutdown.delayMs, undefined, { signal }).catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const { port, host } = this.config;
    const sentences: Record<string, string> = {
      EADDRINUSE: `PORT ${port} is in use. Stop the program that uses it, or choose another port.`,
      EADDRNOTAVAIL: `HOST ${host} is not an address of this machine. Set one of its addresses, or \`0.0.0.0\` for all.`,
    };
    await new Promise<void>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => {
        const sentence = sentences[error.code ?? ''];
        reject(sentence === undefined ? error : new Error(sentence));
      };
      this.server.once('error', fail).listen({ port, host }, () => {
        this.server.off('error', fail);
        resolve();
      });
    });
  }

  private limitStrangers(): void {
    const isProxy = proxyRecogniser(this.config.trustProxy);
    this.server.on('connection', (connection: Socket) => {
      const { remoteAddress } = connection;
      if (isProxy(remoteAddress)) return;
      const refusal = this.strangers.enter(connection, subjectKey({ kind: 'address' }, remoteAddress));
      if (refusal !== undefined) connection.destroy();
      else connection.on('close', () => this.strangers.leave(connection));
    });
  }

  private openConsole(readsOperations: boolean) {
    const { console: isServed, processRole } = this.config;
    if (!isServed || processRole === 'worker') return undefined;
    const mediaOrigin = () => this.services.mediaAddresses.origin;
    const folder = this.tuning.consoleFolder;
    this.graphql.trust(readOperations(folder));
    // A process that does not warm up reads each operation at its first use.
    const refused = readsOperations ? this.graphql.readTrusted() : 0;
    if (refused > 0) this.log.warn({ refused }, 'the console was built for another schema: build it again');
    return openConsole({ folder, mediaOrigin, publicUrl: this.config.publicUrl, log: this.log });
  }

  private createHttpApp(console: Console | undefined) {
    const { auth, metaWebhooks, leadSourceCallers, database, notifier, identityProvider } = this.services;
    const serves = this.config.processRole !== 'worker';
    return createHttpApp({
      auth,
      metaWebhooks,
      leadSourceCallers,
      rateLimits: this.rateLimits,
      failures: this.failures,
      health: healthRoutes({
        checks: [{ name: 'database', check: () => database.ping() }],
        isDraining: () => this.draining,
        listDegraded: () => [
          ...(database.replicaUse.some(({ isMissed }) => isMissed) ? ['replica'] : []),
          ...(notifier.isDegraded ? ['redis'] : []),
          ...(identityProvider?.isDegraded === true ? ['identity-provider'] : []),
        ],
      }),
      console,
      routes: serves ? [...routesOf(this.services), openApiRoutes(describeRoutes(this.services))] : [],
      graphql: { handlers: serves ? this.graphql.handlers : [], faults: graphqlFaults(this.log) },
      trustProxy: this.config.trustProxy,
      origins: this.origins,
      names: this.names,
      metrics: this.services.metrics,
      answers: this.answers,
      tracing: this.services.tracing,
      onKnown: (connection) => this.strangers.leave(connection),
      log: this.log,
    });
  }
}

async function startInTurn(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await part.start?.();
}

async function stopInTurn(parts: readonly Part[]): Promise<void> {
  for (const part of parts.toReversed()) await part.stop?.();
}

/** Joins parts that start at the same time, and stop one after the other. */
function together(parts: readonly Part[]): Part {
  return {
    start: async () => {
      await Promise.all(parts.map(async (part) => part.start?.()));
    },
    stop: () => stopInTurn(parts),
  };
}
