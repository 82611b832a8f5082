// The hourly job that removes old rows.

import type { Logger } from '../../platform/observability/logger.js';
import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { RetentionService } from './retention.service.js';

/** Runs one at a time over all processes. A run that fails is not repeated: the next one removes what it left. */
export const pruneJob: JobQueue<Record<string, never>> = {
  name: 'prune',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '17 * * * *',
  overdueSeconds: 3 * 3_600,
};

export async function workOnPruning(queue: Queue, pruning: RetentionService, log: Logger): Promise<void> {
  await queue.work(pruneJob, async () => {
    log.info(await pruning.prune(), 'pruned expired rows');
  });
}
