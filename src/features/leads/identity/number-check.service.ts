// Judges the numbers of leads from before numbers were judged, tenant by tenant and batch by batch. Nothing else of a lead changes: neither
// its number nor its identities.

import type { Database, SqlRunner } from '../../../platform/database/database.js';
import type { Logger } from '../../../platform/observability/logger.js';
import {
  endNumberCheck,
  moveNumberCheck,
  selectUncheckedLeads,
  selectUncheckedTenants,
  waitBriefly,
  writeValidities,
} from './number-check.sql.js';
import { judgeNumber } from '../../../platform/phone-numbers/number-validity.js';

export interface NumberCheckOptions {
  database: Database;
  log: Pick<Logger, 'warn'>;
  /** Leads in one transaction. Default 500: they are locked for a few milliseconds. */
  batchSize?: number;
}

const defaultBatchSize = 500;
/** A run ends after this long, and the next one goes on: the job comes every minute. */
const runLimitMs = 50_000;

export class NumberCheckService {
  private stopping = false;
  private readonly batchSize: number;

  constructor(private readonly options: NumberCheckOptions) {
    this.batchSize = options.batchSize ?? defaultBatchSize;
  }

  /**
   * Judges the numbers that are not judged yet, one batch of each tenant in turn, so that no tenant waits for another. Safe to repeat, to
   * interrupt, and to run twice at once. A batch that fails is logged and left to the next run.
   */
  async checkAll(): Promise<void> {
    const startedAt = performance.now();
    let tenants = await this.options.database.query<{ tenantId: string }>(selectUncheckedTenants);
    while (tenants.length > 0 && !this.stopping && performance.now() - startedAt < runLimitMs) {
      const left: typeof tenants = [];
      for (const tenant of tenants) {
        if (this.stopping) return;
        const state = await this.checkSome(tenant.tenantId);
        if (state === 'more') left.push(tenant);
      }
      tenants = left;
    }
  }

  /** Ends a run after its transaction. */
  stop(): void {
    this.stopping = true;
  }

  private async checkSome(tenantId: string): Promise<'more' | 'done' | 'failed'> {
    try {
      const work = (sql: SqlRunner) => this.checkBatch(sql, tenantId);
      return await this.options.database.transaction(work, { tenantId });
    } catch (error) {
      this.options.log.warn(
        { err: error, tenantId },
        'numbers of a tenant could not be judged: the next run tries again',
      );
      return 'failed';
    }
  }

  private async checkBatch(sql: SqlRunner, tenantId: string): Promise<'more' | 'done'> {
    const leads = await sql.query<{ id: string; chat: string | null }>(selectUncheckedLeads, [
      tenantId,
      this.batchSize,
    ]);
    const last = leads.at(-1);
    if (last === undefined) return this.end(sql, tenantId);
    const judged = leads.flatMap(({ id, chat }) => (chat === null ? [] : [{ id, chat, validity: judgeNumber(chat) }]));
    if (judged.length > 0) {
      await sql.query(waitBriefly);
      await sql.query(writeValidities, [
        tenantId,
        judged.map(({ id }) => id),
        judged.map(({ chat }) => chat),
        judged.map(({ validity }) => validity),
      ]);
    }
    if (leads.length === this.batchSize) {
      await sql.query(moveNumberCheck, [tenantId, last.id]);
      return 'more';
    }
    return this.end(sql, tenantId);
  }

  private async end(sql: SqlRunner, tenantId: string): Promise<'done'> {
    await sql.query(endNumberCheck, [tenantId]);
    return 'done';
  }
}
