// Messages that wait to be sent, written by SQL in the product's own shape: as many as a bench or a test needs, in seconds.

import { matchKeyOfNumber } from '../../src/platform/phone-numbers/match-key.js';

// The statement writes the rows of accepted messages, but no events and jobs: nobody watches here, and one job wakes a worker for all.
const insertWaiting = `
  WITH lead AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS position FROM leads WHERE tenant_id = $1
  ), item AS (
    SELECT n.number, uuidv7() AS id, lead.id AS lead_id, i.id AS instance_id
    FROM generate_series(1, $2::int) AS n (number)
    JOIN lead ON lead.position = (n.number - 1) % (SELECT count(*) FROM lead)
    JOIN chat_instances i ON i.tenant_id = $1 AND i.is_default
    ORDER BY n.number
  ), message AS (
    INSERT INTO messages (tenant_id, id, lead_id, instance_id, direction, status, type, body)
    SELECT $1, id, lead_id, instance_id, 'OUTBOUND', 'QUEUED', 'text', $3 || number FROM item
  ), explained AS (
    INSERT INTO message_status_transitions (tenant_id, id, message_id, to_status, source, occurred_at)
    SELECT $1, uuidv7(), id, 'QUEUED', 'user', now() FROM item
  )
  INSERT INTO outbox_entries (tenant_id, message_id, lead_id, instance_id, priority)
  SELECT $1, id, lead_id, instance_id, $4 FROM item ORDER BY number`;

const insertLeads = `
  WITH created AS (
    INSERT INTO leads (tenant_id, id, name, chat, source, updated_at)
    SELECT $1, uuidv7(), 'Lead ' || chat, chat, 'webhook', now() FROM unnest($2::text[]) AS chat
    RETURNING id, chat
  )
  INSERT INTO lead_identities (tenant_id, kind, match_key, value, lead_id)
  SELECT $1, 'PHONE', w.match_key, w.chat, created.id
  FROM created JOIN unnest($2::text[], $3::text[]) AS w (chat, match_key) USING (chat)`;

// The statement copies what sending needs of a tenant: its users, their accounts and its instances.
const copyTenant = `
  WITH tenant AS (
    INSERT INTO tenants (id, name, slug, updated_at) VALUES (uuidv7(), $2, $2, now()) RETURNING id
  ), person AS (
    INSERT INTO users (tenant_id, id, role, email, updated_at)
    SELECT t.id, uuidv7(), u.role, u.email, now() FROM tenant t, users u WHERE u.tenant_id = $1
    RETURNING tenant_id, id
  ), account AS (
    INSERT INTO accounts (tenant_id, id, user_id, name, updated_at)
    SELECT tenant_id, uuidv7(), id, $2, now() FROM person
    RETURNING tenant_id, id
  )
  INSERT INTO chat_instances (tenant_id, id, account_id, instance_name, is_default, status, updated_at)
  SELECT tenant_id, uuidv7(), id, $2 || '-instance', true, 'CONNECTED', now() FROM account LIMIT 1
  RETURNING tenant_id AS id, instance_name AS "instanceName"`;

type RunSql = (text: string, values: unknown[]) => Promise<unknown[]>;

export interface WaitingMessages {
  tenantId: string;
  count: number;
  /** The text before the number of each message, from 1, in the order of acceptance. */
  textPrefix: string;
  /** 0 an operator's reply, 10 bulk. */
  priority: number;
}

/** Queues messages over the tenant's leads in turn, on its default instance. No worker is woken. */
export async function storeWaiting(sql: RunSql, waiting: WaitingMessages): Promise<void> {
  const { tenantId, count, textPrefix, priority } = waiting;
  await sql(insertWaiting, [tenantId, count, textPrefix, priority]);
}

/** Stores a lead for each number. */
export async function storeLeads(sql: RunSql, tenantId: string, chatNumbers: readonly string[]): Promise<void> {
  await sql(insertLeads, [tenantId, chatNumbers, chatNumbers.map(matchKeyOfNumber)]);
}

/** A second tenant, with a default instance of its own. @param likeId the tenant that it copies */
export async function addTenant(
  sql: RunSql,
  likeId: string,
  slug: string,
): Promise<{ id: string; instanceName: string }> {
  const [tenant] = await sql(copyTenant, [likeId, slug]);
  return tenant as { id: string; instanceName: string };
}
