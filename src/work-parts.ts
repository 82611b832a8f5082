// The work of a process beside its requests, in the order in which it starts: lanes, sweeps, and what queue jobs begin. A new job is one
// entry here: its queue is made, worked on and left by this list alone.

import { runBulkActionsJob, workOnBulkActions } from './features/bulk-actions/bulk-action.jobs.js';
import { checkInstancesJob, workOnInstanceChecks } from './features/chat-instances/chat-instance.jobs.js';
import { catchUpJob, workOnCatchUps } from './features/dashboards/roll-up.jobs.js';
import { eraseFromJournalJob, workOnErasedCalls } from './features/journal/journal.jobs.js';
import { fetchSourceLeadsJob, workOnSourceLeads } from './features/lead-sources/lead-source.jobs.js';
import { fetchMediaJob, workOnMedia } from './features/media/media.jobs.js';
import {
  dispatchOutboundJob,
  watchReceiptTimeoutsJob,
  workOnOutbound,
  workOnReceiptTimeouts,
} from './features/outbox/outbox.jobs.js';
import { recoverMessagesJob, watchLivenessJob, workOnRecoveries } from './features/recovery/recovery.jobs.js';
import { pruneJob, workOnPruning } from './features/retention/retention.jobs.js';
import type { JobQueue } from './platform/jobs/queue.js';
import type { Logger } from './platform/observability/logger.js';
import type { Services } from './services.js';

/** A part of the process. Both functions may be left out, and stop() does no harm to a part that has not started. */
export interface Part {
  start?: () => Promise<void> | void;
  /** Resolves when nothing of the part runs any more. */
  stop?: () => Promise<void> | void;
}

export interface WorkPart extends Part {
  /** The jobs that begin the work. Processes that do not work enqueue them too. */
  jobs?: readonly JobQueue<object>[];
}

interface Lanes {
  start: () => void;
  stop: (timeoutMs: number) => Promise<void>;
}

/** @param drainTimeoutMs the time limit of running sends and fetches when the process stops */
export function workPartsOf(services: Services, log: Logger, drainTimeoutMs: number): WorkPart[] {
  const { queue, dispatcher, connections, sharedGatewayNames, instanceChecks, receiptTimeouts, rollUps } = services;
  const { bulkProgress, conversations, endpointDispatcher, pushDispatcher, mediaFetcher, mediaObjects } = services;
  const { recoveries, liveness, sourceLeadFetcher, sourceFormReader, bulkActionRunner, numberFinder, wordIndex } =
    services;
  const { erasedCalls, pruning } = services;
  const lanes = (part: Lanes, job?: JobQueue<object>, work?: () => Promise<void>): WorkPart => ({
    jobs: job === undefined ? [] : [job],
    start: () => {
      part.start();
      return work?.();
    },
    stop: () => part.stop(drainTimeoutMs),
  });
  return [
    // The names are read before anything is sent: messages must not leave under another tenant's name.
    { start: () => sharedGatewayNames.start(), stop: () => sharedGatewayNames.stop() },
    lanes(dispatcher, dispatchOutboundJob, () => workOnOutbound(queue, dispatcher)),
    connections.sweep,
    bulkProgress.sweep,
    conversations.sweep,
    { start: () => wordIndex.sweep.start(), stop: () => wordIndex.stop() },
    mediaObjects.sweep,
    lanes(endpointDispatcher),
    pushDispatcher,
    lanes(mediaFetcher, fetchMediaJob, () => workOnMedia(queue, mediaFetcher)),
    lanes(numberFinder),
    lanes(sourceLeadFetcher, fetchSourceLeadsJob, () => workOnSourceLeads(queue, sourceLeadFetcher)),
    lanes(sourceFormReader),
    lanes(bulkActionRunner, runBulkActionsJob, () => workOnBulkActions(queue, bulkActionRunner)),
    {
      jobs: [watchReceiptTimeoutsJob],
      start: () => workOnReceiptTimeouts(queue, receiptTimeouts, log),
      stop: () => receiptTimeouts.stop(),
    },
    {
      jobs: [checkInstancesJob],
      start: () => workOnInstanceChecks(queue, instanceChecks, log),
      stop: () => instanceChecks.stop(),
    },
    {
      jobs: [recoverMessagesJob, watchLivenessJob],
      start: () => workOnRecoveries(queue, recoveries, liveness, log),
      stop: () => {
        recoveries.stop();
        liveness.stop();
      },
    },
    { jobs: [catchUpJob], start: () => workOnCatchUps(queue, rollUps), stop: () => rollUps.stop() },
    { jobs: [eraseFromJournalJob], start: () => workOnErasedCalls(queue, erasedCalls), stop: () => erasedCalls.stop() },
    { jobs: [pruneJob], start: () => workOnPruning(queue, pruning, log), stop: () => pruning.stop() },
  ];
}
