// The store of both baselines of the inbox: one statement, written by hand for this page alone, on the product's own tables. It returns its
// rows as one JSON text, which costs Node.js less than columns do. The tenant is given, because nobody signs in.

import pg from 'pg';
import { requireDatabaseUrl } from './intake-store.js';

export interface InboxArguments {
  first: number;
  after?: string | null;
}

type Row = [
  id: string,
  name: string,
  chat: string | null,
  source: string,
  unreadCount: number,
  updatedAt: string,
  messageId: string,
  direction: string,
  type: string,
  status: string | null,
  body: string | null,
  createdAt: string,
  userId: string | null,
  userName: string | null,
  email: string | null,
];

/** The index for the order of these pages; the product sorts no list by this column alone. */
export const inboxIndex = 'CREATE INDEX ON leads (tenant_id, last_message_id) WHERE merged_into_id IS NULL';

// The leads are read first: otherwise, messages would be read from the newest one on.
const pageBeyond = (
  condition: string,
) => `SELECT json_agg(json_build_array(l.id, l.name, l.chat, l.source, l.unread_count, l.updated_at,
    m.id, m.direction, m.type, m.status, m.body, m.created_at, u.id, u.name, u.email) ORDER BY l.last_message_id DESC)::text AS rows
  FROM (
    SELECT id, name, chat, source, unread_count, updated_at, last_message_id, assignee_id FROM leads
    WHERE tenant_id = $1 AND merged_into_id IS NULL AND ${condition}
    ORDER BY last_message_id DESC LIMIT $2
  ) l
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE tenant_id = $1 AND id = l.last_message_id LIMIT 1) m
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.assignee_id`;

const selectFirst = { name: 'select-first', text: pageBeyond('last_message_id IS NOT NULL') };
const selectAfter = { name: 'select-after', text: pageBeyond('last_message_id < $3') };

export class InboxStore {
  private readonly pool = new pg.Pool({ connectionString: requireDatabaseUrl(), max: 10, options: '-c TimeZone=UTC' });

  constructor(private readonly tenantId = process.env['TENANT_ID'] ?? '') {}

  /** A page as the product's `inbox` gives it. */
  async read({ first, after }: InboxArguments) {
    const values = [this.tenantId, first + 1];
    const { rows } = await this.pool.query<{ rows: string | null }>(
      after == null ? { ...selectFirst, values } : { ...selectAfter, values: [...values, messageIdOf(after)] },
    );
    const leads = JSON.parse(rows[0]?.rows ?? '[]') as Row[];
    const edges = leads.slice(0, first).map(toEdge);
    return { edges, pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: leads.length > first } };
  }
}

function messageIdOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString().slice('inbox:'.length);
}

function toEdge(row: Row) {
  const [id, name, chat, source, unreadCount, updatedAt] = row;
  const [messageId, direction, type, status, body, createdAt, userId, userName, email] = row.slice(6);
  return {
    cursor: Buffer.from(`inbox:${messageId}`).toString('base64url'),
    node: {
      id,
      name,
      chat,
      source,
      unreadCount,
      updatedAt,
      lastMessage: { id: messageId, direction, type, status, body, createdAt },
      assignee: userId === null ? null : { id: userId, name: userName, email },
    },
  };
}
