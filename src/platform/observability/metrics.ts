// The service's metrics for Prometheus: one registry in each application, and every metric by its name. Labels take few values only, and
// none is a caller's text. The label `tenant`, which grows with the service, is bounded where it is read.

import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { within } from '../jobs/deadline.js';
import type { MicroBatcherMeter } from '../jobs/micro-batcher.js';
import { OutboxGauges, type OutboxReading } from './outbox-gauges.js';
import type { JobMeter } from '../jobs/queue.js';

interface DatabaseAnswer {
  isUp: boolean;
  outbox: OutboxReading | undefined;
}

const noAnswer: DatabaseAnswer = { isUp: false, outbox: undefined };

type Labels = Record<string, string>;

const fastSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const slowSeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
const batchSizes = [1, 2, 5, 10, 20, 50, 100, 200];
/** A reading that takes longer is left out of a scrape. */
const readingTimeLimitMs = 1_000;

/** A gauge whose value is read at each scrape. */
class Reading {
  private readonly sources: [labels: Labels, read: () => number][] = [];
  private readonly gauge: Gauge;

  constructor(registry: Registry, name: string, help: string, labelNames: string[] = []) {
    this.gauge = new Gauge({ name, help, labelNames, registers: [registry], collect: () => this.collect() });
  }

  readFrom(read: () => number, labels: Labels = {}): void {
    this.sources.push([labels, read]);
  }

  private collect(): void {
    for (const [labels, read] of this.sources) this.gauge.set(labels, read());
  }
}

export class Metrics {
  private readonly registry = new Registry();
  private readDatabase: () => Promise<OutboxReading | undefined> = () => Promise.resolve(undefined);
  private databaseReading: Promise<DatabaseAnswer> | undefined;
  private rendering: Promise<string> | undefined;

  // Requests of callers.
  readonly httpRequests = this.counter(
    'leadwire_http_requests_total',
    'HTTP requests by route, status (aborted: the caller hung up) and error code (empty: none).',
    ['route', 'status', 'code'],
  );
  readonly httpDuration = this.histogram(
    'leadwire_http_request_duration_seconds',
    'From the head of a request being read to its answer being written.',
    ['route'],
    fastSeconds,
  );
  readonly rateLimited = this.counter(
    'leadwire_rate_limited_total',
    'Requests, socket operations, leads and items of webhook calls beyond a rate limit, by the limit and who or what was counted.',
    ['limit', 'kind'],
  );
  readonly failedAuthentications = this.counter(
    'leadwire_failed_authentications_total',
    'Tokens, keys and signatures that were wrong.',
  );
  readonly graphqlOperations = this.counter(
    'leadwire_graphql_operations_total',
    'GraphQL operations that were executed or refused, by type and outcome: ok, or the code of the first error. Queries that are answered together count once.',
    ['type', 'outcome'],
  );
  readonly graphqlDuration = this.histogram(
    'leadwire_graphql_operation_duration_seconds',
    'How long queries and mutations took to execute.',
    ['type'],
    fastSeconds,
  );
  readonly graphqlTimeouts = this.counter(
    'leadwire_graphql_timeouts_total',
    'GraphQL operations that exceeded their time.',
  );

  // Incoming data: webhook calls, files, and batches of writes.
  readonly intakeItems = this.counter(
    'leadwire_intake_items_total',
    'Leads, messages, changes of messages and statuses of webhook calls by what became of them.',
    ['item', 'outcome'],
  );
  readonly unknownKinds = this.counter(
    'leadwire_unknown_kinds_total',
    'Messages whose kind is in no list of their provider, by the dialect of the call. They are kept as messages without content.',
    ['dialect'],
  );
  readonly mediaFetches = this.counter(
    'leadwire_media_fetches_total',
    'Attempts to fetch files of messages, by what became of them.',
    ['outcome'],
  );
  readonly sourceLeadFetches = this.counter(
    'leadwire_source_lead_fetches_total',
    "Leads of Meta's Lead Ads by what became of fetching them; `recovered` were found by reading their form.",
    ['outcome'],
  );
  readonly mediaStoreFailures = this.counter(
    'leadwire_media_store_failures_total',
    'Operations on the store of files that failed, after their retries: `put`, `read`, `delete`.',
    ['operation'],
  );
  private readonly batchSize = this.histogram(
    'leadwire_batch_size',
    'Calls that were written together.',
    ['batcher'],
    batchSizes,
  );
  private readonly batchDuration = this.histogram(
    'leadwire_batch_duration_seconds',
    'How long a batch took to be written.',
    ['batcher'],
    fastSeconds,
  );
  private readonly batchRefused = this.counter(
    'leadwire_batch_refused_total',
    'Calls that were refused because too many were waiting to be written.',
    ['batcher'],
  );
  private readonly batchWaiting = this.reading(
    'leadwire_batch_waiting',
    'Calls that wait to be written or are being written.',
    ['batcher'],
  );

  // Outgoing data: messages, receipts, and posts to webhook endpoints.
  readonly sends = this.counter(
    'leadwire_sends_total',
    "Messages handed to a gateway, or given up before, by the gateway's provider and the outcome.",
    ['provider', 'outcome'],
  );
  readonly sendDuration = this.histogram(
    'leadwire_send_duration_seconds',
    'How long gateways took to answer a send.',
    ['provider'],
    slowSeconds,
  );
  readonly sendRetries = this.counter('leadwire_send_retries_total', 'Sends that were not the first of their message.');

  readonly numberLookUps = this.counter(
    'leadwire_number_look_ups_total',
    "Numbers that a gateway was asked for before their first message, by the gateway's provider and its answer: found, absent or unknown.",
    ['provider', 'outcome'],
  );
  readonly readReceipts = this.counter(
    'leadwire_read_receipts_total',
    "Read receipts by the gateway's provider and what became of them: sent, refused, lost (not taken within a minute) or dropped (too many waited).",
    ['provider', 'outcome'],
  );
  readonly typing = this.counter(
    'leadwire_typing_total',
    "Calls that show typing, by the gateway's provider and what became of them: sent, refused, lost (no answer) or dropped (the gateway was slow, or too many were under way).",
    ['provider', 'outcome'],
  );

  readonly endpointAttempts = this.counter(
    'leadwire_endpoint_attempts_total',
    'Posts to webhook endpoints by outcome: delivered, failed (tried again later) or given_up.',
    ['outcome'],
  );
  readonly endpointsDisabled = this.counter(
    'leadwire_endpoints_disabled_total',
    'Webhook endpoints that were disabled by the service: GONE (410) or FAILING (for days).',
    ['reason'],
  );

  readonly pushes = this.counter(
    'leadwire_pushes_total',
    'Notifications to browsers by outcome: sent, gone (the browser is forgotten), failed or dropped (the round had no time left; of 250 browsers at most).',
    ['outcome'],
  );

  // Sockets and subscriptions of clients.
  readonly sockets = this.reading('leadwire_sockets', 'Open WebSockets.');
  readonly socketsClosed = this.counter('leadwire_sockets_closed_total', 'WebSockets that ended, by close code.', [
    'code',
  ]);
  readonly subscriptions = this.reading('leadwire_live_subscriptions', 'Subscriptions that are being served.');
  readonly watchedTenants = this.reading('leadwire_live_tenants', 'Tenants whose events are being followed.');
  readonly liveLag = this.histogram(
    'leadwire_live_lag_seconds',
    'From the writing of an event (by the clock of PostgreSQL) until its page is rendered and goes to subscribers, or is left to slow ones; the oldest of each page.',
    [],
    fastSeconds,
  );
  readonly liveEvents = this.counter(
    'leadwire_live_deliveries_total',
    'Events written to subscribers as they came; those who catch up are not counted.',
  );
  readonly resyncs = this.counter(
    'leadwire_live_resyncs_total',
    'Subscribers that had to read everything again, because the log does not reach back to their cursor.',
  );
  readonly slowClients = this.counter(
    'leadwire_live_slow_clients_total',
    'Sockets closed because they took too long to read.',
  );

  // Readings of gateways' histories.
  readonly historyReadings = this.counter(
    'leadwire_history_readings_total',
    "Readings of chat instances' histories at their gateways, by cause and outcome.",
    ['cause', 'outcome'],
  );
  readonly historyRecords = this.counter(
    'leadwire_history_records_total',
    'Records of these histories: that were here, were recovered, or are of no kind that is taken in.',
    ['found'],
  );
  readonly historyStatuses = this.counter(
    'leadwire_history_statuses_total',
    'Statuses of our messages that no webhook had brought, and that these histories did.',
  );
  readonly degradedInstances = this.reading(
    'leadwire_degraded_instances',
    'Chat instances that say CONNECTED while evidence says otherwise, by reason.',
    ['reason'],
  );

  // Dependencies: the database, Redis, partitions and jobs.
  readonly poolConnections = this.reading(
    'leadwire_database_pool_connections',
    'Database connections of the pool, busy and idle.',
    ['state'],
  );
  readonly poolSize = this.reading('leadwire_database_pool_size', 'Most connections that the pool may open.');
  readonly poolWaiting = this.reading('leadwire_database_pool_waiting', 'Statements that wait for a connection.');
  readonly shareWaiting = this.reading(
    'leadwire_database_share_waiting',
    "Statements and transactions that wait for a place in their tenant's share of the pool.",
  );
  readonly readOperations = this.counter(
    'leadwire_database_read_operations_total',
    "Users' operations that only read, where there are read replicas: by what they were read from, primary or replica.",
    ['server'],
  );
  readonly replicaLag = this.reading(
    'leadwire_database_replica_lag_seconds',
    'How far a read replica is behind the primary, at most; 0 while it has everything.',
    ['replica'],
  );
  readonly replicaLeftOut = this.reading(
    'leadwire_database_replica_left_out',
    '1 while a read replica is away or too far behind: the primary serves its reads.',
    ['replica'],
  );
  readonly searchBehind = this.reading(
    'leadwire_search_behind_seconds',
    'Age of the oldest event whose words a search does not find by their index yet, of all tenants; 0 while there is none.',
  );
  readonly redisDegraded = this.reading(
    'leadwire_redis_degraded',
    '1 while Redis is configured and away: the process does without.',
  );
  readonly partitionDays = this.reading(
    'leadwire_partition_days_ahead',
    'For how many days there are partitions of the journal and of the event log.',
    ['table'],
  );
  readonly rowsWithoutPartition = this.reading(
    'leadwire_rows_without_partition',
    'Rows of the journal and of the event log that no partition was there for, up to 10,000.',
    ['table'],
  );
  private readonly jobRuns = this.counter('leadwire_job_runs_total', 'Batches of background work by outcome.', [
    'task',
    'outcome',
  ]);
  private readonly jobDuration = this.gauge(
    'leadwire_job_last_duration_seconds',
    'How long the last run of a scheduled task took.',
    ['task'],
  );
  private readonly jobSuccess = this.gauge(
    'leadwire_job_last_success_timestamp_seconds',
    'When a scheduled task last succeeded here, or, before it has, when this process began to work on it.',
    ['task'],
  );
  private readonly jobOverdue = this.gauge(
    'leadwire_job_overdue_seconds',
    'After which time without a success a scheduled task is overdue.',
    ['task'],
  );

  readonly jobs: JobMeter = {
    expect: (task, overdueSeconds) => {
      this.jobSuccess.set({ task }, Date.now() / 1_000);
      this.jobOverdue.set({ task }, overdueSeconds);
    },
    ran: (task, outcome) => this.jobRuns.inc({ task, outcome }),
    succeeded: (task, seconds) => {
      this.jobSuccess.set({ task }, Date.now() / 1_000);
      this.jobDuration.set({ task }, seconds);
    },
  };
  private readonly databaseUp = this.gauge(
    'leadwire_database_up',
    '1 where PostgreSQL answered within a second of this scrape.',
  );
  private readonly outbox = new OutboxGauges((...given) => this.gauge(...given));

  /**
   * Sets the reading that a scrape asks of PostgreSQL. It may fail, and take its time: a second one is not begun before the first has
   * ended.
   */
  readDatabaseBy(read: () => Promise<OutboxReading | undefined>): void {
    this.readDatabase = read;
  }

  /** Makes the meter of one micro-batcher. @param name a few letters, different for each */
  microBatcher(name: string): MicroBatcherMeter {
    const labels = { batcher: name };
    // The counter is known from the start, so that its first increase is seen as one.
    this.batchRefused.inc(labels, 0);
    return {
      watch: (waiting) => this.batchWaiting.readFrom(waiting, labels),
      wrote: (size, seconds) => {
        this.batchSize.observe(labels, size);
        this.batchDuration.observe(labels, seconds);
      },
      refused: () => this.batchRefused.inc(labels),
    };
  }

  /** Adds memory, CPU time, garbage collection and the delay of the event loop. One call in a process is enough. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Lists every metric, with its help and the names of its labels. */
  list(): { name: string; help: string; type: string; labels: readonly string[] }[] {
    // The package's types leave the labels out.
    const metrics = this.registry.getMetricsAsArray() as unknown as {
      name: string;
      help: string;
      type: string;
      labelNames: string[];
    }[];
    return metrics.map(({ name, help, type, labelNames: labels }) => ({ name, help, type, labels }));
  }

  /**
   * Renders all metrics as Prometheus reads them. Scrapes at the same time share one answer. Values that the database does not answer in
   * time are left out.
   */
  render(): Promise<string> {
    this.rendering ??= this.renderOnce().finally(() => (this.rendering = undefined));
    return this.rendering;
  }

  private async renderOnce(): Promise<string> {
    const answer = await within(readingTimeLimitMs, this.askDatabase(), () => noAnswer);
    this.databaseUp.set(answer.isUp ? 1 : 0);
    this.outbox.show(answer.outbox);
    return this.registry.metrics();
  }

  private askDatabase(): Promise<DatabaseAnswer> {
    this.databaseReading ??= this.readDatabase()
      .then(
        (outbox) => ({ isUp: true, outbox }),
        () => noAnswer,
      )
      .finally(() => (this.databaseReading = undefined));
    return this.databaseReading;
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: string[], buckets: number[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  private reading(name: string, help: string, labelNames: string[] = []): Reading {
    return new Reading(this.registry, name, help, labelNames);
  }
}
