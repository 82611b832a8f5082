// Emits the progress of bulk sends. It reads the event log once a second for all changed messages, so the code that changes messages need
// not know of bulk sends.

import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { TenantSweep } from '../../platform/jobs/tenant-sweep.js';
import type { Transaction, Transactor } from '../../platform/database/transaction.js';
import { holdBulkSendWatch, selectBulkSendsOfEvents, selectWatchedTenants, setBulkSendWatch } from './bulk-send.sql.js';
import type { BulkSendService } from './bulk-send.service.js';

export interface BulkProgressOptions {
  database: Database;
  transactor: Transactor;
  bulkSends: Pick<BulkSendService, 'listProgress'>;
  log: Logger;
}

const intervalMs = 1_000;
/** The most events that one transaction reads. */
const maxEvents = 20_000;

interface HeldWatch {
  seq: string;
  untilSeq: string;
}

export class BulkProgressService {
  /** The sweep that emits progress. Every process may run it: one at a time works on a tenant, at most once a second. */
  readonly sweep: TenantSweep;

  constructor(private readonly options: BulkProgressOptions) {
    const { database, transactor, log } = options;
    const listTenants = () => database.query<{ tenantId: string }>(selectWatchedTenants, [intervalMs]);
    const work = (tenantId: string) => transactor.run(tenantId, (tx) => this.emitDue(tx));
    this.sweep = new TenantSweep({ what: 'bulk send progress', intervalMs, listTenants, work, log });
  }

  /** Emits BULK_SEND_PROGRESS for each bulk send whose messages have changed since the last event. */
  private async emitDue(tx: Transaction): Promise<void> {
    const [held] = await tx.query<HeldWatch>(holdBulkSendWatch, [tx.tenantId, maxEvents, intervalMs]);
    if (held === undefined) return;
    const values = [tx.tenantId, held.seq, held.untilSeq];
    const changed = await tx.query<{ id: string }>(selectBulkSendsOfEvents, values);
    const system = { kind: 'system', tenantId: tx.tenantId } as const;
    const ids = changed.map(({ id }) => id);
    for (const { id, progress } of ids.length === 0 ? [] : await this.options.bulkSends.listProgress(system, ids))
      tx.emit({ type: 'BULK_SEND_PROGRESS', data: { bulkSendId: id, progress } });
    await tx.query(setBulkSendWatch, [tx.tenantId, held.untilSeq, ids.length > 0]);
  }
}
