// The job that follows a call of Meta's: its tenant has leads to fetch.

import type { JobQueue, Queue } from '../../platform/queue.js';

/** The lead's row is the work. The job, written in the same transaction, makes a worker claim it at once. */
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
