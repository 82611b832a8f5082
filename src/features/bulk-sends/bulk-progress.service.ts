// Emits the progress of bulk sends. It reads the event log once a second for all messages that have changed, so the code that changes
// messages need not know of bulk sends.

import type { Database } from '../../platform/database.js';
import type { Logger } from '../../platform/logger.js';
import type { Transaction, Transactor } from '../../platform/transaction.js';
import { holdBulkSendWatch, selectBulkSendsOfEvents, selectWatchedTenants, setBulkSendWatch } from './bulk-send.sql.js';
import type { BulkSendService } from './bulk-send.service.js';

export interface BulkProgressOptions {
  database: Database;
  transactor: Transactor;
  bulkSends: Pick<BulkSendService, 'listProgress'>;
  log: Logger;
}

const intervalMs = 1_000;
/** Events that one transaction reads. */
const maxEvents = 20_000;

interface HeldWatch {
  seq: string;
  untilSeq: string;
}

export class BulkProgressService {
  private timer: NodeJS.Timeout | undefined;
  private sweeping = false;

  constructor(private readonly options: BulkProgressOptions) {}

  /** May run in any number of processes: one of them at a time emits a tenant's progress, at most once a second. */
  start(): void {
    this.timer = setInterval(() => void this.emitAll(), intervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async emitAll(): Promise<void> {
    if (this.sweeping) return;
    this.sweeping = true;
    const { database, transactor, log } = this.options;
    try {
      for (const { tenantId } of await database.query<{ tenantId: string }>(selectWatchedTenants, [intervalMs]))
        await transactor.run(tenantId, (tx) => this.emitDue(tx));
    } catch (error) {
      log.warn({ err: error }, 'the progress of bulk sends could not be emitted; trying again');
    } finally {
      this.sweeping = false;
    }
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
