// The job that follows every message with a file: its tenant has something to fetch.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { MediaFetcher } from './media-fetcher.js';

/** Makes a worker claim files at once. The file's row is the work itself; the job is written in the same transaction. */
export const fetchMediaJob: JobQueue<{ tenantId: string }> = {
  name: 'fetch-media',
  expireInSeconds: 60,
  retryLimit: 3,
};

export async function workOnMedia(queue: Queue, fetcher: MediaFetcher): Promise<void> {
  await queue.work(fetchMediaJob, (jobs) => {
    for (const tenantId of new Set(jobs.map((job) => job.tenantId))) fetcher.wake(tenantId);
    return Promise.resolve();
  });
}
