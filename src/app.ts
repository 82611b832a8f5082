// Joins transport, workers and services into one process: start() and stop().

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Config } from './config/config.js';
import { runBulkActionsJob, workOnBulkActions } from './features/bulk-actions/bulk-action.jobs.js';
import { checkInstancesJob, workOnInstanceChecks } from './features/chat-instances/chat-instance.jobs.js';
import { catchUpJob, workOnCatchUps } from './features/dashboards/roll-up.jobs.js';
import { eraseFromJournalJob, workOnErasedCalls } from './features/journal/journal.jobs.js';
import { checkNumbersJob, workOnNumberChecks } from './features/leads/lead.jobs.js';
import {
  dispatchOutboundJob,
  watchReceiptTimeoutsJob,
  workOnReceiptTimeouts,
  workOnOutbound,
} from './features/outbox/outbox.jobs.js';
import { fetchSourceLeadsJob, workOnSourceLeads } from './features/lead-sources/lead-source.jobs.js';
import { fetchMediaJob, workOnMedia } from './features/media/media.jobs.js';
import { recoverMessagesJob, watchLivenessJob, workOnRecoveries } from './features/recovery/recovery.jobs.js';
import { pruneJob, workOnPruning } from './features/retention/retention.jobs.js';
import type { Logger } from './platform/logger.js';
import { resolversOf } from './resolvers.js';
import { describeRoutes, routesOf } from './routes.js';
import { createServices, type Services, type ServiceTuning } from './services.js';
import { AllowedOrigins } from './transport/http/allowed-origins.js';
import { throttleSubjectOf } from './transport/http/authenticate.js';
import {
  addressReader,
  maxConnectionsPerAddress,
  proxyRecogniser,
  Strangers,
} from './transport/http/client-address.js';
import { DocumentStore } from './transport/graphql/document-store.js';
import { FailedAuthentications } from './transport/http/failed-authentication.js';
import { buildGraphqlSchema } from './transport/graphql/graphql-schema.js';
import { createGraphqlServer, graphqlFaults, type GraphqlServer } from './transport/graphql/graphql-server.js';
import { openConsole, readOperations } from './transport/http/console-files.js';
import { healthRoutes } from './transport/http/health.routes.js';
import { createHttpApp } from './transport/http/http.js';
import { endBrokenConnection } from './transport/http/long-uploads.js';
import { OwnNames } from './transport/http/own-names.js';
import { MetricsServer } from './transport/http/metrics-server.js';
import { OpenAnswers } from './transport/http/open-answers.js';
import { openApiRoutes } from './transport/http/openapi.routes.js';
import { OperationMeter, OperationTime } from './transport/graphql/operation-time.js';
import { SessionWatch } from './transport/sockets/session.js';
import { attachSockets } from './transport/sockets/socket-server.js';
import { createThrottles, subjectKey, type Throttles } from './transport/http/throttle.js';
import { warmUp } from './warm-up.js';

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
  private readonly throttles: Throttles;
  private readonly failures: FailedAuthentications;
  private readonly sessions: SessionWatch;
  private readonly graphql: GraphqlServer;
  private readonly server: Server;
  private readonly strangers: Strangers<Socket>;
  private readonly metricsServer: MetricsServer | undefined;
  private closeSockets: (() => Promise<void>) | undefined;
  private readonly answers = new OpenAnswers();
  private readonly waiting = new AbortController();
  private draining = false;
  private answersGraphql = false;

  /** @param databaseUrl a migrated database */
  constructor(
    private readonly config: Config,
    databaseUrl: string,
    private readonly log: Logger,
    private readonly tuning: AppTuning = {},
  ) {
    const { throttle, redisUrl } = config;
    const onRefusal = (limit: string, kind: string) => this.services.metrics.rateLimited.inc({ limit, kind });
    this.throttles = createThrottles({ ...throttle, redisUrl, subjectOf: throttleSubjectOf, log, onRefusal });
    this.services = createServices(config, databaseUrl, log, this.throttles, tuning);
    const { metrics } = this.services;
    const schema = buildGraphqlSchema(resolversOf(this.services));
    const allowLoopback = config.environment !== 'production';
    this.origins = new AllowedOrigins({ origins: config.corsOrigins, allowLoopback, log });
    this.names = config.environment === 'development' ? new OwnNames(config.publicUrl) : undefined;
    const onFailure = () => metrics.failedAuthentications.inc();
    this.failures = new FailedAuthentications({ ...this.throttles.failedAuth, onFailure });
    this.sessions = new SessionWatch({ auth: this.services.auth, log, checkIntervalMs: tuning.sessionCheckIntervalMs });
    const { graphqlIntrospection: introspection, graphqlMaxCost: maxCost } = config;
    const documents = new DocumentStore({ schema, introspection, maxCost });
    const meter = new OperationMeter(metrics);
    const time = new OperationTime(config.graphqlTimeoutMs, log, meter);
    const endpoint = { schema, introspection, documents, time, meter, log };
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
    });
    this.strangers = new Strangers(maxConnectionsPerAddress, () =>
      metrics.rateLimited.inc({ limit: 'connections', kind: 'address' }),
    );
    this.limitStrangers();
    this.server.on('clientError', endBrokenConnection);
    if (config.processRole !== 'worker') {
      const { perUser: maxSocketsPerUser, subscriptionsPerSocket: maxSubscriptions } = config.sockets;
      const { auth, feed } = this.services;
      const { server, origins, throttles, sessions, failures } = this;
      const addressOf = addressReader(config.trustProxy);
      const signingIn = { auth, sessions, failures, throttles, addressOf, maxSocketsPerUser };
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
  }

  /** Starts the parts of the process role. A worker listens too, for health checks. */
  async start({ warmUpLimitMs, beforeServing }: AppStart = {}): Promise<void> {
    const { database, notifier, queue, feed, leadPresences, logPartitions, tracing, identityProvider } = this.services;
    const { mediaObjects, mediaAddresses } = this.services;
    // Tracing starts first, so that the other parts are traced.
    await tracing?.start();
    // Apollo starts before connections are opened. It keeps a busy machine's process from answering for seconds, and open connections would
    // be given up.
    await this.graphql.apollo.start();
    this.answersGraphql = true;
    await Promise.all([
      logPartitions.extend(),
      database.start(),
      notifier.start(),
      queue.start([
        dispatchOutboundJob,
        fetchMediaJob,
        fetchSourceLeadsJob,
        runBulkActionsJob,
        watchReceiptTimeoutsJob,
        checkInstancesJob,
        recoverMessagesJob,
        watchLivenessJob,
        catchUpJob,
        checkNumbersJob,
        eraseFromJournalJob,
        pruneJob,
      ]),
      mediaObjects.start(),
      this.throttles.ready(),
    ]);
    if (warmUpLimitMs !== undefined) await this.warmUp(warmUpLimitMs);
    beforeServing?.();
    if (this.config.processRole !== 'api') await this.startWorkers();
    this.answers.startLooking();
    if (this.config.processRole !== 'worker') identityProvider?.startChecking();
    feed.start();
    leadPresences.sweep.start();
    this.sessions.start();
    this.server.on('request', this.createHttpApp(this.openConsole(warmUpLimitMs !== undefined)));
    await this.metricsServer?.start();
    await this.listen();
    if (this.config.environment !== 'production') mediaAddresses.useLocalUrl(`http://localhost:${this.port}`);
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
    const { notifier, queue, feed, dispatcher, endpointDispatcher, leadImports, tracing, database } = this.services;
    const { identityProvider, limitRefusals, mediaFetcher, numberFinder } = this.services;
    const { sourceLeadFetcher, sourceFormReader, bulkActionRunner, readReceipts, typing } = this.services;
    this.stopRounds();
    // Jobs are left first, so that this process takes no job that it would not send.
    const left = queue.leaveJobs();
    const senders = [dispatcher, endpointDispatcher, mediaFetcher, numberFinder];
    const lanes = [...senders, sourceLeadFetcher, sourceFormReader, bulkActionRunner];
    const sent = Promise.all(lanes.map((part) => part.stop(drainTimeoutMs)));
    this.answers.endConnections();
    await this.waitForProxies();
    const imported = leadImports.stop();
    this.server.keepAliveTimeout = lastKeepAliveTimeoutMs;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    await this.closeSockets?.();
    this.sessions.stop();
    identityProvider?.stopChecking();
    feed.stop();
    const cutOff = setTimeout(() => this.server.closeAllConnections(), drainTimeoutMs);
    await closed;
    clearTimeout(cutOff);
    this.answers.stopLooking();
    // Apollo cannot stop before it has started.
    if (this.answersGraphql) await this.graphql.apollo.stop();
    typing.stop();
    await Promise.all([left, sent, imported, limitRefusals.stop(), readReceipts.stop(drainTimeoutMs)]);
    await Promise.all([queue.stop(), notifier.stop(), this.throttles.close()]);
    await this.metricsServer?.stop();
    await tracing?.stop();
    await database.close();
  }

  /** Ends the delay of stop(), also if called before it. */
  hurry(): void {
    this.waiting.abort();
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

  private async startWorkers(): Promise<void> {
    const { queue, dispatcher, connections, sharedGatewayNames, instanceChecks, receiptTimeouts, rollUps, pruning } =
      this.services;
    const { bulkProgress, conversations, endpointDispatcher, mediaFetcher, mediaObjects, numberChecks } = this.services;
    const { recoveries, liveness, sourceLeadFetcher, sourceFormReader, bulkActionRunner } = this.services;
    // The names are read before anything is sent: messages must not leave under another tenant's name.
    await sharedGatewayNames.start();
    dispatcher.start();
    connections.sweep.start();
    bulkProgress.sweep.start();
    conversations.sweep.start();
    conversations.backfill.start();
    this.services.wordIndex.sweep.start();
    endpointDispatcher.start();
    mediaFetcher.start();
    this.services.numberFinder.start();
    sourceLeadFetcher.start();
    sourceFormReader.start();
    bulkActionRunner.start();
    mediaObjects.sweep.start();
    await workOnOutbound(queue, dispatcher);
    await workOnMedia(queue, mediaFetcher);
    await workOnSourceLeads(queue, sourceLeadFetcher);
    await workOnBulkActions(queue, bulkActionRunner);
    await workOnReceiptTimeouts(queue, receiptTimeouts, this.log);
    await workOnInstanceChecks(queue, instanceChecks, this.log);
    await workOnRecoveries(queue, recoveries, liveness, this.log);
    await workOnCatchUps(queue, rollUps);
    await workOnNumberChecks(queue, numberChecks);
    await workOnErasedCalls(queue, this.services.erasedCalls);
    await workOnPruning(queue, pruning, this.log);
  }

  private stopRounds(): void {
    const { connections, sharedGatewayNames, instanceChecks, receiptTimeouts, rollUps, pruning } = this.services;
    const { leadPresences, bulkProgress, conversations, mediaObjects, numberChecks, recoveries, liveness } =
      this.services;
    const rounds = [sharedGatewayNames, instanceChecks, recoveries, liveness, receiptTimeouts, rollUps, numberChecks];
    for (const round of [...rounds, this.services.erasedCalls, pruning]) round.stop();
    for (const { sweep } of [connections, leadPresences, bulkProgress, conversations]) sweep.stop();
    mediaObjects.stop();
    conversations.backfill.stop();
    this.services.wordIndex.stop();
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
    return openConsole({ folder, mediaOrigin, log: this.log });
  }

  private createHttpApp(console: RequestHandler | undefined) {
    const { auth, metaWebhooks, leadSourceCallers, database, notifier, identityProvider } = this.services;
    const serves = this.config.processRole !== 'worker';
    return createHttpApp({
      auth,
      metaWebhooks,
      leadSourceCallers,
      throttles: this.throttles,
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
