// Bulk actions: one change of many leads, and its undo. A worker makes the changes (bulk-action-runner.ts), by the rules of the leads.

import { createHash } from 'node:crypto';
import type { Database } from '../../platform/database/database.js';
import { AppError, invalidField, maxFieldErrors, notFound } from '../../platform/errors.js';
import { isUuid, parseInput, validationFailed } from '../../platform/input/input.js';
import { requireUser, type Principal, type UserPrincipal } from '../../platform/principal.js';
import type { Queue } from '../../platform/jobs/queue.js';
import { requireRoomFor } from '../../platform/database/record-bound.js';
import { newRecordId } from '../../platform/database/record-id.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import type { LeadChangeService } from '../leads/changes/lead-change.service.js';
import type { LeadListService } from '../leads/lead-list.service.js';
import { hasToLieAhead, liesAhead } from '../leads/lead.schema.js';
import { sortedJson } from '../outbox/sent-content.js';
import { runBulkActionsJob } from './bulk-action.jobs.js';
import {
  createBulkActionSchema,
  maxActionLeads,
  maxRunningActions,
  maxUnfinishedActions,
  undoMinutes,
  type CreateBulkActionInput,
  type WantedBulkAction,
} from './bulk-action.schema.js';
import {
  beginUndo,
  countRunningActions,
  countUnfinishedActions,
  insertActionLeads,
  insertBulkAction,
  lockBulkAction,
  selectBulkAction,
  selectBulkActionOfKey,
  type BulkActionRecord,
  type BulkActionStatus,
} from './bulk-action.sql.js';

export type { BulkActionRecord } from './bulk-action.sql.js';

export interface BulkActionOptions {
  database: Database;
  transactor: Transactor;
  queue: Queue;
  leadChanges: Pick<LeadChangeService, 'requireAllowed' | 'findCurrent'>;
  leadLists: Pick<LeadListService, 'listIds'>;
}

/** The data of BULK_ACTION_PROGRESS. */
export interface BulkActionSnapshot extends Pick<BulkActionRecord, 'status' | 'total' | 'done' | 'skipped'> {
  bulkActionId: string;
  /** ISO 8601. */
  undoUntil: string | null;
  createdAt: string;
}

const bounds = [
  { kind: 'running bulk actions', max: maxRunningActions, count: countRunningActions },
  { kind: 'unfinished bulk actions', max: maxUnfinishedActions, count: countUnfinishedActions },
];

export class BulkActionService {
  constructor(private readonly options: BulkActionOptions) {}

  /**
   * Begins a change of up to 10,000 leads, given by their ids or by a filter, whose leads are listed now. A lead that is named twice, or by
   * the id of one that was merged into it, counts once. Safe to repeat with an idempotency key.
   * @throws AppError VALIDATION_FAILED naming the first 100 wrong fields (`leadIds.<index>` for an unknown lead); NOT_FOUND for an unknown
   * assignee; CONFLICT if the key was used for other content, and while the tenant has 5 actions running, or 20 unfinished
   */
  async create(principal: Principal | undefined, input: CreateBulkActionInput): Promise<BulkActionRecord> {
    const user = requireUser(principal);
    const wanted = parseInput(createBulkActionSchema, input);
    const contentHash = hashOf(wanted);
    const repeated = await this.findRepeated(user, wanted.idempotencyKey, contentHash);
    if (repeated !== null) return repeated;
    const { snoozeUntil } = wanted.action;
    if (snoozeUntil !== undefined && !liesAhead(new Date(snoozeUntil)))
      throw invalidField('action.snoozeUntil', hasToLieAhead);
    const ids = wanted.leadIds ?? (await this.listFiltered(user, wanted));
    const isFiltered = wanted.leadIds == null;
    const findFirst = () => this.findRepeated(user, wanted.idempotencyKey, contentHash);
    const written = await this.options.transactor
      .run(user.tenantId, async (tx) => {
        await this.options.leadChanges.requireAllowed(tx, wanted.action, 'action.assigneeId');
        const leadIds = await this.findLeads(tx, ids, isFiltered);
        return this.write(tx, user, { wanted, contentHash, leadIds });
      })
      .catch(async (error: unknown) => {
        // A parallel call with the same key may have taken the last place.
        const first = await findFirst();
        if (first === null) throw error;
        return first;
      });
    // A parallel call with the same key was first: return its action.
    const begun = written ?? (await findFirst());
    if (begun === null) throw new Error('a bulk action was neither written nor found under its idempotency key');
    return begun;
  }

  /** @returns null if the tenant has no bulk action with this id */
  async find(principal: Principal | undefined, id: string): Promise<BulkActionRecord | null> {
    const { tenantId } = requireUser(principal);
    if (!isUuid(id)) return null;
    const [found] = await this.options.database.query<BulkActionRecord>(selectBulkAction, [tenantId, id]);
    return found ?? null;
  }

  /**
   * Begins to change leads back, in the name of this user. An action that still runs changes no further lead. A lead that was changed since
   * stays as it is.
   * @throws AppError NOT_FOUND; CONFLICT for an action that is being undone, and 10 minutes after its end
   */
  async undo(principal: Principal | undefined, id: string): Promise<BulkActionRecord> {
    const { tenantId, userId } = requireUser(principal);
    if (!isUuid(id)) throw notFound('bulk action');
    return this.options.transactor.run(tenantId, async (tx) => {
      const [action] = await tx.query<{ status: BulkActionStatus; isTooLate: boolean }>(lockBulkAction, [tenantId, id]);
      if (action === undefined) throw notFound('bulk action');
      if (action.status === 'UNDOING' || action.status === 'UNDONE')
        throw new AppError('CONFLICT', 'This bulk action has been undone already');
      if (action.isTooLate)
        throw new AppError('CONFLICT', `A bulk action can be undone for ${undoMinutes} minutes after its end`);
      const [undoing] = await tx.query<BulkActionRecord>(beginUndo, [tenantId, id, userId]);
      if (undoing === undefined) throw notFound('bulk action');
      announceProgress(tx, undoing);
      await this.options.queue.send(tx, runBulkActionsJob, { tenantId });
      return undoing;
    });
  }

  private async listFiltered(user: UserPrincipal, { filter }: WantedBulkAction): Promise<string[]> {
    const ids = await this.options.leadLists.listIds(user, filter ?? {}, maxActionLeads + 1);
    if (ids.length > maxActionLeads) throw invalidField('filter', `must not find more than ${maxActionLeads} leads`);
    return ids;
  }

  /** @returns the leads that the ids stand for, each once, in their order */
  private async findLeads(tx: Transaction, ids: readonly string[], isFiltered: boolean): Promise<string[]> {
    if (ids.length === 0) return [];
    const current = await this.options.leadChanges.findCurrent(tx, ids);
    const unknown = ids.flatMap((id, index) =>
      current.has(id) ? [] : [{ path: `leadIds.${index}`, message: 'there is no such lead' }],
    );
    // Leads that a filter has found may have been erased since.
    if (unknown.length > 0 && !isFiltered)
      throw validationFailed(unknown.slice(0, maxFieldErrors), Math.max(0, unknown.length - maxFieldErrors));
    return [...new Set(ids.flatMap((id) => current.get(id) ?? []))];
  }

  /** @returns undefined when the idempotency key is taken */
  private async write(
    tx: Transaction,
    user: UserPrincipal,
    { wanted, contentHash, leadIds }: { wanted: WantedBulkAction; contentHash: Buffer; leadIds: readonly string[] },
  ): Promise<BulkActionRecord | undefined> {
    const { tenantId } = tx;
    for (const bound of bounds) await requireRoomFor(tx, tenantId, bound);
    const content = [JSON.stringify(wanted.action), wanted.idempotencyKey ?? null, contentHash];
    const values = [tenantId, newRecordId(), user.userId, ...content, leadIds.length];
    const [written] = await tx.query<BulkActionRecord>(insertBulkAction, values);
    if (written === undefined || leadIds.length === 0) return written;
    await tx.query(insertActionLeads, [tenantId, written.id, leadIds]);
    await this.options.queue.send(tx, runBulkActionsJob, { tenantId });
    return written;
  }

  /** Returns the action with this key; null for a new key. @throws AppError CONFLICT if the key was used for other content */
  private async findRepeated(
    user: UserPrincipal,
    key: string | null | undefined,
    contentHash: Buffer,
  ): Promise<BulkActionRecord | null> {
    if (key == null) return null;
    const [first] = await this.options.database.query<BulkActionRecord & { contentHash: Buffer }>(
      selectBulkActionOfKey,
      [user.tenantId, key],
    );
    if (first !== undefined && !contentHash.equals(first.contentHash))
      throw new AppError('CONFLICT', 'idempotencyKey: was used for a bulk action with other content');
    return first ?? null;
  }
}

/** Emits BULK_ACTION_PROGRESS. */
export function announceProgress(tx: Transaction, action: BulkActionRecord): void {
  const { id: bulkActionId, status, total, done, skipped, undoUntil, createdAt } = action;
  const times = { undoUntil: undoUntil?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  const data: BulkActionSnapshot = { bulkActionId, status, total, done, skipped, ...times };
  tx.emit({ type: 'BULK_ACTION_PROGRESS', data });
}

/** Returns the bulk action as its event has seen it. */
export function actionAtChange(snapshot: BulkActionSnapshot): BulkActionRecord {
  const { bulkActionId: id, status, total, done, skipped, undoUntil, createdAt } = snapshot;
  const times = { undoUntil: undoUntil === null ? null : new Date(undoUntil), createdAt: new Date(createdAt) };
  return { id, status, total, done, skipped, ...times };
}

function hashOf({ leadIds, filter, action }: WantedBulkAction): Buffer {
  const content = [leadIds ?? null, filter == null ? null : sortedJson({ ...filter }), sortedJson(action)];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
