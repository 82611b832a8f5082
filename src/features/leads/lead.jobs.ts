// The job that judges the numbers of leads from an earlier version.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { NumberCheckService } from './identity/number-check.service.js';

/** Only one run at a time, in all processes. Once every lead is judged, a run is one short statement. */
export const checkNumbersJob: JobQueue<Record<string, never>> = {
  name: 'check-numbers',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

export async function workOnNumberChecks(queue: Queue, checks: NumberCheckService): Promise<void> {
  await queue.work(checkNumbersJob, () => checks.checkAll());
}
