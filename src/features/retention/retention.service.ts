// Removes old rows. Each module deletes its own; this one calls them, and drops the partitions of the journal and the event log. The
// audit log is never pruned.

import type { Database, NamedStatement } from '../../platform/database/database.js';
import { deleteOldEvents } from '../../platform/events/event-log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { PartitionedTable } from '../../platform/database/partitioned-table.js';
import { Pruner } from '../../platform/jobs/pruner.js';
import { firstIdAt } from '../../platform/database/record-id.js';
import { deleteOldActionLeads, deleteOldActions } from '../bulk-actions/bulk-action.sql.js';
import { deleteOldEntries, noteReasons } from '../intake/journal-writer.js';
import { expireParkedChanges as expireChanges, forgetPreviousTexts } from '../messages/changes/change.sql.js';
import { deleteOldRefusedRows } from '../leads/files/lead-import.sql.js';
import { daysOfErasure, pruneErasedIdentities } from '../leads/identity/erased-identity.service.js';
import { deleteOldAudits } from '../recovery/recovery.sql.js';
import { pruneSourceLeads } from '../lead-sources/calls/source-lead.sql.js';
import { pruneMedia } from '../media/media.sql.js';
import { expireParked } from '../messages/status.sql.js';
import { pruneSendAttempts } from '../outbox/old-send-attempts.js';
import { deleteExpiredDevices } from '../push/push-device.sql.js';
import { pruneDeliveries } from '../outgoing-webhooks/endpoint-delivery.service.js';
import { selectTenantIds } from '../tenants/tenant.sql.js';
import type { LogPartitions } from './log-partitions.js';

export interface RetentionOptions {
  database: Database;
  partitions: LogPartitions;
  log: Logger;
  /** The days that a webhook call stays in the journal. */
  deliveryDays: number;
  /** The days back at which a reader of the event log may begin. */
  eventDays: number;
  /** The days that an endpoint delivery stays once it no longer waits. */
  endpointDeliveryDays: number;
  /** The hours that a status, a reaction, an edit or a deletion waits for its message. */
  parkedStatusHours: number;
  /** Applies parked changes whose messages are there. */
  settleParkedChanges: () => Promise<void>;
  /** Blanks calls of people who were erased, where their own job did not reach them. @returns how many */
  clearErasedCalls: () => Promise<number>;
  /** The days that files of messages are kept; 0: as long as their messages. */
  mediaDays: number;
  /** The most rows that one statement removes. */
  chunkSize: number;
}

/** The numbers of removed rows, without those of `partitions`. */
export interface Pruned {
  parkedStatuses: number;
  parkedChanges: number;
  /** Texts from before an edit or a deletion. */
  previousTexts: number;
  deliveries: number;
  events: number;
  sendAttempts: number;
  endpointDeliveries: number;
  mediaFiles: number;
  /** Readings of instances' histories. */
  instanceAudits: number;
  /** Identities of people who were erased longer ago than histories are read back. */
  erasedIdentities: number;
  /** Calls that lost what they said of erased people. */
  erasedCalls: number;
  sourceLeads: number;
  /** Rows that imports refused. */
  refusedRows: number;
  /** Leads of bulk actions that cannot be undone any more. */
  bulkActionLeads: number;
  bulkActions: number;
  /** Browsers that did not open the console for long. */
  pushDevices: number;
  /** The names of the dropped partitions. */
  partitions: string[];
}

export class RetentionService {
  private readonly pruner: Pruner;

  constructor(private readonly options: RetentionOptions) {
    const { database, chunkSize } = options;
    const listTenantIds = async () => (await database.query<{ id: string }>(selectTenantIds)).map(({ id }) => id);
    this.pruner = new Pruner({ database, listTenantIds, chunkSize });
  }

  /**
   * Removes expired rows, by the database's clock, and makes missing partitions ahead. A failure is logged and left to the next run. Safe
   * to repeat, and to run twice at once.
   */
  async prune(): Promise<Pruned> {
    const { database, partitions, parkedStatusHours, endpointDeliveryDays, mediaDays } = this.options;
    const { pruner } = this;
    await partitions.extend();
    const dropped: string[] = [];
    return {
      // A promise to people comes before old rows, of which there may be many.
      erasedCalls: await this.attempt('calls of erased people', this.options.clearErasedCalls),
      parkedStatuses: await this.attempt('parked statuses', () =>
        pruner.run(expireParkedStatuses, [parkedStatusHours]),
      ),
      parkedChanges: await this.attempt('parked changes', () => this.expireChanges()),
      // Previous texts are kept as long as the journal has the calls that brought them.
      previousTexts: await this.attempt('texts before an edit or a deletion', () =>
        pruner.run(forgetPreviousTexts, [this.options.deliveryDays]),
      ),
      deliveries: await this.attempt('webhook calls', () => this.pruneCalls(dropped)),
      events: await this.attempt('events', () => this.pruneEvents(dropped)),
      sendAttempts: await this.attempt('send attempts', () => pruneSendAttempts(pruner)),
      endpointDeliveries: await this.attempt('deliveries to endpoints', () =>
        pruneDeliveries(database, pruner, endpointDeliveryDays),
      ),
      mediaFiles: await this.attempt('files', () => pruneMedia(pruner, mediaDays)),
      instanceAudits: await this.attempt('audits of histories', () =>
        pruner.runForTenants(deleteOldAudits, [this.options.deliveryDays]),
      ),
      erasedIdentities: await this.attempt('erased identities', () =>
        pruner.run(pruneErasedIdentities, [daysOfErasure(this.options.deliveryDays)]),
      ),
      sourceLeads: await this.attempt('leads of sources', () => pruneSourceLeads(database, pruner)),
      refusedRows: await this.attempt('refused rows of imports', () => pruner.runForTenants(deleteOldRefusedRows, [])),
      bulkActionLeads: await this.attempt('leads of bulk actions', () =>
        pruner.runForTenants(deleteOldActionLeads, []),
      ),
      bulkActions: await this.attempt('bulk actions', () => pruner.runForTenants(deleteOldActions, [])),
      pushDevices: await this.attempt('browsers that are notified', () => pruner.run(deleteExpiredDevices, [])),
      partitions: dropped,
    };
  }

  stop(): void {
    this.pruner.stop();
  }

  private async attempt(what: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work();
    } catch (error) {
      this.options.log.error({ err: error, what }, 'old rows were not removed: the next run tries again');
      return 0;
    }
  }

  private async expireChanges(): Promise<number> {
    await this.options.settleParkedChanges();
    return this.pruner.run(expireParkedChanges, [this.options.parkedStatusHours]);
  }

  // Partitions go first: rows without one may lie behind them in a tenant's log, which must have no gaps.
  private async pruneEvents(dropped: string[]): Promise<number> {
    const { eventDays, partitions } = this.options;
    const firstKept = await this.pruner.timeAgo(eventDays);
    dropped.push(...(await partitions.events.dropBefore(firstKept)));
    return this.pruneOpenPartitions(partitions.events, firstKept, (name) =>
      deleteOldEvents(name, name === partitions.events.restName ? 'logged_on' : 'occurred_at'),
    );
  }

  private async pruneCalls(dropped: string[]): Promise<number> {
    const { deliveryDays, partitions } = this.options;
    const firstKept = await this.pruner.timeAgo(deliveryDays);
    dropped.push(...(await partitions.deliveries.dropBefore(firstKept)));
    return this.pruneOpenPartitions(partitions.deliveries, firstIdAt(firstKept), deleteOldEntries);
  }

  private async pruneOpenPartitions(
    table: PartitionedTable,
    firstKept: Date | string,
    deleteOld: (partition: string) => NamedStatement,
  ): Promise<number> {
    let count = 0;
    for (const name of await table.listOpenWithRows())
      count += await this.pruner.runForTenants(deleteOld(name), [firstKept]);
    return count;
  }
}

/** Expires parked reactions, edits and deletions like `expireParkedStatuses`. */
export const expireParkedChanges: NamedStatement = {
  name: 'expire-parked-changes',
  text: `WITH ${expireChanges}, ${noteReasons}
    SELECT count(*)::int AS count FROM gone`,
};

/** $1 hours, $2 limit → how many were deleted. The journal keeps why, where it still has their calls. */
export const expireParkedStatuses: NamedStatement = {
  name: 'expire-parked-statuses',
  text: `WITH ${expireParked}, ${noteReasons}
    SELECT count(*)::int AS count FROM gone`,
};
