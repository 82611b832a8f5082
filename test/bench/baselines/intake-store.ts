// The webhook calls of a server written by hand for speed: one statement each. It has no signature, rate limit, journal, events
// or inbox.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { withClient } from '../postgres.js';

const poolSize = 10;

const tables = `
  -- In the order in which a later one wins.
  CREATE TYPE message_status AS ENUM ('SENT', 'FAILED', 'DELIVERED', 'READ');
  CREATE TABLE tenants (id uuid PRIMARY KEY DEFAULT uuidv7(), api_key text NOT NULL UNIQUE);
  CREATE TABLE leads (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    tenant_id uuid NOT NULL REFERENCES tenants,
    chat text NOT NULL,
    name text NOT NULL,
    source text NOT NULL DEFAULT 'webhook',
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, chat)
  );
  CREATE TABLE messages (
    id uuid PRIMARY KEY DEFAULT uuidv7(),
    tenant_id uuid NOT NULL REFERENCES tenants,
    lead_id uuid NOT NULL REFERENCES leads,
    instance text NOT NULL,
    external_id text NOT NULL,
    type text NOT NULL,
    body text,
    -- NULL on what came in.
    status message_status,
    status_at timestamptz,
    provider_timestamp timestamptz,
    received_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, instance, external_id)
  );
  CREATE INDEX ON messages (lead_id, id);`;

const storeMessage = {
  name: 'store-message',
  text: `WITH known AS (
      SELECT id FROM leads WHERE tenant_id = $1 AND chat = $2
    ), created AS (
      INSERT INTO leads (tenant_id, chat, name) SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM known)
      ON CONFLICT (tenant_id, chat) DO UPDATE SET chat = EXCLUDED.chat
      RETURNING id
    )
    INSERT INTO messages (tenant_id, lead_id, instance, external_id, type, body, provider_timestamp)
    SELECT $1, lead.id, $4, $5, $6, $7, to_timestamp($8) FROM (TABLE known UNION ALL TABLE created) lead
    ON CONFLICT (tenant_id, instance, external_id) DO NOTHING
    RETURNING id AS "messageId", lead_id AS "leadId"`,
};

const findOrCreateLead = {
  name: 'find-or-create-lead',
  text: `INSERT INTO leads AS l (tenant_id, chat, name, source) VALUES ($1, $2, $3, $4)
    ON CONFLICT (tenant_id, chat) DO UPDATE SET chat = l.chat
    RETURNING id, name, chat, source, created_at AS "createdAt", xmax = 0 AS created`,
};

const applyStatus = {
  name: 'apply-status',
  text: `UPDATE messages SET status = $4, status_at = to_timestamp($5)
    WHERE tenant_id = $1 AND instance = $2 AND external_id = $3 AND status < $4
    RETURNING id AS "messageId"`,
};

const insertSentMessages = `
  INSERT INTO messages (tenant_id, lead_id, instance, external_id, type, body, status, status_at)
  SELECT l.tenant_id, l.id, $1, s.external_id, 'text', $2, 'SENT', now()
  FROM unnest($3::text[]) WITH ORDINALITY AS s (external_id, position)
  JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS position FROM leads) l
    ON l.position = s.position % (SELECT count(*) FROM leads)`;

/** A message as the callers of the inbound webhook write it. */
export interface ReportedMessage {
  instance: string;
  messageId: string;
  from: string;
  name: string;
  type: string;
  text: string;
  timestamp: number;
}

/** A lead as integrators post it. */
export interface PostedLead {
  chat: string;
  name: string;
  source: string;
}

/** A status as the callers of the status webhook write it. */
export interface ReportedStatus {
  instance: string;
  messageId: string;
  status: string;
  timestamp: number;
}

/** Works through a pool of ten connections; keys are looked up once. For an unknown key every method returns undefined. */
export class IntakeStore {
  private readonly pool: pg.Pool;
  private readonly tenantIds = new Map<string, string>();

  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  }

  /** Finds or creates the lead, and stores the message once. */
  async storeMessage(apiKey: string, message: ReportedMessage): Promise<object | undefined> {
    const tenantId = this.tenantIds.get(apiKey) ?? (await this.findTenant(apiKey));
    if (tenantId === undefined) return undefined;
    const { from, name, instance, messageId, type, text, timestamp } = message;
    const values = [tenantId, from, name, instance, messageId, type, text, timestamp];
    const { rows } = await this.pool.query<{ messageId: string; leadId: string }>({ ...storeMessage, values });
    return { accepted: 1, results: [{ ...rows[0], duplicate: rows.length === 0 }] };
  }

  async findOrCreateLead(apiKey: string, { chat, name, source }: PostedLead): Promise<object | undefined> {
    const tenantId = this.tenantIds.get(apiKey) ?? (await this.findTenant(apiKey));
    if (tenantId === undefined) return undefined;
    const { rows } = await this.pool.query<object>({ ...findOrCreateLead, values: [tenantId, chat, name, source] });
    return rows[0];
  }

  /** Applies the status when it rises; an unknown message is ignored. */
  async applyStatus(apiKey: string, report: ReportedStatus): Promise<object | undefined> {
    const tenantId = this.tenantIds.get(apiKey) ?? (await this.findTenant(apiKey));
    if (tenantId === undefined) return undefined;
    const { instance, messageId: externalId, status, timestamp } = report;
    const values = [tenantId, instance, externalId, status, timestamp];
    const { rows } = await this.pool.query<{ messageId: string }>({ ...applyStatus, values });
    const outcome = rows.length === 0 ? 'ignored' : 'applied';
    return { accepted: 1, results: [{ ...rows[0], externalId, outcome }] };
  }

  private async findTenant(apiKey: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>('SELECT id FROM tenants WHERE api_key = $1', [apiKey]);
    if (rows[0] !== undefined) this.tenantIds.set(apiKey, rows[0].id);
    return rows[0]?.id;
  }
}

export interface BaselineDatabase {
  url: string;
  apiKey: string;
}

/** Fills an empty database: the tables, one tenant, and a lead for each chat number. */
export async function createBaselineDatabase(url: string, chatNumbers: readonly string[]): Promise<BaselineDatabase> {
  const apiKey = `lw_${randomBytes(32).toString('base64url')}`;
  await withClient(url, async (client) => {
    await client.query(tables);
    await client.query('INSERT INTO tenants (api_key) VALUES ($1)', [apiKey]);
    await client.query(
      `INSERT INTO leads (tenant_id, chat, name) SELECT t.id, chat, 'Lead ' || chat FROM tenants t, unnest($1::text[]) AS chat`,
      [chatNumbers],
    );
  });
  return { url, apiKey };
}

/** Stores messages that have been sent, one for each provider id, over the leads in turn. */
export async function storeSentMessages(
  url: string,
  { instanceName, text, externalIds }: { instanceName: string; text: string; externalIds: readonly string[] },
): Promise<void> {
  await withClient(url, (client) => client.query(insertSentMessages, [instanceName, text, externalIds]));
}

/** The environment's DATABASE_URL. @throws Error when it is missing */
export function requireDatabaseUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (url === undefined) throw new Error('DATABASE_URL is required.');
  return url;
}

/** Prints the port of the server, as the product does. */
export function announcePort(address: unknown): void {
  const { port } = address as { port: number };
  process.stdout.write(`${JSON.stringify({ port, msg: 'listening' })}\n`);
}
