// The job that follows every queued message: its tenant has something to send.

import type { Logger } from '../../platform/observability/logger.js';
import type { JobQueue, Queue } from '../../platform/jobs/queue.js';
import type { OutboundDispatcher } from './dispatcher.js';
import type { ReceiptTimeoutService } from './receipt-timeout.service.js';

/** The outbox row is the work. The job, written in the same transaction, makes a worker claim it at once. */
export const dispatchOutboundJob: JobQueue<{ tenantId: string }> = {
  name: 'dispatch-outbound',
  expireInSeconds: 60,
  retryLimit: 3,
};

export async function workOnOutbound(queue: Queue, dispatcher: OutboundDispatcher): Promise<void> {
  await queue.work(dispatchOutboundJob, (jobs) => {
    for (const tenantId of new Set(jobs.map((job) => job.tenantId))) dispatcher.wake(tenantId);
    return Promise.resolve();
  });
}

/** Runs one at a time over all processes. A run is not repeated: the next one marks what it left behind. */
export const watchReceiptTimeoutsJob: JobQueue<Record<string, never>> = {
  name: 'watch-acknowledgements',
  expireInSeconds: 600,
  retryLimit: 0,
  exclusive: true,
  cron: '* * * * *',
};

export async function workOnReceiptTimeouts(
  queue: Queue,
  receiptTimeouts: ReceiptTimeoutService,
  log: Logger,
): Promise<void> {
  await queue.work(watchReceiptTimeoutsJob, async () => {
    const marked = await receiptTimeouts.markOverdue();
    if (marked > 0) log.info({ marked }, 'sent messages were never reported on');
  });
}
