// The job that follows a webhook call of Meta's: its tenant has leads to fetch.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';

/** Makes a worker claim leads at once. The lead's row is the work itself; the job is written in the same transaction. */
export const fetchSourceLeadsJob: JobQueue<{ tenantId: string }> = {
  name: 'fetch-source-leads',
  expireInSeconds: 60,
  retryLimit: 3,
};

export async function workOnSourceLeads(queue: Queue, fetcher: { wake: (tenantId: string) => void }): Promise<void> {
  await queue.work(fetchSourceLeadsJob, (jobs) => {
    for (const tenantId of new Set(jobs.map((job) => job.tenantId))) fetcher.wake(tenantId);
    return Promise.resolve();
  });
}
