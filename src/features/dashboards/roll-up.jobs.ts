// The job that computes the counts and reply times of dashboards every minute.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { RollUpService } from './roll-up.service.js';

/** Computes what has changed, one run at a time in all processes. The next run computes what this one did not reach. */
export const catchUpJob: JobQueue<Record<string, never>> = {
  name: 'catch-up-dashboards',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

export async function workOnCatchUps(queue: Queue, rollUps: RollUpService): Promise<void> {
  await queue.work(catchUpJob, () => rollUps.catchUpAll());
}
