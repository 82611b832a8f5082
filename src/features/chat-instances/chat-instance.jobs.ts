// The job that asks gateways how the lines stand that are not connected, every minute.

import type { Logger } from '../../platform/logger.js';
import type { JobQueue, Queue } from '../../platform/queue.js';
import type { LineCheckService } from './instance-check.service.js';

/** One at a time in all processes. What a run does not get to, the next one asks first. */
export const checkLinesJob: JobQueue<Record<string, never>> = {
  name: 'check-lines',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

export async function workOnLineChecks(queue: Queue, lineChecks: LineCheckService, log: Logger): Promise<void> {
  await queue.work(checkLinesJob, async () => {
    const changed = await lineChecks.checkLines();
    if (changed > 0) log.info({ changed }, 'lines stand differently than was known');
  });
}
