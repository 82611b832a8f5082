// What the rate limit refused, in the journal: one entry for each tenant and kind in a minute, with the first call as it arrived and
// how many more there were. A flood writes two statements a minute.

import type { Database, NamedStatement } from '../../platform/database.js';
import type { AppError } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { newRecordId } from '../../platform/record-id.js';
import type { DeliveryJournal } from './journal-writer.js';
import type { LimitKind } from './item-limiter.js';
import type { DialectName, WebhookCall } from './webhook-call.js';

export interface LimitRefusalsOptions {
  database: Database;
  journal: DeliveryJournal;
  log: Logger;
  /** What counts as a minute. Default 60,000. */
  intervalMs?: number;
}

export interface LimitRefusal {
  call: WebhookCall;
  dialect: DialectName | null;
  kind: LimitKind;
  /** Items of the call that were refused. */
  count: number;
  error: AppError;
}

/** The entry of one tenant and kind, while its minute lasts. */
interface Entry {
  tenantId: string;
  id: string;
  count: number;
  /** Settles when it stands in the journal, or could not be written. */
  written: Promise<void>;
  timer: NodeJS.Timeout;
}

const defaultIntervalMs = 60_000;
/** Beyond it refusals are counted in metrics only. */
const maxEntries = 10_000;

/** $1 tenant, $2 entry, $3 how many were refused. */
const noteCount: NamedStatement = {
  name: 'note-limit-refusals',
  text: `UPDATE webhook_deliveries SET reason = concat(reason, ' (', $3::int, ' in this minute)') WHERE tenant_id = $1 AND id = $2`,
};

export class LimitRefusals {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly options: LimitRefusalsOptions) {}

  /** Never rejects: a refusal stands, whether or not the journal can be written. */
  async note(refusal: LimitRefusal): Promise<void> {
    const { tenantId } = refusal.call;
    const name = `${tenantId} ${refusal.kind}`;
    const known = this.entries.get(name);
    if (known !== undefined) known.count += refusal.count;
    else if (this.entries.size < maxEntries) {
      const id = newRecordId();
      const written = this.write(id, refusal);
      const timer = setTimeout(() => void this.close(name), this.options.intervalMs ?? defaultIntervalMs).unref();
      this.entries.set(name, { tenantId, id, count: refusal.count, written, timer });
      await written;
    }
  }

  /** Ends all minutes now, and writes down what they came to. */
  async stop(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((name) => this.close(name)));
  }

  private async write(id: string, { call, dialect, error }: LimitRefusal): Promise<void> {
    await this.attempt(() => this.options.journal.recordLimited({ ...call, id }, dialect, error));
  }

  private async close(name: string): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    this.entries.delete(name);
    clearTimeout(entry.timer);
    await entry.written;
    if (entry.count > 1)
      await this.attempt(() => this.options.database.query(noteCount, [entry.tenantId, entry.id, entry.count]));
  }

  private async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.log.warn({ err: error }, 'what the rate limit refused could not be kept in the journal');
    }
  }
}
