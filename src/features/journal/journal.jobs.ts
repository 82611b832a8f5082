// The job that follows an erasure.

import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { ErasedCallService } from './erased-calls.service.js';

/**
 * Runs a minute after the erasure, when every call from before it is written. The hourly job of retention handles the calls that this job
 * does not reach.
 */
export const eraseFromJournalJob: JobQueue<Record<string, never>> = {
  name: 'erase-from-journal',
  expireInSeconds: 600,
  retryLimit: 0,
  delaySeconds: 60,
};

export async function workOnErasedCalls(queue: Queue, calls: ErasedCallService): Promise<void> {
  await queue.work(eraseFromJournalJob, async () => {
    await calls.clear();
  });
}
