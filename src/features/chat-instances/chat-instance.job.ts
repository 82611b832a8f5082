// The job that asks gateways how the lines stand that are not connected, every minute.

import type { JobQueue } from '../../platform/queue.js';

/** One at a time in all processes. What a run does not get to, the next one asks first. */
export const checkLinesJob: JobQueue<Record<string, never>> = {
  name: 'check-lines',
  expireInSeconds: 900,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};
