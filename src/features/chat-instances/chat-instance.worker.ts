// Handles the jobs that ask how lines stand.

import type { Logger } from '../../platform/logger.js';
import type { Queue } from '../../platform/queue.js';
import { checkLinesJob } from './chat-instance.job.js';
import type { LineCheckService } from './instance-check.service.js';

export async function workOnLineChecks(queue: Queue, lineChecks: LineCheckService, log: Logger): Promise<void> {
  await queue.work(checkLinesJob, async () => {
    const changed = await lineChecks.checkLines();
    if (changed > 0) log.info({ changed }, 'lines stand differently than was known');
  });
}
