// Writes events behind those in the tenant's log, and numbers them.

import { Columns } from '../database/columns.js';
import type { NamedStatement } from '../database/database.js';
import type { EventType } from './event-log.js';

/** An event about to be written. `data` is the record at that time, where a later read would not show it. */
export interface NewEvent {
  type: EventType;
  leadId?: string | undefined;
  messageId?: string | undefined;
  instanceId?: string | undefined;
  data?: object | undefined;
}

export const newEventColumns = new Columns<NewEvent>(
  {
    type: ['text', ({ type }) => type],
    lead_id: ['uuid', ({ leadId }) => leadId],
    message_id: ['uuid', ({ messageId }) => messageId],
    instance_id: ['uuid', ({ instanceId }) => instanceId],
    data: ['jsonb', ({ data }) => (data === undefined ? null : JSON.stringify(data))],
  },
  3,
);

/**
 * $1 tenant, $2 the number of events, `newEventColumns`. The row of the tenant's head stays locked until the commit, and serialises the
 * tenant's commits. So this is the last statement of a transaction.
 */
export const appendEvents: NamedStatement = {
  name: 'append-events',
  text: `WITH head AS (
    INSERT INTO event_heads AS h (tenant_id, last_seq) VALUES ($1, $2::int)
    ON CONFLICT (tenant_id) DO UPDATE
      SET last_seq = h.last_seq + $2::int, logged_on = greatest(h.logged_on, EXCLUDED.logged_on)
    RETURNING last_seq - $2::int AS before_seq, logged_on
  )
  INSERT INTO events (tenant_id, seq, type, lead_id, message_id, instance_id, data, logged_on)
  SELECT $1, head.before_seq + e.position, e.type, e.lead_id, e.message_id, e.instance_id, e.data, head.logged_on
  FROM head, ${newEventColumns.numberedRows('e')}`,
};
