// Reads the tenant's ordered event log. A reader that has seen `seq` n never misses an event that commits later:
// transaction.ts takes each seq under the tenant's row lock, so seqs become visible in their order.

import type { Database } from './database.js';

export type EventType =
  'LEAD_CREATED' | 'LEAD_UPDATED' | 'MESSAGE_RECEIVED' | 'MESSAGE_STATUS_CHANGED' | 'CHAT_INSTANCE_STATUS_CHANGED';

export interface LoggedEvent {
  tenantId: string;
  /** Position in the tenant's log, from 1 without gaps. */
  seq: number;
  type: EventType;
  leadId: string | null;
  messageId: string | null;
  instanceId: string | null;
  data: unknown;
  occurredAt: Date;
}

export class EventLog {
  constructor(private readonly database: Database) {}

  /** The seq of the tenant's newest event; 0 before the first. */
  async headOf(tenantId: string): Promise<number> {
    const heads = await this.headsOf([tenantId]);
    return heads.get(tenantId) ?? 0;
  }

  /** The heads of many tenants in one statement; tenants without events are left out. */
  async headsOf(tenantIds: string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ tenant_id: string; last_seq: string }>(
      'SELECT tenant_id, last_seq FROM event_heads WHERE tenant_id = ANY($1::uuid[])',
      [tenantIds],
    );
    return new Map(rows.map((row) => [row.tenant_id, Number(row.last_seq)]));
  }

  /** Events after `seq`, oldest first, at most `limit`. */
  async listAfter(tenantId: string, seq: number, limit: number): Promise<LoggedEvent[]> {
    const rows = await this.database.query<Omit<LoggedEvent, 'seq'> & { seq: string }>(
      `SELECT tenant_id AS "tenantId", seq, type, lead_id AS "leadId", message_id AS "messageId",
         instance_id AS "instanceId", data, occurred_at AS "occurredAt"
       FROM events WHERE tenant_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
      [tenantId, seq, limit],
    );
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
