// Conversations in the product's own shape, written by SQL: leads of several sources and assignees, and messages of both sides.
// Foreign keys are not checked, because millions of rows are written; the rows are whole all the same.

import { hasColumn, withClient } from './postgres.js';

export interface StoredConversations {
  tenantId: string;
  leadCount: number;
  messageCount: number;
  /** The number of days, up to now, that the messages are spread over. */
  days: number;
  /** Ends the work early. */
  signal: AbortSignal;
}

/** Stores the conversations, and waits until the product's job has computed the figures of its dashboards, within a minute. */
export async function storeConversations(
  url: string,
  { tenantId, leadCount, messageCount, days, signal }: StoredConversations,
): Promise<void> {
  await withClient(
    url,
    async (client) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(insertUsers, [tenantId]);
      await client.query(insertLeads, [tenantId, leadCount, days]);
      await client.query(insertIdentities, [tenantId]);
      await client.query(insertMessages, [tenantId, messageCount, days]);
      await client.query(updateInbox(await hasColumn(client, 'messages', 'position')), [tenantId]);
      await client.query('COMMIT');
      await client.query('VACUUM ANALYZE');
      for (let behind = true; behind;) {
        signal.throwIfAborted();
        const { rows } = await client.query<{ behind: boolean }>(
          'SELECT EXISTS (SELECT FROM dashboard_changes) AS behind',
        );
        behind = rows[0]?.behind ?? false;
        if (behind) await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await client.query('VACUUM ANALYZE');
    },
    signal,
  );
}

const insertUsers = `
  WITH created AS (
    INSERT INTO users (tenant_id, id, role, email, updated_at)
    SELECT $1, uuidv7(), 'OPERATOR', 'operator-' || number || '@bench.example', now() FROM generate_series(1, 9) AS number
    RETURNING tenant_id, id, email
  )
  INSERT INTO accounts (tenant_id, id, user_id, name, updated_at) SELECT tenant_id, uuidv7(), id, email, now() FROM created`;

const insertLeads = `
  INSERT INTO leads (tenant_id, id, name, chat, source, assignee_id, created_at, updated_at)
  SELECT $1, uuidv7(n.age), 'Lead ' || n.number, (4915000000000 + n.number)::text,
    (ARRAY['ads', 'fair', 'partner', 'phone', 'website'])[1 + n.number % 5], u.id, now() + n.age, now()
  FROM (SELECT number, (number - $2) * ($3::int * interval '1 day' / $2) AS age FROM generate_series(1, $2::bigint) AS number) n
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM users WHERE tenant_id = $1) u
    ON u.position = n.number % 10`;

// The canonical form of these numbers is the numbers themselves.
const insertIdentities = `
  INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
  SELECT tenant_id, 'PHONE', chat, chat, id FROM leads WHERE tenant_id = $1`;

// Messages lie evenly over the days, each by chance to or from one of the leads. None waits for a report, which would be missed.
const insertMessages = `
  INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body, external_id, author_id, created_at,
    received_at, sent_at)
  SELECT $1, uuidv7(d.age), l.id, i.id, CASE WHEN d.is_inbound THEN 'INBOUND' ELSE 'OUTBOUND' END::message_direction,
    CASE WHEN NOT d.is_inbound THEN (ARRAY['DELIVERED', 'DELIVERED', 'DELIVERED', 'READ', 'READ', 'READ', 'READ', 'READ', 'READ',
      'FAILED'])[1 + d.number % 10] END::message_status,
    'text', 'Bom dia! Ainda tem a casa da rua ' || d.number || '?', '3EB0' || d.number, CASE WHEN NOT d.is_inbound THEN u.id END,
    now() + d.age, CASE WHEN d.is_inbound THEN now() + d.age END, CASE WHEN NOT d.is_inbound THEN now() + d.age END
  FROM (
    SELECT number, (number - $2) * ($3::int * interval '1 day' / $2) AS age, random() < 0.5 AS is_inbound,
      floor(random() * (SELECT count(*) FROM leads WHERE tenant_id = $1)) AS lead
    FROM generate_series(1, $2::bigint) AS number
  ) d
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM leads WHERE tenant_id = $1) l ON l.position = d.lead
  JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM users WHERE tenant_id = $1) u
    ON u.position = d.number % 10
  JOIN chat_instances i ON i.tenant_id = $1 AND i.is_default
  ORDER BY d.number`;

const positionOf = (id: string) =>
  `(SELECT position FROM messages p WHERE p.tenant_id = l.tenant_id AND p.id = ${id}::uuid)`;

// The columns that intake keeps with each lead; everything since the last answer is unread. A version before messages had positions keeps
// the ids of the newest ones.
const updateInbox = (hasPositions: boolean) => `
  UPDATE leads l SET last_message_id = m.newest, unread_count = m.unread, last_inbound_at = m.inbound_at, waiting_since = m.waiting_since,
    ${
      hasPositions
        ? `last_message_position = ${positionOf('m.newest')}, last_inbound_position = ${positionOf('m.inbound')},
    last_answer_position = ${positionOf('m.answered')}`
        : 'last_inbound_id = m.inbound::uuid, last_answer_id = m.answered::uuid'
    }
  FROM (
    SELECT lead_id, max(id::text)::uuid AS newest, max(answered) AS answered,
      max(id::text) FILTER (WHERE direction = 'INBOUND') AS inbound, max(created_at) FILTER (WHERE direction = 'INBOUND') AS inbound_at,
      count(*) FILTER (WHERE direction = 'INBOUND' AND id::text > coalesce(answered, '')) AS unread,
      min(created_at) FILTER (WHERE direction = 'INBOUND' AND id::text > coalesce(answered, '')) AS waiting_since
    FROM (
      SELECT lead_id, id, direction, created_at,
        max(id::text) FILTER (WHERE direction = 'OUTBOUND' AND status <> 'FAILED') OVER (PARTITION BY lead_id) AS answered
      FROM messages WHERE tenant_id = $1
    ) s
    GROUP BY lead_id
  ) m
  WHERE l.tenant_id = $1 AND l.id = m.lead_id`;
