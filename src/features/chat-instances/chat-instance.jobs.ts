// The job that asks gateways how the lines stand that are not connected, every minute.

import type { Logger } from '../../platform/logger.js';
import type { JobQueue, Queue } from '../../platform/queue.js';
import type { InstanceCheckService } from './instance-check.service.js';

/** One at a time in all processes. What a run does not get to, the next one asks first. */
export const checkInstancesJob: JobQueue<Record<string, never>> = {
  name: 'check-lines',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

export async function workOnInstanceChecks(
  queue: Queue,
  instanceChecks: InstanceCheckService,
  log: Logger,
): Promise<void> {
  await queue.work(checkInstancesJob, async () => {
    const changed = await instanceChecks.checkLines();
    if (changed > 0) log.info({ changed }, 'lines stand differently than was known');
  });
}
