// The job that follows every queued message: its tenant has something to send.

import type { JobQueue } from '../../platform/queue.js';

/** The outbox row is the work; the job, written in the same transaction, gets a worker to look at it at once. */
export const dispatchOutboundJob: JobQueue<{ tenantId: string }> = {
  name: 'dispatch-outbound',
  expireInSeconds: 60,
  retryLimit: 3,
};
