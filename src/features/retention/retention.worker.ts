// Handles prune jobs.

import type { Logger } from '../../platform/logger.js';
import type { Queue } from '../../platform/queue.js';
import { pruneJob } from './retention.job.js';
import type { PruningService } from './retention.service.js';

export async function workOnPruning(queue: Queue, pruning: PruningService, log: Logger): Promise<void> {
  await queue.work(pruneJob, async () => {
    log.info(await pruning.prune(), 'removed what was past its time');
  });
}
