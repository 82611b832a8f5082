// The bytes of files, each under an id of its own. Objects are deleted once no file names them. A table lists the objects to delete, and so
// outlives the process. An object is listed before it is written, so that none is ever forgotten.

import type { Readable } from 'node:stream';
import type { ByteRange, ObjectStore } from '../../clients/object-store/object-store.js';
import { ObjectStoreError } from '../../clients/object-store/object-store-error.js';
import type { JudgeHead, StagedFile } from '../../clients/object-store/staging-folder.js';
import type { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import { newRecordId } from '../../platform/database/record-id.js';
import { takeTurn, TenantSweep } from '../../platform/jobs/tenant-sweep.js';
import { claimDeletions, endDeletions, planDeletion, selectTenantsWithDeletions } from './media-objects.sql.js';

export interface MediaObjectsOptions {
  database: Database;
  store: ObjectStore;
  log: Logger;
  metrics: Metrics;
  /** The time between two sweeps that delete unused objects, in milliseconds. */
  sweepIntervalMs: number;
}

/**
 * The hours after which an object without a file is deleted. Every file arrives within this time, so no object is deleted while it is
 * written.
 */
const unnamedHours = 1;
const hourMs = 3_600_000;
/** The time between two clean-ups of the staging folder. Each process that shares the folder does it. */
const tidyIntervalMs = hourMs;
/** Each of them is a call to the store. A tenant's turn has few enough that others, whose erased people's files wait, come soon. */
const deletionsAtOnce = 25;
const deletionLeaseMs = 300_000;
const tenantsAtOnce = 1_000;
const retryAfterSeconds = 5;
const operations = ['put', 'read', 'delete'] as const;
type Operation = (typeof operations)[number];

export class MediaObjects {
  /** Deletes objects that no file names any more. */
  readonly sweep: TenantSweep;
  private tidying: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly options: MediaObjectsOptions) {
    const { database, log, metrics, sweepIntervalMs: intervalMs } = options;
    // The counters begin at 0, so that the first failure shows as an increase.
    for (const operation of operations) metrics.mediaStoreFailures.inc({ operation }, 0);
    this.sweep = new TenantSweep({
      what: 'objects of files',
      intervalMs,
      listTenants: () => database.query<{ tenantId: string }>(selectTenantsWithDeletions, [tenantsAtOnce]),
      work: (tenantId) => takeTurn(() => this.deleteNext(tenantId)),
      log,
    });
  }

  /** The folder that receives files before they are stored. */
  get staging() {
    return this.options.store.staging;
  }

  /** @throws ObjectStoreError if the store cannot be used */
  async start(): Promise<void> {
    const { store, log } = this.options;
    this.isStopped = false;
    await store.start();
    await this.removeHalfReceived();
    const remove = () =>
      this.removeHalfReceived().catch((err: unknown) =>
        log.warn({ err }, 'files that had come half could not be removed'),
      );
    this.tidying = setInterval(() => void remove(), tidyIntervalMs);
  }

  /** Stops the timers of `start` and the sweep, which deletes nothing more after its current object. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.tidying);
    this.sweep.stop();
  }

  /** Removes partly received files of killed processes, an hour or more after their last change. */
  async removeHalfReceived(): Promise<void> {
    const count = await this.staging.sweep(unnamedHours * hourMs);
    if (count > 0) this.options.log.info({ count }, 'removed files that had come half');
  }

  /** Does the same as `StagingFolder.receive`, at the pace of files. @throws AppError UNAVAILABLE if the disk takes nothing */
  receive(tenantId: string, source: AsyncIterable<Uint8Array>, judge: JudgeHead): Promise<StagedFile> {
    return this.attempt('put', () => this.staging.receive(this.atPace(tenantId, source), judge));
  }

  /** Returns the bytes of a file at a pace that leaves time for all other work. */
  atPace(tenantId: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.staging.pace.chunks(tenantId, source);
  }

  /**
   * Stores a file. It is deleted after an hour or two, unless a statement gives its object to a file and removes the planned deletion.
   * @returns the object's id @throws AppError UNAVAILABLE
   */
  async put(tenantId: string, file: StagedFile): Promise<string> {
    const { database, store } = this.options;
    const objectId = newRecordId();
    await database.change(tenantId, planDeletion, [tenantId, objectId, unnamedHours]);
    await this.attempt('put', () => store.put({ tenantId, objectId }, file));
    return objectId;
  }

  /** Opens an object. @returns undefined if the store has lost it @throws AppError UNAVAILABLE */
  open(tenantId: string, objectId: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.attempt('read', () => this.options.store.open({ tenantId, objectId }, range));
  }

  /** Returns whether the tenant may have more objects to delete. */
  private async deleteNext(tenantId: string): Promise<boolean> {
    const { database, store } = this.options;
    if (this.isStopped) return false;
    const values = [tenantId, deletionsAtOnce, deletionLeaseMs];
    const due = await database.change<{ objectId: string; isUsed: boolean }>(tenantId, claimDeletions, values);
    for (const { objectId, isUsed } of due) {
      if (this.isStopped) return false;
      if (!isUsed) await this.attempt('delete', () => store.delete({ tenantId, objectId }));
      await database.change(tenantId, endDeletions, [tenantId, [objectId]]);
    }
    return due.length === deletionsAtOnce;
  }

  private async attempt<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      this.options.metrics.mediaStoreFailures.inc({ operation });
      this.options.log.error({ err: error }, 'the store of files failed');
      throw new AppError('UNAVAILABLE', 'The store of files cannot be used right now', {
        retryAfterSeconds,
        cause: error,
      });
    }
  }
}
