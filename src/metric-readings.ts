// Connects the metrics with the parts of this process whose values they read at each scrape.

import type { Config } from './config/config.js';
import { healthCodesShown, type DegradedInstances } from './features/chat-instances/instance-health.service.js';
import type { LiveFeed } from './features/live/live-feed.js';
import type { OutboxReadingService } from './features/outbox/outbox-reading.service.js';
import type { LogPartitions } from './features/retention/log-partitions.js';
import type { WordIndexService } from './features/search/word-index.service.js';
import type { Database } from './platform/database/database.js';
import type { Metrics } from './platform/observability/metrics.js';
import type { Notifier } from './platform/events/notifier.js';

export interface ReadParts {
  database: Database;
  notifier: Notifier;
  feed: LiveFeed;
  outbox: OutboxReadingService;
  degraded: DegradedInstances;
  logPartitions: LogPartitions;
  wordIndex: WordIndexService;
}

/** Every process reports on itself. Workers also report on the queues of all tenants and on partitions. */
export function readParts(metrics: Metrics, parts: ReadParts, { databasePoolSize, processRole }: Config): void {
  readProcess(metrics, parts, databasePoolSize);
  if (processRole === 'api') metrics.readDatabaseBy(() => parts.database.ping().then(() => undefined));
  else readWork(metrics, parts);
}

function readProcess(metrics: Metrics, { database, notifier, feed }: ReadParts, poolSize: number): void {
  metrics.poolSize.readFrom(() => poolSize);
  metrics.poolConnections.readFrom(() => database.poolUse.total - database.poolUse.idle, { state: 'busy' });
  metrics.poolConnections.readFrom(() => database.poolUse.idle, { state: 'idle' });
  metrics.poolWaiting.readFrom(() => database.poolUse.waiting);
  metrics.shareWaiting.readFrom(() => database.poolUse.waitingForShare);
  for (const { name } of database.replicaUse) {
    const use = () => database.replicaUse.find((replica) => replica.name === name);
    metrics.replicaLag.readFrom(() => (use()?.lagMs ?? 0) / 1_000, { replica: name });
    metrics.replicaLeftOut.readFrom(() => Number(use()?.isMissed ?? false), { replica: name });
  }
  metrics.redisDegraded.readFrom(() => Number(notifier.isDegraded));
  metrics.watchedTenants.readFrom(() => feed.audience.tenants);
  metrics.subscriptions.readFrom(() => feed.audience.subscriptions);
}

function readWork(metrics: Metrics, { outbox, degraded, logPartitions, wordIndex }: ReadParts): void {
  metrics.readDatabaseBy(async () => {
    const [reading] = await Promise.all([outbox.read(), logPartitions.look(), degraded.look(), wordIndex.look()]);
    return reading;
  });
  metrics.searchBehind.readFrom(() => wordIndex.behindSeconds);
  for (const code of healthCodesShown)
    metrics.degradedInstances.readFrom(() => degraded.countOf(code), { reason: code.toLowerCase() });
  for (const { table } of [logPartitions.deliveries, logPartitions.events]) {
    metrics.partitionDays.readFrom(() => logPartitions.daysCovered(table), { table });
    metrics.rowsWithoutPartition.readFrom(() => logPartitions.rowsWithout(table), { table });
  }
}
