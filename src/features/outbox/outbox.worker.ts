// Handles dispatch jobs: wakes the lanes of the tenants they name. A lane outlives the job, and the outbox outlives both.

import type { Queue } from '../../platform/queue.js';
import { dispatchOutboundJob } from './outbox.job.js';
import type { OutboundDispatcher } from './dispatcher.js';

export async function workOnOutbound(queue: Queue, dispatcher: OutboundDispatcher): Promise<void> {
  await queue.work(dispatchOutboundJob, (jobs) => {
    for (const tenantId of new Set(jobs.map((job) => job.tenantId))) dispatcher.wake(tenantId);
    return Promise.resolve();
  });
}
