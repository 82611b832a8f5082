// Handles the jobs that look for messages without a report.

import type { Logger } from '../../platform/logger.js';
import type { Queue } from '../../platform/queue.js';
import { watchAcknowledgementsJob } from './receipt-timeout.job.js';
import type { AcknowledgementService } from './receipt-timeout.service.js';

export async function workOnAcknowledgements(
  queue: Queue,
  acknowledgements: AcknowledgementService,
  log: Logger,
): Promise<void> {
  await queue.work(watchAcknowledgementsJob, async () => {
    const marked = await acknowledgements.markOverdue();
    if (marked > 0) log.info({ marked }, 'sent messages were never reported on');
  });
}
