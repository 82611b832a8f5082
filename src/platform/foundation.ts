// The parts that every feature is built on: the database, notifications, the job queue, metrics and traces of one process.

import type { Config } from '../config/config.js';
import { Database } from './database/database.js';
import { PromotionWatch } from './database/promotion-watch.js';
import type { Logger } from './observability/logger.js';
import { Metrics } from './observability/metrics.js';
import { Notifier } from './events/notifier.js';
import { Queue } from './jobs/queue.js';
import { SecretBox } from './secret-box.js';
import { Tracing } from './observability/tracing.js';
import { Transactor } from './database/transaction.js';

/** @param url the configured database, or the address of the embedded one, or the direct address where that is enough */
export function createFoundation(config: Config, url: string, log: Logger) {
  const metrics = new Metrics();
  const onChoice = (server: string) => metrics.readOperations.inc({ server });
  const replicas = { ...config.databaseReplicas, onChoice };
  const { databasePoolSize: poolSize, databaseDirectUrl: directUrl = url } = config;
  const database = new Database({ url, poolSize, log, replicas, isPooled: directUrl !== url });
  const notifier = new Notifier({ url: directUrl, redisUrl: config.redisUrl, log });
  return {
    log,
    metrics,
    tracing: tracingOf(config, log),
    database,
    notifier,
    secretBox: new SecretBox(config.encryptionKey, config.encryptionKeyPrevious),
    transactor: new Transactor(database, notifier),
    promotions: new PromotionWatch({ database, log }),
    queue: new Queue({ url: directUrl, works: config.processRole !== 'api', log, meter: metrics.jobs }),
  };
}

export type Foundation = ReturnType<typeof createFoundation>;

function tracingOf({ tracing, processRole: role }: Config, log: Logger): Tracing | undefined {
  return tracing === undefined ? undefined : new Tracing({ ...tracing, role, log });
}
