// The job that keeps dashboards' figures close behind what they count, every minute.

import type { JobQueue, Queue } from '../../platform/queue.js';
import type { RollUpService } from './roll-up.service.js';

/** One at a time in all processes. What a run leaves behind, the next one computes: it is not tried again before. */
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
