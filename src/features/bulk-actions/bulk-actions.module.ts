// Wires the services of bulk actions.

import type { Foundation } from '../../platform/foundation.js';
import type { LeadChangeService } from '../leads/changes/lead-change.service.js';
import type { LeadListService } from '../leads/lead-list.service.js';
import { BulkActionRunner } from './bulk-action-runner.js';
import { BulkActionService } from './bulk-action.service.js';

const actionsAtOncePerTenant = 1;
const actionsAtOnce = 4;
const leadsPerBatch = 200;
const sweepIntervalMs = 2_000;

export function createBulkActions(
  { database, transactor, queue, log }: Foundation,
  { leadChanges, leadLists }: { leadChanges: LeadChangeService; leadLists: LeadListService },
) {
  return {
    bulkActions: new BulkActionService({ database, transactor, queue, leadChanges, leadLists }),
    bulkActionRunner: new BulkActionRunner({
      database,
      transactor,
      leadChanges,
      log,
      concurrency: actionsAtOncePerTenant,
      totalConcurrency: actionsAtOnce,
      leadsPerBatch,
      sweepIntervalMs,
    }),
  };
}
