// Provider ids that gateways reserve before a message is handed over. They are stored at once as the message's provider id, in batches.
// Reports that come before the send's answer then find the message, and every worker sends it under the same id.

import { Columns } from '../../platform/database/columns.js';
import type { Database, NamedStatement } from '../../platform/database/database.js';
import { MicroBatcher } from '../../platform/jobs/micro-batcher.js';
import type { Metrics } from '../../platform/observability/metrics.js';
import type { NamedMessage } from './status.sql.js';

const bounds = {
  maxBatchSize: 100,
  maxBatchWeight: 100,
  maxInFlight: 1,
  maxWaiting: 10_000,
  maxWaitingWeight: 10_000,
};

const reservedColumns = new Columns<NamedMessage>({
  id: ['uuid', ({ id }) => id],
  instance_id: ['uuid', ({ instanceId }) => instanceId],
  external_id: ['text', ({ externalId }) => externalId],
});

/**
 * $1 tenant, `reservedColumns` → the messages with their ids from now on. A message that has an id keeps it. A message is left out if
 * another message of the instance has its id. No lock of ids is needed, because no report can have come for an id that was never sent.
 */
const keepReservedIds: NamedStatement = {
  name: 'keep-reserved-ids',
  text: `WITH item AS (
      SELECT DISTINCT ON (instance_id, external_id) * FROM ${reservedColumns.rows('i')} ORDER BY instance_id, external_id, id
    ), target AS (
      SELECT m.id, i.external_id FROM item i
      JOIN messages m ON m.tenant_id = $1 AND m.id = i.id AND m.id = ANY(${reservedColumns.array('id')})
      WHERE NOT EXISTS (SELECT FROM messages o WHERE o.tenant_id = $1 AND o.instance_id = i.instance_id
        AND o.external_id = i.external_id AND o.id <> i.id)
      ORDER BY m.id FOR NO KEY UPDATE OF m
    )
    UPDATE messages m SET external_id = coalesce(m.external_id, t.external_id) FROM target t
    WHERE m.tenant_id = $1 AND m.id = t.id AND m.id = ANY(${reservedColumns.array('id')})
    RETURNING m.id, m.external_id AS "externalId"`,
};

export class ReservedIdService {
  private readonly microBatcher: MicroBatcher<NamedMessage, string | undefined>;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.microBatcher = new MicroBatcher<NamedMessage, string | undefined>({
      write: (tenantId, messages) => this.store(tenantId, messages),
      weightOf: () => 1,
      name: 'reserved ids',
      meter: metrics.microBatcher('reserved ids'),
      ...bounds,
    });
  }

  /**
   * Stores the id that was reserved for a message, durably. Safe to repeat.
   * @returns the id to send the message under: an id that was stored before wins; undefined if another message has the id, or there is no
   * such message
   * @throws AppError UNAVAILABLE when the database is away, or too much is waiting: nothing may be sent then
   */
  async keep(tenantId: string, message: NamedMessage): Promise<string | undefined> {
    return this.microBatcher.submit(tenantId, message);
  }

  private async store(tenantId: string, messages: NamedMessage[]): Promise<(string | undefined)[]> {
    const values = [tenantId, ...reservedColumns.valuesOf(messages)];
    const rows = await this.database.query<{ id: string; externalId: string }>(keepReservedIds, values);
    const kept = new Map(rows.map(({ id, externalId }) => [id, externalId]));
    return messages.map(({ id }) => kept.get(id));
  }
}
