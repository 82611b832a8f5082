// The job that marks what was sent and never reported on, every minute.

import type { JobQueue } from '../../platform/queue.js';

/** One at a time in all processes. What a run leaves behind, the next one marks: it is not tried again before. */
export const watchAcknowledgementsJob: JobQueue<Record<string, never>> = {
  name: 'watch-acknowledgements',
  expireInSeconds: 600,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};
