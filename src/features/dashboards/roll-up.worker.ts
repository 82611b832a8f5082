// Handles the jobs that bring dashboards' figures up to date.

import type { Queue } from '../../platform/queue.js';
import { catchUpJob } from './roll-up.job.js';
import type { RollUpService } from './roll-up.service.js';

export async function workOnCatchUps(queue: Queue, rollUps: RollUpService): Promise<void> {
  await queue.work(catchUpJob, () => rollUps.catchUpAll());
}
