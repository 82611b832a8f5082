// The job that asks gateways every minute for the state of instances that are not connected.

import type { Logger } from '../../platform/observability/logger.js';
import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { InstanceCheckService } from './instance-check.service.js';

/**
 * Asks for the state of instances, one run at a time in all processes. The next run starts with the instances that this one did not reach.
 */
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
    const changed = await instanceChecks.checkInstances();
    if (changed > 0) log.info({ changed }, 'the state of chat instances has changed');
  });
}
