// The jobs that read the histories of instances, and that judge by their silence whether they still hear.

import type { Logger } from '../../platform/observability/logger.js';
import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { LivenessService } from './liveness.service.js';
import type { RecoveryService } from './recovery.service.js';

/**
 * Runs one at a time over all processes. It reads the histories that are due: after a connection within a minute. The next run goes on
 * where it ended.
 */
export const recoverMessagesJob: JobQueue<Record<string, never>> = {
  name: 'recover-messages',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

/** Runs one at a time over all processes. */
export const watchLivenessJob: JobQueue<Record<string, never>> = {
  name: 'watch-liveness',
  expireInSeconds: 600,
  retryLimit: 0,
  exclusive: true,
  cron: '*/5 * * * *',
};

export async function workOnRecoveries(
  queue: Queue,
  recoveries: RecoveryService,
  liveness: LivenessService,
  log: Logger,
): Promise<void> {
  await queue.work(recoverMessagesJob, async () => {
    const recovered = await recoveries.recoverDue();
    if (recovered > 0) log.info({ recovered }, 'messages were recovered from the histories of gateways');
  });
  await queue.work(watchLivenessJob, () => liveness.watch());
}
