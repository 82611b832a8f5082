// The job that follows a bulk action: its tenant has leads to change.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';

/** Makes a worker begin at once. The action's row is the work itself; the job is written in the same transaction. */
export const runBulkActionsJob: JobQueue<{ tenantId: string }> = {
  name: 'run-bulk-actions',
  expireInSeconds: 60,
  retryLimit: 3,
};

export async function workOnBulkActions(queue: Queue, runner: { wake: (tenantId: string) => void }): Promise<void> {
  await queue.work(runBulkActionsJob, (jobs) => {
    for (const tenantId of new Set(jobs.map((job) => job.tenantId))) runner.wake(tenantId);
    return Promise.resolve();
  });
}
