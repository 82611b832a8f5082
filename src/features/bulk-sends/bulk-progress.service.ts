// Tells of the progress of bulk sends. Which of them have come further is read from the event log, once for all messages of the
// last second: nobody who changes a message has to know of it, and nothing is missed.

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
/** Events that are looked at in one go; what is beyond waits for the next. */
const maxEvents = 20_000;

interface HeldWatch {
  seq: string;
  untilSeq: string;
}

export class BulkProgressService {
  private timer: NodeJS.Timeout | undefined;
  private telling = false;

  constructor(private readonly options: BulkProgressOptions) {}

  /** Any number of processes may do so: a tenant's progress is told of by one of them at a time, at most once a second. */
  start(): void {
    this.timer = setInterval(() => void this.tellAll(), intervalMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async tellAll(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    const { database, transactor, log } = this.options;
    try {
      for (const { tenantId } of await database.query<{ tenantId: string }>(selectWatchedTenants, [intervalMs]))
        await transactor.run(tenantId, (tx) => this.tell(tx));
    } catch (error) {
      log.warn({ err: error }, 'the progress of bulk sends could not be told of; trying on');
    } finally {
      this.telling = false;
    }
  }

  /** Emits BULK_SEND_PROGRESS for each bulk send whose messages have changed since the last time. */
  private async tell(tx: Transaction): Promise<void> {
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
