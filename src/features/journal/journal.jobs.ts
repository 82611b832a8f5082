// The job that follows an erasure.

import type { JobQueue, Queue } from '../../platform/queue.js';
import type { ErasedCallService } from './erased-calls.service.js';

/**
 * Comes a minute after the erasure, when every call from before it is written. What it does not reach is left to the hourly job of
 * retention.
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
