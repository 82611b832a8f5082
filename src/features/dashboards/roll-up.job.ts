// The job that keeps dashboards' figures close behind what they count, every minute.

import type { JobQueue } from '../../platform/queue.js';

/** One at a time in all processes. What a run leaves behind, the next one computes: it is not tried again before. */
export const catchUpJob: JobQueue<Record<string, never>> = {
  name: 'catch-up-dashboards',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};
