// Makes the changes of bulk actions, batch by batch, with a lane for each tenant. A batch, its progress and its events are one transaction:
// what a dead worker had begun is rolled back, and the next one goes on with the same leads.

import type { Database } from '../../platform/database/database.js';
import { LaneScheduler } from '../../platform/jobs/lane-scheduler.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { LeadChangeService } from '../leads/changes/lead-change.service.js';
import { announceProgress } from './bulk-action.service.js';
import type { BulkActionRecord, HeldBulkAction } from './bulk-action.sql.js';
import {
  advanceBulkAction,
  changedLeadColumns,
  holdBulkAction,
  keepChangedLeads,
  noteFailure,
  selectActionLeads,
  selectDueActions,
  selectTenantsWithActions,
  type ActionLead,
} from './bulk-action-runner.sql.js';

export interface BulkActionRunnerOptions {
  database: Database;
  transactor: Transactor;
  leadChanges: Pick<LeadChangeService, 'change' | 'restore'>;
  log: Logger;
  /** Batches of one tenant, and of all tenants, at a time in this process. */
  concurrency: number;
  totalConcurrency: number;
  leadsPerBatch: number;
  /** The interval between searches for due batches, in milliseconds. */
  sweepIntervalMs: number;
}

/** The least time between two events about one action, in milliseconds. */
const tellIntervalMs = 1_000;
/** Failures in a row after which an action goes on lead by lead, to get around the one that fails. */
const failuresOfBatches = 2;
/** Failures in a row after which a lead is skipped. */
const failuresOfLead = 8;

export class BulkActionRunner {
  private readonly lanes: LaneScheduler<string>;

  constructor(private readonly options: BulkActionRunnerOptions) {
    const { database, log, concurrency, totalConcurrency, sweepIntervalMs } = options;
    this.lanes = new LaneScheduler<string>({
      name: 'bulk actions',
      log,
      concurrency,
      totalConcurrency,
      sweepIntervalMs,
      sweep: async () => {
        const due = await database.query<{ tenantId: string }>(selectTenantsWithActions);
        for (const { tenantId } of due) this.wake(tenantId);
      },
      claim: async ({ tenantId, items }, { limit }) => {
        const values = [tenantId, [...items], limit];
        const due = await database.change<{ id: string }>(tenantId, selectDueActions, values);
        // A sweep finds actions that another worker leaves, or that rest after a failure.
        return { items: due.map(({ id }) => id), nextInMs: () => undefined };
      },
      begin: ({ tenantId }, ids) => ids.map((id) => this.run(tenantId, id)),
      // Nothing holds an action whose batch has not begun.
      release: () => Promise.resolve(),
    });
  }

  start(): void {
    this.lanes.start();
  }

  /** Begins no further batch and waits for those under way, which are short. */
  stop(timeoutMs: number): Promise<void> {
    return this.lanes.stop(timeoutMs);
  }

  /** Starts work if the tenant has actions to go on with. Returns at once; safe to repeat. */
  wake(tenantId: string): void {
    this.lanes.wake({ tenantId, id: tenantId });
  }

  /** Makes the next batch of an action. Never rejects. @returns whether there may be more */
  private async run(tenantId: string, id: string): Promise<boolean> {
    const { transactor, database, log } = this.options;
    try {
      return await transactor.run(tenantId, (tx) => this.runBatch(tx, id));
    } catch (err) {
      log.warn({ err, tenantId, bulkActionId: id }, 'a batch of a bulk action failed: it is tried again');
      await database.change(tenantId, noteFailure, [tenantId, id]).catch(() => undefined);
      return false;
    }
  }

  private async runBatch(tx: Transaction, id: string): Promise<boolean> {
    const [action] = await tx.query<HeldBulkAction>(holdBulkAction, [tx.tenantId, id]);
    if (action === undefined) return false;
    const { position, total, failures } = action;
    const size = failures < failuresOfBatches ? this.options.leadsPerBatch : 1;
    const end = Math.min(position + size, total);
    const done = failures < failuresOfLead ? await this.changeLeads(tx, action, end) : 0;
    const values = [tx.tenantId, id, end, done, end - position - done, tellIntervalMs];
    const [advanced] = await tx.query<BulkActionRecord & { isTold: boolean }>(advanceBulkAction, values);
    if (advanced?.isTold === true) announceProgress(tx, advanced);
    return end < total;
  }

  /** @returns how many leads up to `end` are done; the others are skipped */
  private async changeLeads(tx: Transaction, action: HeldBulkAction, end: number): Promise<number> {
    const values = [tx.tenantId, action.id, action.position, end];
    const leads = await tx.query<ActionLead>(selectActionLeads, values);
    return action.status === 'RUNNING' ? this.apply(tx, action, leads) : this.undo(tx, action, leads);
  }

  private async apply(tx: Transaction, action: HeldBulkAction, leads: readonly ActionLead[]): Promise<number> {
    const ids = leads.map(({ leadId }) => leadId);
    const outcomes = await this.options.leadChanges.change(tx, action.userId, ids, action.change);
    const changed = leads.flatMap(({ position, leadId }) => {
      const outcome = outcomes.get(leadId);
      return outcome?.outcome === 'changed' ? [{ position, ...outcome }] : [];
    });
    if (changed.length > 0)
      await tx.query(keepChangedLeads, [tx.tenantId, action.id, ...changedLeadColumns.valuesOf(changed)]);
    return [...outcomes.values()].filter(({ outcome }) => outcome !== 'refused').length;
  }

  /** A lead that the action has not changed is as before. */
  private async undo(tx: Transaction, action: HeldBulkAction, leads: readonly ActionLead[]): Promise<number> {
    const kept = leads.flatMap(({ leadId, before, after }) =>
      before === null || after === null ? [] : [{ leadId, before, after }],
    );
    const restored = await this.options.leadChanges.restore(tx, action.userId, kept);
    return leads.length - kept.length + restored.size;
  }
}
