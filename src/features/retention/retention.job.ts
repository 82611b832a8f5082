// The job that removes what is past its time, every hour.

import type { JobQueue } from '../../platform/queue.js';

/** One at a time in all processes. What a run leaves behind, the next one removes: it is not tried again before. */
export const pruneJob: JobQueue<Record<string, never>> = {
  name: 'prune',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '17 * * * *',
};
